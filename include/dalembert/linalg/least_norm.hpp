// Underdetermined linear systems: of all solutions the one of least norm.
#pragma once

#include <Eigen/Dense>

#include <dalembert/linalg/orthogonal.hpp>
#include <dalembert/linalg/row_rank.hpp>

namespace dalembert {

/// Solves C x = r with the least xᵀ W x. Rows of C may depend on each other; where r contradicts them, the
/// equilibrated rows are met in the sense of least squares.
class LeastNorm {
 public:
  /// W must be symmetric and positive definite (its lower triangle is read).
  void factor(const Eigen::MatrixXd& C, const Eigen::MatrixXd& W, double tolerance = policy::dependent_rows);

  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::Index rank() const { return scaled_.rank(); }

  /// Of a solution x: √(xᵀ W x).
  double norm(const Eigen::VectorXd& x) const;

 private:
  Eigen::VectorXd row_scale_;  // 1 / norm of the row
  Eigen::LLT<Eigen::MatrixXd> weight_;
  PseudoInverse scaled_;  // of the scaled C L⁻ᵀ, W = L Lᵀ
};

/// The vector of least norm among all λ with the same Cᵀ λ.
Eigen::VectorXd reduce_norm(const Eigen::MatrixXd& C, const RowRank& rank, const Eigen::VectorXd& lambda);
/// The same with the norm √(Σ (w λ)²); rows of C whose weight is 0 must be independent.
Eigen::VectorXd reduce_norm(const Eigen::MatrixXd& C, const RowRank& rank, const Eigen::VectorXd& lambda,
                            const Eigen::VectorXd& weight);

}  // namespace dalembert
