// The numerical rank of a matrix, and which of its rows depend on which.
#pragma once

#include <vector>

#include <Eigen/Dense>

#include <dalembert/linalg/policy.hpp>

namespace dalembert {

/// row = Σ coefficients[k] · (row others[k]). Without others the row vanishes.
struct RowDependency {
  Eigen::Index row;
  std::vector<Eigen::Index> others;  ///< increasing
  std::vector<double> coefficients;
};

struct RowRank {
  Eigen::Index rank = 0;
  std::vector<Eigen::Index> independent;  ///< increasing; as early rows as possible
  std::vector<RowDependency> dependent;   ///< by increasing row, each in terms of independent rows
  /// Of the kept rows after equilibration: 1 for orthogonal rows, the tolerance at the limit of independence.
  double smallest_pivot = 1;

  /// Σ coefficients · others − row, applied to a right-hand side: not zero where equations contradict.
  double mismatch(const RowDependency& dependency, const Eigen::VectorXd& right) const;
};

/// `row_sizes` (may be empty) are sizes that the rows have elsewhere: a row is measured against the larger of
/// its own norm and this, so that a row of mere round-off does not count.
RowRank find_row_rank(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& row_sizes = {},
                      double tolerance = policy::dependent_rows);

/// So many rows that are as far from dependence as possible, increasing.
struct ChosenRows {
  std::vector<Eigen::Index> rows;
  double smallest_pivot = 1;  ///< as in RowRank
};
/// Of a matrix whose rows and columns are of like sizes.
ChosenRows choose_independent_rows(const Eigen::MatrixXd& matrix, Eigen::Index count);
/// Rows of size at most 1, columns of like sizes, as find_row_rank compares them.
Eigen::MatrixXd equilibrated(const Eigen::MatrixXd& matrix);

/// Columns of a matrix of full row rank such that the square matrix of the chosen columns is well
/// conditioned, increasing. `preference` (may be empty) multiplies the columns' sizes: large ones are chosen
/// first.
std::vector<Eigen::Index> choose_pivot_columns(const Eigen::MatrixXd& matrix,
                                               const Eigen::VectorXd& preference = {});

/// The rows of a matrix in the given order.
Eigen::MatrixXd take_rows(const Eigen::MatrixXd& matrix, const std::vector<Eigen::Index>& rows);

/// An orthonormal basis of {x: matrix x = 0} for a matrix of full row rank, in its columns.
Eigen::MatrixXd make_kernel_basis(const Eigen::MatrixXd& matrix);

}  // namespace dalembert
