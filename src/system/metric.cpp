#include "metric.hpp"

#include <algorithm>

#include "constraint_rank.hpp"

namespace dalembert {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// of a matrix scaled to a unit diagonal: four digits are then left to its solutions; chosen, not measured
constexpr double worst_condition = 1e-12;

bool is_well_conditioned(const MatrixXd& W) {
  const VectorXd diagonal = W.diagonal();
  if (!W.allFinite() || !(diagonal.minCoeff() > 0)) return false;
  const VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  const Eigen::LLT<MatrixXd> llt(scale.asDiagonal() * W * scale.asDiagonal());
  return llt.info() == Eigen::Success && llt.rcond() > worst_condition;
}

// Coordinates that inertia couples count as alike: the component of a quaternion that is nearly 1 has hardly
// any inertia, though it moves with the others; nor do coordinates without inertia take their unit from it.
VectorXd alike_units(const MatrixXd& C, const MatrixXd& M) {
  constexpr double least = 0.01;  // of the inertia of another, a tenth of its speed; chosen, not measured
  MatrixXd coupled = M;
  for (Eigen::Index j = 0; j < M.cols(); ++j) {
    for (Eigen::Index i = 0; i < M.rows(); ++i)
      if (M(i, j) != 0) coupled(i, i) = std::max(coupled(i, i), least * M(j, j));
  }
  return units_of_inertia(C, coupled);
}

// Rows of C in units of inertia, each of length 1 there: whatever the units of coordinates and constraints.
MatrixXd normalized_rows(const MatrixXd& C, const VectorXd& units) {
  MatrixXd rows = C;
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    const double length = C.row(i).transpose().cwiseProduct(units).stableNorm();
    if (length > 0) rows.row(i) /= length;
  }
  return rows;
}

}  // namespace

MatrixXd make_metric(const MatrixXd& M, const MatrixXd& C) {
  if (M.rows() == 0) return M;
  MatrixXd symmetric = (M + M.transpose()) / 2;
  if (is_well_conditioned(symmetric)) return symmetric;
  const MatrixXd rows = normalized_rows(C, alike_units(C, symmetric));
  MatrixXd augmented = symmetric + rows.transpose() * rows;
  if (is_well_conditioned(augmented)) return augmented;
  VectorXd diagonal = symmetric.diagonal().cwiseAbs();
  const double mean = diagonal.mean();
  for (double& entry : diagonal) {
    if (!(entry > 1e-6 * mean)) entry = mean > 0 ? mean : 1;
  }
  return diagonal.asDiagonal();
}

}  // namespace dalembert
