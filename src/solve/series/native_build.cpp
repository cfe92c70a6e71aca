#include "series/native_build.hpp"

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/stop.hpp>
#include <dalembert/system/compiled_recursion.hpp>
#include <dalembert/system/expansion_program.hpp>

namespace dalembert {
namespace {

// Of gcc -O2, about: 0.2 s for a pendulum, 3.7 s for 1100 rows.
double seconds_to_compile(const System& system) {
  return 0.2 + 3.5e-3 * static_cast<double>(system.expansion_program().plan->rows.size());
}

}  // namespace

bool may_use_code(const System& system, const SolveOptions& options) {
  return options.native != "off" && system.expansion_program().plan->rows.size() <= most_rows;
}

NativeBuild::NativeBuild(const System& system, std::span<const std::size_t> active,
                         const SolveOptions& options, bool possible)
    : system_(system), active_(active.begin(), active.end()), is_wanted_first_(options.native == "on") {
  if (is_wanted_first_ && !possible)
    throw Error("native code is not for runs of many threads or digits: leave out native = on");
  if (!is_wanted_first_ && possible && may_use_code(system, options)) state_ = State::waiting;
}

NativeBuild::~NativeBuild() {
  is_stopped_ = true;
  if (thread_.joinable()) thread_.join();
}

auto NativeBuild::first() -> Code {
  if (!is_wanted_first_) return nullptr;
  Code code = compile_expansion_code(expansion_source(system_, active_), reason_, stop_requested);
  if (!code) throw Error(fmt::format("no native code: {}", reason_));
  return code;
}

auto NativeBuild::look(double share) -> Code {
  if (state_ == State::building) {
    if (!is_ready_) return nullptr;
    state_ = State::off;
    thread_.join();
    return code_;
  }
  constexpr double soonest = 0.1;  // seconds; shorter runs are over before a thread has started
  const double so_far = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (so_far < soonest || !(share > 0)) return nullptr;
  const double left = so_far * (1 - share) / share;
  if (left < soonest) return nullptr;
  state_ = State::building;
  thread_ = std::thread([this, left, source = expansion_source(system_, active_)] { build(source, left); });
  return nullptr;
}

// Compiled code takes half the time or less, beside which the run goes on.
void NativeBuild::build(const ExpansionSource& source, double seconds_left) {
  try {
    code_ = find_expansion_code(source);
    if (!code_ && seconds_left > 2 * seconds_to_compile(system_))
      code_ = compile_expansion_code(source, reason_, [this] { return is_stopped_.load(); });
  } catch (const std::exception& error) {  // the run goes on without
    reason_ = error.what();
  }
  is_ready_ = true;
}

}  // namespace dalembert
