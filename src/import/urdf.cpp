#include <dalembert/base/error.hpp>
#include <dalembert/import/urdf.hpp>

#ifndef DALEMBERT_HAS_URDF

namespace dalembert {

std::string import_urdf(std::string_view, const JointValues&) {
  throw Error("this build cannot read URDF: it was configured without urdfdom (Debian: liburdfdom-dev)");
}

}  // namespace dalembert

#else

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>
#include <vector>

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

std::string number(double value) { return shortest(value == 0 ? 0 : value); }  // without the sign of -0

std::string vector(const urdf::Vector3& v) {
  return fmt::format("[{}, {}, {}]", number(v.x), number(v.y), number(v.z));
}

urdf::Vector3 turned(const urdf::Rotation& rotation, const urdf::Vector3& v) { return rotation * v; }

urdf::Pose operator*(const urdf::Pose& a, const urdf::Pose& b) {
  urdf::Pose result;
  urdf::Vector3 origin = a.position;  // its sum is not const
  result.position = origin + turned(a.rotation, b.position);
  result.rotation = a.rotation * b.rotation;
  return result;
}

bool moves(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS ||
         joint.type == urdf::Joint::PRISMATIC;
}

// R J Rᵀ
std::array<std::array<double, 3>, 3> turned_inertia(const urdf::Inertial& inertial) {
  const std::array<std::array<double, 3>, 3> J{{{inertial.ixx, inertial.ixy, inertial.ixz},
                                                {inertial.ixy, inertial.iyy, inertial.iyz},
                                                {inertial.ixz, inertial.iyz, inertial.izz}}};
  std::array<urdf::Vector3, 3> axes{turned(inertial.origin.rotation, {1, 0, 0}),
                                    turned(inertial.origin.rotation, {0, 1, 0}),
                                    turned(inertial.origin.rotation, {0, 0, 1})};
  const auto at = [](const urdf::Vector3& v, std::size_t i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
  std::array<std::array<double, 3>, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l) result[i][j] += at(axes[k], i) * J[k][l] * at(axes[l], j);
      }
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < i; ++j) result[i][j] = result[j][i];
  }
  return result;
}

class Importer {
 public:
  Importer(const urdf::ModelInterface& robot, const JointValues& start) : robot_(robot), start_(start) {}
  std::string run();

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
  double start_of(const urdf::Joint& joint) const;

  const urdf::ModelInterface& robot_;
  const JointValues& start_;
  std::set<std::string> names_{"ground"};
  std::map<std::string, std::string> joint_names_;
  std::string bodies_, joints_, forces_, parameters_, outputs_;
};

// A name that the model file allows and that is not taken yet.
std::string Importer::name_of(const std::string& text, const std::string& kind) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = kind + "_" + name;
  if (names_.contains(name)) name += "_" + kind;
  while (!names_.insert(name).second) name += "_";
  return name;
}

double Importer::start_of(const urdf::Joint& joint) const {
  const auto it = start_.find(joint.name);
  return it == start_.end() ? 0 : it->second;
}

std::string Importer::run() {
  std::vector<std::string> movable;
  for (const auto& [name, joint] : robot_.joints_) {
    if (moves(*joint)) movable.push_back(name);
  }
  for (const auto& [name, value] : start_) {
    if (std::find(movable.begin(), movable.end(), name) == movable.end())
      throw Error(fmt::format("the robot has no moving joint '{}'{}", name, suggestion(name, movable)));
  }
  const Place root{"ground", urdf::Pose()};
  for (const auto& child : robot_.getRoot()->child_links) add_link(*child, root);
  add_mimics();
  std::string text =
      fmt::format("title = \"{}\"\nsource = \"imported from URDF\"\n\n", name_of(robot_.getName(), "robot"));
  text += fmt::format(
      "# The root link '{}' is the ground. Further joints may close loops.\n\nspace = \"space\"\n",
      robot_.getRoot()->name);
  if (!parameters_.empty())
    text += "\n[parameters]                              # torques and forces of the motors\n" + parameters_;
  text += bodies_ + joints_ + forces_ + "\n[[force]]\nname = \"weight\"\ntype = \"gravity\"\n";
  if (!outputs_.empty()) text += "\n[outputs]\n" + outputs_;
  return text + "\n[solve]\nduration = 1\noutput_step = 0.01\n";
}

void Importer::add_link(const urdf::Link& link, const Place& parent) {
  const urdf::Joint& joint = *link.parent_joint;
  urdf::Pose pose = parent.pose * joint.parent_to_joint_origin_transform;
  const urdf::Pose at_joint = pose;
  const double value = start_of(joint);
  if (joint.type == urdf::Joint::PRISMATIC) {
    urdf::Pose slide;
    slide.position = urdf::Vector3(value * joint.axis.x, value * joint.axis.y, value * joint.axis.z);
    pose = pose * slide;
  } else if (moves(joint)) {
    urdf::Pose turn;
    const double s = std::sin(value / 2);
    turn.rotation = urdf::Rotation(s * joint.axis.x, s * joint.axis.y, s * joint.axis.z, std::cos(value / 2));
    pose = pose * turn;
  }
  const bool has_mass = link.inertial && link.inertial->mass > 0;
  if (!has_mass && joint.type != urdf::Joint::FIXED)
    throw Error(fmt::format("the link '{}' moves but has no mass", link.name));
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
    bodies_ += fmt::format("# mesh {}\n", mesh.filename);
  }
}

void Importer::add_joint(const urdf::Joint& joint, const std::string& a, const std::string& b,
                         const urdf::Pose& pose) {
  if (joint.type == urdf::Joint::FLOATING) return;
  if (joint.type == urdf::Joint::UNKNOWN)
    throw Error(fmt::format("the joint '{}' has no known type", joint.name));
  const std::string name = name_of(joint.name, "joint");
  joint_names_[joint.name] = name;
  const bool slides = joint.type == urdf::Joint::PRISMATIC;
  const std::string type = moves(joint)                        ? (slides ? "prismatic" : "revolute")
                           : joint.type == urdf::Joint::PLANAR ? "planar"
                                                               : "weld";
  joints_ += fmt::format("\n[[joint]]\nname = \"{}\"\ntype = \"{}\"\nbodies = [\"{}\", \"{}\"]\npoint = {}\n",
                         name, type, a, b, vector(pose.position));
  if (type == "weld") return;
  urdf::Vector3 axis = turned(pose.rotation, joint.axis);
  const double length = std::sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  if (!(length > 0)) throw Error(fmt::format("the joint '{}' has no axis", joint.name));
  axis = urdf::Vector3(axis.x / length, axis.y / length, axis.z / length);
  joints_ += fmt::format("axis = {}\n", vector(axis));
  if (type == "planar") return;
  if (const double value = start_of(joint); value != 0) joints_ += fmt::format("start = {}\n", number(value));
  if (joint.limits && joint.type != urdf::Joint::CONTINUOUS)
    joints_ += fmt::format("# limits {} to {}\n", number(joint.limits->lower), number(joint.limits->upper));
  const std::string load = slides ? "force" : "torque";
  parameters_ += fmt::format("{}_{} = 0\n", load, name);
  forces_ +=
      fmt::format("\n[[force]]\nname = \"{0}_motor\"\ntype = \"motor\"\njoint = \"{0}\"\n{1} = \"{1}_{0}\"\n",
                  name, load);
  if (joint.dynamics && joint.dynamics->damping > 0) {
    forces_ += fmt::format(
        "\n[[force]]\nname = \"{0}_friction\"\ntype = \"friction\"\njoint = \"{0}\"\ndamping = {1}\n", name,
        number(joint.dynamics->damping));
  }
  outputs_ += fmt::format("q_{0} = \"{0}.{1}\"\n", name, slides ? "slide" : "angle");
}

void Importer::add_mimics() {
  for (const auto& [name, joint] : robot_.joints_) {
    if (!joint->mimic || !joint_names_.contains(name)) continue;
    const auto other = joint_names_.find(joint->mimic->joint_name);
    if (other == joint_names_.end())
      throw Error(fmt::format("the joint '{}' mimics '{}', which is no moving joint", name,
                              joint->mimic->joint_name));
    joints_ +=
        fmt::format("\n[[joint]]\nname = \"{}\"\ntype = \"gear\"\njoints = [\"{}\", \"{}\"]\nratio = {}\n",
                    name_of(name + "_mimic", "joint"), other->second, joint_names_.at(name),
                    number(joint->mimic->multiplier));
  }
}

}  // namespace

std::string import_urdf(std::string_view xml, const JointValues& start) {
  console_bridge::noOutputHandler();  // what it says is said by our own error
  const urdf::ModelInterfaceSharedPtr robot = urdf::parseURDF(std::string(xml));
  console_bridge::restorePreviousOutputHandler();
  if (!robot || !robot->getRoot()) throw Error("this is no URDF of a robot with one root link");
  return Importer(*robot, start).run();
}

}  // namespace dalembert

#endif
