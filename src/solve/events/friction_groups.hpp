// Frictions that stick together: slips of which each is a multiple of the first, w_i = ρ_i w_1, as those of
// the corners of a box that lies on a plane.
//
// The constraint of one is that of all, so that they share one force along w_1, F = Σ ρ_i Λ_i, in no unique
// way. Together they can hold |F| <= Σ |ρ_i| μ_i N_i, and all of them stick or slide at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/system/state_evaluation.hpp>

#include "events/modes.hpp"

namespace dalembert {

struct FrictionGroup {
  struct Member {
    std::size_t friction;
    double ratio;  ///< ρ
    int side() const { return ratio < 0 ? -1 : 1; }
  };
  std::vector<Member> members;    ///< the first with ρ = 1
  bool depends_on_share = false;  ///< what it can still hold, on how redundant constraints share their forces
  std::size_t first() const { return members.front().friction; }
};

/// Of frictions that are at rest; `rows` of links within `all`.
std::vector<FrictionGroup> group_frictions(const ModeSystems& systems, const StateEvaluation& all,
                                           std::span<const std::size_t> rows,
                                           std::span<const std::size_t> frictions);

/// Force that a row of C would need where all terms of `force` and `right` add up: λ far below it is a
/// rounding error.
double force_scale(const StateEvaluation& all, Eigen::Index row, const Eigen::VectorXd& force, double right);

}  // namespace dalembert
