// The course of a run, whatever is computed: when samples are due, limits, progress, outcome.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <dalembert/solve/options.hpp>
#include <dalembert/solve/schedule.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert {

class RunLog {
 public:
  RunLog(const SolveOptions& options, std::string_view method);

  RunReport report;
  Schedule schedule;

  /// Another run with the same options.
  void begin();

  /// Not stopped, not interrupted.
  bool running() const { return report.outcome == Outcome::finished; }
  /// Time to the end from `t` on, positive before it.
  double remaining(double t) const { return direction_ * (end_ - t); }
  double end() const { return end_; }
  double direction() const { return direction_; }  ///< 1 or −1
  /// Whether a sample is still to come; strictly before `t`; before or at it.
  bool waiting() const { return running() && !schedule.every_step() && !schedule.done(); }
  template <class S>
  bool due_before(const S& t) const {
    return waiting() && S(direction_) * (schedule.next<S>() - t) < 0;
  }
  template <class S>
  bool due_at(const S& t) const {
    return waiting() && S(direction_) * (schedule.next<S>() - t) <= 0;
  }

  void count_step(double size, int order);
  /// After the samples of a step: the limit of steps, progress.
  void check_limits(double t);

  void stop(const std::string& reason);
  void interrupt();
  /// The state where a run stopped early is a sample too, as long as samples are due.
  bool wants_last() const { return report.outcome == Outcome::stopped_early && !schedule.every_step(); }
  RunReport finish(double t);

 private:
  void note_rank_losses(double end);

  const SolveOptions& options_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point asked_;  // for progress
  double end_;
  double direction_;
};

}  // namespace dalembert
