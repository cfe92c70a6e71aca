// Joints in space: how many constraints, by hand at rest, by Newton and Euler or an exact
// solution in motion, energy.
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/system/start.hpp>

#include "bodies/space_text.hpp"

namespace dalembert {
namespace {

using Eigen::Vector3d;
using testing::euler;
using testing::expect_energy_stays;
using testing::expect_structure;
using testing::gravity;
using testing::jointed;
using testing::Motion;
using testing::outputs;
using testing::rotation;
using testing::run_text;
using testing::system_of;
using testing::vector_of;

std::string sphere(const std::string& motion, const std::string& acceleration) {
  return R"toml(
[[body]]
name = "body"
shape = "sphere"
radius = 0.5
mass = 3
position = [0, 0, 0.5]
)toml" + motion +
         R"toml(
[[joint]]
name = "floor"
type = "rolling"
bodies = ["ground", "body"]
point = [0, 0, 0]
axis = [0, 0, 1]
radius = 0.5

[[force]]
type = "gravity"
acceleration = )toml" +
         acceleration + "\n" + outputs;
}

TEST(RollingSphere, HasOneContactAndTwoNonholonomicConstraints) {
  expect_structure(sphere("", "[0, 0, -9.81]"), 3, 2);
}

TEST(RollingSphere, AtRestIsCarriedByTheFloor) {
  const Motion m = run_text(sphere("", "[0, 0, -9.81]"), 0.1, 0.1);
  EXPECT_NEAR(m["floor.force_z"][0], 3 * 9.81, 1e-12);
  EXPECT_NEAR(vector_of(m, "floor.force_", "", 0).head(2).norm(), 0, 1e-13);
}

// 5/7 of the slope's acceleration, and 2/7 of its force as friction.
TEST(RollingSphere, RollsDownASlopeAsInTheTextbook) {
  const Motion m = run_text(sphere("", "[4.905, 0, \"-9.81*sqrt(3)/2\"]"), 2, 1);
  EXPECT_NEAR(m["body.x"][2], 5.0 / 7 * 4.905 / 2 * 4, 1e-12);
  EXPECT_NEAR(m["floor.force_x"][1], -2.0 / 7 * 3 * 4.905, 1e-12);
  EXPECT_NEAR(m["floor.force_z"][1], 3 * 9.81 * std::sqrt(3.0) / 2, 1e-12);
}

TEST(RollingSphere, ReactionsAreThoseOfNewtonAndEuler) {
  const Motion m = run_text(sphere("angular_velocity = [0.3, 2, 1]\n", "[1, 0.5, -9.81]"), 1, 0.25);
  const Vector3d J = Vector3d::Constant(0.4 * 3 * 0.25);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const Vector3d force = vector_of(m, "floor.force_", "", i);
    EXPECT_NEAR((3 * (vector_of(m, "body.", "''", i) - Vector3d(1, 0.5, -9.81)) - force).norm(), 0, 1e-11);
    EXPECT_NEAR((euler(m, J, i) - Vector3d(0, 0, -0.5).cross(force)).norm(), 0, 1e-11);
  }
}

TEST(RollingSphere, ConservesEnergy) {
  expect_energy_stays(sphere("angular_velocity = [0.3, 2, 1]\n", "[0.2, 0.1, -9.81]"), 30);
}

const std::string hung = R"toml(
[[body]]
name = "body"
mass = 2
inertia = [0.3, 0.2, 0.1]
position = [0.6, 0, -1]
angular_velocity = [0.5, -1, 2]

[[joint]]
name = "rod"
type = "distance"
bodies = ["ground", "body"]
points = [[0, 0, 0], [0.1, 0.05, 0.2]]
length = "sqrt(0.49 + 0.0025 + 0.64)"
)toml" + gravity + outputs;

TEST(DistanceInSpace, IsOneConstraint) { expect_structure(hung, 5); }

TEST(DistanceInSpace, AtRestCarriesTheWeight) {
  const Motion m = run_text(R"toml(
[[body]]
name = "body"
mass = 2
inertia = [0.3, 0.2, 0.1]
position = [0, 0, -1]

[[joint]]
name = "rod"
type = "distance"
bodies = ["ground", "body"]
points = [[0, 0, 0], [0, 0, 0.25]]
length = 0.75
)toml" + gravity,
                            0.1, 0.1);
  EXPECT_NEAR(m["rod.force_z"][0], 19.62, 1e-12);
  EXPECT_NEAR(vector_of(m, "rod.force_", "", 0).head(2).norm(), 0, 1e-13);
}

TEST(DistanceInSpace, ReactionsAreThoseOfNewtonAndEuler) {
  const Motion m = run_text(hung, 1, 0.25);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const Vector3d force = vector_of(m, "rod.force_", "", i);
    const Vector3d arm = rotation(m, i) * Vector3d(0.1, 0.05, 0.2);
    const Vector3d along = (vector_of(m, "body.", "", i) + arm).normalized();
    EXPECT_NEAR((2 * (vector_of(m, "body.", "''", i) - Vector3d(0, 0, -9.81)) - force).norm(), 0, 1e-10);
    EXPECT_NEAR((euler(m, {0.3, 0.2, 0.1}, i) - arm.cross(force)).norm(), 0, 1e-10);
    EXPECT_NEAR(force.cross(along).norm(), 0, 1e-10);
  }
}

TEST(DistanceInSpace, ConservesEnergy) { expect_energy_stays(hung, 2 * 9.81 * 0.6); }

// Two wheels about axes along z, the large one out of balance.
std::string gears(const std::string& motors, const std::string& center) {
  return R"toml(
[[body]]
name = "small"
mass = 1
inertia = [0.3, 0.3, 0.5]

[[body]]
name = "large"
mass = 4
inertia = [2.5, 2.5, 4]
position = [3, 0, 0]
center = )toml" +
         center + R"toml(

[[joint]]
name = "axle1"
type = "revolute"
bodies = ["ground", "small"]
point = [0, 0, 0]
axis = [0, 0, 1]

[[joint]]
name = "axle2"
type = "revolute"
bodies = ["ground", "large"]
point = [3, 0, 0]
axis = [0, 0, 1]

[[joint]]
name = "mesh"
type = "gear"
joints = ["axle1", "axle2"]
ratio = -0.5
)toml" + motors;
}

const std::string motor1 = "[[force]]\nname = \"motor1\"\ntype = \"motor\"\njoint = \"axle1\"\ntorque = 3\n";
const std::string motor2 = "[[force]]\nname = \"motor2\"\ntype = \"motor\"\njoint = \"axle2\"\ntorque = 6\n";

TEST(GearInSpace, LeavesOneOfTwoFreedoms) { expect_structure(gears("", "[0, 0, 0]"), 1); }

TEST(GearInSpace, HoldsTorquesInBalance) {  // 3 − 6/2 = 0
  const Motion m = run_text(gears(motor1 + motor2, "[0, 0, 0]"), 0.1, 0.1);
  EXPECT_NEAR(m["axle1.angle''"][0], 0, 1e-13);
  EXPECT_NEAR(m["mesh.torque"][0], -6, 1e-12);
}

TEST(GearInSpace, SharesTheTorqueByItsRatio) {  // (0.5 + 4/4) a = 3
  const Motion m = run_text(gears(motor1, "[0, 0, 0]"), 1, 1);
  const double a = 3 / (0.5 + 4 * 0.25);
  EXPECT_NEAR(m["axle1.angle''"][0], a, 1e-12);
  EXPECT_NEAR(m["axle2.angle"][1], -a / 4, 1e-12);
  EXPECT_NEAR(m["mesh.torque"][0], 4 * -a / 2, 1e-12);
}

TEST(GearInSpace, ConservesEnergy) {
  const std::string weight = "[[force]]\ntype = \"gravity\"\nacceleration = [0, -9.81, 0]\n";
  expect_energy_stays(gears(weight, "[0.2, 0.1, 0]"), 2 * 4 * 9.81 * 0.22);
}

// θ = 2 t about y: the centre of mass is at (cos θ, 0, −sin θ)/2.
TEST(DriveInSpace, TurnsAsItIsToldAndSaysWhatItNeeds) {
  const std::string crank = R"toml(
[[body]]
name = "crank"
mass = 3
inertia = [0.1, 0.2, 0.3]
position = [0.5, 0, 0]
guess = true

[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = [0, 1, 0]
drive = "2*t"
)toml" + gravity;
  expect_structure(crank, 0);
  const Motion m = run_text(crank, 10, 0.5);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const double angle = 2 * m["t"][i];
    EXPECT_NEAR(m["axle.angle"][i], angle, 1e-12);
    EXPECT_NEAR(m["axle.moment_y"][i], -3 * 9.81 * 0.5 * std::cos(angle), 1e-11);
    EXPECT_NEAR(m["axle.force_x"][i], -3 * 0.5 * 4 * std::cos(angle), 1e-11);
    EXPECT_NEAR(m["axle.force_z"][i], 3 * 9.81 + 3 * 0.5 * 4 * std::sin(angle), 1e-11);
  }
  EXPECT_LT(m.report.max_energy_error, 1e-12 * 3 * 9.81);  // energy minus the work of the drive
}

// Principal moments about turned axes are the matrix R diag(J) Rᵀ, R the turn by 0.4 about z.
TEST(PrincipalAxes, AreThoseOfTheMatrix) {
  const std::string motion = "angular_velocity = [1, 0.5, 2]\n";
  const auto body = [&](const std::string& inertia) {
    return "[[body]]\nname = \"body\"\nmass = 2\n" + inertia + motion + outputs;
  };
  const Motion turned = run_text(
      body("inertia = [0.3, 0.2, 0.4]\ninertia_rotation = { axis = [0, 0, 1], angle = 0.4 }\n"), 10, 0.5);
  const Motion matrix = run_text(body(R"toml(inertia = [
  ["0.3*cos(0.4)^2 + 0.2*sin(0.4)^2", "0.1*sin(0.4)*cos(0.4)", 0],
  ["0.1*sin(0.4)*cos(0.4)", "0.3*sin(0.4)^2 + 0.2*cos(0.4)^2", 0],
  [0, 0, 0.4]]
)toml"),
                                 10, 0.5);
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.4, Vector3d::UnitZ()).toRotationMatrix();
  const Eigen::Matrix3d J = R * Vector3d(0.3, 0.2, 0.4).asDiagonal() * R.transpose();
  const Vector3d momentum = J * Vector3d(1, 0.5, 2);
  for (std::size_t i = 0; i < turned["t"].size(); ++i) {
    for (const char* w : {"w1", "w2", "w3"}) EXPECT_NEAR(turned[w][i], matrix[w][i], 1e-11);
    const Vector3d w(turned["w1"][i], turned["w2"][i], turned["w3"][i]);
    EXPECT_NEAR((rotation(turned, i) * J * w - momentum).norm(), 0, 1e-12);
    EXPECT_NEAR(turned["energy"][i], turned["energy"][0], 1e-12);
  }
}

// Hanging straight down from the joint in the origin.
TEST(JointAtRest, BallAndCardanJointCarryWhatHangs) {
  for (const char* joint :
       {"type = \"spherical\"\n", "type = \"universal\"\naxes = [[1, 0, 0], [0, 1, 0]]\n"}) {
    const Motion m = run_text(std::string(R"toml(
[[body]]
name = "body"
mass = 2
inertia = [0.3, 0.2, 0.1]
position = [0, 0, -0.5]

[[joint]]
name = "pin"
bodies = ["ground", "body"]
point = [0, 0, 0]
)toml") + joint + gravity,
                              0.1, 0.1);
    EXPECT_NEAR(m["pin.force_z"][0], 19.62, 1e-12);
    EXPECT_NEAR(vector_of(m, "pin.force_", "", 0).head(2).norm(), 0, 1e-13);
    EXPECT_NEAR(vector_of(m, "pin.moment_", "", 0).norm(), 0, 1e-13);
  }
}

// A nut on a vertical screw of the pitch p: m z'' = −m g + F, J θ'' = −F p/2π, z = p θ/2π.
TEST(JointAtRest, ScrewTurnsItsLoad) {
  const Motion m = run_text(jointed("screw\"\npitch = \"0.5", gravity), 0.1, 0.1);
  const double lead = 0.5 / (2 * std::acos(-1.0));
  const double acceleration = -9.81 * 2 / (2 + 0.1 / (lead * lead));
  EXPECT_NEAR(m["body.z''"][0], acceleration, 1e-12);
  EXPECT_NEAR(m["pin.force_z"][0], 2 * (9.81 + acceleration), 1e-12);
}

// What the joint leaves free may end at exactly zero, where no digit of its own says how small a residual is
// round-off.
TEST(SpaceJoints, ApproximateStartsAreCorrectedToTheJoint) {
  for (const char* joint : {"type = 'revolute'", "type = 'revolute'\ndrive = 't'",
                            "type = 'screw'\npitch = 0.5", "type = 'screw'\npitch = -0.2\ndrive = '0.3 + t'",
                            "type = 'cylindrical'", "type = 'prismatic'\ndrive = 't'"}) {
    for (const char* place : {"[0.5, 0, 0.01]", "[0.8, 0.1, 0]", "[0.4, 0.3, 0.2]", "[0.5, 1e-9, 0]"}) {
      for (const char* angles : {"[0, 0, 0]", "[0.2, 0, 0]", "[0, 0.1, 0.3]"}) {
        const System system = system_of(fmt::format(R"toml(
[[body]]
name = "a"
position = {}
rotation = {{ rpy = {} }}
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "j"
bodies = ["ground", "a"]
points = [[0, 0, 0], [-0.5, 0, 0]]
axes = [[0, 0, 1], [0, 0, 1]]
{}
)toml",
                                                    place, angles, joint));
        const Start start = find_start(system);
        const std::vector<double>& q = start.q;  // the body's place and quaternion, then angles of the joint
        const Eigen::Quaterniond turn(q[3], q[4], q[5], q[6]);
        const Vector3d point = Vector3d(q[0], q[1], q[2]) + turn * Vector3d(-0.5, 0, 0);
        const Vector3d axis = turn * Vector3d::UnitZ();
        EXPECT_NEAR(turn.norm(), 1, 1e-15);
        EXPECT_NEAR(std::hypot(point.x(), point.y()), 0, 1e-15) << joint << place << angles;
        EXPECT_NEAR(std::hypot(axis.x(), axis.y()), 0, 1e-15) << joint << place << angles;
      }
    }
  }
}

}  // namespace
}  // namespace dalembert
