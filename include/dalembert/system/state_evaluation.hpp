// M, f, C, D, B, c, g, γ of a system at a state, in doubles and dense matrices.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {

/// D and what sizes of multipliers add to it: ∂N/∂λ_i = λ_i/N, in the rows of B.
Eigen::MatrixXd with_slopes_of_sizes(const Eigen::MatrixXd& D, const Eigen::MatrixXd& B,
                                     const std::vector<std::vector<std::uint32_t>>& sizes,
                                     const Eigen::VectorXd& lambda);

/// λ where forces depend on sizes of multipliers: `solve(D)` gives λ for linear forces, again and again.
/// False: there is none, or Newton's method does not find it.
template <class Solve>
bool iterate_sizes(const Eigen::MatrixXd& D, const Eigen::MatrixXd& B,
                   const std::vector<std::vector<std::uint32_t>>& sizes, Solve solve) {
  // Newton's method takes a few where there is a solution. `enough`: a few units of rounding; `rounding`:
  // where changes that no longer fall count as rounding errors. Chosen, not measured.
  constexpr int most_rounds = 50;
  constexpr double enough = 1e-15, rounding = 1e-11;
  std::optional<Eigen::VectorXd> lambda = solve(D);
  if (sizes.empty()) return lambda.has_value();
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; lambda && round < most_rounds; ++round) {
    const Eigen::VectorXd last = *lambda;
    lambda = solve(with_slopes_of_sizes(D, B, sizes, last));
    if (!lambda) return false;
    const double change = (*lambda - last).norm(), size = lambda->norm();
    if (change <= enough * size || (change >= before && change <= rounding * size)) return true;
    before = change;
  }
  return false;
}

class StateEvaluation {
 public:
  explicit StateEvaluation(const System& system);

  /// Fills everything below at (t, q, v).
  void eval(double t, std::span<const double> q, std::span<const double> v);

  Eigen::MatrixXd M;
  Eigen::VectorXd f;
  Eigen::VectorXd g;
  Eigen::MatrixXd C, D, B;
  Eigen::VectorXd c;
  Eigen::VectorXd gamma;

 private:
  const System* system_;
  ValueTape tape_;
};

}  // namespace dalembert
