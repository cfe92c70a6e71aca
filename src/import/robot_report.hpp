// What an import says: what cannot be meant, what was kept and what was not.
#pragma once

#include <string>
#include <vector>

#include <dalembert/import/urdf.hpp>

#include "placed_robot.hpp"

namespace dalembert {

/// Of inertias, written with some digits, below which nothing is said.
constexpr double inertia_slack = 1e-9;

std::vector<std::string> robot_warnings(const PlacedRobot& placed);
std::vector<std::string> robot_notes(const PlacedRobot& placed, const UrdfOptions& options);

/// Limits that bound something: `lower` below `upper`, of a joint that is not endless.
bool has_range(const RobotJoint& joint);

}  // namespace dalembert
