// The shapes of a robot's links as figures of a model file.
#pragma once

#include <string>
#include <vector>

#include "placed_robot.hpp"

namespace dalembert {

/// The section [view.meshes]: a mesh for each body, and one for what stands still; empty where there are no
/// shapes. Files are looked for below `folder` and the folders above it. Notes tell what was drawn and what
/// not.
std::string mesh_section(const PlacedRobot& placed, const std::vector<std::string>& body_names,
                         const std::string& folder, std::vector<std::string>& notes);

}  // namespace dalembert
