// Force elements in space: how many constraints, by hand at rest, by Newton and Euler or an exact
// solution in motion, energy.
#include <cmath>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "bodies/space_text.hpp"

namespace dalembert {
namespace {

using testing::expect_energy_stays;
using testing::expect_structure;
using testing::gravity;
using testing::jointed;
using testing::Motion;
using testing::outputs;
using testing::run_text;

std::string bushing(const std::string& keys, const std::string& motion) {
  return R"toml(
[[body]]
name = "body"
mass = 2
inertia = [0.3, 0.2, 0.1]
)toml" + motion +
         R"toml(
[[force]]
name = "rubber"
type = "bushing"
bodies = ["ground", "body"]
point = [0, 0, 0]
)toml" + keys +
         outputs;
}

// 2 z'' = −2 g − 800 z from rest, and along x and y without weight.
TEST(Bushing, SwingsAsASpringAlongEachAxis) {
  const std::string text = bushing("stiffness = [200, 300, 800]\n", "velocity = [0.4, -0.2, 0]\n") + "\n";
  const std::string with_weight = text.substr(0, text.find("[outputs]")) + gravity + outputs;
  expect_structure(with_weight, 6);
  const Motion m = run_text(with_weight, 2, 0.25);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const double t = m["t"][i];
    EXPECT_NEAR(m["body.x"][i], 0.04 * std::sin(10 * t), 1e-13);
    EXPECT_NEAR(m["body.y"][i], -0.2 / std::sqrt(150) * std::sin(std::sqrt(150) * t), 1e-13);
    EXPECT_NEAR(m["body.z"][i], -9.81 / 400 * (1 - std::cos(20 * t)), 1e-13);
  }
}

TEST(Bushing, DampsAlongItsAxes) {  // 2 x'' = −20 x' − 200 x
  const Motion m = run_text(
      bushing("stiffness = [200, 200, 200]\ndamping = [20, 0, 0]\n", "velocity = [0.4, 0, 0]\n"), 1, 0.25);
  const double rate = std::sqrt(100 - 25.0);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const double t = m["t"][i];
    EXPECT_NEAR(m["body.x"][i], 0.4 / rate * std::exp(-5 * t) * std::sin(rate * t), 1e-13);
  }
  EXPECT_LT(m.report.max_energy_error, 1e-12 * 0.16);
}

// About one axis the potential is k (1 − cos θ): 0.1 ω²/2 + 4 (1 − cos θ) stays.
TEST(Bushing, TurnsBackLikeAPendulum) {
  const Motion m = run_text(bushing("turn_stiffness = 4\n", "angular_velocity = [0, 0, 6]\n"), 2, 0.25);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const double angle = 2 * std::atan2(m["body.e3"][i], m["body.e0"][i]);
    EXPECT_NEAR(0.05 * std::pow(m["w3"][i], 2) + 4 * (1 - std::cos(angle)), 0.05 * 36, 1e-12);
  }
  EXPECT_GT(std::abs(m["body.e3"][1]), 0.01);
}

TEST(Bushing, ConservesEnergy) {
  expect_energy_stays(bushing("stiffness = [20, 30, 40]\nturn_stiffness = 0.5\n",
                              "velocity = [0.4, -0.2, 0.3]\nangular_velocity = [1, 0.5, 2]\n"),
                      1);
}

TEST(JointSpring, SwingsAboutAHingeAsAnOscillator) {  // 0.1 θ'' = −0.9 (θ − 0.5)
  const std::string spring = "[[force]]\ntype = \"spring\"\njoint = \"pin\"\nstiffness = 0.9\nangle = 0.5\n";
  expect_structure(jointed("revolute", spring), 1);
  const Motion m = run_text(jointed("revolute", spring), 10, 0.5);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    EXPECT_NEAR(m["pin.angle"][i], 0.5 * (1 - std::cos(3 * m["t"][i])), 1e-12);
  }
  for (const double e : m["energy"]) EXPECT_NEAR(e, m["energy"][0], 1e-12 * 0.45 * 0.25);
}

TEST(JointSpring, SwingsAlongARailAsAnOscillator) {  // 2 s'' = −18 (s − 0.2) − 2·9.81
  const std::string spring =
      "[[force]]\ntype = \"spring\"\njoint = \"pin\"\nstiffness = 18\nlength = 0.2\n" + gravity;
  const Motion m = run_text(jointed("prismatic", spring), 10, 0.5);
  const double rest = 0.2 - 9.81 / 9;
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    EXPECT_NEAR(m["body.z"][i] - 0.3, rest * (1 - std::cos(3 * m["t"][i])), 1e-12);
  }
  for (const double e : m["energy"]) EXPECT_NEAR(e, m["energy"][0], 1e-12 * 18 * rest * rest);
}

TEST(JointFriction, SlowsAHingeDownExponentially) {  // 0.1 ω' = −0.2 ω
  const std::string text =
      jointed("revolute\"\nspeed = \"3", "[[force]]\ntype = \"friction\"\njoint = \"pin\"\ndamping = 0.2\n");
  const Motion m = run_text(text + "\n[outputs]\nspeed = \"body.omega_z\"\n", 2, 0.5);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    EXPECT_NEAR(m["speed"][i], 3 * std::exp(-2 * m["t"][i]), 1e-12);
  }
  EXPECT_LT(m.report.max_energy_error, 1e-12 * 0.45);
}

}  // namespace
}  // namespace dalembert
