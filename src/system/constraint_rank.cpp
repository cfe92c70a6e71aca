#include "constraint_rank.hpp"

#include <cmath>

namespace dalembert {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd units_of_inertia(const MatrixXd& C, const MatrixXd& M) {
  const Index n = C.cols();
  VectorXd logs(n);
  for (Index i = 0; i < n; ++i) logs[i] = -std::log(M(i, i)) / 2;
  VectorXd units(n);
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    Index count = 0;
    for (Index row = 0; row < C.rows() && !std::isfinite(logs[i]); ++row) {
      for (Index j = 0; j < n && C(row, i) != 0; ++j) {
        if (C(row, j) == 0 || !std::isfinite(logs[j])) continue;
        sum += logs[j];
        ++count;
      }
    }
    const double log = std::isfinite(logs[i]) ? logs[i] : count > 0 ? sum / static_cast<double>(count) : 0;
    units[i] = std::exp(log);
  }
  return units;
}

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
