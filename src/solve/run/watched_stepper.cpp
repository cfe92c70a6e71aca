#include "run/watched_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "multistep/balanced_state.hpp"
#include "run/motion_recorder.hpp"

namespace dalembert {

WatchedStepper::WatchedStepper(const Problem& problem, const SolveOptions& options, StateStepper& steps)
    : problem_(problem),
      options_(options),
      steps_(steps),
      guard_(problem),
      rank_losses_(problem),
      sides_(problem.system),
      q_(problem.system.n()),
      v_(problem.system.n()),
      a_(problem.system.n()),
      lambda_(problem.system.m()),
      direction_(options.duration < 0 ? -1 : 1),
      begin_(options.start),
      time_(options.start) {}

bool WatchedStepper::restart(const double& t, std::span<const double> q, std::span<const double> v) {
  begin_ = time_ = t;
  if (steps_.start(t, q, v, direction_) == StateStepper::Result::failed) return fail(steps_.reason);
  sides_.start(t, steps_.q(), steps_.v());
  return true;
}

bool WatchedStepper::step(const double& limit) {
  if (last_step_ == 0 && !look_for_rank_loss()) return false;
  if (steps_.step(limit_of(limit)) == StateStepper::Result::failed) return fail(steps_.reason);
  last_step_ = std::abs(steps_.t() - time_);
  const std::string refusal = guard_.refuse(guarded(limit));
  if (!refusal.empty()) return fail(refusal);
  if (!look_for_rank_loss()) return false;
  begin_ = work_time_ = time_;
  time_ = steps_.t();
  limit_ = limit;
  return true;
}

bool WatchedStepper::leave_step() {
  if (lost_accelerations_) return fail(Accelerations::singular_reason());
  std::string reason = guard_.check(guarded(limit_));
  if (reason.empty()) reason = sides_.look(steps_, direction_ * (limit_ - time_));
  return reason.empty() || fail(reason);
}

bool WatchedStepper::fail(const std::string& why) {
  reason = why;
  return false;
}

// What acts within a step only is met: the step ends before it.
double WatchedStepper::limit_of(double limit) {
  if (!steps_.chooses_steps()) return limit;
  if (!foresight_) foresight_.emplace(problem_, options_);
  const double proven = foresight_->limit(steps_.t(), steps_.q(), steps_.v(), last_step_);
  // behind an event, start + duration may be the end but for its rounding
  const double rounding = 2 * std::numeric_limits<double>::epsilon() * (std::abs(proven) + std::abs(limit));
  return direction_ * (limit - proven) > rounding ? proven : limit;
}

bool WatchedStepper::look_for_rank_loss() {
  if (accelerations_) accelerations_->improve_rows(steps_.t(), steps_.q(), steps_.v());
  rank_losses_.look({steps_.t(), steps_.q(), steps_.v()}, report_->max_position_residual, accelerations());
  return rank_losses_.reason().empty() || fail(rank_losses_.reason());
}

ConstraintGuard::Step WatchedStepper::guarded(double end) const {
  const double t = steps_.t();
  return {t,
          steps_.q(),
          steps_.v(),
          last_step_ * direction_,
          report_->largest_step,
          report_->max_position_residual,
          direction_ * (end - t) <= 0};
}

auto WatchedStepper::at(const double& t, Detail detail) -> std::optional<State> {
  const bool is_end = t == time_;
  if (is_end && steps_.t() != time_) {  // behind it, a step was taken that is none of this motion
    reason = "the step was taken back";
    return std::nullopt;
  }
  if (!is_end) steps_.eval(t, q_, v_);
  const State state{t, is_end ? steps_.q() : q_, is_end ? steps_.v() : v_, a_, lambda_};
  if (detail == Detail::all && !eval_accelerations(t, state, steps_.balance(t))) return std::nullopt;
  return state;
}

bool WatchedStepper::eval_accelerations(double t, const State& state, const BalancedState* balanced) {
  if (steps_.eval_accelerations(t, a_, lambda_)) return true;
  Accelerations& at = accelerations();
  const bool good = balanced ? at.eval(t, balanced->q(), balanced->v()) : at.eval(t, state.q, state.v);
  if (!good) return fail(Accelerations::singular_reason());
  std::copy(at.a().begin(), at.a().end(), a_.begin());
  std::copy(at.lambda().begin(), at.lambda().end(), lambda_.begin());
  return true;
}

Accelerations& WatchedStepper::accelerations() {
  if (Accelerations* const shared = steps_.accelerations()) return *shared;
  if (!accelerations_) accelerations_.emplace(problem_.system, problem_.active);
  return *accelerations_;
}

double WatchedStepper::work_to(const double& to, Observer<double>& observer) {
  // A step that an event cuts short may have gone far beyond: a part of 3e-3 of it, where a force of t² ends
  // at its zero, had an error of 2e-3 of its work with the one point that its share asks for.
  constexpr double least_share = 0.05;
  const double share = std::max(least_share, std::abs((to - work_time_) / (time_ - begin_)));
  const double work = observer.work(work_time_, to, share, [&](double t) -> State {
    steps_.eval(t, q_, v_);
    const State state{t, q_, v_, a_, lambda_};
    lost_accelerations_ = !eval_accelerations(t, state, nullptr) || lost_accelerations_;
    return state;
  });
  work_time_ = to;
  return work;
}

void WatchedStepper::tell(RunReport& report) const {
  const StateStepper::Counters& counters = steps_.counters;
  report.rejected = counters.rejected;
  report.evaluations = counters.evaluations;
  report.factorizations = counters.factorizations;
  report.iterations = counters.iterations;
  report.singular_times = rank_losses_.times();
}

std::vector<std::string> WatchedStepper::notes() const {
  std::vector<std::string> notes;
  for (const std::string& call : problem_.system.non_analytic()) {
    notes.push_back(fmt::format("{} is not smooth: accuracy suffers where its argument changes sign", call));
  }
  notes.insert(notes.end(), sides_.notes().begin(), sides_.notes().end());
  return notes;
}

RunReport run_steps(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
                    StateStepper& steps) {
  WatchedStepper stepper(problem, options, steps);
  MotionRecorder<double> recorder(problem, options, sink, stepper);
  stepper.follow(recorder.report);
  return run_motion<double>(stepper, recorder, options.start, problem.start.q, problem.start.v);
}

}  // namespace dalembert
