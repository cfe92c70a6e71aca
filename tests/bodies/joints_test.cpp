// Every type of joint: how many constraints, reactions in motion by Newton and Euler, energy.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/system/structure.hpp>

#include "bodies/motion.hpp"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::Motion;
using testing::run;

struct Case {
  std::string name;
  std::vector<Entry> keys;  // besides type and bodies
  std::size_t constraints;  // of this joint
  std::size_t nonholonomic = 0;
};

std::vector<Entry> joint_keys(const Case& c, const char* type) {
  std::vector<Entry> keys = c.keys;
  keys.push_back({"type", type});
  keys.push_back({"bodies", {"first", "second"}});
  return keys;
}

// Two bodies in space, the first on a ball joint, the second held to it by the joint in question.
Model chain_in_space(const Case& c) {
  ModelBuilder builder("Chain");
  builder.space("space")
      .body("first", {{"mass", 2},
                      {"inertia", {0.3, 0.4, 0.5}},
                      {"position", {0.5, 0.1, 0}},
                      {"rotation", Value::table_of({{"rpy", {0.3, -0.2, 0.5}}})},
                      {"velocity", {0, 0, 0}},
                      {"angular_velocity", {0.4, -0.3, 0.6}}})
      .body("second", {{"mass", 1.5},
                       {"inertia", {0.2, 0.15, 0.1}},
                       {"position", {1.4, 0.2, -0.3}},
                       {"rotation", Value::table_of({{"axis", {0.6, 0, 0.8}}, {"angle", 0.7}})}})
      .joint("ball", {{"type", "spherical"}, {"bodies", {"ground", "first"}}, {"point", {0, 0, 0}}})
      .joint("pin", joint_keys(c, c.name.c_str()))
      .force_element("weight", {{"type", "gravity"}})
      .force_element("push", {{"type", "torque"}, {"body", "second"}, {"torque", {0, 0, 0}}});
  for (const char* body : {"first", "second"}) {
    for (const char* axis : {"1", "2", "3"}) {
      builder.output(fmt::format("{}_w{}", body, axis), Text(fmt::format("{}.omega_{}", body, axis)));
      builder.output(fmt::format("{}_a{}", body, axis), Text(fmt::format("{}.omega_{}'", body, axis)));
    }
    for (const char* axis : {"x", "y", "z"}) {
      for (const char* component : {"x", "y", "z"}) {
        builder.output(fmt::format("{}_{}{}", body, axis, component),
                       Text(fmt::format("{}.{}_{}", body, axis, component)));
      }
    }
  }
  return builder.build();
}

class JointInSpace : public ::testing::TestWithParam<Case> {};

const Vector3d pin_point(1, 0.3, -0.1);
const std::vector<Entry> point_alone{{"point", {1, 0.3, -0.1}}};
const std::vector<Entry> point_and_axis{{"point", {1, 0.3, -0.1}}, {"axis", {"2/3", "-1/3", "2/3"}}};

std::vector<Entry> with(std::vector<Entry> keys, Entry more) {
  keys.push_back(std::move(more));
  return keys;
}

double value_of(const Motion& m, const std::string& name, std::size_t i) {
  const auto it = m.columns.find(name);
  return it == m.columns.end() ? 0
                               : it->second[i];  // components that vanish by the joint's type are no outputs
}

Vector3d vector_of(const Motion& m, const std::string& name, const std::string& prime, std::size_t i) {
  return {value_of(m, name + "x" + prime, i), value_of(m, name + "y" + prime, i),
          value_of(m, name + "z" + prime, i)};
}

struct BodyState {
  Vector3d center, acceleration, euler;  // euler: J ω' + ω × J ω in space
  Matrix3d R;
};

BodyState state_of(const Motion& m, const std::string& body, const Vector3d& inertia, std::size_t i) {
  BodyState s;
  s.center = vector_of(m, body + ".", "", i);
  s.acceleration = vector_of(m, body + ".", "''", i);
  s.R << vector_of(m, body + "_x", "", i), vector_of(m, body + "_y", "", i), vector_of(m, body + "_z", "", i);
  const Vector3d w(m[body + "_w1"][i], m[body + "_w2"][i], m[body + "_w3"][i]);
  const Vector3d a(m[body + "_a1"][i], m[body + "_a2"][i], m[body + "_a3"][i]);
  s.euler = s.R * (inertia.cwiseProduct(a) + w.cross(inertia.cwiseProduct(w)));
  return s;
}

TEST_P(JointInSpace, HasItsNumberOfConstraints) {
  const System system(chain_in_space(GetParam()));
  const Structure structure = analyse_structure(system, find_consistent_state(system));
  EXPECT_EQ(structure.degrees_of_freedom, 3 + 6 - GetParam().constraints);
  EXPECT_EQ(system.m() - system.holonomic(), GetParam().nonholonomic);
  EXPECT_EQ(system.m(), system.n() - structure.degrees_of_freedom);
}

// For each body: m a = m g + forces, J ω' + ω × J ω = moments about the centre of mass.
TEST_P(JointInSpace, ReactionsAreThoseOfNewtonAndEuler) {
  const System system(chain_in_space(GetParam()));
  const Motion m = run(system, 1, 0.25);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  const Vector3d gravity(0, 0, -9.81);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const BodyState first = state_of(m, "first", {0.3, 0.4, 0.5}, i);
    const BodyState second = state_of(m, "second", {0.2, 0.15, 0.1}, i);
    const Vector3d force = vector_of(m, "pin.force_", "", i);
    const Vector3d moment = vector_of(m, "pin.moment_", "", i);
    const Vector3d ball = vector_of(m, "ball.force_", "", i);
    EXPECT_NEAR((1.5 * (second.acceleration - gravity) - force).norm(), 0, 1e-10) << "at " << m["t"][i];
    EXPECT_NEAR((2 * (first.acceleration - gravity) - ball + force).norm(), 0, 1e-10) << "at " << m["t"][i];
    // The joint's point of the second body.
    const Matrix3d R0 = Eigen::AngleAxisd(0.7, Vector3d(0.6, 0, 0.8)).toRotationMatrix();
    const Vector3d point = second.center + second.R * R0.transpose() * (pin_point - Vector3d(1.4, 0.2, -0.3));
    const Vector3d on_second = moment + (point - second.center).cross(force);
    const Vector3d on_first = -moment - (point - first.center).cross(force) - first.center.cross(ball);
    EXPECT_NEAR((second.euler - on_second).norm(), 0, 1e-10) << "at " << m["t"][i];
    EXPECT_NEAR((first.euler - on_first).norm(), 0, 1e-10) << "at " << m["t"][i];
  }
}

TEST_P(JointInSpace, ConservesEnergy) {
  const System system(chain_in_space(GetParam()));
  const Motion m = run(system, 10, 1);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  const std::vector<double>& energy = m["energy"];
  for (const double e : energy)
    EXPECT_NEAR(e, energy[0], 1e-12 * 30) << "scale: both bodies fall by about a metre";
}

INSTANTIATE_TEST_SUITE_P(
    AllTypes, JointInSpace,
    ::testing::Values(Case{"spherical", point_alone, 3}, Case{"revolute", point_and_axis, 5},
                      Case{"cylindrical", point_and_axis, 4}, Case{"prismatic", point_and_axis, 5},
                      Case{"planar", point_and_axis, 3}, Case{"weld", point_alone, 6},
                      Case{"universal", {{"point", {1, 0.3, -0.1}}, {"axes", {{0, 0, 1}, {1, 0, 0}}}}, 4},
                      Case{"screw", with(point_and_axis, {"pitch", 0.5}), 5}),
    [](const auto& info) { return info.param.name; });

// A body on a joint with the ground that carries its weight: by hand. The body is a box of mass 2 with its
// centre at (0.5, 0, 0), 0.5 from the joint in the origin, so the joint carries 2*9.81 and the moment
// 0.5*2*9.81 about y upwards.
Motion held(const char* type, std::vector<Entry> keys) {
  keys.push_back({"type", type});
  keys.push_back({"bodies", {"ground", "box"}});
  keys.push_back({"point", {0, 0, 0}});
  const Model model =
      ModelBuilder("Held")
          .space("space")
          .body("box", {{"mass", 2}, {"shape", "box"}, {"size", {1, 0.2, 0.1}}, {"position", {0.5, 0, 0}}})
          .joint("pin", keys)
          .force_element("weight", {{"type", "gravity"}})
          .build();
  return run(System(model), 0.1, 0.1);
}

TEST(JointAtRest, WeldCarriesWeightAndMoment) {
  const Motion m = held("weld", {});
  EXPECT_NEAR(m["pin.force_x"][0], 0, 1e-13);
  EXPECT_NEAR(m["pin.force_z"][0], 19.62, 1e-12);
  EXPECT_NEAR(m["pin.moment_y"][0], -9.81, 1e-12);
  EXPECT_NEAR(m["pin.moment_x"][0], 0, 1e-13);
}

TEST(JointAtRest, VerticalHingeCarriesWeightAndMoment) {
  const Motion m = held("revolute", {{"axis", {0, 0, 1}}});
  EXPECT_NEAR(m["pin.force_z"][0], 19.62, 1e-12);
  EXPECT_NEAR(m["pin.moment_y"][0], -9.81, 1e-12);
  EXPECT_NEAR(m["pin.force_3"][0], 19.62, 1e-12);
  EXPECT_NEAR(m["pin.moment_3"][0], 0, 1e-13);
}

TEST(JointAtRest, LevelRailCarriesWeightAndMoment) {
  for (const char* type : {"prismatic", "cylindrical"}) {
    const Motion m = held(type, {{"axis", {1, 0, 0}}});
    EXPECT_NEAR(m["pin.force_z"][0], 19.62, 1e-12) << type;
    EXPECT_NEAR(m["pin.moment_y"][0], -9.81, 1e-12) << type;
  }
}

TEST(JointAtRest, LevelPlaneCarriesWeightAndMoment) {
  const Motion m = held("planar", {{"axis", {0, 0, 1}}});
  EXPECT_NEAR(m["pin.force_z"][0], 19.62, 1e-12);
  EXPECT_NEAR(m["pin.moment_y"][0], -9.81, 1e-12);
}

}  // namespace
}  // namespace dalembert
