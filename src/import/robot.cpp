#ifdef DALEMBERT_HAS_URDF

#include "robot.hpp"

#include <cmath>
#include <vector>

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

// Keeps what urdfdom says instead of printing it.
class Reasons : public console_bridge::OutputHandler {
 public:
  Reasons() { console_bridge::useOutputHandler(this); }
  ~Reasons() override { console_bridge::restorePreviousOutputHandler(); }
  Reasons(const Reasons&) = delete;
  Reasons& operator=(const Reasons&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    const bool says_nothing = text.find("xml is not initialized correctly") != std::string::npos;
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && !says_nothing)
      reasons_.push_back(one_line(text));
  }
  std::string joined() const { return join(reasons_, "; "); }

 private:
  std::vector<std::string> reasons_;
};

}  // namespace

urdf::ModelInterfaceSharedPtr parse_robot(std::string_view xml) {
  Reasons reasons;
  urdf::ModelInterfaceSharedPtr robot = urdf::parseURDF(std::string(xml));
  if (robot && robot->getRoot()) return robot;
  const std::string why = reasons.joined();
  throw Error("this is no URDF of a robot with one root link" + (why.empty() ? "" : ": " + why));
}

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    result += code < 0x20 || code == 0x7F ? ' ' : c;
  }
  return result;
}

bool moves(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS ||
         joint.type == urdf::Joint::PRISMATIC;
}

urdf::Vector3 unit_axis(const urdf::Joint& joint) {
  const auto& [x, y, z] = joint.axis;
  const double length = std::hypot(x, y, z);
  if (!(length > 0) || !std::isfinite(length))
    throw Error(fmt::format("the axis of the joint '{}' has no direction", one_line(joint.name)));
  return {x / length, y / length, z / length};
}

urdf::Pose motion_of(const urdf::Joint& joint, double value) {
  urdf::Pose motion;
  if (!moves(joint)) return motion;
  const urdf::Vector3 axis = unit_axis(joint);
  if (joint.type == urdf::Joint::PRISMATIC) {
    motion.position = urdf::Vector3(value * axis.x, value * axis.y, value * axis.z);
  } else {
    const double s = std::sin(value / 2);
    motion.rotation = urdf::Rotation(s * axis.x, s * axis.y, s * axis.z, std::cos(value / 2));
  }
  return motion;
}

urdf::Vector3 turned(const urdf::Rotation& rotation, const urdf::Vector3& v) { return rotation * v; }

urdf::Pose operator*(const urdf::Pose& a, const urdf::Pose& b) {
  urdf::Pose result;
  urdf::Vector3 origin = a.position;  // its sum is not const
  result.position = origin + turned(a.rotation, b.position);
  result.rotation = a.rotation * b.rotation;
  return result;
}

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

}  // namespace dalembert

#endif
