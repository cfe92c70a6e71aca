#include "inertia.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Of a unit mass at r: |r|² − r rᵀ.
Matrix3d point_inertia(const Vector3d& r) {
  return r.squaredNorm() * Matrix3d::Identity() - r * r.transpose();
}

Vector3d principal_moments(const Matrix3d& J) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace

Inertia moved(const Inertia& part, const Eigen::Isometry3d& pose) {
  const Matrix3d R = pose.linear();
  const Matrix3d J = R * part.J * R.transpose();
  return {part.mass, pose * part.center, (J + J.transpose()) / 2};
}

// Steiner: J = J_a + J_b + (m_a m_b / m) (|d|² − d dᵀ) with the distance d of the two centres.
Inertia operator+(const Inertia& a, const Inertia& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {0, a.center, a.J + b.J};
  const Vector3d d = b.center - a.center;
  return {mass, a.center + b.mass / mass * d, a.J + b.J + (a.mass * (b.mass / mass)) * point_inertia(d)};
}

double moment_about(const Inertia& part, const Vector3d& point, const Vector3d& axis) {
  return axis.dot((part.J + part.mass * point_inertia(part.center - point)) * axis);
}

double triangle_excess(const Matrix3d& J) {
  const Vector3d moments = principal_moments(J);  // in rising order
  if (!(moments[2] > 0)) return 0;
  return std::max(0.0, (moments[2] - moments[1] - moments[0]) / moments[2]);
}

double least_moment(const Matrix3d& J) {
  const Vector3d moments = principal_moments(J);
  const double largest = moments.cwiseAbs().maxCoeff();
  return largest > 0 ? moments[0] / largest : 0;
}

Matrix3d nearest_admissible(const Matrix3d& J) {
  const Matrix3d second = J.trace() / 2 * Matrix3d::Identity() - J;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(second);
  const Vector3d kept = solver.eigenvalues().cwiseMax(0.0);
  const Matrix3d admissible = solver.eigenvectors() * kept.asDiagonal() * solver.eigenvectors().transpose();
  const Matrix3d result = admissible.trace() * Matrix3d::Identity() - admissible;
  return (result + result.transpose()) / 2;
}

}  // namespace dalembert
