// Orthogonal factorizations of dense matrices. Eigen's templates take seconds to compile wherever they are
// used, so one file does for all.
#pragma once

#include <vector>

#include <Eigen/Dense>

namespace dalembert {

/// A = Q [R; 0] for a matrix with at least as many rows as columns. To factor matrices of one size again
/// allocates nothing.
class OrthogonalFactors {
 public:
  void factor(const Eigen::MatrixXd& A);

  const Eigen::MatrixXd& Q() const { return Q_; }  ///< square
  const Eigen::MatrixXd& R() const { return R_; }  ///< square; of value above the diagonal and on it

 private:
  Eigen::HouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::MatrixXd Q_, R_;
};

/// A P = Q R with pivots, the diagonal of R, of decreasing size.
struct PivotedTriangle {
  Eigen::MatrixXd R;                ///< of value above the diagonal and on it
  std::vector<Eigen::Index> order;  ///< column k of A P is column order[k] of A
};
PivotedTriangle factor_pivoted(const Eigen::MatrixXd& A);

/// An orthonormal basis of what the columns span; there are no more of them than rows, and they are
/// independent.
Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& columns);

/// x with the least |A x − b|, where the columns of A are independent.
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// Of a matrix of any rank.
class PseudoInverse {
 public:
  /// Pivots below `tolerance`, relative to the largest one, count as zero.
  void factor(const Eigen::MatrixXd& A, double tolerance);

  Eigen::Index rank() const { return decomposition_.rank(); }
  /// The shortest x with the least |A x − b|.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;
};

/// The vector product of n−1 rows in Rⁿ: w with x·w = det [x; rows] for every x. It is orthogonal to the rows
/// and vanishes where they depend on each other.
Eigen::VectorXd vector_product(const Eigen::MatrixXd& rows);

}  // namespace dalembert
