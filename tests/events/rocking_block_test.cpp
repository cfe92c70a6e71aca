// A block on a floor that rocks from corner to corner until it rests on both.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::run_text;
using testing::Simulation;

// Of half the edges b, h. On a smooth floor its centre keeps its x, and with y = b sin θ + h cos θ
//   (J + m y'(θ)²) θ'²/2 + m g y = constant,
// an inelastic impact on the other corner leaves (J − m b²)/(J + m b²) of the speed and lifts the first.
// Where friction keeps its corners, (J + m (b² + h²)) θ'²/2 + m g y = constant, and an impact leaves 1 − 3
// b²/(2 (b² + h²)) (Housner 1963).
struct RockingBlock {
  double b, h, g;
  bool sticks;

  // From the tilt at rest to the level.
  double quarter(double tilt) const {
    const auto f = [&](double s) {
      const double sunk = tilt * s * s, theta = tilt - sunk, middle = (tilt + theta) / 2;
      const double fall = 2 * std::sin(sunk / 2) * (b * std::cos(middle) - h * std::sin(middle));
      const double arm = b * std::cos(theta) - h * std::sin(theta);
      return std::sqrt((inertia() + (sticks ? b * b + h * h : arm * arm)) / (2 * g * fall)) * 2 * tilt * s;
    };
    return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f, 0, 1, 2, 1e-14);
  }
  double ratio() const {
    return sticks ? 1 - 1.5 * b * b / (b * b + h * h) : (inertia() - b * b) / (inertia() + b * b);
  }
  // That the block reaches behind an impact.
  double next_tilt(double tilt) const {
    const double height = ratio() * ratio() * rise(tilt);
    double low = 0, high = tilt;
    for (int i = 0; i < 200; ++i) (rise((low + high) / 2) < height ? low : high) = (low + high) / 2;
    return high;
  }
  double rise(double tilt) const { return b * std::sin(tilt) - 2 * h * std::pow(std::sin(tilt / 2), 2); }
  // All quarters of the series.
  double rest(double tilt) const {
    double t = quarter(tilt);
    while (tilt > 1e-20) t += 2 * quarter(tilt = next_tilt(tilt));
    return t;
  }

 private:
  double inertia() const { return (b * b + h * h) / 3; }  // of the mass 1
};

TEST(RockingBlock, StrikesTheFloorAtTheTimesOfItsQuadrature) {
  const auto run = run_text(R"m([[body]]
name = "block"
shape = "box"
size = [0.2, 0.6]
mass = 2
position = [0, "0.1*sin(0.2) + 0.3*cos(0.2)"]
angle = 0.2
[[contact]]
name = "floor"
between = ["ground", "block"]
normal = [0, 1]
[[force]]
type = "gravity"
[solve]
duration = 1
)m");
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  ASSERT_GT(run.report.events.size(), 10U);
  const RockingBlock block{0.1, 0.3, 9.81, false};
  double tilt = 0.2, t = block.quarter(tilt);
  for (std::size_t i = 0; i < 10; ++i) {
    const EventRecord& event = run.report.events[i];
    EXPECT_EQ(event.name, i % 2 == 0 ? "floor.corner2" : "floor.corner1");
    EXPECT_NEAR(event.t, t, 1e-12) << i;
    tilt = block.next_tilt(tilt);
    t += 2 * block.quarter(tilt);
  }
  for (int i = 0; i < 60; ++i) {
    tilt = block.next_tilt(tilt);
    t += 2 * block.quarter(tilt);
  }
  const EventRecord& last = run.report.events.back();
  EXPECT_EQ(run.report.events.size(), 22U);
  EXPECT_EQ(last.kind, "rest");
  EXPECT_NEAR(last.t, t, 2e-6);
  EXPECT_NEAR(std::stod(last.note.substr(last.note.find("= ") + 2)), t, 1e-8);
  EXPECT_NEAR(run.samples.back().q[1], 0.3, 1e-13);
  EXPECT_NEAR(run.samples.back().q[2], 0, 1e-13);
  EXPECT_NEAR(run.report.event_energy, -2 * 9.81 * (0.1 * std::sin(0.2) + 0.3 * std::cos(0.2) - 0.3), 1e-12);
}

struct Units {
  double length = 1, mass = 1, time = 1;
};

struct RockingCase {
  double tilt, b, h, friction;  // 0: smooth
  Units units{};
  EventCase method{};
};

std::string text_of(const RockingCase& one, double duration) {
  const auto [length, mass, time] = one.units;
  return fmt::format(R"m([parameters]
b = {:.17g}
h = {:.17g}
tilt = {:.17g}
[[body]]
name = "block"
shape = "box"
size = ["2*b", "2*h"]
mass = {:.17g}
position = [0, "b*sin(tilt) + h*cos(tilt)"]
angle = "tilt"
[[contact]]
name = "floor"
between = ["ground", "block"]
normal = [0, 1]
{}
[[force]]
type = "gravity"
acceleration = [0, {:.17g}]
[solve]
duration = {:.17g}
)m",
                     one.b * length, one.h * length, one.tilt, 2 * mass,
                     one.friction > 0 ? fmt::format("friction = {}", one.friction) : "",
                     -9.81 * length / (time * time), duration * time);
}

void expect_rest(const RockingCase& one) {
  const auto [length, mass, time] = one.units;
  const RockingBlock block{one.b, one.h, 9.81, one.friction > 0};
  const double t = block.rest(one.tilt),
               fall = 2 * mass * 9.81 * length * length / (time * time) * block.rise(one.tilt);
  const std::string text = text_of(one, 1.5 * t);
  SCOPED_TRACE(text + one.method.method + fmt::format(" {}", one.method.tolerance));
  const Simulation run = run_text(text, one.method);
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  const EventRecord& last = run.report.events.back();
  const bool by_series = one.method.method == "adomian";
  const double error =
      by_series ? std::max(1e-12, one.method.tolerance) : std::max(1e-9, 10 * one.method.tolerance);
  EXPECT_EQ(std::ranges::count(run.report.events, std::string("rest"), &EventRecord::kind), 1);
  EXPECT_EQ(last.kind, "rest");
  EXPECT_NEAR(last.t / time, t, (by_series ? 1e-4 : 1e-3) * t);
  ASSERT_NE(last.note.find("= "), std::string::npos);
  EXPECT_NEAR(std::stod(last.note.substr(last.note.find("= ") + 2)) / time, t, (by_series ? 1e-6 : 1e-4) * t);
  const auto& end = run.samples.back();
  EXPECT_NEAR(end.q[0] / length,
              one.friction > 0 ? one.b * (1 - std::cos(one.tilt)) + one.h * std::sin(one.tilt) : 0, error);
  EXPECT_NEAR(end.q[1] / length, one.h, error);
  EXPECT_NEAR(end.q[2], 0, error);
  for (const double v : end.v) EXPECT_NEAR(v, 0, 1e-14 * std::max(length, 1.0) / time);
  EXPECT_NEAR(run.report.event_energy / fall, -1, error / one.tilt);
  EXPECT_NEAR((end.energy - run.samples.front().energy) / fall, -1, error / one.tilt);
}

constexpr Units si{};

TEST(RockingBlock, RestsOnBothCornersWhateverItsTiltAndShape) {
  for (const double tilt : {0.05, 0.1, 0.17, 0.2, 0.3}) {
    for (const double b : {0.06, 0.1, 0.13}) {
      if (std::tan(tilt) > 0.95 * b / 0.3) continue;  // it falls over
      expect_rest({tilt, b, 0.3, 0});
      expect_rest({tilt, b, 0.3, 1});
    }
  }
}

TEST(RockingBlock, RestsInEveryUnit) {
  for (const double length : {1e-3, 1.0, 1e3})
    for (const double mass : {1e-3, 1.0, 1e3})
      for (const double time : {1e-3, 1.0, 1e3})
        for (const double friction : {0.0, 0.5}) expect_rest({0.2, 0.1, 0.3, friction, {length, mass, time}});
}

TEST(RockingBlock, RestsAtEveryToleranceAndByEveryMethod) {
  for (const char* method : {"adomian", "dop853"})
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-15})
      for (const double friction : {0.0, 0.3, 0.5, 1.0})
        expect_rest({0.2, 0.1, 0.3, friction, si, {method, 0, tolerance}});
}

}  // namespace
}  // namespace dalembert
