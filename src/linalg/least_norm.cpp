#include <dalembert/linalg/least_norm.hpp>

namespace dalembert {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void LeastNorm::factor(const MatrixXd& C, const MatrixXd& W, double tolerance) {
  weight_.compute(W);
  MatrixXd scaled = weight_.matrixL().solve(C.transpose()).transpose();  // y = Lᵀ x, so |y|² = xᵀ W x
  row_scale_ = scaled.rowwise().norm();
  for (Eigen::Index i = 0; i < row_scale_.size(); ++i) {
    row_scale_[i] = row_scale_[i] > 0 ? 1 / row_scale_[i] : 1;
  }
  scaled = (row_scale_.asDiagonal() * scaled).eval();
  scaled_.factor(scaled, tolerance);
}

VectorXd LeastNorm::solve(const VectorXd& right) const {
  const VectorXd y = scaled_.solve(row_scale_.cwiseProduct(right));
  return weight_.matrixU().solve(y);
}

double LeastNorm::norm(const VectorXd& x) const { return (weight_.matrixU() * x).norm(); }

namespace {

// N with Cᵀ N = 0, a column for each dependent row.
MatrixXd left_null_space(const MatrixXd& C, const RowRank& rank) {
  MatrixXd null = MatrixXd::Zero(C.rows(), static_cast<Eigen::Index>(rank.dependent.size()));
  for (Eigen::Index k = 0; k < null.cols(); ++k) {
    const RowDependency& dependency = rank.dependent[static_cast<std::size_t>(k)];
    null(dependency.row, k) = -1;
    for (std::size_t i = 0; i < dependency.others.size(); ++i) {
      null(dependency.others[i], k) = dependency.coefficients[i];
    }
  }
  return null;
}

}  // namespace

VectorXd reduce_norm(const MatrixXd& C, const RowRank& rank, const VectorXd& lambda) {
  if (rank.dependent.empty()) return lambda;
  const MatrixXd basis = orthonormal_columns(left_null_space(C, rank));
  return lambda - basis * (basis.transpose() * lambda);
}

VectorXd reduce_norm(const MatrixXd& C, const RowRank& rank, const VectorXd& lambda, const VectorXd& weight) {
  if (rank.dependent.empty()) return lambda;
  const MatrixXd null = left_null_space(C, rank);
  return lambda - null * solve_least_squares(weight.asDiagonal() * null, weight.cwiseProduct(lambda));
}

}  // namespace dalembert
