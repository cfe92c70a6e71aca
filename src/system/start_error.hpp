// What is said about a start that cannot be: which constraint, how far off, what to do.
#pragma once

#include <vector>

#include <Eigen/Dense>

#include <dalembert/system/structure.hpp>

#include "residuals.hpp"

namespace dalembert {

/// Constraints without a finite value at the given positions.
void refuse_values_that_do_not_exist(const Residuals& residuals, const Eigen::VectorXd& q);
/// Entries of M, f, C or γ without a finite value at the state of the last eval.
void refuse_forces_that_do_not_exist(const Residuals& residuals);

[[noreturn]] void throw_inconsistent_positions(Residuals& residuals, const Eigen::VectorXd& q);
[[noreturn]] void throw_inconsistent_velocities(Residuals& residuals, const Eigen::VectorXd& q,
                                                const Eigen::VectorXd& v);
[[noreturn]] void throw_contradicting_accelerations(const System& system,
                                                    const std::vector<Contradiction>& contradictions);
/// Of coordinates without inertia that the forces on them do not determine.
[[noreturn]] void throw_unbalanced_velocities(const System& system, bool fixed);
[[noreturn]] void throw_missing_inertia(const System& system, const Inertia& inertia);

}  // namespace dalembert
