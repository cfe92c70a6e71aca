#include "run/run_log.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/stop.hpp>

namespace dalembert {

RunLog::RunLog(const SolveOptions& options, std::string_view method)
    : schedule(options),
      options_(options),
      begin_(std::chrono::steady_clock::now()),
      asked_(begin_),
      end_(options.start + options.duration),
      direction_(options.duration < 0 ? -1 : 1) {
  report.method = method;
  report.start_time = options.start;
}

void RunLog::begin() {
  RunReport fresh;
  fresh.method = report.method;
  fresh.start_time = report.start_time;
  report = fresh;
  schedule = Schedule(options_);
  begin_ = std::chrono::steady_clock::now();
}

void RunLog::count_step(double size, int order) {
  ++report.steps;
  const bool first = report.steps == 1;
  report.smallest_step = first ? size : std::min(report.smallest_step, size);
  report.largest_step = std::max(report.largest_step, size);
  report.lowest_order = first ? order : std::min(report.lowest_order, order);
  report.highest_order = std::max(report.highest_order, order);
}

void RunLog::check_limits(double t) {
  if (options_.max_steps > 0 && report.steps >= options_.max_steps && remaining(t) > 0) {
    stop(fmt::format("the limit of {} steps is reached", options_.max_steps));
  }
  if (!options_.progress) return;
  constexpr std::size_t between = 64;                // steps; chosen, not measured
  constexpr std::chrono::milliseconds patience(50);  // of somebody who wants to interrupt long steps
  const auto now = std::chrono::steady_clock::now();
  if (report.steps % between == 0 || now - asked_ > patience || stop_requested()) {
    asked_ = now;
    if (!options_.progress({t, (t - options_.start) / options_.duration, report.steps, report.advice}))
      interrupt();
  }
}

void RunLog::stop(const std::string& reason) {
  report.outcome = Outcome::stopped_early;
  report.reason = reason;
}

void RunLog::interrupt() {
  report.outcome = Outcome::interrupted;
  report.reason = "interrupted";
}

// A run that stopped in such a place did not go on from there.
void RunLog::note_rank_losses(double end) {
  std::vector<double>& times = report.singular_times;
  if (report.outcome == Outcome::stopped_early)
    std::erase_if(times, [&](double t) { return direction_ * (end - t) <= 0; });
  if (times.empty()) return;
  constexpr std::size_t named = 3;
  std::string list;
  for (std::size_t i = 0; i < std::min(named, times.size()); ++i) {
    list += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", times[i]);
  }
  report.warnings.push_back(
      fmt::format("constraints lost rank at t = {}{}: the motion went on along its smooth branch", list,
                  times.size() > named ? fmt::format(" ... ({} times)", times.size()) : ""));
}

RunReport RunLog::finish(double t) {
  note_rank_losses(t);
  report.end_time = t;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return report;
}

}  // namespace dalembert
