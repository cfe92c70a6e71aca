// The structure of a kinematic model at its start.
#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/derive/kinematics.hpp>
#include <dalembert/system/structure.hpp>

namespace dalembert {

struct KinematicStructure {
  double t = 0;
  std::vector<double> q;          ///< as given: a start off the constraints is drawn to them by K
  std::vector<double> f;          ///< residuals of the constraints
  std::vector<double> round_off;  ///< residuals at this size are round-off
  std::size_t rank = 0;           ///< of f_q
  std::size_t full_rank = 0;      ///< of [f_q; C]; below n−1 the vector product vanishes
  std::vector<DependentConstraint> dependent;  ///< rows of f_q that depend on others at the start
};

/// Throws Error when a value does not exist at the start.
KinematicStructure analyse_kinematics(const KinematicEquations& equations);

}  // namespace dalembert
