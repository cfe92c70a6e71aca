// Takes steps of the Adomian method, over singular configurations too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/solve/try_step.hpp>

#include "methods/adomian.hpp"
#include "series/as_double.hpp"
#include "series/native_build.hpp"
#include "singular/rank_loss_crossing.hpp"
#include "switches/sign_change_locator.hpp"

namespace dalembert {

/// Where a step begins.
template <class S>
struct StepStart {
  double t;
  double remaining;  ///< time to the end of the run, positive
  S rest;            ///< the same with all digits and its sign
};

template <class S>
struct TakenStep {
  S h;
  StepFailure failure = StepFailure::none;
};

template <class S>
class CrossingStep {
 public:
  using Step = AdomianStep<S>;

  /// `parameters` as for Expansion.
  CrossingStep(const Problem& problem, const SolveOptions& options,
               std::span<const ParameterValues> parameters = {})
      : options_(options),
        step_(problem.system, problem.active, settings(problem, options), parameters),
        passage_(problem.system, problem.active, parameters) {}

  Step& step() { return step_; }
  /// Other constraints, as many, count from the present state on. False: the matrix is singular there.
  bool choose_rows(std::span<const std::size_t> active) {
    passage_.choose_rows(active);
    return step_.choose_rows(active);
  }
  std::size_t rejected() const { return rejected_; }  ///< attempts so far

  /// After step().expand() at time t: the proposed length, shorter behind a singular configuration.
  double prepare(double t, double proposed) {
    const double h = passage_.prepare(step_, t, proposed);
    step_.check_tangent_only(passage_.is_near(t, h));
    return h;
  }
  /// Near enough to a singular configuration for a step of length h to feel it.
  bool is_near(double t, double h) const { return passage_.is_near(t, h); }

  TakenStep<S> take(const StepStart<S>& start, const S& wanted) {
    if (passage_.is_ahead()) {
      if (const std::optional<S> leap = take_leap(start)) return {*leap};
    }
    if (passage_.is_too_near()) return {wanted, StepFailure::branch};
    const double direction = as_double(wanted) < 0 ? -1 : 1;
    const S shorter =
        passage_.is_ahead() ? S(direction * passage_.limit(start.t, std::abs(as_double(wanted)))) : wanted;
    const double smallest = std::min(smallest_step(options_, start.t), 0.5 * start.remaining);
    const StepAttempt<S> attempt = try_step(step_, shorter, smallest, [&](typename Step::Check check) {
      return passage_.look(step_, check, start.t, as_double(shorter));
    });
    rejected_ += attempt.rejected;
    if (attempt.taken) return {attempt.h};
    if (attempt.interrupted) return take(start, wanted);
    if (passage_.is_ahead()) return {attempt.h, StepFailure::branch};
    return {attempt.h, failure_of(attempt)};
  }

  /// The time of the singular configuration that a step from `from` to `to` passed, if any.
  std::optional<double> finish(double from, double to) { return passage_.finish(from, to); }

 private:
  static StepSettings settings(const Problem& problem, const SolveOptions& options) {
    StepSettings s = adomian_settings(options);
    s.threads = threads_for(problem.system, options.threads);
    s.may_be_compiled = std::is_same_v<S, double> && may_use_code(problem.system, options) && s.threads == 1;
    return s;
  }

  // Over a singular configuration. What the projection would have to move behind it is not of this motion.
  // An end where the matrix is singular has no defect, nor has one whose forces are not finite.
  std::optional<S> take_leap(const StepStart<S>& start) {
    const double length = passage_.leap(start.t);
    const S leap = std::abs(length) < start.remaining ? S(length) : start.rest;
    const double round_off = 50 * rounding_of<S>();
    step_.check_tangent_only(true);
    for (int more = 0; step_.keep_falling_terms(leap, more); more += 2) {
      const auto check = step_.advance(leap);
      const bool good = check == Step::Check::good ||
                        (check == Step::Check::inaccurate && step_.relative_defect() < round_off);
      if (good && step_.landing_correction() < largest_correction(options_)) return leap;
    }
    step_.keep_all_terms();
    return std::nullopt;
  }

  const SolveOptions& options_;
  Step step_;
  RankLossCrossing<S> passage_;
  std::size_t rejected_ = 0;
};

}  // namespace dalembert
