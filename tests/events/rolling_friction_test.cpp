// Rolling joints with friction: wheels and balls that slide and roll.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::MethodCase;
using testing::run_text;
using testing::three_methods;
using testing::times_of;

const double gravity = 9.81;

// A ball without spin rolls at 2 v/(7 μ g) with 5/7 of its velocity, in space in any direction.
TEST(RollingFriction, LetsABowlingBallRollAtItsTime) {
  const double v = 4, mu = 0.15, R = 0.1, heading = 0.7;
  const std::string text = fmt::format(R"toml(
space = "space"
[[body]]
name = "ball"
shape = "sphere"
radius = 0.1
mass = 6
position = [0, 0, 0.1]
velocity = ["4*cos({0})", "4*sin({0})", 0]
angular_velocity = [0, 0, 0]
[[joint]]
name = "lane"
type = "rolling"
bodies = ["ground", "ball"]
point = [0, 0, 0]
axis = [0, 0, 1]
radius = 0.1
friction = 0.15
[[force]]
type = "gravity"
[solve]
duration = 2
)toml",
                                       heading);
  const auto run = run_text(text);
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  const std::vector<double> rolls = times_of(run.report, "lane", "sticking");
  ASSERT_EQ(rolls.size(), 1U);
  const double roll = 2 * v / (7 * mu * gravity);
  EXPECT_NEAR(rolls[0], roll, 1e-11);
  const auto& end = run.samples.back();
  EXPECT_NEAR(end.v[0], 5.0 / 7 * v * std::cos(heading), 1e-11);
  EXPECT_NEAR(end.v[1], 5.0 / 7 * v * std::sin(heading), 1e-11);
  const double way = v * roll - mu * gravity * roll * roll / 2 + 5.0 / 7 * v * (2 - roll);
  EXPECT_NEAR(std::hypot(end.q[0], end.q[1]), way, 1e-11);
  EXPECT_NEAR(end.q[2], R, 1e-13);
}

std::string wheel(const std::string& start, const std::string& forces, double duration) {
  return fmt::format(R"toml(
[[body]]
name = "wheel"
mass = 10
inertia = 0.2
position = [0, 0.25]
{}
[[joint]]
name = "road"
type = "rolling"
bodies = ["ground", "wheel"]
point = [0, 0]
axis = [1, 0]
radius = 0.25
friction = 0.5
sticking = 0.6
[[force]]
type = "gravity"
{}
[solve]
duration = {}
)toml",
                     start, forces, duration);
}

// A torque −20 t rolls it with a = T r/(m r² + J) until m a = μₛ m g; from there a = μ g, and it spins with
// J α = T − μ m g r.
TEST(RollingFriction, LetsADrivenWheelSpinWhereItsTorqueIsTooLarge) {
  const double m = 10, J = 0.2, r = 0.25, sliding = 0.5, sticking = 0.6;
  const std::string text =
      wheel("", "[[force]]\ntype = \"torque\"\nbody = \"wheel\"\ntorque = \"-20*t\"\n", 4);
  const double spins = sticking * gravity * (m * r * r + J) / (20 * r);
  const double v = 20 * r / (m * r * r + J) * spins * spins / 2;
  for (const auto& [method, error] : three_methods(5e-6)) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    const std::vector<double> times = times_of(run.report, "road", "sliding");
    ASSERT_EQ(times.size(), 1U) << method.method;
    EXPECT_NEAR(times[0], spins, error) << method.method;
    const auto& end = run.samples.back();
    const double rest = 4 - spins;
    EXPECT_NEAR(end.v[0], v + sliding * gravity * rest, 100 * error) << method.method;
    const double spin = (10 * (16 - spins * spins) - sliding * m * gravity * r * rest) / J;
    EXPECT_NEAR(end.v[2], -(v / r + spin), 1e4 * error) << method.method;
  }
}

// A brake of constant torque T > μ m g r on a wheel that carries a cart: it slides at once, stands still at
// ω₀ J/(T − μ m g r), and the cart at v₀/(μ g).
TEST(RollingFriction, LetsABrakedWheelLock) {
  const double J = 0.2, r = 0.25, mu = 0.5, total = 50, speed = 12;
  const std::string text = R"toml(
[[body]]
name = "cart"
mass = 40
inertia = 1
position = [0, 0.25]
velocity = [12, 0]
[[body]]
name = "wheel"
mass = 10
inertia = 0.2
position = [0, 0.25]
velocity = [12, 0]
angular_velocity = -48
[[joint]]
name = "axle"
type = "revolute"
bodies = ["cart", "wheel"]
points = [[0, 0], [0, 0]]
[[joint]]
name = "road"
type = "rolling"
bodies = ["ground", "wheel"]
point = [0, 0]
axis = [1, 0]
radius = 0.25
friction = 0.5
[[force]]
type = "gravity"
[constraints]
holonomic = { upright = "cart.angle" }
[[friction]]
name = "brake"
normal = 2000
slip = "0.1*(wheel.angle' - cart.angle')"
friction = 0.4
[solve]
duration = 3
)toml";
  const double ground = mu * total * gravity, torque = 0.4 * 0.1 * 2000;
  ASSERT_GT(torque, ground * r);
  for (const auto& [method, error] : three_methods(5e-6)) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    const std::vector<double> locks = times_of(run.report, "brake", "sticking");
    ASSERT_GE(locks.size(), 1U) << method.method;
    EXPECT_NEAR(locks[0], speed / r * J / (torque - ground * r), 10 * error) << method.method;
    const std::vector<double> stops = times_of(run.report, "road", "sticking");
    ASSERT_EQ(stops.size(), 1U) << method.method;
    EXPECT_NEAR(stops[0], speed / (mu * gravity), 100 * error) << method.method;
    EXPECT_NEAR(run.samples.back().q[0], speed * speed / (2 * mu * gravity), 1e3 * error) << method.method;
    EXPECT_NEAR(run.samples.back().v[0], 0, 1e-10);
  }
}

}  // namespace
}  // namespace dalembert
