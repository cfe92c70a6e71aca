#include <dalembert/base/error.hpp>
#include <dalembert/import/urdf.hpp>

#ifndef DALEMBERT_HAS_URDF

namespace dalembert {

ImportedRobot import_urdf(std::string_view, const JointValues&) {
  throw Error("this build cannot read URDF: it was configured without urdfdom (Debian: liburdfdom-dev)");
}

}  // namespace dalembert

#else

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/parse.hpp>

#include "robot.hpp"

namespace dalembert {
namespace {

std::string number(double value) { return shortest(value == 0 ? 0 : value); }  // without the sign of -0

std::string vector(const urdf::Vector3& v) {
  return fmt::format("[{}, {}, {}]", number(v.x), number(v.y), number(v.z));
}

std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

class Importer {
 public:
  Importer(const urdf::ModelInterface& robot, const JointValues& start) : robot_(robot), start_(start) {}
  ImportedRobot run();

 private:
  struct Place {
    std::string body;  // that carries the link
    urdf::Pose pose;
  };
  void add_link(const urdf::Link& link, const Place& parent);
  void add_body(const std::string& name, const urdf::Link& link, const urdf::Pose& pose);
  void add_joint(const urdf::Joint& joint, const std::string& a, const std::string& b,
                 const urdf::Pose& pose);
  void add_mimics();
  std::string name_of(const std::string& text, const std::string& kind);
  std::string free_name(std::string name);
  void check_start() const;
  double start_of(const urdf::Joint& joint, std::size_t depth = 0) const;
  const urdf::Joint& mimicked(const urdf::Joint& joint) const;

  const urdf::ModelInterface& robot_;
  const JointValues& start_;
  std::set<std::string> names_{"ground"};
  std::map<std::string, std::string> joint_names_;
  std::string bodies_, joints_, forces_, parameters_, outputs_;
  std::vector<std::string> notes_;
};

// A name that the model file allows and that is not taken yet.
std::string Importer::name_of(const std::string& text, const std::string& kind) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = kind + "_" + name;
  if (names_.contains(name) || !is_definable_name(name)) name += "_" + kind;
  name = free_name(name);
  if (name != text)
    notes_.push_back(fmt::format("the {} '{}' is called '{}' in the model", kind, one_line(text), name));
  return name;
}

std::string Importer::free_name(std::string name) {
  while (!names_.insert(name).second) name += "_";
  return name;
}

void Importer::check_start() const {
  std::vector<std::string> movable;
  for (const auto& [name, joint] : robot_.joints_) {
    if (moves(*joint)) movable.push_back(name);
  }
  for (const auto& [name, value] : start_) {
    if (std::find(movable.begin(), movable.end(), name) == movable.end())
      throw Error(fmt::format("the robot has no moving joint '{}'{}", name, suggestion(name, movable)));
    if (const urdf::Joint& joint = *robot_.joints_.at(name); joint.mimic) {
      throw Error(
          fmt::format("the joint '{0}' mimics '{1}' and starts where that puts it; give '{1}' a start", name,
                      mimicked(joint).name));
    }
  }
}

const urdf::Joint& Importer::mimicked(const urdf::Joint& joint) const {
  const std::string& name = joint.mimic->joint_name;
  const auto it = robot_.joints_.find(name);
  if (it != robot_.joints_.end() && moves(*it->second)) return *it->second;
  throw Error(fmt::format("the joint '{}' mimics '{}', which is no moving joint", one_line(joint.name),
                          one_line(name)));
}

// A joint that mimics another starts at multiplier * (start of the other) + offset.
double Importer::start_of(const urdf::Joint& joint, std::size_t depth) const {
  if (!moves(joint)) return 0;
  if (joint.mimic) {
    if (depth > robot_.joints_.size())
      throw Error(fmt::format("the joint '{}' mimics itself", one_line(joint.name)));
    return joint.mimic->multiplier * start_of(mimicked(joint), depth + 1) + joint.mimic->offset;
  }
  const auto it = start_.find(joint.name);
  return it == start_.end() ? 0 : it->second;
}

ImportedRobot Importer::run() {
  check_start();
  const Place root{"ground", urdf::Pose()};
  for (const auto& child : robot_.getRoot()->child_links) add_link(*child, root);
  add_mimics();
  std::string text =
      fmt::format("title = {}\nsource = \"imported from URDF\"\n\n", toml_text(robot_.getName()));
  text += fmt::format("# The root link '{}' is the ground. Further joints may close loops.\n",
                      one_line(robot_.getRoot()->name));
  for (const std::string& note : notes_) text += fmt::format("# Renamed: {}.\n", note);
  text += "\nspace = \"space\"\n";
  if (!parameters_.empty())
    text += "\n[parameters]                              # torques and forces of the motors\n" + parameters_;
  text += bodies_ + joints_ + forces_;
  text += fmt::format("\n[[force]]\nname = \"{}\"\ntype = \"gravity\"\n", free_name("weight"));
  if (!outputs_.empty()) text += "\n[outputs]\n" + outputs_;
  return {text + "\n[solve]\nduration = 1\noutput_step = 0.01\n", notes_};
}

void Importer::add_link(const urdf::Link& link, const Place& parent) {
  const urdf::Joint& joint = *link.parent_joint;
  const urdf::Pose at_joint = parent.pose * joint.parent_to_joint_origin_transform;
  const urdf::Pose pose = at_joint * motion_of(joint, start_of(joint));
  const double mass = link.inertial ? link.inertial->mass : 0;
  if (!(mass >= 0) || !std::isfinite(mass)) {
    throw Error(
        fmt::format("the mass of the link '{}' is {}, which no body has", one_line(link.name), number(mass)));
  }
  const bool has_mass = mass > 0;
  if (!has_mass && joint.type != urdf::Joint::FIXED) {
    throw Error(
        fmt::format("the link '{}' moves but has no mass: it needs an <inertial> with a positive mass",
                    one_line(link.name)));
  }
  Place place{parent.body, pose};
  if (has_mass) {
    place.body = name_of(link.name, "link");
    add_body(place.body, link, pose);
    add_joint(joint, parent.body, place.body, at_joint);
  }
  for (const auto& child : link.child_links) add_link(*child, place);
}

void Importer::add_body(const std::string& name, const urdf::Link& link, const urdf::Pose& pose) {
  const auto J = turned_inertia(*link.inertial);
  bodies_ += fmt::format("\n[[body]]\nname = \"{}\"\nmass = {}\n", name, number(link.inertial->mass));
  bodies_ += "inertia = [";
  for (std::size_t i = 0; i < 3; ++i)
    bodies_ +=
        fmt::format("{}[{}, {}, {}]", i == 0 ? "" : ", ", number(J[i][0]), number(J[i][1]), number(J[i][2]));
  bodies_ += fmt::format("]\ncenter = {}\nposition = {}\n", vector(link.inertial->origin.position),
                         vector(pose.position));
  const urdf::Rotation& q = pose.rotation;
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  bodies_ += fmt::format("rotation = {{ quaternion = [{}, {}, {}, {}] }}\n", number(q.w / length),
                         number(q.x / length), number(q.y / length), number(q.z / length));
  if (link.visual && link.visual->geometry && link.visual->geometry->type == urdf::Geometry::MESH) {
    const auto& mesh = static_cast<const urdf::Mesh&>(*link.visual->geometry);
    bodies_ += fmt::format("# mesh {}\n", one_line(mesh.filename));
  }
}

void Importer::add_joint(const urdf::Joint& joint, const std::string& a, const std::string& b,
                         const urdf::Pose& pose) {
  if (joint.type == urdf::Joint::FLOATING) return;
  const std::string name = name_of(joint.name, "joint");
  joint_names_[joint.name] = name;
  const bool slides = joint.type == urdf::Joint::PRISMATIC;
  const std::string type = moves(joint)                        ? (slides ? "prismatic" : "revolute")
                           : joint.type == urdf::Joint::PLANAR ? "planar"
                                                               : "weld";
  joints_ += fmt::format("\n[[joint]]\nname = \"{}\"\ntype = \"{}\"\nbodies = [\"{}\", \"{}\"]\npoint = {}\n",
                         name, type, a, b, vector(pose.position));
  if (type == "weld") return;
  joints_ += fmt::format("axis = {}\n", vector(turned(pose.rotation, unit_axis(joint))));
  if (type == "planar") return;
  if (const double value = start_of(joint); value != 0) joints_ += fmt::format("start = {}\n", number(value));
  if (joint.limits && joint.type != urdf::Joint::CONTINUOUS)
    joints_ += fmt::format("# limits {} to {}\n", number(joint.limits->lower), number(joint.limits->upper));
  const std::string load = slides ? "force" : "torque";
  parameters_ += fmt::format("{}_{} = 0\n", load, name);
  forces_ +=
      fmt::format("\n[[force]]\nname = \"{2}\"\ntype = \"motor\"\njoint = \"{0}\"\n{1} = \"{1}_{0}\"\n", name,
                  load, free_name(name + "_motor"));
  if (joint.dynamics && joint.dynamics->damping > 0) {
    forces_ +=
        fmt::format("\n[[force]]\nname = \"{2}\"\ntype = \"friction\"\njoint = \"{0}\"\ndamping = {1}\n",
                    name, number(joint.dynamics->damping), free_name(name + "_friction"));
  }
  outputs_ += fmt::format("q_{0} = \"{0}.{1}\"\n", name, slides ? "slide" : "angle");
}

void Importer::add_mimics() {
  for (const auto& [name, joint] : robot_.joints_) {
    if (!joint->mimic || !moves(*joint)) continue;
    const std::string& follower = joint_names_.at(name);
    joints_ += fmt::format("\n[[joint]]\nname = \"{}\"\ntype = \"gear\"\njoints = [\"{}\", \"{}\"]\n",
                           free_name(follower + "_mimic"), joint_names_.at(mimicked(*joint).name), follower);
    joints_ += fmt::format("ratio = {}\n", number(joint->mimic->multiplier));
    if (joint->mimic->offset != 0) joints_ += fmt::format("offset = {}\n", number(joint->mimic->offset));
  }
}

}  // namespace

ImportedRobot import_urdf(std::string_view xml, const JointValues& start) {
  const urdf::ModelInterfaceSharedPtr robot = parse_robot(xml);
  return Importer(*robot, start).run();
}

}  // namespace dalembert

#endif
