#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/linalg/orthogonal.hpp>
#include <dalembert/linalg/row_rank.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A coefficient of a dependency below this is round-off.
constexpr double smallest_coefficient = 1e-7;
// A row may be expressed by the others when its weight in a relation is at least this part of the largest.
constexpr double smallest_pivot_weight = 1e-2;

struct Equilibrated {
  MatrixXd matrix;
  VectorXd row_scale;  // original row = row_scale · row of matrix, up to the scales of the columns
};

// Rows of size at most 1, columns of like sizes.
Equilibrated equilibrate(const MatrixXd& matrix, const VectorXd& row_sizes) {
  Equilibrated e{matrix, VectorXd::Ones(matrix.rows())};
  for (Index i = 0; i < matrix.rows(); ++i) {
    const double size = std::max(matrix.row(i).norm(), row_sizes.size() > 0 ? row_sizes[i] : 0.0);
    if (size > 0) e.row_scale[i] = size;
    e.matrix.row(i) /= e.row_scale[i];
  }
  const VectorXd columns = e.matrix.colwise().lpNorm<Eigen::Infinity>();
  const double largest = columns.size() > 0 ? columns.maxCoeff() : 0;
  if (largest == 0) return e;
  for (Index j = 0; j < columns.size(); ++j) {
    e.matrix.col(j) /= std::max(columns[j], largest / policy::most_stretch);
  }
  const double stretched = e.matrix.rowwise().norm().maxCoeff();
  e.matrix /= stretched;
  return e;
}

// Left null vectors in its rows, from Bᵀ P = Q [R11 R12; 0 0]: w = P [−R11⁻¹ R12; I].
MatrixXd left_null_vectors(const PivotedTriangle& qr, Index rank, Index rows) {
  const Index missing = rows - rank;
  MatrixXd w(rows, missing);
  const MatrixXd kept =
      qr.R.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(qr.R.block(0, rank, rank, missing));
  w(qr.order, Eigen::all) << -kept, MatrixXd::Identity(missing, missing);
  return orthonormal_columns(w).transpose();
}

// Gauss-Jordan on the relations, solved for rows as late as possible. Returns the pivot column of each
// relation.
std::vector<Index> solve_for_late_rows(MatrixXd& relations) {
  std::vector<Index> pivots;
  for (Index k = 0; k < relations.rows(); ++k) {
    Index column = relations.cols();
    Index best = k;
    double weight = 0;
    while (weight < smallest_pivot_weight && column > 0) {  // to the first, of what is no number
      --column;
      weight = 0;
      for (Index i = k; i < relations.rows(); ++i) {
        const double part = std::abs(relations(i, column)) / relations.row(i).lpNorm<Eigen::Infinity>();
        if (part > weight) {
          weight = part;
          best = i;
        }
      }
    }
    relations.row(k).swap(relations.row(best));
    relations.row(k) /= relations(k, column);
    for (Index i = 0; i < relations.rows(); ++i) {
      if (i != k) relations.row(i) -= relations(i, column) * relations.row(k);
    }
    pivots.push_back(column);
  }
  return pivots;
}

RowDependency read_relation(const MatrixXd& relations, Index k, Index pivot, const VectorXd& row_scale) {
  RowDependency dependency{pivot, {}, {}};
  for (Index j = 0; j < relations.cols(); ++j) {
    if (j == pivot || std::abs(relations(k, j)) < smallest_coefficient) continue;
    dependency.others.push_back(j);
    dependency.coefficients.push_back(-relations(k, j) * row_scale[pivot] / row_scale[j]);
  }
  return dependency;
}

}  // namespace

double RowRank::mismatch(const RowDependency& dependency, const VectorXd& right) const {
  double sum = -right[dependency.row];
  for (std::size_t k = 0; k < dependency.others.size(); ++k) {
    sum += dependency.coefficients[k] * right[dependency.others[k]];
  }
  return sum;
}

RowRank find_row_rank(const MatrixXd& matrix, const VectorXd& row_sizes, double tolerance) {
  const Index rows = matrix.rows();
  RowRank result;
  if (rows == 0) return result;
  const Equilibrated e = equilibrate(matrix, row_sizes);
  const PivotedTriangle qr = factor_pivoted(e.matrix.transpose());
  const VectorXd pivots = qr.R.diagonal().cwiseAbs();
  while (result.rank < pivots.size() && pivots[result.rank] > tolerance) {
    result.smallest_pivot = pivots[result.rank++];
  }

  std::vector<bool> depends(static_cast<std::size_t>(rows), false);
  if (result.rank < rows) {
    MatrixXd relations = left_null_vectors(qr, result.rank, rows);
    const std::vector<Index> late = solve_for_late_rows(relations);
    for (std::size_t k = 0; k < late.size(); ++k) {
      depends[static_cast<std::size_t>(late[k])] = true;
      result.dependent.push_back(read_relation(relations, static_cast<Index>(k), late[k], e.row_scale));
    }
    std::sort(result.dependent.begin(), result.dependent.end(),
              [](const RowDependency& a, const RowDependency& b) { return a.row < b.row; });
  }
  for (Index i = 0; i < rows; ++i) {
    if (!depends[static_cast<std::size_t>(i)]) result.independent.push_back(i);
  }
  return result;
}

MatrixXd equilibrated(const MatrixXd& matrix) { return equilibrate(matrix, {}).matrix; }

ChosenRows choose_independent_rows(const MatrixXd& matrix, Index count) {
  ChosenRows chosen;
  if (count == 0) return chosen;
  const PivotedTriangle qr = factor_pivoted(matrix.transpose());
  chosen.rows.assign(qr.order.begin(), qr.order.begin() + count);
  std::sort(chosen.rows.begin(), chosen.rows.end());
  chosen.smallest_pivot = std::abs(qr.R(count - 1, count - 1));
  return chosen;
}

std::vector<Index> choose_pivot_columns(const MatrixXd& matrix, const VectorXd& preference) {
  if (matrix.rows() == 0) return {};
  MatrixXd scaled = matrix;
  if (preference.size() > 0) scaled *= preference.asDiagonal();
  scaled.rowwise().normalize();
  std::vector<Index> chosen = factor_pivoted(scaled).order;
  chosen.resize(static_cast<std::size_t>(matrix.rows()));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

MatrixXd take_rows(const MatrixXd& matrix, const std::vector<Index>& rows) {
  return matrix(rows, Eigen::all);
}

MatrixXd make_kernel_basis(const MatrixXd& matrix) {
  const Index n = matrix.cols();
  if (matrix.rows() == 0) return MatrixXd::Identity(n, n);
  MatrixXd rows = matrix;
  rows.rowwise().normalize();
  OrthogonalFactors qr;
  qr.factor(rows.transpose());
  return qr.Q().rightCols(n - matrix.rows());
}

}  // namespace dalembert
