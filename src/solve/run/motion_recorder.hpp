// What is recorded of a mechanical motion: samples when they are due, energies, work, residuals, limits, the
// report.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/observer.hpp>
#include <dalembert/solve/solve.hpp>

#include "control/error_growth.hpp"
#include "run/constraint_residuals.hpp"
#include "run/driver.hpp"
#include "run/energy_watch.hpp"
#include "run/step_curves.hpp"
#include "run/stepper.hpp"
#include "singular/least_multipliers.hpp"

namespace dalembert {

/// What a run has recorded so far, for another to go on from.
template <class S>
struct RunProgress {
  RunReport report;
  Schedule schedule;
  S work;
  EnergyWatch<S> energy;
  std::optional<ErrorGrowth::Memory> errors;
};

template <class S>
class MotionRecorder : public Recorder<S> {
 public:
  using State = typename Observer<S>::State;
  using RunLog::report;
  using RunLog::schedule;

  MotionRecorder(const Problem& problem, const SolveOptions& options, const SampleSink<S>& sink,
                 MotionStepper<S>& stepper);
  ~MotionRecorder() override;

  void start() override;
  /// start(), or resume() behind an event.
  void begin_run();
  void sample() override;
  void end_step() override;
  void sample_last() override;
  std::optional<S> find_cut() override;
  void finish_at(const S& t) override;
  S limit() const override;

  /// Instead of start(): what came before is recorded already.
  void go_on_from(const RunProgress<S>& progress);
  /// Instead of start(), behind an event: what it added to the energy counts as work.
  void start_curves(const State& state);
  void resume(const RunProgress<S>& progress);
  /// With all that the stepper tells at the end.
  RunReport finish();

 private:
  using Detail = typename MotionStepper<S>::Detail;

  void end_step(const State& state);
  void follow_errors(const State& end);
  void begin_path(double t);
  void follow_path(const State& end);
  void tell();
  void emit_due(const State& state);
  void add_work(const S& to);
  std::optional<State> end_state();
  void note_end_residuals(const State& state);
  void note_residuals(std::span<const S> g, std::span<const S> gv);
  void note_residuals(const State& state);
  void emit(const State& at);
  typename EnergyWatch<S>::Energies energies() const;
  void note_energy(const State& state);
  void check_redundant(const State& state);
  std::optional<std::size_t> find_contradiction(const std::vector<S>& residuals, std::size_t first) const;
  bool has_doubled();
  void look_at_residuals(const State& state);

  const Problem& problem_;
  const SolveOptions& options_;
  const SampleSink<S>& sink_;
  MotionStepper<S>& stepper_;
  Observer<S> observer_;
  EnergyWatch<S> energy_watch_;
  std::optional<EnergyGradients<S>> gradients_;  // made when they are needed first
  std::unique_ptr<ErrorGrowth> error_growth_;    // null: nobody asks
  std::unique_ptr<StepCurves> curves_;           // likewise
  const System* system_;
  ConstraintResiduals<S> residuals_;
  std::vector<bool> is_redundant_;  // by constraint; empty: none is
  std::vector<double> residual_scales_;
  double fastest_ = 0;             // the largest velocity so far, where constraints are redundant
  double size_q_, size_v_;         // at the start, or larger
  std::vector<double> looked_at_;  // residuals, g first, that were compared with their terms last
  double looked_at_most_ = 0;      // the largest of them
  LeastMultipliers<S> multipliers_;
  std::vector<double> state_q_, state_v_;  // of more digits, rounded
  S work_;
  RunReport before_;     // counters of earlier parts of the run
  double reached_;       // the last time that was recorded
  double path_end_ = 0;  // up to where SolveOptions::path_watch was told of the motion
};

/// A whole run from a consistent state.
template <class S>
RunReport run_motion(MotionStepper<S>& stepper, MotionRecorder<S>& recorder, const S& t, std::span<const S> q,
                     std::span<const S> v) {
  if (stepper.restart(t, q, v)) {
    recorder.begin_run();
  } else {
    recorder.stop(stepper.reason);
  }
  drive(stepper, recorder);
  return recorder.finish();
}

extern template class MotionRecorder<double>;
extern template class MotionRecorder<Real>;

}  // namespace dalembert
