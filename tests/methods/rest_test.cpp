// Parts at rest: what rounding errors make of them is no motion, and no method follows it.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/system/start.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::simulate;

const std::vector<std::string> adaptive{"adomian",   "dop853", "dopri5", "nullspace",
                                        "partition", "bdf",    "ndf"};

// A post that is welded to the ground beside a stone that falls and turns.
System post_and_stone(const std::string& point, double mass) {
  return System(read_model_text(R"toml(
space = "space"
[[body]]
name = "post"
inertia = [0.02, 0.03, 0.02]
mass = )toml" + std::to_string(mass) +
                                R"toml(
[[body]]
name = "stone"
mass = 1
inertia = [0.02, 0.02, 0.01]
angular_velocity = [1, 2, 3]
[[joint]]
name = "foot"
type = "weld"
bodies = ["ground", "post"]
point = )toml" + point + R"toml(
[[force]]
type = "gravity"
[solve]
output_step = 1
)toml"));
}

TEST(AtRest, AWeldedPostDoesNotHoldUpAFallingStone) {
  for (const auto& [point, mass] : std::vector<std::pair<std::string, double>>{
           {"[-0.4, 0.7, -0.2]", 1}, {"[0, 0, 0]", 1000}, {"[3, -50, 0.001]", 0.001}}) {
    const System system = post_and_stone(point, mass);
    for (const std::string& method : adaptive) {
      SolveOptions options = options_of(system.model());
      options.method = method;
      options.max_steps = 5000;
      const auto run = simulate(system, options);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ' ' << point << ": " << run.report.reason;
      EXPECT_LT(run.report.steps, 2000U) << method << ' ' << point;
      EXPECT_NEAR(run.samples.back().q[9], -490.5, 1e-4) << method;  // the stone
      EXPECT_NEAR(run.samples.back().q[0], 0, 1e-4) << method;
    }
  }
}

// x1 and x2 are what the constraints make them, while a force pushes x1 and x0 swings.
TEST(AtRest, CoordinatesThatConstraintsHoldCostNoSteps) {
  for (const char* push : {"1.23*sin(38*t/25)", "1e6*sin(38*t/25)", "1e-6*t", "0"}) {
    const System system(read_model_text(R"toml(
[coordinates]
x0 = { position = -0.33, velocity = -0.44 }
x1 = { position = 0.83 }
x2 = { position = -0.94, velocity = 0.39 }
[energy]
kinetic = "x0'^2/2 + x1'^2/2 + x2'^2/2"
potential = "1.53*x2^4/4 + x0^2/4 + x1^2/4 + x2^4 + 37*x2^3/300 + x2^2/4 + 7*cos(x1)/4"
[constraints.holonomic]
g0 = "x2 + x2^3 = -0.94 - 0.94^3"
g1 = "x1*x2 + x1= -0.83*0.94 + 0.83"
[solve]
duration = 4
output_step = 0.1
[forces]
x1 = ")toml" + std::string(push) + "\"\n"));
    for (const std::string& method : adaptive) {
      SolveOptions options = options_of(system.model());
      options.method = method;
      options.max_steps = 5000;
      const auto run = simulate(system, options);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ' ' << push << ": " << run.report.reason;
      EXPECT_LT(run.report.steps, 400U) << method << ' ' << push;
      const double w = std::sqrt(0.5);
      EXPECT_NEAR(run.samples.back().q[0], -0.33 * std::cos(4 * w) - 0.44 / w * std::sin(4 * w), 1e-6)
          << method;
    }
  }
}

TEST(AtRest, AVelocityThatAWeldForbidsBecomesZeroAndThatIsSaid) {
  for (const char* spin : {"[1, 2, 3]", "[1e-12, 0, 0]", "[0, -4e9, 7]"}) {
    for (const char* point : {"[-0.4, 0.7, -0.2]", "[0, 0, 0]", "[100, 0, 1e-3]"}) {
      const System system(read_model_text(R"toml(
space = "space"
[[body]]
name = "post"
mass = 1
inertia = [0.02, 0.03, 0.02]
angular_velocity = )toml" + std::string(spin) +
                                          R"toml(
[[joint]]
name = "foot"
type = "weld"
bodies = ["ground", "post"]
point = )toml" + point + R"toml(
[solve]
duration = 1
)toml"));
      const Start start = find_start(system);
      for (const double v : start.v) EXPECT_EQ(v, 0) << spin << ' ' << point;
      const auto run = simulate(system, options_of(system.model()));
      ASSERT_EQ(run.report.outcome, Outcome::finished) << spin << ' ' << point;
      ASSERT_FALSE(run.report.warnings.empty());
      EXPECT_NE(run.report.warnings[0].find("was changed: post.e"), std::string::npos)
          << run.report.warnings[0];
    }
  }
}

}  // namespace
}  // namespace dalembert
