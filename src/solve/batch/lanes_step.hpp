// Steps of trajectories in lanes. They do not leap over singular configurations: where one is ahead of a
// lane, the lanes part.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/try_step.hpp>

#include "singular/crossing_step.hpp"
#include "singular/rank_loss_detector.hpp"

namespace dalembert {

/// The same interface as CrossingStep's.
template <class S>
class LanesStep {
 public:
  using Step = AdomianStep<S>;

  /// `may_be_compiled`: AdomianStep::use_code() may be called.
  LanesStep(const Problem& problem, const SolveOptions& options, std::span<const ParameterValues> parameters,
            bool may_be_compiled)
      : options_(options),
        step_(problem.system, problem.active, settings(options, may_be_compiled), parameters),
        watch_(problem.system.n(), problem.active.size()) {}

  /// The next run begins like the first.
  void restart() {
    step_.restart();
    watch_.restart();
    looked_at_.reset();
    usual_ = 0;
  }

  Step& step() { return step_; }
  std::size_t rejected() const { return rejected_; }

  double prepare(double t, double proposed) {
    if (watch_.empty()) return proposed;
    if (t != looked_at_) watch_.look(step_);
    watch_.keep();
    if (std::isfinite(watch_.independence())) usual_ = std::max(usual_, watch_.independence());
    return proposed;
  }

  TakenStep<S> take(const StepStart<S>& start, const S& wanted) {
    const double smallest = std::min(smallest_step(options_, start.t), 0.5 * start.remaining);
    const StepAttempt<S> attempt = try_step(step_, wanted, smallest, [&](typename Step::Check check) {
      return !watch_.empty() && is_near_singular(check);
    });
    rejected_ += attempt.rejected;
    if (attempt.taken) return {attempt.h};
    if (attempt.interrupted) return {attempt.h, StepFailure::lanes_part};
    return {attempt.h, failure_of(attempt)};
  }
  std::optional<double> finish(double, double) { return std::nullopt; }

 private:
  static StepSettings settings(const SolveOptions& options, bool may_be_compiled) {
    StepSettings s = adomian_settings(options);
    s.may_be_compiled = may_be_compiled;
    return s;
  }

  // At the end of an attempt: the rows of C have lost rank within it, or a failure may come from there.
  bool is_near_singular(typename Step::Check check) {
    constexpr double small = 0.02;
    if (check == Step::Check::singular || check == Step::Check::not_finite) return true;
    looked_at_ = step_.t()[0];
    if (watch_.look(step_) < 0) return true;
    const double now = watch_.independence();
    return now < small * usual_ || (check != Step::Check::good && now < usual_ / 2);
  }

  const SolveOptions& options_;
  Step step_;
  RankLossDetector<S> watch_;
  std::optional<double> looked_at_;  // time of the state
  double usual_ = 0;                 // independence of the constraints
  std::size_t rejected_ = 0;
};

}  // namespace dalembert
