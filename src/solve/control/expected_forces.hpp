// What forces that depend on time may bring, for methods that measure errors by the largest values so far.
//
// A motion that such a force starts from rest begins with rounding errors, as 1 + tanh(1000 (t − 5)) does, or
// with 1e-300: relative to such values there is nothing smooth to follow, or nothing worth it. So a is the
// average size of an acceleration over the times of the run, at the state of its start, and errors of a step
// h are not measured by less than c a h in v and c a h² in q. c is a millionth, or as much as rounding errors
// of a need: those of its terms, too, of which it may be the small difference, as tanh(1000 (t − 5)) −
// tanh(1000 (t − 6)) is. Nothing else has a unit, so that a model may be as small as it likes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/solve/solve.hpp>
#include <dalembert/system/rounding.hpp>
#include <dalembert/system/system.hpp>

#include "control/error_scale.hpp"
#include "runge_kutta/accelerations.hpp"

namespace dalembert {

class ExpectedForces {
 public:
  ExpectedForces(const System& system, double tolerance)
      : system_(&system),
        depends_on_time_(reads_time(system.dynamics().program)),
        tolerance_(tolerance),
        share_(std::max(1e-6, 4 * std::numeric_limits<double>::epsilon() / tolerance)) {}

  void look(Accelerations& at, double t, double end, std::span<const double> q, std::span<const double> v) {
    if (!depends_on_time_) return;
    // an average to some percent, which is all that a scale needs; 64 evaluations are about five steps of
    // dop853
    constexpr int times = 64;
    average_.assign(q.size(), 0.0);
    for (int k = 0; k < times; ++k) {
      if (!at.eval(t + (k + 0.5) / times * (end - t), q, v)) continue;
      for (std::size_t i = 0; i < q.size(); ++i) average_[i] += std::abs(at.a()[i]) / times;
    }
  }
  /// Of doubles: from now on a is at least so large that rounding errors of the forces, in their terms, are
  /// within the tolerance of a share of it. For starts at rest at zero, after look().
  void count_rounding(Accelerations& at, double t, double end, std::span<const double> q,
                      std::span<const double> v) {
    if (average_.empty() || !(tolerance_ > 0)) return;
    constexpr int times = 8;      // a largest value needs fewer than an average; chosen, not measured
    constexpr double errors = 4;  // of terms that do not cancel; chosen, not measured
    std::vector<double> rounding(q.size(), 0.0);
    for (int k = 0; k < times; ++k) raise_to_rounding(t + (k + 0.5) / times * (end - t), q, v, rounding);
    if (!at.eval(t, q, v)) return;
    at.divide_by_inertia(rounding);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double least = errors * rounding[i] / (tolerance_ * share_);
      if (std::isfinite(least)) average_[i] = std::max(average_[i], least);
    }
  }
  std::span<const double> average() const { return average_; }
  double largest() const {
    return average_.empty() ? 0 : *std::max_element(average_.begin(), average_.end());
  }
  /// The least sizes of v_i and q_i for a step h.
  double least_v(std::size_t i, double h) const {
    return average_.empty() ? 0 : share_ * std::abs(h) * average_[i];
  }
  double least_q(std::size_t i, double h) const { return std::abs(h) * least_v(i, h); }

 private:
  static bool reads_time(const Program& program) {
    const Register t = program.inputs[System::input_t()];
    return std::any_of(program.instructions.begin(), program.instructions.end(),
                       [&](const Instruction& i) { return i.x == t || i.y == t || i.z == t; }) ||
           std::any_of(program.terms.begin(), program.terms.end(),
                       [&](const LinearTerm& term) { return term.x == t; });
  }

  void raise_to_rounding(double t, std::span<const double> q, std::span<const double> v,
                         std::vector<double>& rounding) const {
    const Equations& e = system_->equations();
    std::unordered_map<NodeId, double> values = system_->parameter_values<double>();
    values[e.t.id()] = t;
    for (std::size_t i = 0; i < e.n(); ++i) {
      values[e.q[i].id()] = q[i];
      values[e.v[i].id()] = v[i];
    }
    const std::vector<RoundedValue> forces = evaluate_with_error(e.f, values);
    for (std::size_t i = 0; i < rounding.size(); ++i)
      if (std::isfinite(forces[i].error)) rounding[i] = std::max(rounding[i], forces[i].error);
  }

  const System* system_;
  bool depends_on_time_;
  double tolerance_;
  double share_;
  std::vector<double> average_;  // empty: nothing is expected
};

/// The scale of errors; at a start at rest at zero, of what forces bring.
inline ErrorScale make_error_scale(const Problem& problem, const SolveOptions& options) {
  const Start& start = problem.start;
  const auto is_zero = [](const std::vector<double>& values) { return ErrorScale::largest(values) == 0; };
  const bool is_at_rest = is_zero(start.q) && is_zero(start.v) && is_zero(start.a);
  if (!is_at_rest || problem.least_q > 0) {
    ErrorScale scale(start, options.duration);
    scale.raise(problem.least_q, problem.least_v);
    return scale;
  }
  Accelerations at(problem.system, problem.active);
  ExpectedForces forces(problem.system, options.tolerance);
  forces.look(at, options.start, options.start + options.duration, start.q, start.v);
  return ErrorScale(start, options.duration, forces.largest());
}

}  // namespace dalembert
