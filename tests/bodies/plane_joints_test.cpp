// Every type of joint in the plane: how many constraints, reactions in motion by Newton and Euler, energy, by
// hand at rest.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/system/structure.hpp>

#include "bodies/motion.hpp"

namespace dalembert {
namespace {

using testing::Motion;
using testing::run;

struct Case {
  std::string name;
  std::vector<Entry> keys;  // besides type and bodies
  std::size_t constraints;
};

// The first body turns about the origin, the second is held to it by the joint in question.
Model chain_in_plane(const Case& c) {
  std::vector<Entry> keys = c.keys;
  keys.push_back({"type", Text(c.name)});
  keys.push_back({"bodies", {"first", "second"}});
  return ModelBuilder("Chain")
      .body("first", {{"mass", 2},
                      {"inertia", 0.3},
                      {"position", {0.5, 0.1}},
                      {"angle", 0.4},
                      {"angular_velocity", 1.5}})
      .body("second", {{"mass", 1.5},
                       {"inertia", 0.2},
                       {"center", {0.1, -0.05}},
                       {"position", {1.2, 0.3}},
                       {"angle", -0.6}})
      .joint("pivot", {{"type", "revolute"}, {"bodies", {"ground", "first"}}, {"point", {0, 0}}})
      .joint("pin", keys)
      .force_element("weight", {{"type", "gravity"}})
      .build();
}

class JointInPlane : public ::testing::TestWithParam<Case> {};

TEST_P(JointInPlane, HasItsNumberOfConstraints) {
  const System system(chain_in_plane(GetParam()));
  const Structure structure = analyse_structure(system, find_consistent_state(system));
  EXPECT_EQ(structure.degrees_of_freedom, 1 + 3 - GetParam().constraints);
  EXPECT_EQ(system.m(), 2 + GetParam().constraints);
}

double value_of(const Motion& m, const std::string& name, std::size_t i) {
  const auto it = m.columns.find(name);
  return it == m.columns.end() ? 0 : it->second[i];
}

// The point where the reaction acts, from the definition of each joint.
struct Point {
  double x, y;
};
Point place(const std::string& type, const Motion& m, std::size_t i) {
  const double angle = m["second.angle"][i];
  const auto on_second = [&](double x, double y) {  // from the centre of mass
    return Point{m["second.x"][i] + x * std::cos(angle) - y * std::sin(angle),
                 m["second.y"][i] + x * std::sin(angle) + y * std::cos(angle)};
  };
  if (type == "distance") return on_second(0.2, 0.1);
  if (type == "rolling") {  // 0.25 below the frame's origin, across the line on the first body
    const Point center = on_second(-0.1, 0.05);
    const double line = m["first.angle"][i] - 0.4;
    return {center.x + 0.25 * std::sin(line), center.y - 0.25 * std::cos(line)};
  }
  // A point given in space at the start: (0.9, 0.2) seen from the start of the second body.
  const double cx = 1.2 + 0.1 * std::cos(0.6) - 0.05 * std::sin(0.6);
  const double cy = 0.3 - 0.1 * std::sin(0.6) - 0.05 * std::cos(0.6);
  const double dx = 0.9 - cx;
  const double dy = 0.2 - cy;
  return on_second(dx * std::cos(0.6) - dy * std::sin(0.6), dx * std::sin(0.6) + dy * std::cos(0.6));
}

TEST_P(JointInPlane, ReactionsAreThoseOfNewtonAndEuler) {
  const Motion m = run(System(chain_in_plane(GetParam())), 1, 0.25);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  const double g = 9.81;
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    SCOPED_TRACE(m["t"][i]);
    const double fx = value_of(m, "pin.force_x", i);
    const double fy = value_of(m, "pin.force_y", i);
    const double moment = value_of(m, "pin.moment", i);
    const Point p = place(GetParam().name, m, i);
    EXPECT_NEAR(1.5 * m["second.x''"][i], fx, 1e-10);
    EXPECT_NEAR(1.5 * (m["second.y''"][i] + g), fy, 1e-10);
    EXPECT_NEAR(0.2 * m["second.angle''"][i],
                moment + (p.x - m["second.x"][i]) * fy - (p.y - m["second.y"][i]) * fx, 1e-10);
    const double px = m["pivot.force_x"][i];
    const double py = m["pivot.force_y"][i];
    EXPECT_NEAR(2 * m["first.x''"][i], px - fx, 1e-10);
    EXPECT_NEAR(2 * (m["first.y''"][i] + g), py - fy, 1e-10);
    EXPECT_NEAR(0.3 * m["first.angle''"][i],
                -m["first.x"][i] * py + m["first.y"][i] * px - moment - (p.x - m["first.x"][i]) * fy +
                    (p.y - m["first.y"][i]) * fx,
                1e-10);
  }
}

TEST_P(JointInPlane, ConservesEnergy) {
  const Motion m = run(System(chain_in_plane(GetParam())), 10, 1);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  for (const double e : m["energy"])
    EXPECT_NEAR(e, m["energy"][0], 1e-12 * 30) << "scale: both fall by about a metre";
}

const std::vector<Entry> at_point{{"point", {0.9, 0.2}}};
const std::vector<Entry> on_axis{{"point", {0.9, 0.2}}, {"axis", {0.6, 0.8}}};

INSTANTIATE_TEST_SUITE_P(
    AllTypes, JointInPlane,
    ::testing::Values(Case{"revolute", at_point, 2}, Case{"prismatic", on_axis, 2}, Case{"weld", at_point, 3},
                      Case{"slot", on_axis, 1},
                      Case{"distance", {{"points", {{0.3, 0}, {0.3, 0.05}}}, {"length", 0.8}}, 1},
                      Case{"rolling", {{"point", {0.9, 0.05}}, {"axis", {1, 0}}, {"radius", 0.25}}, 2}),
    [](const auto& info) { return info.param.name; });

// A disk rolls down a slope without slipping: a = 2/3 g sin(30°), friction m g sin(30°)/3 up the slope.
TEST(RollingDown, HasTheAccelerationAndFrictionOfTheTextbook) {
  const Model model =
      ModelBuilder("Disk on a slope")
          .body("disk", {{"shape", "cylinder"}, {"radius", 0.5}, {"mass", 3}, {"position", {0, 0.5}}})
          .joint("slope", {{"type", "rolling"},
                           {"bodies", {"ground", "disk"}},
                           {"point", {0, 0}},
                           {"axis", {1, 0}},
                           {"radius", 0.5}})
          .force_element("weight", {{"type", "gravity"}, {"acceleration", {4.905, "-9.81*sqrt(3)/2"}}})
          .build();
  const Motion m = run(System(model), 2, 1);
  EXPECT_NEAR(m["disk.x"][2], 2.0 / 3 * 4.905 / 2 * 4, 1e-12);
  EXPECT_NEAR(m["disk.angle"][2], -m["disk.x"][2] / 0.5, 1e-12);
  EXPECT_NEAR(m["slope.force_x"][1], -3 * 4.905 / 3, 1e-12);
  EXPECT_NEAR(m["slope.force_y"][1], 3 * 9.81 * std::sqrt(3.0) / 2, 1e-12);
}

// Two wheels in mesh, 1 : 2, a torque of 3 on the first: J1 a = 3 - T, J2 a/2 = 2 T by hand.
TEST(GearPair, SharesTheTorqueByItsRatio) {
  const Model model =
      ModelBuilder("Gears")
          .body("small", {{"mass", 1}, {"inertia", 0.5}, {"position", {0, 0}}})
          .body("large", {{"mass", 4}, {"inertia", 4}, {"position", {3, 0}}})
          .joint("axle1", {{"type", "revolute"}, {"bodies", {"ground", "small"}}, {"point", {0, 0}}})
          .joint("axle2", {{"type", "revolute"}, {"bodies", {"ground", "large"}}, {"point", {3, 0}}})
          .joint("mesh", {{"type", "gear"}, {"joints", {"axle1", "axle2"}}, {"ratio", -0.5}})
          .force_element("motor", {{"type", "motor"}, {"joint", "axle1"}, {"torque", 3}})
          .build();
  const Motion m = run(System(model), 1, 1);
  const double a = 3 / (0.5 + 4 * 0.25);
  EXPECT_NEAR(m["small.angle''"][0], a, 1e-13);
  EXPECT_NEAR(m["large.angle"][1], -a / 4, 1e-13);
  EXPECT_NEAR(m["mesh.torque"][0], 4 * -a / 2, 1e-12);
}

// A crank driven at constant speed: the moment that the drive needs is that of the weight, m g x.
TEST(DrivenJoint, TurnsAsItIsToldAndSaysWhatItNeeds) {
  const Model model =
      ModelBuilder("Crank")
          .parameter("w", 2)
          .body("crank", {{"mass", 3}, {"inertia", 0.1}, {"position", {0.5, 0}}, {"guess", true}})
          .joint("axle",
                 {{"type", "revolute"}, {"bodies", {"ground", "crank"}}, {"point", {0, 0}}, {"drive", "w*t"}})
          .force_element("weight", {{"type", "gravity"}})
          .build();
  const Motion m = run(System(model), 3, 0.5);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const double angle = 2 * m["t"][i];
    EXPECT_NEAR(m["crank.angle"][i], angle, 1e-13);
    EXPECT_NEAR(m["axle.moment"][i], 3 * 9.81 * 0.5 * std::cos(angle), 1e-11);
    EXPECT_NEAR(m["axle.force_x"][i], -3 * 0.5 * 4 * std::cos(angle), 1e-11);
  }
}

}  // namespace
}  // namespace dalembert
