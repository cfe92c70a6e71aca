// Explicit Runge-Kutta methods as data.
//
//    c | a          k_i = f(t + c_i h, y + h Σ a_ij k_j)
//   ---+---
//      | b          y1 = y + h Σ b_i k_i,   error estimate h Σ e_i k_i
//
// Inside a step of length h, at t + θ h, with d = y1 − y and slopes f0, f1 at its ends,
//
//   y(θ) = y + θ (d + (1−θ) (h f0 − d + θ (2 d − h (f0 + f1) + (1−θ) (D_1 + θ (D_2 + (1−θ) (...))))))
//
// which is Hermite's cubic without the rows D_r = h Σ D_ri k_i; these also use f1 as k of number `stages`,
// and extra stages after it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace dalembert {

struct RungeKuttaTable {
  struct Weight {
    int stage;
    double weight;
  };
  using Row = std::vector<Weight>;  ///< stages in increasing order, zeros left out

  std::string_view name;
  std::string_view title;
  int order = 0;
  int stages = 0;
  std::vector<double> c;
  std::vector<Row> a;  ///< one row per stage
  Row b;
  bool last_is_next = false;  ///< the last stage is the slope at the end

  int error_order = 0;  ///< of the embedded formula; 0: no estimate
  Row error;
  Row second_error;     ///< of DOP853: error = |e|² / √(|e|² + |e2|²/100)
  double pi_gain = 0;   ///< of the last error in the choice of the step
  double safety = 0.9;  ///< of the step that is chosen

  int dense_order = 3;
  std::vector<double> extra_c;
  std::vector<Row> extra_a;
  std::vector<Row> dense;
};

/// euler, heun, kutta3, rk4, dopri5, dop853.
std::span<const RungeKuttaTable> runge_kutta_tables();
/// Throws Error with the nearest name.
const RungeKuttaTable& find_runge_kutta(std::string_view name);

/// R(z) of y' = λ y, z = h λ: its coefficients from the constant on.
std::vector<double> stability_polynomial(const RungeKuttaTable& table);
/// The largest x such that |R(z)| <= 1 for all z in [−x, 0].
double real_stability_limit(const RungeKuttaTable& table);

}  // namespace dalembert
