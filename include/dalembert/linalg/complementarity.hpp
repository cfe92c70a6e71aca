// The linear complementarity problem w = A z + b, w >= 0, z >= 0, w·z = 0.
#pragma once

#include <optional>

#include <Eigen/Dense>

namespace dalembert {

/// z by Lemke's method. Nothing where it ends on a ray: for a positive semidefinite A there is no solution
/// then.
std::optional<Eigen::VectorXd> solve_complementarity(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace dalembert
