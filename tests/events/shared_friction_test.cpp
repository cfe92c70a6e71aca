// Frictions by keys of one plane, which stick and slide together, and in space, beside closed forms.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::MethodCase;
using testing::run_text;
using testing::times_of;

std::vector<MethodCase> four_methods() {
  return {
      {{"adomian"}, 1e-11}, {{"dop853", 0, 1e-12}, 1e-9}, {{"bdf", 0, 1e-9}, 1e-5}, {{"ndf", 0, 1e-9}, 1e-5}};
}

// Two clutches side by side carry T = Σ μ r F together: they lock at once, and slip where the torque 20 t
// that the engine's share leaves to the load comes to Σ μₛ r F.
TEST(SharedFriction, OfTwoClutchesIsTheirSum) {
  const std::string text = R"toml(
[coordinates]
engine = { position = 0, velocity = 100 }
load = { position = 0, velocity = 0 }
[energy]
kinetic = "0.1*engine'^2 + 0.25*load'^2"
[forces]
engine = "20*t"
[[friction]]
name = "near"
normal = 1000
slip = "0.1*(engine' - load')"
friction = 0.3
sticking = 0.35
[[friction]]
name = "far"
normal = 500
slip = "-0.2*(engine' - load')"
friction = 0.3
sticking = 0.35
[solve]
duration = 6
)toml";
  const double J1 = 0.2, J2 = 0.5, slides = 0.3 * (0.1 * 1000 + 0.2 * 500), sticks = slides / 0.3 * 0.35;
  const double b = slides * (1 / J1 + 1 / J2), a = 10 / J1;
  const double lock = (b - std::sqrt(b * b - 400 * a)) / (2 * a), slip = sticks * (J1 + J2) / (20 * J2);
  const double together = (J1 * 100 + 10 * slip * slip) / (J1 + J2), rest = 6 - slip;
  for (const auto& [method, error] : four_methods()) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    const std::vector<double> locks = times_of(run.report, "near", "sticking");
    const std::vector<double> slips = times_of(run.report, "near", "sliding");
    ASSERT_EQ(locks.size(), 1U) << method.method;
    ASSERT_EQ(slips.size(), 1U) << method.method;
    EXPECT_NEAR(locks[0], lock, 10 * error) << method.method;
    EXPECT_NEAR(slips[0], slip, 10 * error) << method.method;
    const auto& v = run.samples.back().v;
    EXPECT_NEAR(v[0], together + (10 * (36 - slip * slip) - slides * rest) / J1, 1e3 * error)
        << method.method;
    EXPECT_NEAR(v[1], together + slides * rest / J2, 1e3 * error) << method.method;
  }
}

// What presses with 10 in three ways: a constraint, one and a force that is given, the size of two. Thrown
// with (1.2, 1.6) and μ = 0.2 it stops after 1 and a way of 1; pulled by 3 from 2 on it begins along the
// pull.
TEST(SharedFriction, InSpaceStopsAndBeginsWhateverPresses) {
  const std::string head = R"toml(
[parameters]
pull = 0
[coordinates]
x = { position = 0, velocity = 1.2 }
y = { position = 0, velocity = 1.6 }
z = 0
u = 0
[energy]
kinetic = "(x'^2 + y'^2 + z'^2 + u'^2)/2"
[constraints]
holonomic = { table = "z", wall = "u" }
[[event]]
name = "more"
after = 2
set = { pull = 3 }
[solve]
duration = 3
[[friction]]
name = "rough"
slip = ["x'", "y'"]
friction = 0.2
)toml";
  const std::string pull = "[forces]\nx = \"0.6*pull\"\ny = \"0.8*pull\"\n";
  for (const std::string& pressing :
       {"normal = \"lambda(table)\"\n" + pull + "z = \"-10\"\n",
        "normal = [\"lambda(table)\", 4]\n" + pull + "z = \"6\"\n",
        "normal = \"hypot(lambda(table), lambda(wall))\"\n" + pull + "z = \"-6\"\nu = \"8\"\n"}) {
    for (const auto& [method, error] : four_methods()) {
      const auto run = run_text(head + pressing, method);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << pressing << run.report.reason;
      const std::vector<double> stops = times_of(run.report, "rough", "sticking");
      ASSERT_EQ(stops.size(), 1U) << method.method << pressing;
      EXPECT_NEAR(stops[0], 1, 10 * error) << method.method << pressing;
      EXPECT_NEAR(run.samples.back().q[0], 0.6 * 1.5, 10 * error) << method.method << pressing;
      EXPECT_NEAR(run.samples.back().q[1], 0.8 * 1.5, 10 * error) << method.method << pressing;
    }
  }
}

}  // namespace
}  // namespace dalembert
