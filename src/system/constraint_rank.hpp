// Which rows of C depend on each other: the one decision on the rank of constraints.
#pragma once

#include <Eigen/Dense>

#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/linalg/units_of_inertia.hpp>

namespace dalembert {

/// find_row_rank() of C; rows that seem to depend on each other, or nearly, are compared again with every
/// coordinate in units of its inertia, √M_ii q_i: the rank does not depend on the units of coordinates. C may
/// be the first rows of all.
RowRank find_constraint_rank(const Eigen::MatrixXd& C, const Eigen::MatrixXd& M,
                             const Eigen::VectorXd& row_sizes = {},
                             double tolerance = policy::dependent_rows);

}  // namespace dalembert
