#include "inertia.hpp"

#include <cmath>
#include <vector>

#include <dalembert/linalg/row_rank.hpp>

#include "constraint_rank.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double takes_part = 1e-3;  // of the largest coordinate of a motion: for a report, not a decision

// Kinetic energy on the kernel of C, in coordinates of unit inertia.
struct KernelInertia {
  MatrixXd motions;  // in columns, by increasing inertia
  VectorXd inertia;
};

// 1/√M_ii where M_ii is more than rounding errors beside the largest.
VectorXd scales_beside_the_largest(const MatrixXd& M) {
  VectorXd scale = M.diagonal().cwiseAbs();
  const double largest = scale.size() > 0 ? scale.maxCoeff() : 0;
  for (double& entry : scale) entry = entry > policy::no_inertia * largest ? 1 / std::sqrt(entry) : 1;
  return scale;
}

KernelInertia find_kernel_inertia(const MatrixXd& M, const MatrixXd& C, const VectorXd& scale) {
  const MatrixXd kernel = make_kernel_basis(C * scale.asDiagonal());
  const MatrixXd motions = scale.asDiagonal() * kernel;
  const MatrixXd symmetric = (M + M.transpose()) / 2;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(motions.transpose() * symmetric * motions);
  return {motions * solver.eigenvectors(), solver.eigenvalues()};
}

std::vector<Index> without_inertia(const KernelInertia& kernel) {
  std::vector<Index> chosen;
  for (Index k = 0; k < kernel.inertia.size(); ++k) {
    if (std::abs(kernel.inertia[k]) <= policy::no_inertia) chosen.push_back(k);
  }
  return chosen;
}

// What seems to have no inertia beside the largest may be small in its units only: 1e-28 kg m² beside 1e-15
// kg. It is compared again with every coordinate in units of its own inertia.
KernelInertia find_kernel_inertia(const MatrixXd& M, const MatrixXd& C) {
  KernelInertia kernel = find_kernel_inertia(M, C, scales_beside_the_largest(M));
  const std::size_t missing = without_inertia(kernel).size();
  if (missing == 0) return kernel;
  const VectorXd units = units_of_inertia(C, M);
  if (!units.allFinite() || !(C * units.asDiagonal()).allFinite()) return kernel;
  KernelInertia in_units = find_kernel_inertia(M, C, units);
  return in_units.inertia.allFinite() && without_inertia(in_units).size() < missing ? in_units : kernel;
}

std::vector<std::size_t> coordinates_of(const MatrixXd& motions) {
  std::vector<bool> part(static_cast<std::size_t>(motions.rows()), false);
  for (Index k = 0; k < motions.cols(); ++k) {
    const double largest = motions.col(k).lpNorm<Eigen::Infinity>();
    for (Index i = 0; i < motions.rows(); ++i) {
      if (std::abs(motions(i, k)) > takes_part * largest) part[static_cast<std::size_t>(i)] = true;
    }
  }
  std::vector<std::size_t> coordinates;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i]) coordinates.push_back(i);
  }
  return coordinates;
}

}  // namespace

MatrixXd find_motions_without_inertia(const MatrixXd& M, const MatrixXd& C) {
  if (M.rows() == C.rows()) return MatrixXd(M.rows(), 0);
  const KernelInertia kernel = find_kernel_inertia(M, C);
  return kernel.motions(Eigen::all, without_inertia(kernel));
}

Inertia analyse_inertia(const MatrixXd& M, const MatrixXd& C) {
  Inertia result;
  if (M.rows() == C.rows()) return result;
  const KernelInertia kernel = find_kernel_inertia(M, C);
  std::vector<Index> negative;
  for (Index k = 0; k < kernel.inertia.size(); ++k) {
    if (kernel.inertia[k] < -policy::no_inertia) negative.push_back(k);
  }
  result.negative = coordinates_of(kernel.motions(Eigen::all, negative));
  result.missing = coordinates_of(find_motions_without_inertia(M, C));
  return result;
}

}  // namespace dalembert
