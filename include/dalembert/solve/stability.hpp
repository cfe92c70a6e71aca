// How large gains and steps of a kinematic system may be.
//
// For F = k f and Euler's method with step τ, conditions (13) in [beshaw]: from ‖f⁰‖ ≤ ε follows ‖f‖ ≤ ε at
// every step, as long as the motion stays in a box, where
//
//   |1 + τ k| ≤ a ≤ 1,    ‖f⁽²⁾‖ ≤ 2 (1 − a) ε / τ²,    f⁽²⁾ = vᵀ f_qq v + 2 f_qt v + f_tt
//
// With v = v₀ + k v₁, v₀ = c [f_q C] − f_q⁺ f_t, v₁ = f_q⁺ f, the second derivative is bounded by
// A + B |k| + D k². A, B and D come from interval arithmetic: v over all cells of the box that ‖f‖ ≤ ε meets,
// f_qq, f_qt and f_tt, which are taken between two steps, over the whole box.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <dalembert/expr/interval.hpp>
#include <dalembert/solve/runge_kutta_table.hpp>
#include <dalembert/system/kinematic_system.hpp>

namespace dalembert {

struct StabilityQuestion {
  std::vector<Interval> box;  ///< of q
  Interval time;
  double a = 0.99;
  double epsilon = 0.1;
  double step = 0.002;
};

struct SecondDerivativeBound {
  double A = 0, B = 0, D = 0;  ///< infinite where f_q⁺ is not bounded
  std::size_t cells = 0;       ///< that ‖f‖ ≤ ε meets
};

struct GainRange {
  double low, high;
};

struct StabilityEstimate {
  SecondDerivativeBound bound;
  double allowed = 0;                   ///< 2 (1 − a) ε / τ²
  GainRange contraction{};              ///< |1 + τ k| ≤ a
  std::optional<double> largest_gain;   ///< |k| with A + B |k| + D k² ≤ allowed; none: not even k = 0
  std::optional<GainRange> admissible;  ///< both
  std::optional<double> largest_step;   ///< for which there are admissible gains at all
  double start_residual = 0;            ///< ‖f⁰‖
};

StabilityEstimate estimate_stability(const KinematicSystem& system, const StabilityQuestion& question);

/// The largest root of A + B x + D x² = allowed with x ≥ 0, if any.
std::optional<double> solve_gain(const SecondDerivativeBound& bound, double allowed);

/// The longest step for which no error of f' = K f grows: |R(τ μ)| ≤ 1 for all eigenvalues μ of K. Zero where
/// an eigenvalue makes errors grow at every step, infinite for K = 0.
double stable_step(const RungeKuttaTable& table, const Eigen::MatrixXd& K);

}  // namespace dalembert
