// Constraints that belong to the description and to no joint.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <dalembert/system/system.hpp>

namespace dalembert {

/// For each constraint, whether it only gives coordinates their meaning: the unit length of a body's
/// quaternion, the angle that a joint in space has turned by. Their multipliers are no reactions and do not
/// count where those of least norm are chosen.
std::vector<bool> find_auxiliary(const System& system);

/// The coordinates of each body's quaternion, scalar first.
std::vector<std::array<std::size_t, 4>> find_quaternions(const System& system);

}  // namespace dalembert
