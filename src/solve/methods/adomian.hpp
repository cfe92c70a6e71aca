// The multistage Adomian method.
#pragma once

#include <string>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/solve/try_step.hpp>

namespace dalembert {

/// What the options mean for a step, and for landing on a sample.
StepSettings adomian_settings(const SolveOptions& options);
StepSettings sampler_settings(const SolveOptions& options);
/// Gauss-Legendre points for the work along a step: they converge at least as fast as the series whose degree
/// is twice their number.
int work_points(const SolveOptions& options);
/// Steps that are no longer than this at time t do not move it.
double smallest_step(const SolveOptions& options, double t);

/// How far the projection may move the end of a step over a singular configuration, relative to q.
double largest_correction(const SolveOptions& options);

inline constexpr const char* branch_reason =
    "constraints become dependent here, and the series does not reach beyond: the motion may branch";
inline constexpr const char* singular_reason =
    "the matrix [M Cᵀ; C 0] is singular here: constraints become dependent, or a motion that they allow has "
    "no inertia";
inline constexpr const char* not_finite_reason =
    "the series has coefficients that are not finite: a value overflows here, as cosh does beyond 710, or "
    "the "
    "motion is singular";
inline constexpr const char* force_not_finite_reason =
    "the forces or constraints have no finite value behind this time: a root, a logarithm or an inverse "
    "function "
    "leaves its domain, or a denominator is zero";
inline constexpr const char* shrunk_reason = "the step shrank to nothing: the solution is singular here";

/// Why a step could not be taken.
enum class StepFailure { none, singular, branch, not_finite, shrunk, lanes_part };
std::string reason_of(StepFailure failure);
template <class S>
StepFailure failure_of(const StepAttempt<S>& attempt) {
  if (attempt.was_singular) return StepFailure::singular;
  return attempt.was_finite ? StepFailure::shrunk : StepFailure::not_finite;
}

RunReport run_adomian(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
RunReport run_adomian_digits(const Problem& problem, const SolveOptions& options,
                             const SampleSink<Real>& sink);

}  // namespace dalembert
