#include "constraint_rank.hpp"

namespace dalembert {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

RowRank find_constraint_rank(const MatrixXd& C, const MatrixXd& M, const VectorXd& row_sizes,
                             double tolerance) {
  const RowRank rank = find_row_rank(C, row_sizes, tolerance);
  if (rank.dependent.empty() && rank.smallest_pivot > policy::clearly_independent_rows) return rank;
  const MatrixXd scaled = C * units_of_inertia(C, M).asDiagonal();
  if (!scaled.allFinite()) return rank;
  VectorXd sizes = row_sizes;
  for (Index i = 0; i < sizes.size(); ++i) {
    const double norm = C.row(i).norm();
    sizes[i] *= norm > 0 ? scaled.row(i).norm() / norm : 1;
  }
  const RowRank in_units = find_row_rank(scaled, sizes, tolerance);
  const bool is_clearer = in_units.rank == rank.rank && in_units.smallest_pivot > rank.smallest_pivot;
  return in_units.rank > rank.rank || is_clearer ? in_units : rank;
}

}  // namespace dalembert
