// The loop of every run: start, step, sample, record, stop, interrupt.
#pragma once

#include <optional>

#include "run/run_log.hpp"
#include "run/stepper.hpp"
#include "series/as_double.hpp"

namespace dalembert {

/// What becomes of the steps. It knows the stepper.
template <class T>
class Recorder : public RunLog {
 public:
  using RunLog::RunLog;
  using RunLog::schedule;
  virtual ~Recorder() = default;

  /// At the start, from where the stepper goes on.
  virtual void start() = 0;
  /// Where an event ends the run within the last step, after which `finish_at` is called in place of
  /// end_step.
  virtual std::optional<T> find_cut() { return std::nullopt; }
  virtual void finish_at(const T& /*t*/) {}
  /// Up to where steps may go.
  virtual T limit() const { return schedule.template end<T>(); }
  /// The sample that is due next, within the last step.
  virtual void sample() = 0;
  /// The end of the last step, with the samples due there.
  virtual void end_step() = 0;
  /// The state at which a run stopped early.
  virtual void sample_last() = 0;
};

/// Runs from where the stepper stands to the end, or to where something stops it. False: the stepper could
/// not go on.
template <class T>
bool drive(Stepper<T>& stepper, Recorder<T>& recorder) {
  const T end = recorder.limit();
  bool goes_on = true;
  while (recorder.running() && recorder.direction() * as_double(T(end - stepper.t())) > 0) {
    goes_on = stepper.step(end);
    if (!goes_on) {
      recorder.stop(stepper.reason);
      break;
    }
    const std::optional<T> cut = recorder.find_cut();
    while (recorder.due_before(cut ? *cut : stepper.t())) recorder.sample();
    if (cut) {
      if (recorder.running()) recorder.finish_at(*cut);
      return true;
    }
    if (recorder.running()) recorder.end_step();
    if (!recorder.running()) break;
    goes_on = stepper.leave_step();
    if (!goes_on) recorder.stop(stepper.reason);
  }
  if (recorder.wants_last() && recorder.report.steps > 0) recorder.sample_last();
  return goes_on;
}

}  // namespace dalembert
