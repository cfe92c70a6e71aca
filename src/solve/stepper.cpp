#include "stepper.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "accelerations.hpp"
#include "balanced_state.hpp"
#include "constraint_guard.hpp"
#include "passage_watch.hpp"
#include "recorder.hpp"
#include "side_watch.hpp"
#include "step_foresight.hpp"

namespace dalembert {
namespace {

constexpr int quadrature_points = 4;  // exact through degree 7, that of the best dense output

class StepperRun {
 public:
  StepperRun(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
             std::string_view method, Stepper& stepper)
      : problem_(problem),
        options_(options),
        stepper_(stepper),
        recorder_(problem, options, sink, {method, quadrature_points}),
        guard_(problem),
        passages_(problem),
        sides_(problem.system),
        q_(problem.system.n()),
        v_(problem.system.n()),
        a_(problem.system.n()),
        lambda_(problem.system.m()),
        time_(options.start) {
    for (const std::string& call : problem.system.non_analytic()) {
      recorder_.report.warnings.push_back(
          fmt::format("{} is not smooth: accuracy suffers where its argument changes sign", call));
    }
  }

  RunReport run() {
    if (stepper_.start(options_.start, problem_.start.q, problem_.start.v, recorder_.direction()) ==
        Stepper::Result::failed) {
      recorder_.stop(stepper_.reason);
    } else {
      begin();
    }
    while (recorder_.running() && recorder_.remaining(time_) > 0) advance();
    if (recorder_.wants_last() && recorder_.report.steps > 0 && time_ == stepper_.t()) {
      recorder_.sample(end_state());
    }
    recorder_.report.singular_times = passages_.times();
    for (const std::string& note : sides_.notes()) recorder_.report.warnings.push_back(note);
    return recorder_.finish(time_);
  }

 private:
  using State = Recorder<double>::State;

  void begin() {
    const bool sampled = recorder_.due_at(time_) || recorder_.schedule.every_step();
    const State state = sampled ? end_state() : bare_state();
    if (!recorder_.running()) return;
    recorder_.note_residuals(state);
    recorder_.start(state);
    sides_.start(time_, stepper_.q(), stepper_.v());
    look_for_passages();
  }

  void advance() {
    const Stepper::Result result = stepper_.step(limit());
    take_counters();
    if (result == Stepper::Result::failed) return recorder_.stop(stepper_.reason);
    const double begin = time_;
    last_step_ = std::abs(stepper_.t() - begin);
    const std::string refusal = guard_.refuse(guarded(begin));
    if (!refusal.empty()) return recorder_.stop(refusal);
    look_for_passages();
    if (!recorder_.running()) return;
    work_time_ = begin;
    while (recorder_.due_before(stepper_.t())) {
      const double next = recorder_.schedule.next();
      add_work(next);
      const State state = inner_state(next, stepper_.balance(next));
      if (recorder_.running()) recorder_.sample(state);
    }
    add_work(stepper_.t());
    time_ = stepper_.t();
    if (!recorder_.running()) return;
    const State state =
        recorder_.due_at(time_) || recorder_.schedule.every_step() ? end_state() : bare_state();
    recorder_.note_residuals(state);
    recorder_.end_step(
        state, {std::abs(time_ - begin), stepper_.counters.order},
        [this](double t, std::span<double> q, std::span<double> v) { stepper_.eval(t, q, v); });
    std::string reason = guard_.check(guarded(begin));
    if (reason.empty()) reason = sides_.look(stepper_, recorder_.remaining(time_));
    if (recorder_.running() && !reason.empty()) recorder_.stop(reason);
  }

  // What acts within a step only is met: the step ends before it.
  double limit() {
    if (!stepper_.chooses_steps()) return recorder_.end();
    if (!foresight_) foresight_.emplace(problem_, options_);
    return foresight_->limit(stepper_.t(), stepper_.q(), stepper_.v(), last_step_);
  }

  void look_for_passages() {
    if (accelerations_) accelerations_->improve_rows(stepper_.t(), stepper_.q(), stepper_.v());
    passages_.look({stepper_.t(), stepper_.q(), stepper_.v()}, recorder_.report.max_position_residual,
                   accelerations());
    if (!passages_.reason().empty()) recorder_.stop(passages_.reason());
  }

  ConstraintGuard::Step guarded(double begin) const {
    const RunReport& report = recorder_.report;
    const double t = stepper_.t();
    return {t,
            stepper_.q(),
            stepper_.v(),
            t - begin,
            report.largest_step,
            report.max_position_residual,
            recorder_.remaining(t) <= 0};
  }

  State inner_state(double t, const BalancedState* balanced) {
    stepper_.eval(t, q_, v_);
    eval_accelerations(t, q_, v_, balanced);
    return {t, q_, v_, a_, lambda_};
  }
  State end_state() {
    eval_accelerations(stepper_.t(), stepper_.q(), stepper_.v(), stepper_.balance(stepper_.t()));
    return {stepper_.t(), stepper_.q(), stepper_.v(), a_, lambda_};
  }

  // Energies and residuals depend on q and v alone.
  State bare_state() const { return {stepper_.t(), stepper_.q(), stepper_.v(), a_, lambda_}; }

  void eval_accelerations(double t, std::span<const double> q, std::span<const double> v,
                          const BalancedState* balanced) {
    if (stepper_.eval_accelerations(t, a_, lambda_)) return;
    Accelerations& at = accelerations();
    if (!(balanced ? at.eval(t, balanced->q(), balanced->v()) : at.eval(t, q, v)))
      return recorder_.stop(Accelerations::singular_reason());
    std::copy(at.a().begin(), at.a().end(), a_.begin());
    std::copy(at.lambda().begin(), at.lambda().end(), lambda_.begin());
  }
  Accelerations& accelerations() {
    if (Accelerations* const shared = stepper_.accelerations()) return *shared;
    if (!accelerations_) accelerations_.emplace(problem_.system, problem_.active);
    return *accelerations_;
  }

  // The work of the forces from where it was last known within this step to t.
  void add_work(double t) {
    if (recorder_.counts_work()) {
      const double share = std::abs((t - work_time_) / (stepper_.t() - time_));
      recorder_.add_work(recorder_.observer().work(
          work_time_, t, share, [&](double at) -> State { return inner_state(at, nullptr); }));
    }
    work_time_ = t;
  }

  void take_counters() {
    const Stepper::Counters& counters = stepper_.counters;
    recorder_.report.rejected = counters.rejected;
    recorder_.report.evaluations = counters.evaluations;
    recorder_.report.factorizations = counters.factorizations;
    recorder_.report.iterations = counters.iterations;
  }

  const Problem& problem_;
  const SolveOptions& options_;
  Stepper& stepper_;
  Recorder<double> recorder_;
  ConstraintGuard guard_;
  PassageWatch passages_;
  SideWatch sides_;
  std::optional<StepForesight> foresight_;      // made where steps are chosen
  std::optional<Accelerations> accelerations_;  // made when first asked for
  std::vector<double> q_, v_, a_, lambda_;
  double time_;           // end of the last step
  double last_step_ = 0;  // its length
  double work_time_ = 0;  // how far in this step the work was counted
};

}  // namespace

RunReport run_stepper(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
                      std::string_view method, Stepper& stepper) {
  return StepperRun(problem, options, sink, method, stepper).run();
}

}  // namespace dalembert
