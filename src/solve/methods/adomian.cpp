#include "methods/adomian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/system/balanced_velocities.hpp>

#include "run/motion_recorder.hpp"
#include "series/adomian_stepper.hpp"

namespace dalembert {

StepSettings adomian_settings(const SolveOptions& options) {
  StepSettings s{};
  double tolerance = std::log(options.tolerance);
  if (options.digits > 0) tolerance = std::min(tolerance, -2.302585092994046 * options.digits);
  s.log_tolerance = tolerance;
  s.duration = std::abs(options.duration);
  s.fixed_order = options.order;
  s.project = options.project;
  return s;
}

StepSettings sampler_settings(const SolveOptions& options) {
  StepSettings s{};
  s.log_tolerance = 0;
  s.fixed_order = 4;  // it expands nothing
  s.project = options.project;
  return s;
}

int work_points(const SolveOptions& options) {
  // Gauss points for the power along a step, a product of series of order 1 − ½ ln(tol) [jorbazou2005].
  // Chosen, not measured.
  constexpr int least = 4;
  return std::max(static_cast<int>(std::ceil(-adomian_settings(options).log_tolerance / 2.5)), 0) + least;
}

std::string reason_of(StepFailure failure) {
  switch (failure) {
    case StepFailure::singular:
      return singular_reason;
    case StepFailure::branch:
      return branch_reason;
    case StepFailure::not_finite:
      return force_not_finite_reason;
    case StepFailure::shrunk:
      return shrunk_reason;
    case StepFailure::none:
    case StepFailure::lanes_part:
      break;
  }
  return "";
}

double largest_correction(const SolveOptions& options) { return std::max(1e-9, 10 * options.tolerance); }

double smallest_step(const SolveOptions& options, double t) {
  return 16 * std::numeric_limits<double>::epsilon() *
         std::max(std::abs(t), 1e-3 * std::abs(options.duration));
}

namespace {

// Where the start was not corrected, all digits of the given values count, not only those of a double.
void take_given_start(const Problem& problem, std::span<Real> q, std::span<Real> v) {
  const System& system = problem.system;
  const auto given_q = system.given_positions<Real>();
  const auto given_v = system.given_velocities<Real>();
  const auto moved = [&](const std::string& name) {
    return std::any_of(problem.start.changes.begin(), problem.start.changes.end(),
                       [&](const StartChange& change) { return change.name == name; });
  };
  for (std::size_t i = 0; i < system.n(); ++i) {
    if (!moved(system.coordinate_name(i))) q[i] = given_q[i];
    if (!moved(system.coordinate_name(i) + "'")) v[i] = given_v[i];
  }
  balance_velocities<Real>(system, decimal<Real>(problem.start.t), q, v);
}

template <class S>
RunReport run_series(const Problem& problem, const SolveOptions& options, const SampleSink<S>& sink) {
  std::vector<S> q(problem.start.q.begin(), problem.start.q.end());
  std::vector<S> v(problem.start.v.begin(), problem.start.v.end());
  if constexpr (std::is_same_v<S, Real>) take_given_start(problem, q, v);
  AdomianStepper<S> stepper(problem, options);
  MotionRecorder<S> recorder(problem, options, sink, stepper);
  return run_motion<S>(stepper, recorder, decimal<S>(options.start), q, v);
}

}  // namespace

RunReport run_adomian(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return run_series<double>(problem, options, sink);
}

RunReport run_adomian_digits(const Problem& problem, const SolveOptions& options,
                             const SampleSink<Real>& sink) {
  return run_series<Real>(problem, options, sink);
}

}  // namespace dalembert
