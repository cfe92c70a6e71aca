#include <dalembert/base/error.hpp>
#include <dalembert/import/urdf.hpp>

#ifndef DALEMBERT_HAS_URDF

namespace dalembert {

ImportedRobot import_urdf(std::string_view, const UrdfOptions&) {
  throw Error("this build cannot read URDF: it was configured without urdfdom (Debian: liburdfdom-dev)");
}

}  // namespace dalembert

#else

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "placed_robot.hpp"
#include "robot_meshes.hpp"
#include "robot_names.hpp"
#include "robot_report.hpp"

namespace dalembert {
namespace {

using Eigen::Vector3d;

std::string number(double value) { return shortest(value == 0 ? 0 : value); }  // without the sign of -0

std::string vector(const Vector3d& v) {
  return fmt::format("[{}, {}, {}]", number(v.x()), number(v.y()), number(v.z()));
}

std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

class ModelText {
 public:
  ModelText(const PlacedRobot& placed, const UrdfOptions& options) : placed_(placed), options_(options) {}
  ImportedRobot run();

 private:
  void add_body(std::size_t number);
  void add_joint(std::size_t number);
  void add_motor(const RobotJoint& joint, const std::string& name);
  void add_limits(const RobotJoint& joint, const std::string& name);
  void add_mimics();
  void add_dry_friction(const std::string& name, bool slides);
  std::string head(const ImportedRobot& imported) const;
  std::string body_name(std::size_t link) const {
    const std::size_t body = placed_.body_of[link];
    return body == ground ? "ground" : body_names_[body];
  }

  const PlacedRobot& placed_;
  const UrdfOptions& options_;
  RobotNames names_;
  std::vector<std::string> body_names_;
  std::vector<std::string> joint_names_;  // by joint; empty for those that are no joint of the model
  std::string bodies_, joints_, forces_, parameters_, outputs_;
};

ImportedRobot ModelText::run() {
  for (const RobotBody& body : placed_.bodies)
    body_names_.push_back(names_.name_of(placed_.robot.links[body.link].name, "link"));
  for (std::size_t i = 0; i < placed_.bodies.size(); ++i) add_body(i);
  for (std::size_t i = 0; i < placed_.robot.joints.size(); ++i) add_joint(i);
  add_mimics();
  if (options_.friction_speed)
    parameters_ += fmt::format("smoothing_speed = {}      # of friction\n", number(*options_.friction_speed));
  ImportedRobot imported{"", robot_warnings(placed_), names_.notes()};
  const std::vector<std::string> notes = robot_notes(placed_, options_);
  imported.notes.insert(imported.notes.end(), notes.begin(), notes.end());
  const std::string meshes = mesh_section(placed_, body_names_, options_.folder, imported.notes);
  std::string& text = imported.model;
  text = head(imported) + "\nspace = \"space\"\n";
  if (!parameters_.empty())
    text += "\n[parameters]                              # loads of the motors, limits\n" + parameters_;
  text += bodies_ + joints_ + forces_;
  text += fmt::format("\n[[force]]\nname = \"{}\"\ntype = \"gravity\"\n", names_.free_name("weight"));
  if (!outputs_.empty()) text += "\n[outputs]\n" + outputs_;
  text += meshes;
  text += "\n[solve]\nduration = 1\noutput_step = 0.01\n";
  return imported;
}

std::string ModelText::head(const ImportedRobot& imported) const {
  std::string text =
      fmt::format("title = {}\nsource = \"imported from URDF\"\n\n", toml_text(placed_.robot.name));
  text += "# Further joints may close loops.\n";
  for (const std::string& warning : imported.warnings) text += fmt::format("# Warning: {}.\n", warning);
  for (const std::string& note : imported.notes) text += fmt::format("# Note: {}.\n", note);
  return text;
}

void ModelText::add_body(std::size_t index) {
  const RobotBody& body = placed_.bodies[index];
  const RobotLink& link = placed_.robot.links[body.link];
  Eigen::Matrix3d J = body.inertia.J;
  if (least_moment(J) < -inertia_slack) J = nearest_admissible(J);
  bodies_ +=
      fmt::format("\n[[body]]\nname = \"{}\"\nmass = {}\n", body_names_[index], number(body.inertia.mass));
  bodies_ += fmt::format("inertia = [{}, {}, {}]\n", vector(J.row(0)), vector(J.row(1)), vector(J.row(2)));
  if (const double excess = triangle_excess(J); excess > inertia_slack)
    bodies_ += fmt::format(
        "accept_inertia = true                     # triangle inequality: off by {:.2g} %\n", 100 * excess);
  const Placed& at = placed_.links[body.link];
  bodies_ +=
      fmt::format("center = {}\nposition = {}\n", vector(body.inertia.center), vector(at.pose.translation()));
  const Eigen::Quaterniond q = Eigen::Quaterniond(at.pose.linear()).normalized();
  bodies_ += fmt::format("rotation = {{ quaternion = [{}, {}, {}, {}] }}\n", number(q.w()), number(q.x()),
                         number(q.y()), number(q.z()));
  if (placed_.moving)
    bodies_ += fmt::format("velocity = {}\nangular_velocity = {}\n", vector(at.velocity), vector(at.omega));
  if (!link.mesh.empty()) bodies_ += fmt::format("# mesh {}\n", one_line(link.mesh));
  std::vector<std::string> with;
  for (const std::size_t other : body.with) with.push_back(one_line(placed_.robot.links[other].name));
  if (!with.empty()) bodies_ += fmt::format("# with the links fixed to it: {}\n", join(with, ", "));
}

std::string type_of(JointKind kind) {
  switch (kind) {
    case JointKind::turning:
      return "revolute";
    case JointKind::sliding:
      return "prismatic";
    case JointKind::planar:
      return "planar";
    case JointKind::fixed:
    case JointKind::floating:
      break;
  }
  return "weld";
}

void ModelText::add_joint(std::size_t index) {
  const RobotJoint& joint = placed_.robot.joints[index];
  const std::size_t child = Robot::child_of(index);
  joint_names_.emplace_back();
  const bool one_body = placed_.body_of[child] == placed_.body_of[joint.parent];
  if (one_body || (joint.kind == JointKind::floating && !placed_.held[index])) return;
  const std::string& name = joint_names_.back() = names_.name_of(joint.name, "joint");
  const std::string type = placed_.held[index] ? "weld" : type_of(joint.kind);
  const Eigen::Isometry3d& frame = placed_.joint_frames[index];
  joints_ += fmt::format("\n[[joint]]\nname = \"{}\"\ntype = \"{}\"\nbodies = [\"{}\", \"{}\"]\npoint = {}\n",
                         name, type, body_name(joint.parent), body_name(child), vector(frame.translation()));
  if (type == "weld") return;
  joints_ += fmt::format("axis = {}\n", vector((frame.linear() * joint.axis).normalized()));
  if (type == "planar") return;
  if (placed_.q[index] != 0) joints_ += fmt::format("start = {}\n", number(placed_.q[index]));
  if (joint.kind == JointKind::turning && placed_.moving)
    joints_ += fmt::format("speed = {}\n", number(placed_.v[index]));
  outputs_ +=
      fmt::format("q_{0} = \"{0}.{1}\"\n", name, joint.kind == JointKind::sliding ? "slide" : "angle");
  add_limits(joint, name);
  add_motor(joint, name);
}

// Where the joint is in its range: -1 at the lower limit, 1 at the upper one.
void ModelText::add_limits(const RobotJoint& joint, const std::string& name) {
  if (!joint.limits) return;
  const auto [lower, upper, effort, velocity] = *joint.limits;
  if (has_range(joint)) {
    parameters_ += fmt::format("lower_{0} = {1}\nupper_{0} = {2}\n", name, number(lower), number(upper));
    outputs_ += fmt::format("range_{0} = \"(2*{0}.{1} - lower_{0} - upper_{0})/(upper_{0} - lower_{0})\"\n",
                            name, joint.kind == JointKind::sliding ? "slide" : "angle");
    if (options_.limits_stop) joints_ += fmt::format("limits = [\"lower_{0}\", \"upper_{0}\"]\n", name);
  }
  if (velocity > 0) joints_ += fmt::format("# velocity at most {}\n", number(velocity));
  if (effort > 0) joints_ += fmt::format("# effort at most {}\n", number(effort));
}

// On the second body: what the motor gives, less friction where it is wanted.
void ModelText::add_motor(const RobotJoint& joint, const std::string& name) {
  const bool slides = joint.kind == JointKind::sliding;
  const std::string load = slides ? "force" : "torque";
  parameters_ += fmt::format("{}_{} = 0\n", load, name);
  std::string given = fmt::format("{}_{}", load, name);
  const bool rubs = joint.friction > 0 && (options_.dry_friction || options_.friction_speed);
  if (rubs) parameters_ += fmt::format("friction_{} = {}\n", name, number(joint.friction));
  if (rubs && !options_.friction_speed) {
    add_dry_friction(name, slides);
  } else if (rubs) {
    given += fmt::format(" - friction_{0}*tanh({0}.{1}'/smoothing_speed)", name, slides ? "slide" : "angle");
  } else if (joint.friction > 0) {
    joints_ += fmt::format("# Coulomb friction {} is not applied\n", number(joint.friction));
  }
  forces_ += fmt::format("\n[[force]]\nname = \"{}\"\ntype = \"motor\"\njoint = \"{}\"\n{} = \"{}\"\n",
                         names_.free_name(name + "_motor"), name, load, given);
  if (joint.damping > 0) {
    forces_ += fmt::format("\n[[force]]\nname = \"{}\"\ntype = \"friction\"\njoint = \"{}\"\ndamping = {}\n",
                           names_.free_name(name + "_friction"), name, number(joint.damping));
  }
}

// At most this load, whatever presses: what URDF calls friction is a force or a torque.
void ModelText::add_dry_friction(const std::string& name, bool slides) {
  forces_ += fmt::format(
      "\n[[friction]]\nname = \"{}\"\nnormal = \"friction_{}\"\nslip = \"{}.{}'\"\nfriction = 1\n",
      names_.free_name(name + "_dry"), name, name, slides ? "slide" : "angle");
}

void ModelText::add_mimics() {
  for (std::size_t i = 0; i < placed_.robot.joints.size(); ++i) {
    const RobotJoint& joint = placed_.robot.joints[i];
    if (!joint.mimic || placed_.held[i]) continue;
    joints_ += fmt::format("\n[[joint]]\nname = \"{}\"\ntype = \"gear\"\njoints = [\"{}\", \"{}\"]\n",
                           names_.free_name(joint_names_[i] + "_mimic"), joint_names_[joint.mimic->joint],
                           joint_names_[i]);
    joints_ += fmt::format("ratio = {}\n", number(joint.mimic->multiplier));
    if (joint.mimic->offset != 0) joints_ += fmt::format("offset = {}\n", number(joint.mimic->offset));
  }
}

}  // namespace

ImportedRobot import_urdf(std::string_view xml, const UrdfOptions& options) {
  const PlacedRobot placed = place_robot(parse_robot(xml), options);
  return ModelText(placed, options).run();
}

}  // namespace dalembert

#endif
