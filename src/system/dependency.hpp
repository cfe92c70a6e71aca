// Dependent constraints and whether their right-hand sides fit together.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/system/structure.hpp>

namespace dalembert {

DependentConstraint to_constraint(const RowDependency& dependency);

/// Dependencies whose right-hand sides miss by more than round-off (`bounds`, one per row).
std::vector<Contradiction> find_contradictions(const RowRank& rank, const Eigen::VectorXd& right,
                                               const Eigen::VectorXd& bounds);

/// "`b` contradicts `a1`, `a2`", or "`b` cannot hold: none of the coordinates can change it".
std::string describe(const System& system, const Contradiction& contradiction);

}  // namespace dalembert
