// Inertia of the motions that constraints allow.
#pragma once

#include <Eigen/Dense>

#include <dalembert/system/structure.hpp>

namespace dalembert {

/// Velocities v with C v = 0 and (M + Mᵀ) v orthogonal to all such velocities, in its columns. C has
/// independent rows.
Eigen::MatrixXd find_motions_without_inertia(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C);

Inertia analyse_inertia(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C);

}  // namespace dalembert
