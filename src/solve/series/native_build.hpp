// Compiled code for a run: at once where it is asked for, else beside the run, when the work ahead is worth
// it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <dalembert/codegen/expansion_code.hpp>
#include <dalembert/settings/solve_options.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert {

/// Whether the options allow compiled code, and the series are not too large for it.
bool may_use_code(const System& system, const SolveOptions& options);

class NativeBuild {
 public:
  using Code = std::shared_ptr<const ExpansionCode>;

  /// `possible`: false where the steps cannot use it.
  NativeBuild(const System& system, std::span<const std::size_t> active, const SolveOptions& options,
              bool possible);
  ~NativeBuild();
  NativeBuild(const NativeBuild&) = delete;
  NativeBuild& operator=(const NativeBuild&) = delete;

  /// For native = "on": the code; throws Error where there is none. Null otherwise.
  Code first();
  /// Between two steps at time t, when a share of the run is done: the code, once, as soon as it is there.
  Code poll(double share, double t) {
    // a look takes a lock and a clock; a change-over may wait for so many steps. Chosen, not measured.
    constexpr unsigned steps_between_looks = 64;
    return state_ == State::off || ++steps_ % steps_between_looks != 0 ? nullptr : look(share, t);
  }
  /// Whether code was used, and why not.
  void tell(RunReport& report) const;

 private:
  enum class State { off, waiting, building };
  using Clock = std::chrono::steady_clock;

  Code look(double share, double t);
  void build(const ExpansionSource& source, double seconds_left);

  const System& system_;
  std::vector<std::size_t> active_;
  bool is_wanted_first_;
  State state_ = State::off;
  unsigned steps_ = 0;
  Clock::time_point begin_ = Clock::now();
  std::thread thread_;
  std::atomic<bool> is_ready_{false}, is_stopped_{false};
  Code code_;
  bool is_cached_ = false;  // what build() has found
  bool is_used_ = false;
  std::string reason_;  // why there is none
  std::string told_;
};

}  // namespace dalembert
