// Which rows of C depend on each other: the one decision on the rank of constraints.
#pragma once

#include <Eigen/Dense>

#include <dalembert/linalg/row_rank.hpp>

namespace dalembert {

/// 1/√M_ii, by which coordinates of different units can be compared; for those without inertia the geometric
/// mean of what shares a constraint with them.
Eigen::VectorXd units_of_inertia(const Eigen::MatrixXd& C, const Eigen::MatrixXd& M);

/// find_row_rank() of C; rows that seem to depend on each other, or nearly, are compared again with every
/// coordinate in units of its inertia, √M_ii q_i: the rank does not depend on the units of coordinates. C may
/// be the first rows of all.
RowRank find_constraint_rank(const Eigen::MatrixXd& C, const Eigen::MatrixXd& M,
                             const Eigen::VectorXd& row_sizes = {},
                             double tolerance = policy::dependent_rows);

}  // namespace dalembert
