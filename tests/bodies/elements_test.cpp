// Keys of bodies, joints and forces whose meaning a short computation gives.
#include <cmath>
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "bodies/motion.hpp"

namespace dalembert {
namespace {

using testing::Motion;
using testing::run;

Motion run_model(const std::string& text) {
  Motion m = run(System(read_model_text(text)), 1, 0.1);
  EXPECT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  return m;
}

std::string spinning(const std::string& inertia) {
  return R"toml(
space = "space"
[[body]]
name = "body"
mass = 1
angular_velocity = [1, 2, 3]
inertia = )toml" +
         inertia;
}

TEST(MatrixOfInertia, IsTurnedByItsRotation) {  // by a right angle about z: xx and yy change places
  const Motion turned = run_model(spinning(
      "[[1, 0.2, 0], [0.2, 1.5, 0], [0, 0, 2]]\ninertia_rotation = { axis = [0, 0, 1], angle = \"pi/2\" }"));
  const Motion direct = run_model(spinning("[[1.5, -0.2, 0], [-0.2, 1, 0], [0, 0, 2]]"));
  const Motion other = run_model(spinning("[[1, 0.2, 0], [0.2, 1.5, 0], [0, 0, 2]]"));
  for (const char* name : {"body.e0", "body.e1", "body.e2", "body.e3"})
    EXPECT_NEAR(turned[name].back(), direct[name].back(), 1e-12) << name;
  EXPECT_GT(std::abs(turned["body.e1"].back() - other["body.e1"].back()), 0.01);
}

const std::string bar = R"toml(
[[body]]
name = "bar"
shape = "rod"
length = 1
mass = 2
position = [0.5, 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "bar"]
point = [0, 0]
[[force]]
type = "gravity"
)toml";

TEST(Reactions, MayBeUsedInOutputs) {
  const Motion m = run_model(bar + "[outputs]\nload = \"sqrt(pin.force_x^2 + pin.force_y^2)\"\n");
  EXPECT_NEAR(m["load"][0], 2 * 9.81 / 4, 1e-12);  // a level bar at rest, let go
  for (std::size_t i = 0; i < m["t"].size(); ++i)
    EXPECT_NEAR(m["load"][i], std::hypot(m["pin.force_x"][i], m["pin.force_y"][i]), 1e-12);
}

TEST(Reactions, OfJointsWithoutAnAxisAreGivenAlongTheFirstBody) {
  const Motion m = run_model(bar + R"toml(
[[body]]
name = "end"
mass = 1
inertia = 0.1
position = [1.5, 0]
[[joint]]
name = "knee"
type = "revolute"
bodies = ["bar", "end"]
point = [1, 0]
)toml");
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const double c = std::cos(m["bar.angle"][i]), s = std::sin(m["bar.angle"][i]);
    EXPECT_NEAR(m["knee.force_1"][i], c * m["knee.force_x"][i] + s * m["knee.force_y"][i], 1e-11);
    EXPECT_NEAR(m["knee.force_2"][i], c * m["knee.force_y"][i] - s * m["knee.force_x"][i], 1e-11);
  }
  EXPECT_GT(std::abs(m["bar.angle"].back()), 0.5);
}

TEST(Motor, PushesAndTurnsAtACylindricalJoint) {  // 2 z'' = 4, 0.1 ω' = 0.3
  const Motion m = run_model(R"toml(
space = "space"
[[body]]
name = "body"
mass = 2
inertia = [0.3, 0.2, 0.1]
[[joint]]
name = "pin"
type = "cylindrical"
bodies = ["ground", "body"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[force]]
name = "motor"
type = "motor"
joint = "pin"
force = 4
torque = 0.3
[outputs]
w = "body.omega_z"
)toml");
  EXPECT_NEAR(m["body.z"].back(), 1, 1e-12);
  EXPECT_NEAR(m["w"].back(), 3, 1e-12);
}

TEST(Gear, WithAnOffsetKeepsItAndSharesTheTorqueByItsRatio) {  // (0.5 + 2² · 0.1) a = 3
  const Motion m = run_model(R"toml(
[[body]]
name = "a"
mass = 1
inertia = 0.5
[[body]]
name = "b"
mass = 1
inertia = 0.1
position = [1, 0]
[[joint]]
name = "first"
type = "revolute"
bodies = ["ground", "a"]
point = [0, 0]
start = 0.2
[[joint]]
name = "second"
type = "revolute"
bodies = ["ground", "b"]
point = [1, 0]
start = 0.9
[[joint]]
name = "mesh"
type = "gear"
joints = ["first", "second"]
ratio = 2
offset = 0.5
[[force]]
name = "motor"
type = "motor"
joint = "first"
torque = 3
[outputs]
q1 = "first.angle"
q2 = "second.angle"
)toml");
  EXPECT_NEAR(m["q1"][0], 0.2, 1e-14);
  EXPECT_NEAR(m["q2"][0], 0.9, 1e-14);
  EXPECT_NEAR(m["q1"].back(), 0.2 + 3 / 0.9 / 2, 1e-12);
  EXPECT_NEAR(m["q2"].back(), 2 * m["q1"].back() + 0.5, 1e-12);
}

// A pinion of 0.1 kg m² drives a rack of 3 kg by 2 N m: 0.1 + 3 · 0.2² = 0.22 kg m².
TEST(Gear, MayStandAboveTheJointsThatItCouples) {
  const Motion m = run_model(R"toml(
space = "plane"
[[joint]]
name = "mesh"
type = "gear"
joints = ["h", "s"]
ratio = -0.2
[[joint]]
name = "h"
type = "revolute"
bodies = ["ground", "w"]
point = [0, 0]
[[joint]]
name = "s"
type = "prismatic"
bodies = ["ground", "r"]
point = [0, -0.2]
axis = [1, 0]
[[body]]
name = "w"
mass = 1
inertia = 0.1
[[body]]
name = "r"
mass = 3
inertia = 1
position = [0, -0.2]
[[force]]
type = "motor"
joint = "h"
torque = "2"
)toml");
  EXPECT_NEAR(m["w.angle"].back(), 0.5 * 2 / 0.22, 1e-13);
  EXPECT_NEAR(m["r.x"].back(), -0.2 * 0.5 * 2 / 0.22, 1e-13);
}

}  // namespace
}  // namespace dalembert
