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
  told_ = options.native == "off" ? "off"
          : state_ == State::off  ? "not for runs of many digits or threads, or of large models"
                                  : "not worth it: the run is short";
}

NativeBuild::~NativeBuild() {
  is_stopped_ = true;
  if (thread_.joinable()) thread_.join();
}

auto NativeBuild::first() -> Code {
  if (!is_wanted_first_) return nullptr;
  const ExpansionSource source = expansion_source(system_, active_);
  Code code = find_expansion_code(source);
  told_ = code ? "from the cache" : "compiled before the run";
  if (!code) code = compile_expansion_code(source, reason_, stop_requested);
  if (!code) throw Error(fmt::format("no native code: {}", reason_));
  is_used_ = true;
  return code;
}

auto NativeBuild::look(double share, double t) -> Code {
  if (state_ == State::building) {
    if (!is_ready_) return nullptr;
    state_ = State::off;
    thread_.join();
    if (code_) {
      is_used_ = true;
      told_ = fmt::format("{}, used from t = {:.4g} on",
                          is_cached_ ? "from the cache" : "compiled beside the run", t);
    }
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
    is_cached_ = code_ != nullptr;
    if (!code_ && seconds_left > 2 * seconds_to_compile(system_))
      code_ = compile_expansion_code(source, reason_, [this] { return is_stopped_.load(); });
  } catch (const std::exception& error) {  // the run goes on without
    reason_ = error.what();
  }
  is_ready_ = true;
}

void NativeBuild::tell(RunReport& report) const {
  const bool is_missed = !is_used_ && is_ready_ && !reason_.empty();
  if (report.native_counts && !is_used_) return;  // of an earlier part of the run
  report.native =
      is_missed ? fmt::format("none: {}; with it steps take less than half as long", reason_) : told_;
  report.native_counts = is_used_ || is_missed;
}

}  // namespace dalembert
