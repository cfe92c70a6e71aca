#include <dalembert/linalg/lu_factors.hpp>
#include <dalembert/linalg/orthogonal.hpp>

namespace dalembert {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void OrthogonalFactors::factor(const MatrixXd& A) {
  qr_.compute(A);
  Q_ = qr_.householderQ();
  R_ = qr_.matrixQR().topRows(A.cols());
}

PivotedTriangle factor_pivoted(const MatrixXd& A) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  const auto& order = qr.colsPermutation().indices();
  return {qr.matrixR(), {order.data(), order.data() + order.size()}};
}

MatrixXd orthonormal_columns(const MatrixXd& columns) {
  return Eigen::HouseholderQR<MatrixXd>(columns).householderQ() *
         MatrixXd::Identity(columns.rows(), columns.cols());
}

VectorXd solve_least_squares(const MatrixXd& A, const VectorXd& b) {
  return Eigen::ColPivHouseholderQR<MatrixXd>(A).solve(b);
}

void PseudoInverse::factor(const MatrixXd& A, double tolerance) {
  decomposition_.setThreshold(tolerance);
  decomposition_.compute(A);
}

VectorXd PseudoInverse::solve(const VectorXd& b) const { return decomposition_.solve(b); }

VectorXd vector_product(const MatrixXd& rows) {
  const Index n = rows.cols();
  MatrixXd square(n, n);
  square.bottomRows(n - 1) = rows;
  // the last column of Q in rowsᵀ = Q [R; 0] is orthogonal to all rows; the determinant gives length and sign
  VectorXd direction = VectorXd::Unit(n, n - 1);
  if (n > 1) direction = Eigen::HouseholderQR<MatrixXd>(rows.transpose()).householderQ() * direction;
  square.row(0) = direction.transpose();
  LuFactors lu;
  lu.factor(square);
  return lu.determinant() * direction;
}

}  // namespace dalembert
