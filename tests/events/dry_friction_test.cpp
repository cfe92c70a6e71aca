// Dry friction by sign(x') in forces, where several come to rest or rest where springs are neutral.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::run_text;
using testing::Simulation;

EventCase case_of(const Method& method) {
  return {std::string(method.name), method.tolerance == 0 ? 1e-3 : 0, 0};
}

// Half periods of cosines about ±1/4: from 1 to −1/2 to 0, where the spring is neutral, at t = 2π.
TEST(DryFriction, AMassThatStopsWhereItsSpringIsNeutralStaysThereByEveryMethod) {
  const char* const text = R"toml(
[coordinates]
x = { position = 1 }
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[forces]
x = "-0.25*sign(x')"
[solve]
duration = 20
)toml";
  for (const Method& method : methods()) {
    if (!method.multiplier_forces) continue;
    const Simulation run = run_text(text, case_of(method));
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.name << ": " << run.report.reason;
    const bool is_low = method.name == "euler" || method.name == "generalized_alpha";
    EXPECT_NEAR(run.samples.back().q[0], 0, is_low ? 2e-3 : 2e-6) << method.name;
    EXPECT_NEAR(run.samples.back().v[0], 0, 1e-10) << method.name;
    if (method.tolerance > 0) {
      EXPECT_LT(run.report.steps, 2000U) << method.name;
    }
  }
}

// A block stops on a plank that rests on the floor, while a wall rubs on it, too: three slips, two of them
// independent, are zero. It stops at t = 2 where x' = 0.4 − 0.3 t + t²/20 is zero, and the wall and the
// plank hold it up to t = 3; the floor holds the plank.
TEST(DryFriction, SlipsThatDependOnEachOtherComeToRestTogether) {
  const char* const text = R"toml(
[coordinates]
block = { velocity = 0.4 }
plank = { position = 0 }
[energy]
kinetic = "(block'^2 + plank'^2)/2"
[forces]
block = "-0.1*sign(block') - 0.2*sign(block' - plank') + t/10"
plank = "0.2*sign(block' - plank') - 0.3*sign(plank')"
[solve]
duration = 5
)toml";
  for (const Method& method : methods()) {
    if (!method.multiplier_forces || method.name == "euler") continue;
    const Simulation run = run_text(text, case_of(method));
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.name << ": " << run.report.reason;
    const double allowed = method.name == "generalized_alpha" || method.name == "heun" ? 1e-4 : 1e-7;
    EXPECT_NEAR(run.samples.back().q[0], 1 / 3.0 + 8 / 60.0, allowed) << method.name;
    EXPECT_NEAR(run.samples.back().v[0], 0.2, allowed) << method.name;
    EXPECT_NEAR(run.samples.back().q[1], 0, allowed) << method.name;
  }
}

// Two masses, springs to the wall and between them, both rubbing on the floor and on each other, driven by a
// force that jumps: the series stick and let go as the other methods do.
TEST(DryFriction, MassesThatRubOnEachOtherStickAndLetGoTogether) {
  const char* const text = R"toml(
[coordinates]
x = { position = 2, velocity = -1 }
y = { position = 0.5 }
[energy]
kinetic = "x'^2/4 + y'^2/2"
potential = "y^2 + 1.5*(x - y)^2"
[forces]
x = "-0.5*sign(x') + 0.3*sign(sin(3*t)) + 0.2*sign(y' - x')"
y = "-0.4*sign(y') - 0.2*sign(y' - x')"
[solve]
duration = 10
)toml";
  const Simulation series = run_text(text);
  ASSERT_EQ(series.report.outcome, Outcome::finished) << series.report.reason;
  for (const EventCase& one : {EventCase{"dop853", 0, 1e-12}, EventCase{"bdf", 0, 1e-10}}) {
    const Simulation run = run_text(text, one);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method << ": " << run.report.reason;
    for (const std::size_t i : {0, 1})
      EXPECT_NEAR(run.samples.back().q[i], series.samples.back().q[i], 1e-6) << one.method;
  }
}

// On a belt that runs at 1/5 nothing pulls it: sticking, friction is zero, and so is its work.
TEST(DryFriction, WhatRestsOnABeltWithoutForceNeedsNoWork) {
  const char* const text = R"toml(
[coordinates]
x = { position = 1, velocity = -1 }
[energy]
kinetic = "x'^2/4"
[forces]
x = "-0.2*sign(x' - 0.2)"
[solve]
duration = 10
)toml";
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const Simulation run = run_text(text, {method, 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 1 - 3 * 0.4 + (10 - 3) * 0.2, 1e-7) << method;
  }
}

// Friction of 1. Pulled by 2 it slides from the start, x' = t; from t = 1 on the pull is 2 − 4 τ, x' = 1 + τ
// − 2 τ², which is zero at τ = 1, where −2 is more than friction holds: back with −1 − 4 s.
TEST(DryFriction, ASlipIsFollowedOverKinksOfTheForce) {
  const char* const text = R"toml(
[coordinates]
x = { position = 0 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "2 - 4*max(0, t - 1)"
[[friction]]
name = "floor"
normal = 5
slip = "x'"
friction = 0.2
[solve]
duration = 3
)toml";
  for (const Method& method : methods()) {
    if (!method.multiplier_forces || method.name == "euler") continue;
    const Simulation run = run_text(text, case_of(method));
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.name << ": " << run.report.reason;
    const double allowed = method.name == "generalized_alpha" || method.name == "heun" ? 1e-4 : 1e-7;
    EXPECT_NEAR(run.samples.back().q[0], 1 / 6.0, allowed) << method.name;
    EXPECT_NEAR(run.samples.back().v[0], -3, allowed) << method.name;
  }
}

// The guide presses with 3 from one side, from t = 1 on from the other: x'' = −0.3 up to t = 10/3.
TEST(DryFriction, AForceThatJumpsTurnsTheMultiplierRound) {
  const char* const text = R"toml(
[coordinates]
x = { velocity = 1 }
y = { position = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraints]
holonomic = { guide = "y" }
[forces]
x = "-0.1*abs(lambda(guide))*sign(x')"
y = "3*sign(1 - t)"
[solve]
duration = 5
)toml";
  for (const char* method : {"adomian", "dop853", "dopri5", "bdf", "ndf"}) {
    const Simulation run = run_text(text, {method, 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 1 / 0.6, 1e-6) << method;
    EXPECT_NEAR(run.samples.back().v[0], 0, 1e-9) << method;
  }
}

}  // namespace
}  // namespace dalembert
