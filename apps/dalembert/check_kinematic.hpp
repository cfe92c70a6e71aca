// What `dalembert check` says about a kinematic model.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <dalembert/system/kinematic_structure.hpp>

namespace dalembert::app {

std::string to_text(const KinematicEquations& equations, const KinematicStructure& structure);
nlohmann::ordered_json to_json(const KinematicEquations& equations, const KinematicStructure& structure);

}  // namespace dalembert::app
