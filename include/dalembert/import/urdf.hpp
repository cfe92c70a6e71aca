// Robots in the format URDF.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// Angles (rad) or slides (m) of joints, by the robot's names.
using JointValues = std::map<std::string, double>;

struct UrdfOptions {
  JointValues start = {};       ///< 0 for the joints that are not named; joints that mimic others follow
  JointValues velocities = {};  ///< at the start, alike

  enum class Base { automatic, fixed, floating };
  /// A root link called "world", or that has no mass with all that is fixed to it, is the ground; else the
  /// robot floats, as in PyBullet and Drake.
  Base base = Base::automatic;
  std::array<double, 6> base_pose = {};      ///< of the root link: x, y, z, roll, pitch, yaw
  std::array<double, 6> base_velocity = {};  ///< of a floating one's frame, then angular, in space directions

  std::string folder =
      {};  ///< of the robot's file: meshes are looked for below it and above; empty: none are read
  bool keep_fixed = false;  ///< fixed links of some mass stay bodies, welded, whose reactions are outputs
  /// Limits of position are stops that hold the joint; else parameters and outputs alone.
  bool limits_stop = false;
  /// Coulomb friction f of joints as [[friction]], by which they stick and slide.
  bool dry_friction = false;
  /// Or as -f tanh(v / v0) with this v0; neither: it is a comment in the model.
  std::optional<double> friction_speed = {};
};

struct ImportedRobot {
  std::string model;                  ///< the text of a model file
  std::vector<std::string> warnings;  ///< what in the file cannot be meant, and what was made of it
  std::vector<std::string> notes;     ///< names that were changed, what was kept and what was not
};

/// A body for each link that moves, with all links that are fixed to it; a joint for each joint. Motors have
/// torques that are parameters. Throws Error when the text is no URDF, when something in it has no
/// counterpart, or when this build has no urdfdom.
ImportedRobot import_urdf(std::string_view xml, const UrdfOptions& options = {});

}  // namespace dalembert
