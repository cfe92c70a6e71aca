// The force of friction that results show: what keeps Newton's law.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::run_text;

const double gravity = 9.81;

// Falls onto an incline, slides up it, turns, slides down; steeper friction holds it.
std::string falling_block(double mu) {
  return fmt::format(R"toml(
[coordinates]
x = {{ position = 0, velocity = 2 }}
y = 0.1
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*(y*cos(0.3) + x*sin(0.3))"
[[contact]]
name = "plane"
gap = "y"
friction = {}
slip = "x'"
[outputs]
friction = "lambda(plane.slip)"
left = "x'' + 9.81*sin(0.3) - lambda(plane.slip)"
[solve]
duration = 1
output_step = 0.05
)toml",
                     mu);
}

// In the air 0, up −μ g cos α, at rest g sin α, down μ g cos α.
TEST(FrictionForce, IsThatOfItsLawWhileTheContactSlides) {
  const double alpha = 0.3, rest = gravity * std::sin(alpha);
  for (const double mu : {0.25, 0.35}) {
    for (const char* method : {"adomian", "dop853"}) {
      SCOPED_TRACE(fmt::format("{} {}", method, mu));
      const auto run = run_text(falling_block(mu), {method, 0, 1e-12});
      ASSERT_EQ(run.report.events.size(), 2U);
      const double lands = run.report.events[0].t, stops = run.report.events[1].t;
      const double limit = mu * gravity * std::cos(alpha);
      for (const auto& sample : run.samples) {
        const double force = sample.t < lands ? 0 : sample.t < stops ? -limit : std::min(limit, rest);
        EXPECT_NEAR(sample.outputs[0], force, 1e-12) << sample.t;
        EXPECT_NEAR(sample.outputs[1], 0, 1e-12) << sample.t;
      }
    }
  }
}

// On a lane that moves with (0, 2): −μ g w/|w|.
TEST(FrictionForce, InSpaceIsAgainstTheSlip) {
  const auto run = run_text(R"toml(
[coordinates]
x = { position = 0, velocity = 3 }
y = { position = 0, velocity = 1 }
z = 0
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*z"
[[contact]]
name = "lane"
gap = "z"
friction = 0.2
slip = ["x'", "y' - 2"]
[outputs]
along = "lambda(lane.slip_1)"
across = "lambda(lane.slip_2)"
[solve]
duration = 2
output_step = 0.25
)toml");
  for (const auto& sample : run.samples) {
    const bool slides = sample.t < std::sqrt(10.0) / (0.2 * gravity);
    EXPECT_NEAR(sample.outputs[0], slides ? -0.2 * gravity * 3 / std::sqrt(10.0) : 0, 1e-12) << sample.t;
    EXPECT_NEAR(sample.outputs[1], slides ? 0.2 * gravity / std::sqrt(10.0) : 0, 1e-12) << sample.t;
  }
}

// Between bodies: the force on the box in the output of its contact.
TEST(FrictionForce, IsInTheForceOfContactsBetweenBodies) {
  const auto run = run_text(R"toml(space = "plane"
[[body]]
name = "disk"
shape = "cylinder"
radius = 0.1
mass = 2
position = [0, 0.1]
velocity = [1, 0]
[[contact]]
name = "floor"
between = ["ground", "disk"]
normal = [0, 1]
friction = 0.1
[[force]]
type = "gravity"
[solve]
duration = 0.6
output_step = 0.05
)toml");
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  const double rolls = 1 / (3 * 0.1 * gravity);
  for (const auto& sample : run.samples) {
    EXPECT_NEAR(sample.outputs[0], sample.t < rolls ? -0.1 * 2 * gravity : 0, 1e-12) << sample.t;
    EXPECT_NEAR(sample.outputs[1], 2 * gravity, 1e-12);
  }
}

}  // namespace
}  // namespace dalembert
