// A robot as its URDF describes it: a tree of links, checked, in the order from the root to the tips.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Geometry>

#include "inertia.hpp"

namespace dalembert {

/// What a link looks like, or a part of it.
struct RobotVisual {
  enum class Kind { box, cylinder, sphere, mesh } kind = Kind::box;
  Eigen::Isometry3d origin = Eigen::Isometry3d::Identity();  ///< in the link's frame
  Eigen::Vector3d size = Eigen::Vector3d::Ones();            ///< edges; radius and length; scale of a mesh
  std::string file;                                          ///< of a mesh, as it is written
};

struct RobotLink {
  std::string name;
  Inertia inertia;   ///< in the link's frame
  std::string mesh;  ///< file of its first visual
  std::vector<RobotVisual> visuals;
};

enum class JointKind { fixed, turning, sliding, planar, floating };

struct RobotJoint {
  struct Limits {
    double lower, upper, effort, velocity;
  };
  struct Mimic {
    std::size_t joint;
    double multiplier, offset;
  };
  std::string name;
  JointKind kind = JointKind::fixed;
  std::size_t parent = 0;    ///< link; its child is the link behind this joint's own number
  Eigen::Isometry3d origin;  ///< from the parent's frame to the joint's
  Eigen::Vector3d axis;      ///< unit vector in the joint's frame
  bool endless = false;      ///< turns without limits
  std::optional<Limits> limits;
  std::optional<Mimic> mimic;
  double damping = 0;
  double friction = 0;
  bool has_safety = false;  ///< <safety_controller> or <calibration>
};

/// Link 0 is the root; joint i leads to link i + 1, whose parent has a smaller number.
struct Robot {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  std::vector<std::string> warnings;     ///< of what cannot be meant
  std::set<std::string> other_elements;  ///< of the file, which nobody reads here: transmission, gazebo

  static std::size_t child_of(std::size_t joint) { return joint + 1; }
};

/// Throws Error, with urdfdom's own reason where it has one.
Robot parse_robot(std::string_view xml);

/// Control characters become blanks.
std::string one_line(std::string_view text);

inline bool has_motion_value(const RobotJoint& joint) {
  return joint.kind == JointKind::turning || joint.kind == JointKind::sliding;
}

/// What the joint does to the frame of its child when its angle or slide is `value`.
Eigen::Isometry3d motion_of(const RobotJoint& joint, double value);

}  // namespace dalembert
