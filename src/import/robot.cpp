#ifdef DALEMBERT_HAS_URDF

#include "robot.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>
#include <urdf_world/types.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

#include "xml_outline.hpp"

namespace dalembert {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr std::size_t most_levels = 200;      // of XML; a robot needs seven
constexpr std::size_t most_bytes = 64 << 20;  // of XML; the largest robots have two million
constexpr std::size_t most_links = 10'000;    // urdfdom frees a chain of links recursively

// Keeps what urdfdom says instead of printing it.
class Reasons : public console_bridge::OutputHandler {
 public:
  Reasons() { console_bridge::useOutputHandler(this); }
  ~Reasons() override { console_bridge::restorePreviousOutputHandler(); }
  Reasons(const Reasons&) = delete;
  Reasons& operator=(const Reasons&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    const bool says_nothing = text.find("xml is not initialized correctly") != std::string::npos;
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && !says_nothing && reasons_.size() < most)
      reasons_.push_back(one_line(text).substr(0, longest));
  }
  const std::vector<std::string>& all() const { return reasons_; }
  std::string joined() const {
    return join(std::span(reasons_).first(std::min<std::size_t>(reasons_.size(), 3)), "; ");
  }

 private:
  static constexpr std::size_t most = 20;
  static constexpr std::size_t longest = 400;
  std::vector<std::string> reasons_;
};

std::string in_quotes(std::string_view name) { return fmt::format("'{}'", one_line(name.substr(0, 200))); }

Vector3d vector_of(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

Isometry3d pose_of(const urdf::Pose& pose, const std::string& where) {
  const urdf::Rotation& q = pose.rotation;
  const Vector3d position = vector_of(pose.position);
  const Eigen::Quaterniond rotation(q.w, q.x, q.y, q.z);
  if (!position.allFinite() || !rotation.coeffs().allFinite())
    throw Error(fmt::format("the origin of {} is not finite", where));
  return Eigen::Translation3d(position) * rotation.normalized();
}

Inertia inertia_of(const urdf::Link& link) {
  if (!link.inertial) return {};
  const urdf::Inertial& given = *link.inertial;
  const std::string where = "the link " + in_quotes(link.name);
  if (!(given.mass >= 0) || !std::isfinite(given.mass))
    throw Error(fmt::format("the mass of {} is {}, which no body has", where, shortest(given.mass)));
  Inertia own;
  own.mass = given.mass;
  own.J << given.ixx, given.ixy, given.ixz, given.ixy, given.iyy, given.iyz, given.ixz, given.iyz, given.izz;
  if (!own.J.allFinite()) throw Error(fmt::format("the inertia of {} is not finite", where));
  return moved(own, pose_of(given.origin, "the inertia of " + where));
}

JointKind kind_of(const urdf::Joint& joint) {
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
      return JointKind::turning;
    case urdf::Joint::PRISMATIC:
      return JointKind::sliding;
    case urdf::Joint::PLANAR:
      return JointKind::planar;
    case urdf::Joint::FLOATING:
      return JointKind::floating;
    case urdf::Joint::FIXED:
      return JointKind::fixed;
    case urdf::Joint::UNKNOWN:
      break;
  }
  throw Error(fmt::format("the joint {} has no known type", in_quotes(joint.name)));
}

Vector3d unit_axis(const urdf::Joint& joint) {
  const Vector3d axis = vector_of(joint.axis);
  const double length = axis.stableNorm();
  if (!(length > 0) || !std::isfinite(length))
    throw Error(fmt::format("the axis of the joint {} has no direction", in_quotes(joint.name)));
  return axis / length;
}

double finite(double value, const char* what, const urdf::Joint& joint) {
  if (std::isfinite(value)) return value;
  throw Error(fmt::format("the {} of the joint {} is not finite", what, in_quotes(joint.name)));
}

RobotJoint joint_of(const urdf::Joint& given, std::size_t parent) {
  RobotJoint joint;
  joint.name = given.name;
  joint.kind = kind_of(given);
  joint.parent = parent;
  joint.origin = pose_of(given.parent_to_joint_origin_transform, "the joint " + in_quotes(given.name));
  joint.endless = given.type == urdf::Joint::CONTINUOUS;
  const bool has_axis = joint.kind != JointKind::fixed && joint.kind != JointKind::floating;
  joint.axis = has_axis ? unit_axis(given) : Vector3d::UnitX();
  if (given.limits) {  // files write endless limits as "inf"
    const urdf::JointLimits& l = *given.limits;
    if (std::isnan(l.lower) || std::isnan(l.upper) || std::isnan(l.effort) || std::isnan(l.velocity))
      throw Error(fmt::format("a limit of the joint {} is no number", in_quotes(given.name)));
    joint.limits = {l.lower, l.upper, l.effort, l.velocity};
  }
  if (given.dynamics) {
    joint.damping = finite(given.dynamics->damping, "damping", given);
    joint.friction = finite(given.dynamics->friction, "friction", given);
  }
  joint.has_safety = given.safety || given.calibration;
  return joint;
}

// Links in the order from the root to the tips. `loose` are those that were not reached.
class Flattening {
 public:
  explicit Flattening(const urdf::ModelInterface& model) : model_(model) {}

  Robot run() {
    robot_.name = model_.getName();
    add_link(*model_.getRoot());
    std::vector<std::pair<const urdf::Link*, std::size_t>> open{{model_.getRoot().get(), 0}};
    while (!open.empty()) {
      const auto [link, number] = open.back();
      open.pop_back();
      for (const auto& child : link->child_links) {
        add_joint(*link, *child, number);
        open.emplace_back(child.get(), add_link(*child));
      }
    }
    check_reached();
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) add_mimic(i);
    check_mimics();
    return std::move(robot_);
  }

 private:
  std::size_t add_link(const urdf::Link& link) {
    std::string mesh;
    if (link.visual && link.visual->geometry && link.visual->geometry->type == urdf::Geometry::MESH)
      mesh = static_cast<const urdf::Mesh&>(*link.visual->geometry).filename;
    robot_.links.push_back({link.name, inertia_of(link), std::move(mesh), visuals_of(link)});
    return robot_.links.size() - 1;
  }

  static std::vector<RobotVisual> visuals_of(const urdf::Link& link) {
    std::vector<RobotVisual> visuals;
    for (const auto& visual : link.visual_array) {
      if (!visual || !visual->geometry) continue;
      RobotVisual one;
      try {
        one.origin = pose_of(visual->origin, "a shape of the link " + in_quotes(link.name));
      } catch (const Error&) {
        continue;  // a robot moves without it
      }
      switch (visual->geometry->type) {
        case urdf::Geometry::BOX:
          one.kind = RobotVisual::Kind::box;
          one.size = vector_of(static_cast<const urdf::Box&>(*visual->geometry).dim);
          break;
        case urdf::Geometry::CYLINDER: {
          const auto& cylinder = static_cast<const urdf::Cylinder&>(*visual->geometry);
          one.kind = RobotVisual::Kind::cylinder;
          one.size = {cylinder.radius, cylinder.length, 0};
          break;
        }
        case urdf::Geometry::SPHERE:
          one.kind = RobotVisual::Kind::sphere;
          one.size.x() = static_cast<const urdf::Sphere&>(*visual->geometry).radius;
          break;
        case urdf::Geometry::MESH: {
          const auto& mesh = static_cast<const urdf::Mesh&>(*visual->geometry);
          one.kind = RobotVisual::Kind::mesh;
          one.size = vector_of(mesh.scale);
          one.file = mesh.filename;
          break;
        }
      }
      if (one.size.allFinite()) visuals.push_back(std::move(one));
    }
    return visuals;
  }

  void add_joint(const urdf::Link& parent, const urdf::Link& child, std::size_t number) {
    const urdf::Joint& joint = *child.parent_joint;
    if (child.getParent().get() != &parent || joints_.contains(joint.name)) {
      throw Error(
          fmt::format("the link {} is the child of two joints: URDF describes trees; remove one of them and "
                      "close the loop by a joint in the model file",
                      in_quotes(child.name)));
    }
    joints_.emplace(joint.name, robot_.joints.size());
    robot_.joints.push_back(joint_of(joint, number));
  }

  void check_reached() const {
    if (robot_.links.size() == model_.links_.size() && robot_.joints.size() == model_.joints_.size()) return;
    for (const auto& [name, joint] : model_.joints_) {
      if (!joints_.contains(name))
        throw Error(fmt::format("the joint {} is not connected to the root link {}: its links form a loop",
                                in_quotes(name), in_quotes(robot_.links.front().name)));
    }
    throw Error("the links of the robot are no tree");
  }

  void add_mimic(std::size_t i) {
    RobotJoint& joint = robot_.joints[i];
    const urdf::Joint& given = *model_.joints_.at(joint.name);
    if (!given.mimic || !has_motion_value(joint)) return;
    const auto leader = joints_.find(given.mimic->joint_name);
    if (leader == joints_.end() || !has_motion_value(robot_.joints[leader->second])) {
      robot_.warnings.push_back(
          fmt::format("the joint {} mimics {}, which is no moving joint: it moves by itself",
                      in_quotes(joint.name), in_quotes(given.mimic->joint_name)));
      return;
    }
    joint.mimic = {leader->second, finite(given.mimic->multiplier, "multiplier", given),
                   finite(given.mimic->offset, "offset", given)};
  }

  void check_mimics() const {
    for (const RobotJoint& joint : robot_.joints) {
      const RobotJoint* leader = &joint;
      for (std::size_t steps = 0; leader->mimic; ++steps) {
        if (steps > robot_.joints.size())
          throw Error(fmt::format("the joint {} mimics itself", in_quotes(joint.name)));
        leader = &robot_.joints[leader->mimic->joint];
      }
    }
  }

  const urdf::ModelInterface& model_;
  Robot robot_;
  std::map<std::string, std::size_t> joints_;
};

// Links hold their children: without this a long chain is freed by as deep a recursion.
void take_apart(const urdf::ModelInterface& model) {
  for (const auto& [name, link] : model.links_) {
    link->child_links.clear();
    link->child_joints.clear();
  }
}

struct Parsed {
  urdf::ModelInterfaceSharedPtr model;  // empty where it failed
  std::string why;
  std::vector<std::string> complaints = {};  // of a model that was read all the same
};

Parsed try_to_parse(const std::string& xml) {
  Reasons reasons;
  std::string thrown;
  try {
    urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(xml);
    if (model && model->getRoot()) return {model, "", reasons.all()};
  } catch (const std::exception& exception) {
    thrown = one_line(exception.what());
  }
  const std::string said = reasons.joined();
  return {nullptr, said.empty() ? thrown : said};
}

// Files for Drake and PyBullet have joints on a link 'world' that they do not declare.
Parsed parse(const std::string& xml) {
  Parsed parsed = try_to_parse(xml);
  const std::size_t end = xml.rfind("</robot>");
  if (!parsed.model && parsed.why.find("parent link [world]") != std::string::npos &&
      end != std::string::npos) {
    std::string declared = xml;
    declared.insert(end, "<link name=\"world\"/>");
    parsed = try_to_parse(declared);
  }
  if (parsed.model) return parsed;
  throw Error("this is no URDF of a robot with one root link" +
              (parsed.why.empty() ? "" : ": " + parsed.why));
}

// urdfdom goes on without an inertia that it cannot read.
void refuse_lost_inertias(const std::vector<std::string>& complaints) {
  std::vector<std::string> lost;
  for (const std::string& complaint : complaints) {
    const bool of_inertia =
        complaint.find("nertia") != std::string::npos || complaint.find("mass") != std::string::npos;
    if (of_inertia && lost.size() < 2) lost.push_back(complaint);  // what is wrong, and in which link
  }
  if (!lost.empty()) throw Error("an inertia cannot be read: " + join(lost, "; "));
}

std::set<std::string> checked_elements(std::string_view xml) {
  if (xml.size() > most_bytes) {
    throw Error(fmt::format("the file has {} bytes; a URDF of more than {} million is not read", xml.size(),
                            most_bytes >> 20));
  }
  XmlOutline outline = outline_xml(xml, most_levels);
  if (outline.depth > most_levels) {
    throw Error(fmt::format("elements of the XML text are nested more than {} deep; those of a robot are not",
                            most_levels));
  }
  if (outline.count > 2 * most_links) {
    throw Error(fmt::format("a robot of more than {} links is not read", most_links));
  }
  for (const char* known : {"link", "joint", "material"}) outline.children.erase(known);
  return std::move(outline.children);
}

}  // namespace

Robot parse_robot(std::string_view xml) {
  std::set<std::string> others = checked_elements(xml);
  const Parsed parsed = parse(std::string(xml));
  struct Apart {
    const urdf::ModelInterface& model;
    ~Apart() { take_apart(model); }
  } apart{*parsed.model};
  refuse_lost_inertias(parsed.complaints);
  Robot robot = Flattening(*parsed.model).run();
  robot.other_elements = std::move(others);
  for (const std::string& complaint : parsed.complaints)
    robot.warnings.push_back("in the file: " + complaint);
  return robot;
}

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    result += code < 0x20 || code == 0x7F ? ' ' : c;
  }
  return result;
}

Isometry3d motion_of(const RobotJoint& joint, double value) {
  switch (joint.kind) {
    case JointKind::sliding:
      return Isometry3d(Eigen::Translation3d(value * joint.axis));
    case JointKind::turning:
      return Isometry3d(Eigen::AngleAxisd(value, joint.axis));
    case JointKind::fixed:
    case JointKind::planar:
    case JointKind::floating:
      break;
  }
  return Isometry3d::Identity();
}

}  // namespace dalembert

#endif
