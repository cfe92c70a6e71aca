// Units in which coordinates can be compared, whatever those of the model are.
#pragma once

#include <Eigen/Dense>

namespace dalembert {

/// 1/√M_ii, by which coordinates of different units can be compared; for those without inertia the geometric
/// mean of what shares a constraint with them.
Eigen::VectorXd units_of_inertia(const Eigen::MatrixXd& C, const Eigen::MatrixXd& M);

}  // namespace dalembert
