// Mass, centre of mass and inertia of a rigid part.
#pragma once

#include <Eigen/Geometry>

namespace dalembert {

struct Inertia {
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();  ///< about the centre

  bool is_zero() const { return mass == 0 && J.isZero(0); }
};

/// The same part in the frame from which `pose` leads to its own.
Inertia moved(const Inertia& part, const Eigen::Isometry3d& pose);

/// Two parts that are one; parts of no mass may have inertia.
Inertia operator+(const Inertia& a, const Inertia& b);

/// About an axis through the point.
double moment_about(const Inertia& part, const Eigen::Vector3d& point, const Eigen::Vector3d& axis);

/// By how much the largest principal moment exceeds the sum of the other two, as a share of it; 0 where it
/// does not.
double triangle_excess(const Eigen::Matrix3d& J);

/// The smallest principal moment as a share of the largest in size.
double least_moment(const Eigen::Matrix3d& J);

/// The inertia of a real body that is nearest: of Σ = tr(J)/2 − J, the second moments of mass, whatever is
/// negative becomes 0.
Eigen::Matrix3d nearest_admissible(const Eigen::Matrix3d& J);

}  // namespace dalembert
