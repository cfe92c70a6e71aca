// Robots in the format URDF.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// Angles (rad) or slides (m) of joints, by the robot's names.
using JointValues = std::map<std::string, double>;

struct ImportedRobot {
  std::string model;               ///< the text of a model file
  std::vector<std::string> notes;  ///< which links and joints have other names in it
};

/// A body for each link, a joint for each joint, at rest in the position that `start` gives (0 for the joints
/// that are not named; joints that mimic others follow). The root link is the ground. Motors have torques
/// that are parameters. Throws Error when the text is no URDF, when something in it has no counterpart, or
/// when this build has no urdfdom.
ImportedRobot import_urdf(std::string_view xml, const JointValues& start = {});

}  // namespace dalembert
