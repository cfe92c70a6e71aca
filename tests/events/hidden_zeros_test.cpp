// Changes of sign that neither samples nor series far from them show.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::run_text;
using testing::Simulation;
using testing::times_of;

// exp(−s²/w) is above 1/2 for |s| < half_width(w).
double half_width(double w) { return std::sqrt(w * std::log(2.0)); }

// A force of 10 for a millisecond, in a motion that polynomials of degree 2 describe.
TEST(HiddenZeros, AForceThatJumpsForAShortTimeIsMet) {
  for (const double w : {1e-4, 1e-6, 1e-8}) {
    const std::string text = fmt::format(R"toml(
[coordinates]
x = {{ velocity = 1 }}
[energy]
kinetic = "x'^2/2"
[forces]
x = "0.2 + 5*(1 + sign(exp(-(t - 3)^2/{:.17g}) - 0.5))"
[solve]
duration = 10
)toml",
                                         w);
    for (const char* method : {"adomian", "dop853", "dopri5", "bdf", "ndf"}) {
      const Simulation run = run_text(text, {method, 0, 0});
      ASSERT_EQ(run.report.outcome, Outcome::finished) << method << w << run.report.reason;
      const double gained = 10 * 2 * half_width(w);
      EXPECT_NEAR(run.samples.back().v[0], 3 + gained, 1e-6) << method << w;
      EXPECT_NEAR(run.samples.back().q[0], 20 + 7 * gained, 1e-5) << method << w;
    }
  }
}

// The same at a place.
TEST(HiddenZeros, AForceThatActsOnAShortWayIsMet) {
  const double w = 1e-5, width = 2 * half_width(w);
  const std::string text = fmt::format(R"toml(
[coordinates]
x = {{ velocity = 1 }}
[energy]
kinetic = "x'^2/2"
[forces]
x = "0.1*(1 + sign(exp(-(x - 3)^2/{:.17g}) - 0.5))"
[solve]
duration = 10
)toml",
                                       w);
  for (const char* method : {"adomian", "dop853", "dopri5", "bdf", "ndf"}) {
    const Simulation run = run_text(text, {method, 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << run.report.reason;
    EXPECT_NEAR(run.samples.back().v[0], std::sqrt(1 + 2 * 0.2 * width), 1e-8) << method;
  }
}

// An event that is over within a millisecond, and changes the motion.
TEST(HiddenZeros, EventsOfAShortTimeHappen) {
  const double w = 1e-6;
  const std::string text = fmt::format(R"toml(
[coordinates]
x = {{ velocity = 1 }}
[energy]
kinetic = "x'^2/2"
[[event]]
name = "gate"
when = "exp(-(x - 2)^2/{:.17g}) - 0.5"
direction = "falling"
set = {{ "x'" = "2*x'" }}
[[event]]
name = "seen"
when = "exp(-(t - 1)^2/{:.17g}) - 0.5"
[solve]
duration = 5
)toml",
                                       w, w);
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const Simulation run = run_text(text, {method, 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << run.report.reason;
    const double out = 2 + half_width(w);
    EXPECT_NEAR(run.samples.back().q[0], out + 2 * (5 - out), 1e-7) << method;
    const std::vector<double> seen = times_of(run.report, "seen");
    ASSERT_EQ(seen.size(), 2U) << method;
    EXPECT_NEAR(seen[0], 1 - half_width(w), 1e-9) << method;
    EXPECT_NEAR(seen[1], 1 + half_width(w), 1e-9) << method;
  }
}

// 200 t = 2 π k − asin(0.01) and π (2 k + 1) + asin(0.01), along a straight line that is one polynomial.
TEST(HiddenZeros, EventsThatAreFasterThanTheMotionAreAllFound) {
  const Simulation run = run_text(R"toml(
[coordinates]
x = { velocity = 1 }
[energy]
kinetic = "x'^2/2"
[[event]]
name = "turn"
when = "sin(200*t) + 0.01"
[solve]
duration = 5
output_step = 5
)toml");
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  const std::vector<double> times = times_of(run.report, "turn");
  ASSERT_EQ(times.size(), 318U);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double turns = M_PI * (static_cast<double>(i) + 1);
    EXPECT_NEAR(times[i], (turns + (i % 2 == 0 ? 1 : -1) * std::asin(0.01)) / 200, 1e-9) << i;
  }
}

}  // namespace
}  // namespace dalembert
