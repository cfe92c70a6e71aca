// A robot arm from URDF: accelerations against a recursive Newton-Euler computation of its own.
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/import/urdf.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>

#include "bodies/motion.hpp"

namespace dalembert {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

std::string arm() {
  std::ifstream file(DALEMBERT_SOURCE_DIR "/tests/data/urdf/arm6.urdf");
  return {std::istreambuf_iterator<char>(file), {}};
}

bool has_urdf() {
  try {
    import_urdf(arm());
    return true;
  } catch (const Error& error) {
    return error.message().find("urdfdom") == std::string::npos;
  }
}

Matrix3d from_rpy(double roll, double pitch, double yaw) {
  return (AngleAxisd(yaw, Vector3d::UnitZ()) * AngleAxisd(pitch, Vector3d::UnitY()) *
          AngleAxisd(roll, Vector3d::UnitX()))
      .toRotationMatrix();
}

// The data of tests/data/urdf/arm6.urdf once more.
struct Link {
  Vector3d origin, rpy, axis, center, center_rpy;
  double mass;
  std::array<double, 6> inertia;  // xx xy xz yy yz zz
};
const std::array<Link, 6> links{{
    {{0, 0, 0.3},
     {0, 0, 0},
     {0, 0, 1},
     {0.01, -0.02, 0.1},
     {0, 0, 0},
     4,
     {0.05, 0.001, 0.002, 0.06, -0.001, 0.03}},
    {{0, 0.1, 0.2},
     {M_PI_2, 0, 0.3},
     {0, 0, 1},
     {0.2, 0, 0.03},
     {0.1, 0.2, -0.3},
     6,
     {0.02, 0, 0, 0.2, 0, 0.21}},
    {{0.45, 0, 0},
     {0, 0, -0.8},
     {0, 0, 1},
     {0.15, 0.01, 0},
     {0, 0, 0},
     3,
     {0.008, -0.001, 0.0005, 0.05, 0, 0.05}},
    {{0.35, 0, 0.05}, {0, 0.7, 0}, {1, 0, 0}, {0, 0.01, 0.02}, {0, 0, 0}, 1, {0.002, 0, 0, 0.002, 0, 0.001}},
    {{0.1, 0, 0}, {0, 0, 0.4}, {0, 1, 0}, {0.02, 0, 0}, {0.5, 0, 0}, 0.8, {0.001, 0, 0, 0.0015, 0, 0.0012}},
    {{0.08, 0, 0.01},
     {0.2, 0, 0},
     {0.6, 0, 0.8},
     {0, 0, 0.05},
     {0, 0, 0},
     0.5,
     {0.0008, 0.0001, 0, 0.0007, 0, 0.0004}},
}};

using Joints = std::array<double, 6>;

// Torques that give the accelerations a at the positions q and velocities v: outwards velocities and
// accelerations, inwards forces and moments, all in space directions.
Joints newton_euler(const Joints& q, const Joints& v, const Joints& a) {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p(0, 0, 0), w(0, 0, 0), alpha(0, 0, 0);
  Vector3d acceleration(0, 0, 9.81);  // the ground accelerates upwards instead of gravity
  std::array<Vector3d, 6> place, axis, center, force, moment;
  for (std::size_t i = 0; i < 6; ++i) {
    const Link& link = links[i];
    const Vector3d step = R * link.origin;
    acceleration += alpha.cross(step) + w.cross(w.cross(step));
    p += step;
    R = R * from_rpy(link.rpy.x(), link.rpy.y(), link.rpy.z());
    axis[i] = R * link.axis;
    R = R * AngleAxisd(q[i], link.axis).toRotationMatrix();
    alpha += a[i] * axis[i] + v[i] * w.cross(axis[i]);
    w += v[i] * axis[i];
    place[i] = p;
    const Vector3d arm = R * link.center;
    center[i] = p + arm;
    force[i] = link.mass * (acceleration + alpha.cross(arm) + w.cross(w.cross(arm)));
    const auto& j = link.inertia;
    Matrix3d J;
    J << j[0], j[1], j[2], j[1], j[3], j[4], j[2], j[4], j[5];
    const Matrix3d Q = R * from_rpy(link.center_rpy.x(), link.center_rpy.y(), link.center_rpy.z());
    J = Q * J * Q.transpose();
    moment[i] = J * alpha + w.cross(J * w);
  }
  Joints torque{};
  Vector3d carried(0, 0, 0), carried_moment(0, 0, 0), at(0, 0, 0);
  for (std::size_t i = 6; i-- > 0;) {
    carried_moment += (at - place[i]).cross(carried) + moment[i] + (center[i] - place[i]).cross(force[i]);
    carried += force[i];
    at = place[i];
    torque[i] = carried_moment.dot(axis[i]);
  }
  return torque;
}

const Joints angles{0.4, -0.7, 1.1, 0.3, -0.9, 2};
const Joints speeds{0.5, -1, 0.8, 2, -1.5, 3};
const Joints torques{5, 30, 12, -1, 0.7, 0.2};

System arm_in_motion() {
  JointValues start;
  std::vector<Override> overrides;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string joint = fmt::format("j{}", i + 1);
    start[joint] = angles[i];
    overrides.push_back({joint + ".angle'", fmt::format("{}", speeds[i])});
    overrides.push_back({"torque_" + joint, fmt::format("{}", torques[i])});
  }
  return System(read_model_text(import_urdf(arm(), {.start = start}).model, "arm6", overrides));
}

TEST(ArmFromUrdf, HasTheAccelerationsOfNewtonAndEuler) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const System system = arm_in_motion();
  const Start start = find_start(system);
  Joints q{}, v{}, a{};
  for (std::size_t i = 0; i < system.n(); ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      if (system.coordinate_name(i) != fmt::format("j{}.angle", k + 1)) continue;
      q[k] = start.q[i];
      v[k] = start.v[i];
      a[k] = start.a[i];
    }
  }
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(q[k], angles[k], 1e-13);
    EXPECT_NEAR(v[k], speeds[k], 1e-12);
  }
  const Joints needed = newton_euler(q, v, a);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(needed[k], torques[k], 1e-9) << "joint " << k + 1;
}

TEST(ArmFromUrdf, HasSixDegreesOfFreedom) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const System system(read_model_text(import_urdf(arm()).model, "arm6"));
  const Structure structure = analyse_structure(system, find_consistent_state(system));
  EXPECT_EQ(structure.degrees_of_freedom, 6U);
  EXPECT_TRUE(structure.redundant.empty());
  EXPECT_TRUE(structure.singular.empty());
}

// Two links on hinges about y: b mimics a, or what `mimic` says. `extra` stands in the first link.
std::string two_links(const std::string& a = "a", const std::string& b = "b",
                      const std::string& mimic = R"(<mimic joint="a" multiplier="-2" offset="0.5"/>)",
                      const std::string& mass = "2", const std::string& extra = "") {
  const std::string inertia =
      R"(<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.12" iyz="0" izz="0.09"/></inertial>)";
  return R"(<robot name="two"><link name="base"/><link name="l1"><inertial><origin xyz="0.5 0 0"/><mass value=")" +
         mass + "\"/>" + inertia + extra +
         R"(</link><link name="l2"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>)" + inertia +
         R"(</link><joint name=")" + a +
         R"(" type="continuous"><parent link="base"/><child link="l1"/><axis xyz="0 1 0"/></joint><joint name=")" +
         b +
         R"(" type="continuous"><parent link="l1"/><child link="l2"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/>)" +
         mimic + "</joint></robot>";
}

TEST(Urdf, JointsThatMimicFollowWithTheirOffset) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const System system(read_model_text(import_urdf(two_links(), {.start = {{"a", 0.3}}}).model));
  const testing::Motion m = testing::run(system, 1, 0.1);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  EXPECT_NEAR(m["q_a"][0], 0.3, 1e-14);
  EXPECT_NEAR(m["l2.x"][0], std::cos(0.3) + 0.5 * std::cos(0.3 - 0.1), 1e-14);
  EXPECT_NEAR(m["l2.z"][0], -std::sin(0.3) - 0.5 * std::sin(0.3 - 0.1), 1e-14);
  for (std::size_t i = 0; i < m["t"].size(); ++i)
    EXPECT_NEAR(m["q_b"][i], -2 * m["q_a"][i] + 0.5, 1e-12) << m["t"][i];
  EXPECT_GT(std::abs(m["q_a"].back() - 0.3), 0.1);
}

TEST(Urdf, AxesNeedNoUnitLength) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const JointValues start{{"j1", 0.4}, {"j2", -0.7}, {"j4", 1.1}, {"j5", 0.3}};
  std::string longer = arm();
  for (const auto& [axis, scaled] : {std::pair("\"0 0 1\"", "\"0 0 2\""), std::pair("\"1 0 0\"", "\"4 0 0\""),
                                     std::pair("\"0 1 0\"", "\"0 0.5 0\"")}) {
    std::size_t count = 0;
    for (std::size_t at = longer.find(axis); at != std::string::npos; at = longer.find(axis), ++count)
      longer.replace(at, std::string(axis).size(), scaled);
    EXPECT_GT(count, 0U);
  }
  EXPECT_EQ(import_urdf(longer, {.start = start}).model, import_urdf(arm(), {.start = start}).model);
}

TEST(Urdf, SlidesAreMetresWhateverTheAxisIsLong) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const std::string robot =
      R"(<robot name="r"><link name="base"/><link name="l"><inertial><mass value="1"/>
         <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
         <joint name="rail" type="prismatic"><parent link="base"/><child link="l"/><axis xyz="0 3 4"/>
         <limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>)";
  const System system(read_model_text(import_urdf(robot, {.start = {{"rail", 0.25}}}).model));
  const Start start = find_start(system);
  EXPECT_NEAR(start.q[1], 0.25 * 3 / 5, 1e-15);
  EXPECT_NEAR(start.q[2], 0.25 * 4 / 5, 1e-15);
}

TEST(Urdf, NamesThatTheModelFileReservesAreChangedAndTold) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const ImportedRobot robot = import_urdf(two_links("pi", "sin", ""));
  ASSERT_GE(robot.notes.size(), 2U);
  EXPECT_EQ(robot.notes[0], "the joint 'pi' is called 'pi_joint' in the model");
  EXPECT_EQ(robot.notes[1], "the joint 'sin' is called 'sin_joint' in the model");
  EXPECT_NE(robot.model.find("# Note: the joint 'pi' is called 'pi_joint' in the model.\n"),
            std::string::npos);
  const System system(read_model_text(robot.model));
  EXPECT_EQ(system.model().outputs[0].name, "q_pi_joint");
  EXPECT_EQ(import_urdf(two_links()).notes[0], "2 bodies of 3 links, 1 degree of freedom");
}

TEST(Urdf, NamesOfMotorsAndWeightAvoidThoseOfTheRobot) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  EXPECT_NO_THROW(read_model_text(import_urdf(two_links("weight", "weight_motor", "")).model));
}

TEST(Urdf, ANewLineInTheNameOfAMeshStaysInItsComment) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const std::string mesh = R"(<visual><geometry><mesh filename="a&#10;b.stl"/></geometry></visual>)";
  const std::string text = import_urdf(two_links("a", "b", "", "2", mesh)).model;
  EXPECT_NE(text.find("# mesh a b.stl\n"), std::string::npos) << text;
  EXPECT_NO_THROW(read_model_text(text));
}

TEST(Urdf, SaysWhatIsWrong) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const auto message = [](const std::string& text, const JointValues& start = {}) -> std::string {
    try {
      import_urdf(text, {.start = start});
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  const std::string no_robot = "this is no URDF of a robot with one root link: ";
  EXPECT_EQ(message("<robot").substr(0, no_robot.size()), no_robot);
  EXPECT_EQ(message(R"(<robot name="r"><link name="a"/><link name="b"/></robot>)"),
            no_robot + "Failed to find root link: Two root links found: [a] and [b]");
  std::string misspelt = two_links();
  misspelt.replace(misspelt.find("continuous"), 10, "continous");
  EXPECT_EQ(message(misspelt), no_robot + "Joint [a] has no known type [continous]");
  EXPECT_EQ(message(two_links("a", "b", "", "-2")), "the mass of the link 'l1' is -2, which no body has");
  EXPECT_EQ(message(two_links(), {{"b", 1}}),
            "the joint 'b' mimics 'a' and starts where that puts it; give 'a' a start");
  EXPECT_EQ(message(two_links("a", "b", R"(<mimic joint="b" offset="1"/>)")), "the joint 'b' mimics itself");
  EXPECT_EQ(
      import_urdf(two_links("a", "b", R"(<mimic joint="c"/>)")).warnings,
      std::vector<std::string>{"the joint 'b' mimics 'c', which is no moving joint: it moves by itself"});
  EXPECT_EQ(message(arm(), {{"j7", 1}}).substr(0, 35), "the robot has no moving joint 'j7';");
  EXPECT_EQ(
      message(
          R"(<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>
                       <child link="b"/><axis xyz="0 0 1"/></joint></robot>)"),
      "nothing of the robot moves: it has no moving joint, or no mass");
}

}  // namespace
}  // namespace dalembert
