#ifdef DALEMBERT_HAS_URDF

#include "placed_robot.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Vector3d;

// Of an inertia about an axis beside the largest about the same point: below it is round-off of zero.
constexpr double no_inertia = 1e-14;

void check_names(const Robot& robot, const JointValues& given) {
  std::map<std::string, const RobotJoint*> movable;
  std::vector<std::string> names;
  for (const RobotJoint& joint : robot.joints) {
    if (has_motion_value(joint)) movable.emplace(joint.name, &joint);
  }
  for (const auto& [name, joint] : movable) names.push_back(name);
  for (const auto& [name, value] : given) {
    const auto it = movable.find(name);
    if (it == movable.end())
      throw Error(fmt::format("the robot has no moving joint '{}'{}", name, suggestion(name, names)));
    if (!std::isfinite(value)) throw Error(fmt::format("the start of the joint '{}' is not finite", name));
    if (const RobotJoint& joint = *it->second; joint.mimic) {
      throw Error(
          fmt::format("the joint '{0}' mimics '{1}' and starts where that puts it; give '{1}' a start", name,
                      robot.joints[joint.mimic->joint].name));
    }
  }
}

// multiplier * (value of the other) + offset for a joint that mimics another; for velocities without offset.
double value_of(const Robot& robot, std::size_t joint, const JointValues& given, bool offsets) {
  double factor = 1;
  double sum = 0;
  const RobotJoint* at = &robot.joints[joint];
  for (; at->mimic; at = &robot.joints[at->mimic->joint]) {
    if (offsets) sum += factor * at->mimic->offset;
    factor *= at->mimic->multiplier;
  }
  const auto it = given.find(at->name);
  return it == given.end() ? sum : sum + factor * it->second;
}

Isometry3d base_pose(const std::array<double, 6>& pose) {
  const auto& [x, y, z, roll, pitch, yaw] = pose;
  return Eigen::Translation3d(x, y, z) *
         Eigen::Quaterniond(AngleAxisd(yaw, Vector3d::UnitZ()) * AngleAxisd(pitch, Vector3d::UnitY()) *
                            AngleAxisd(roll, Vector3d::UnitX()));
}

class Placing {
 public:
  Placing(Robot robot, const UrdfOptions& options) : options_(options) { placed_.robot = std::move(robot); }

  PlacedRobot run() {
    check_names(robot_, options_.start);
    check_names(robot_, options_.velocities);
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      placed_.q.push_back(value_of(robot_, i, options_.start, true));
      placed_.v.push_back(value_of(robot_, i, options_.velocities, false));
    }
    find_held();
    placed_.floating = floats();
    place_links();
    gather_bodies();
    return std::move(placed_);
  }

 private:
  // Joints that move nothing: their motion would be undetermined. One that others mimic moves those as well.
  void find_held() {
    const std::size_t count = robot_.joints.size();
    std::vector<Inertia> carried;  // by link, with all that hangs on it, in its frame
    for (const RobotLink& link : robot_.links) carried.push_back(link.inertia);
    std::vector<bool> moves_something(count, false);
    placed_.resistance.resize(count);
    for (std::size_t i = count; i-- > 0;) {
      const RobotJoint& joint = robot_.joints[i];
      const Inertia& part = carried[Robot::child_of(i)];
      placed_.resistance[i] = resistance(joint, part);
      moves_something[i] = placed_.resistance[i] != 0;
      const Isometry3d pose = joint.origin * motion_of(joint, placed_.q[i]);
      carried[joint.parent] = carried[joint.parent] + moved(part, pose);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (robot_.joints[i].mimic && moves_something[i]) moves_something[leader_of(i)] = true;
    }
    for (std::size_t i = 0; i < count; ++i)
      placed_.held.push_back(robot_.joints[i].kind != JointKind::fixed && !moves_something[leader_of(i)]);
  }

  static double resistance(const RobotJoint& joint, const Inertia& part) {
    switch (joint.kind) {
      case JointKind::turning: {
        const double about = moment_about(part, Vector3d::Zero(), joint.axis);
        const double scale = part.J.cwiseAbs().maxCoeff() + part.mass * part.center.squaredNorm();
        return std::abs(about) > no_inertia * scale ? about : 0;
      }
      case JointKind::sliding:
      case JointKind::planar:
      case JointKind::floating:
        return part.mass;
      case JointKind::fixed:
        break;
    }
    return 0;
  }

  std::size_t leader_of(std::size_t joint) const {
    while (robot_.joints[joint].mimic) joint = robot_.joints[joint].mimic->joint;
    return joint;
  }

  bool is_fixed(std::size_t joint) const {
    return robot_.joints[joint].kind == JointKind::fixed || placed_.held[joint];
  }

  bool floats() const {
    if (options_.base != UrdfOptions::Base::automatic) return options_.base == UrdfOptions::Base::floating;
    if (robot_.links.front().name == "world") return false;
    std::vector<bool> with_root(robot_.links.size(), false);
    with_root[0] = true;
    double mass = robot_.links.front().inertia.mass;
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const std::size_t child = Robot::child_of(i);
      with_root[child] = with_root[robot_.joints[i].parent] && is_fixed(i);
      if (with_root[child]) mass += robot_.links[child].inertia.mass;
    }
    return mass > 0;
  }

  void place_links() {
    Placed root;
    root.pose = base_pose(options_.base_pose);
    if (placed_.floating) {
      const auto& v = options_.base_velocity;
      root.velocity = {v[0], v[1], v[2]};
      root.omega = {v[3], v[4], v[5]};
    }
    placed_.links.push_back(root);
    placed_.moving = !root.velocity.isZero(0) || !root.omega.isZero(0);
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) place_child(i);
  }

  void place_child(std::size_t i) {
    const RobotJoint& joint = robot_.joints[i];
    const Placed& parent = placed_.links[joint.parent];
    const Isometry3d frame = parent.pose * joint.origin;
    const double v = placed_.held[i] ? 0 : placed_.v[i];
    Placed child;
    child.pose = frame * motion_of(joint, placed_.q[i]);
    const Vector3d axis = frame.linear() * joint.axis;
    child.omega = parent.omega;
    child.velocity =
        parent.velocity + parent.omega.cross(child.pose.translation() - parent.pose.translation());
    if (joint.kind == JointKind::turning) child.omega += v * axis;
    if (joint.kind == JointKind::sliding) child.velocity += v * axis;
    placed_.moving = placed_.moving || (has_motion_value(joint) && v != 0);
    placed_.joint_frames.push_back(frame);
    placed_.links.push_back(child);
  }

  void gather_bodies() {
    placed_.body_of.assign(robot_.links.size(), ground);
    if (placed_.floating) add_body(0);
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const std::size_t child = Robot::child_of(i);
      const bool stays_apart = options_.keep_fixed && robot_.links[child].inertia.mass > 0;
      if (!is_fixed(i) || stays_apart) {
        add_body(child);
        continue;
      }
      const std::size_t body = placed_.body_of[robot_.joints[i].parent];
      placed_.body_of[child] = body;
      if (body != ground) add_to_body(placed_.bodies[body], child);
    }
    if (!placed_.bodies.empty()) return;
    throw Error(robot_.links.front().inertia.mass > 0
                    ? "nothing of the robot moves when its root link is held; --floating lets it move"
                    : "nothing of the robot moves: it has no moving joint, or no mass");
  }

  void add_body(std::size_t link) {
    placed_.body_of[link] = placed_.bodies.size();
    placed_.bodies.push_back({link, robot_.links[link].inertia, {}});
  }

  void add_to_body(RobotBody& body, std::size_t link) {
    const Isometry3d pose = placed_.links[body.link].pose.inverse() * placed_.links[link].pose;
    body.inertia = body.inertia + moved(robot_.links[link].inertia, pose);
    body.with.push_back(link);
  }

  const UrdfOptions& options_;
  PlacedRobot placed_;
  Robot& robot_ = placed_.robot;
};

}  // namespace

PlacedRobot place_robot(Robot robot, const UrdfOptions& options) {
  return Placing(std::move(robot), options).run();
}

}  // namespace dalembert

#endif
