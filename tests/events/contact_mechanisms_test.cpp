// Mechanisms whose parts strike each other, beside closed forms and beside other ways to say the same.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::run_text;
using testing::Simulation;

// The setting of Flores and Ambrósio (2004): a crank at 5000 turns in a minute, a journal of the rod that is
// 0.5 mm smaller than its bearing in the slider, restitution 0.9.
const std::string clearance = R"m([parameters]
l1 = 0.05
l2 = 0.12
c = 0.0005
speed = "5000*2*pi/60"
[[body]]
name = "crank"
mass = 0.3
inertia = 0.0001
position = ["l1/2", 0]
[[body]]
name = "rod"
mass = 0.21
inertia = 0.00025
position = ["l1 + l2/2", 0]
[[body]]
name = "slider"
mass = 0.14
inertia = 0.0001
position = ["l1 + l2", 0]
[[joint]]
name = "main"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0]
drive = "speed*t"
[[joint]]
name = "pin"
type = "revolute"
bodies = ["crank", "rod"]
point = ["l1", 0]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "slider"]
point = ["l1 + l2", 0]
axis = [1, 0]
[[contact]]
name = "journal"
between = ["slider", "rod"]
points = [[0, 0], ["l2/2", 0]]
inside = true
radii = [0.01, "0.01 - c"]
restitution = 0.9
[solve]
duration = 0.012
output_step = 0.0001
)m";

// The same in two coordinates.
const std::string clearance_by_hand = R"m([parameters]
l1 = 0.05
l2 = 0.12
c = 0.0005
speed = "5000*2*pi/60"
[coordinates]
phi = { position = 0, velocity = "VELOCITY", fixed = true }
x = "l1 + l2"
[definitions]
px = "l1*cos(speed*t)"
py = "l1*sin(speed*t)"
rx = "px + l2/2*cos(phi)"
ry = "py + l2/2*sin(phi)"
dx = "px + l2*cos(phi) - x"
dy = "py + l2*sin(phi)"
[energy]
kinetic = "0.21/2*(rx'^2 + ry'^2) + 0.00025/2*phi'^2 + 0.14/2*x'^2"
[[contact]]
name = "journal"
gap = "(c^2 - dx^2 - dy^2)/(2*c)"
restitution = 0.9
[solve]
duration = 0.012
)m";

std::string with_velocity(const Simulation& run) {
  std::string text = clearance_by_hand;
  const std::string word = "\"VELOCITY\"";
  return text.replace(text.find(word), word.size(), fmt::format("{:.17g}", run.samples[0].v[5]));
}

TEST(SliderCrankWithClearance, IsStruckAsInTwoCoordinatesAndByOtherMethods) {
  const auto run = run_text(clearance);
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  ASSERT_GT(run.report.events.size(), 80U);
  const auto by_hand = run_text(with_velocity(run));
  const auto runge_kutta = run_text(clearance, {"dop853", 0, 1e-13});
  ASSERT_GT(by_hand.report.events.size(), 80U);
  // errors grow at every impact
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_NEAR(run.report.events[i].t, by_hand.report.events[i].t, 1e-13) << i;
    EXPECT_NEAR(run.report.events[i].t, runge_kutta.report.events[i].t, 1e-10) << i;
  }
}

// q: crank x, y, angle; rod; slider. The impulse Λ along n turns the rod about its pin and moves the slider.
TEST(SliderCrankWithClearance, KeepsTheLawsOfItsImpacts) {
  const auto run = run_text(clearance);
  const double c = 0.0005, l = 0.12;
  double lost = 0;
  for (const EventRecord& event : run.report.events) {
    const double angle = event.q[5];
    const double dx = event.q[3] + l / 2 * std::cos(angle) - event.q[6];
    const double dy = event.q[4] + l / 2 * std::sin(angle) - event.q[7];
    EXPECT_NEAR(std::hypot(dx, dy), c, 1e-15);
    const double nx = -dx / c, ny = -dy / c;
    const auto rate = [&](const std::vector<double>& v) {
      return nx * (v[3] - l / 2 * std::sin(angle) * v[5] - v[6]) +
             ny * (v[4] + l / 2 * std::cos(angle) * v[5]);
    };
    if (event.kind == "opening") {  // of a contact that has come to rest before
      EXPECT_NEAR(rate(event.v), 0, 1e-12);
    } else {
      EXPECT_LT(rate(event.v), 0);
    }
    const double restitution = event.kind == "rest" ? 0 : 0.9;  // where bounces accumulate
    EXPECT_NEAR(rate(event.v_after), -restitution * rate(event.v), 1e-11);
    double impulse = 0, drive = 0;
    for (const auto& [name, size] : event.impulses) {
      if (name == "journal") impulse = size;
      if (name == "main.drive") drive = -size;
    }
    const double arm = l * (std::cos(angle) * ny - std::sin(angle) * nx);
    EXPECT_NEAR((0.00025 + 0.21 * l * l / 4) * (event.v_after[5] - event.v[5]), arm * impulse, 1e-12);
    EXPECT_NEAR(0.14 * (event.v_after[6] - event.v[6]), -nx * impulse, 1e-12);
    EXPECT_NEAR(event.v_after[2], event.v[2], 1e-11);
    // the drive keeps the crank at its speed: each impulse works with the mean of the velocities around it
    const double speed = 5000 * 2 * std::numbers::pi / 60;
    EXPECT_NEAR(event.energy_change, impulse * (rate(event.v) + rate(event.v_after)) / 2 + drive * speed,
                1e-11);
    lost += event.energy_change;
  }
  EXPECT_NEAR(run.report.event_energy, lost, 1e-11);
  for (const auto& sample : run.samples) {
    const double dx = sample.q[3] + l / 2 * std::cos(sample.q[5]) - sample.q[6];
    EXPECT_LE(std::hypot(dx, sample.q[4] + l / 2 * std::sin(sample.q[5]) - sample.q[7]), c + 1e-15);
  }
}

// A driver whose pin runs in one of four slots for a quarter of its turn; a locking ring holds the wheel for
// the rest. In the slot tan θ = sin φ/(cos φ − √2); the pin enters along the slot, so that nothing strikes.
TEST(GenevaDrive, TurnsItsWheelAsItsClosedFormSays) {
  const auto run = run_text(R"m([parameters]
a = "sqrt(2)"
[[body]]
name = "driver"
mass = 1
inertia = 0.5
position = [0, 0]
angle = -1.5
[[body]]
name = "wheel"
mass = 2
inertia = 0.7
position = ["a", 0]
angle = "pi/4"
[[joint]]
name = "shaft"
type = "revolute"
bodies = ["ground", "driver"]
point = [0, 0]
drive = "2*t"
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "wheel"]
point = ["a", 0]
[definitions]
along = "cos(wheel.angle)*(cos(driver.angle) - a) + sin(wheel.angle)*sin(driver.angle)"
across = "cos(wheel.angle)*sin(driver.angle) - sin(wheel.angle)*(cos(driver.angle) - a)"
[constraints]
holonomic = { slot = "along*across" }
nonholonomic = { ring = "wheel.angle'" }
disabled = ["slot"]
[[event]]
name = "enter"
when = "cos(driver.angle) - cos(pi/4)"
direction = "rising"
enable = "slot"
disable = "ring"
[[event]]
name = "leave"
when = "cos(driver.angle) - cos(pi/4)"
direction = "falling"
enable = "ring"
disable = "slot"
[solve]
duration = 7
output_step = 0.02
)m");
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  EXPECT_EQ(run.report.events.size(), 5U);
  EXPECT_NEAR(run.report.events[0].t, (1.5 - std::numbers::pi / 4) / 2, 1e-14);
  const double a = std::numbers::sqrt2, pi = std::numbers::pi;
  for (const auto& sample : run.samples) {
    const double turn = -1.5 + 2 * sample.t, turns = std::round(turn / (2 * pi));
    const double phi = std::clamp(turn - 2 * pi * turns, -pi / 4, pi / 4);
    const double theta = std::atan(std::sin(phi) / (std::cos(phi) - a)) - pi / 2 * turns;
    EXPECT_NEAR(sample.q[5], theta, 1e-12) << sample.t;
  }
  EXPECT_NEAR(run.report.event_energy, 0, 1e-13);
}

}  // namespace
}  // namespace dalembert
