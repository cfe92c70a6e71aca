// Kinks and jumps of forces by methods that know nothing of them: their steps end there.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::run_text;
using testing::Simulation;

constexpr double g = 9.81, height = 0.2, stiffness = 2000;

// Free fall, and half a turn of the oscillator and what its weight adds.
double period_of_bounces() {
  const double omega = std::sqrt(stiffness), speed = std::sqrt(2 * g * height);
  return 2 * speed / g + 2 / omega * (M_PI - std::atan(speed * omega / g));
}

std::string bounces(double duration) {
  return fmt::format(R"toml(
[coordinates]
z = {{ position = {} }}
[energy]
kinetic = "z'^2/2"
potential = "{}*z"
[forces]
z = "max(-{}*z, 0)"
[solve]
duration = {:.17g}
)toml",
                     height, g, stiffness, duration);
}

double error_of_bounces(const EventCase& one) {
  const Simulation run = run_text(bounces(3 * period_of_bounces()), one);
  EXPECT_EQ(run.report.outcome, Outcome::finished) << one.method << ": " << run.report.reason;
  EXPECT_TRUE(run.report.events.empty()) << one.method;
  return std::abs(run.samples.back().q[0] - height);
}

TEST(HeldSwitches, AMassOnASpringThatOnlyPushesComesBackByEveryMethod) {
  for (const Method& method : methods()) {
    if (method.tolerance == 0 || method.name == "adomian") continue;
    EXPECT_LT(error_of_bounces({std::string(method.name), 0, 1e-9}), 1e-5) << method.name;
  }
  for (const char* method : {"dop853", "partition", "nullspace"})
    EXPECT_LT(error_of_bounces({method, 0, 1e-12}), 1e-10) << method;
}

// Without them a method of order 4 is one of order 2 here. Where in a step a kink lies changes the error from
// case to case.
TEST(HeldSwitches, ConstantStepsKeepTheirOrder) {
  const double h = period_of_bounces() / 200.3;
  const double order = std::log2(error_of_bounces({"rk4", h, 0}) / error_of_bounces({"rk4", h / 8, 0})) / 3;
  EXPECT_GT(order, 3.4);
}

// x'' = −sign(x) from 1/2 at rest: parabolas of the time 1 each.
TEST(HeldSwitches, AJumpIsCrossedExactlyByStepsThatHoldParabolas) {
  const char* const text = R"toml(
[coordinates]
x = { position = 0.5 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-sign(x)"
[solve]
duration = 12.0
)toml";
  for (const char* method : {"rk4", "kutta3", "dopri5", "dop853"}) {
    const Simulation run = run_text(text, {method, method[0] == 'd' ? 0 : 0.0103, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 0.5, 1e-11) << method;
    EXPECT_NEAR(run.samples.back().v[0], 0, 1e-11) << method;
  }
}

// sign(x x') sign(x') is sign(x): both jump where x' = 0, and nothing happens there.
TEST(HeldSwitches, ArgumentsWithACommonFactorChangeTheirSignsTogether) {
  const auto model = [](const std::string& force) {
    return fmt::format(R"toml(
[coordinates]
x = {{ position = -1, velocity = 0.9 }}
[energy]
kinetic = "x'^2"
potential = "x^2/2 + 1.1/(1 + x^2)"
[forces]
x = "{}"
[solve]
duration = 10
)toml",
                       force);
  };
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
      const Simulation product = run_text(model("sign(x*x')*sign(x')/2"), {method, 0, tolerance});
      const Simulation plain = run_text(model("sign(x)/2"), {method, 0, tolerance});
      ASSERT_EQ(product.report.outcome, Outcome::finished) << method << ": " << product.report.reason;
      EXPECT_NEAR(product.samples.back().q[0], plain.samples.back().q[0], 1e3 * tolerance) << method;
    }
  }
}

// The force acts from 1 − 0.05² to the turn at t = 1 and back: steps that grow would leap over it.
TEST(HeldSwitches, AForceThatActsWithinAStepIsMet) {
  const char* const text = R"toml(
[coordinates]
x = { velocity = 2 }
y = { position = 0 }
[energy]
kinetic = "x'^2/2 + y'^2/2"
potential = "2*x"
[forces]
y = "(1 + sign(x - 0.9975))/2"
[solve]
duration = 2
)toml";
  for (const char* method : {"dop853", "dopri5", "bdf", "ndf"}) {
    const Simulation run = run_text(text, {method, 0, 1e-6});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method;
    EXPECT_NEAR(run.samples.back().v[1], 0.1, 1e-4) << method;
  }
}

// x'' = −sign(x')/2 + t/10: at rest from t = 5 − √5 to t = 5.
constexpr const char* pulled_block = R"toml(
[coordinates]
x = { velocity = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-0.5*sign(x') + 0.1*t"
[outputs]
share = "sign(x')"
[solve]
duration = 8
)toml";

TEST(HeldSwitches, DryFrictionSticksAndLetsGo) {
  const double stop = 5 - std::sqrt(5.0);
  const double x_stop = stop - stop * stop / 4 + stop * stop * stop / 60;
  const double x_end = x_stop + 3 * 3 * 3.0 / 60;
  for (const Method& method : methods()) {
    if (!method.multiplier_forces) continue;
    const bool is_constant = method.tolerance == 0;
    const Simulation run = run_text(pulled_block, {std::string(method.name), is_constant ? 0.00113 : 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.name << ": " << run.report.reason;
    const bool is_low = method.name == "heun" || method.name == "generalized_alpha";
    const double allowed = method.name == "euler" ? 1e-2 : is_low ? 1e-5 : 1e-7;
    EXPECT_NEAR(run.samples.back().q[0], x_end, allowed) << method.name;
    EXPECT_NEAR(run.samples.back().v[0], 0.45, allowed) << method.name;
    for (const auto& sample : run.samples) {
      const bool sticks = sample.t > stop + 0.01 && sample.t < 4.99;
      EXPECT_TRUE(!sticks || std::abs(sample.q[0] - x_stop) < allowed) << method.name << sample.t;
    }
  }
}

// The other methods need constraint forces that do no work.
TEST(HeldSwitches, MethodsThatCannotStickStopThereWithAReason) {
  for (const char* method : {"partition", "nullspace", "augmented_lagrangian"}) {
    const Simulation run = run_text(pulled_block, {method, 0, 0});
    EXPECT_EQ(run.report.outcome, Outcome::stopped_early) << method;
    EXPECT_NEAR(run.report.end_time, 5 - std::sqrt(5.0), 1e-6) << method;
    EXPECT_NE(run.report.reason.find("the argument of sign(x') is zero"), std::string::npos)
        << run.report.reason;
  }
}

// A block on a belt, with a friction that falls with the slip.
TEST(HeldSwitches, StickAndSlipIsThatOfTheSeries) {
  const char* const text = R"toml(
[parameters]
belt = 0.1
[coordinates]
x = { position = 0 }
[energy]
kinetic = "x'^2/2"
potential = "2*x^2"
[forces]
x = "0.5*sign(belt - x')*(1 + 0.5/(1 + 4*abs(belt - x')))"
[solve]
duration = 20
)toml";
  const Simulation series = run_text(text);
  ASSERT_EQ(series.report.outcome, Outcome::finished);
  for (const EventCase& one :
       {EventCase{"dop853", 0, 1e-12}, EventCase{"rk4", 2e-3, 0}, EventCase{"bdf", 0, 1e-10}}) {
    const Simulation run = run_text(text, one);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], series.samples.back().q[0], 1e-7) << one.method;
    EXPECT_NEAR(run.samples.back().v[0], series.samples.back().v[0], 1e-6) << one.method;
  }
}

// At rest it is pushed by t/2, and friction holds it until t = 2.
TEST(HeldSwitches, WhatRestsAtTheStartIsPushedLater) {
  const char* const text = R"toml(
[coordinates]
x = { position = 0 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-sign(x') + t/2"
[solve]
duration = 5
)toml";
  for (const char* method : {"dop853", "dopri5", "rk4", "bdf", "ndf"}) {
    const Simulation run = run_text(text, {method, method[0] == 'r' ? 0.01 : 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 27 / 12.0, 1e-7) << method;
  }
}

// Multiples of one velocity have one sign, however they are written.
TEST(HeldSwitches, MultiplesOfOneSlipSlideAsOne) {
  const char* const text = R"toml(
[parameters]
p = 3
[coordinates]
x = { velocity = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-0.1*sign(p*x') + 0.1*sign(-x') - 0.15*sign(2*x') + 0.15*sign(-p*x'/7) + 0.1*t"
[solve]
duration = 8
)toml";
  for (const char* method : {"dop853", "rk4", "bdf"}) {
    const Simulation run = run_text(text, {method, method[0] == 'r' ? 0.01 : 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().v[0], 0.45, 1e-7) << method;
  }
}

// Between two impacts on a floor another coordinate has a kink: impacts at 1, 3 and 5.
TEST(HeldSwitches, ContactsAreMetBehindKinks) {
  const char* const text = R"toml(
[coordinates]
y = { position = 0.5 }
z = { position = 1 }
[energy]
kinetic = "(y'^2 + z'^2)/2"
[forces]
y = "-1"
z = "-sign(t - 1.5)"
[[contact]]
name = "floor"
gap = "y"
restitution = 1
[solve]
duration = 6
)toml";
  for (const char* method : {"adomian", "dop853", "bdf", "rk4", "partition"}) {
    const Simulation run = run_text(text, {method, method[0] == 'r' ? 0.01 : 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_EQ(testing::times_of(run.report, "floor", "impact").size(), 3U) << method;
    EXPECT_NEAR(run.samples.back().q[0], 0.5, 1e-6) << method;
  }
}

// The force jumps from −2 to 1 while the contact is closed: it opens at once, y = (t − 1)²/2.
TEST(HeldSwitches, AContactOpensWhereAForceJumps) {
  const char* const text = R"toml(
[coordinates]
y = { position = 0 }
[energy]
kinetic = "y'^2/2"
[forces]
y = "-0.5 + 1.5*sign(t - 1)"
[[contact]]
name = "floor"
gap = "y"
[solve]
duration = 4
)toml";
  for (const char* method : {"adomian", "dop853", "bdf", "rk4"}) {
    const Simulation run = run_text(text, {method, method[0] == 'r' ? 0.01 : 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 4.5, 1e-6) << method;
  }
}

// From x = 0 with a velocity: half a period of an oscillator about −0.3, then one about 0.3.
TEST(HeldSwitches, AStartOnAJumpGoesToTheSideThatTheVelocityTells) {
  const char* const text = R"toml(
[coordinates]
x = { velocity = 1 }
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[forces]
x = "-0.3*sign(x)"
[solve]
duration = 8
)toml";
  const Simulation series = run_text(text);
  for (const char* method : {"dop853", "rk4", "partition", "bdf"}) {
    const Simulation run = run_text(text, {method, method[0] == 'r' ? 0.01 : 0, 0});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], series.samples.back().q[0], 1e-7) << method;
  }
}

// The force of a matrices model; a rod that holds x' at zero where its friction starts.
TEST(HeldSwitches, FrictionMayStandInEveryForce) {
  const char* const matrices = R"toml(
[coordinates]
x = { velocity = 1 }
[equations]
mass = [["1"]]
force = ["-0.3*sign(x')"]
[solve]
duration = 5
)toml";
  const char* const pendulum = R"toml(
[coordinates]
x = { position = 1 }
y = { position = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[forces]
x = "-0.3*sign(x')"
[constraints]
holonomic = ["(x^2 + y^2 - 1)/2"]
[solve]
duration = 2
)toml";
  const Simulation series = run_text(pendulum);
  for (const char* method : {"dop853", "bdf", "rk4"}) {
    const EventCase one{method, method[0] == 'r' ? 0.001 : 0, 0};
    const Simulation run = run_text(matrices, one);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 5 / 3.0, 1e-7) << method;
    const Simulation swings = run_text(pendulum, one);
    ASSERT_EQ(swings.report.outcome, Outcome::finished) << method << ": " << swings.report.reason;
    EXPECT_NEAR(swings.samples.back().q[0], series.samples.back().q[0], 1e-5) << method;
  }
}

// Pushed by less than the jump holds: the run says so, and ends.
TEST(HeldSwitches, AStartThatTheJumpHoldsEndsSoon) {
  const char* const text = R"toml(
[coordinates]
x = { position = 0 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-sign(x) + 0.5"
[solve]
duration = 4
)toml";
  for (const char* method : {"dop853", "ndf", "partition"}) {
    const Simulation run = run_text(text, {method, 0, 0});
    EXPECT_EQ(run.report.outcome, Outcome::stopped_early) << method;
    EXPECT_LT(run.report.end_time, 1e-9) << method;
  }
}

// What rests with the sign of zero goes on as it is.
TEST(HeldSwitches, WhatRestsAtTheStartStaysAtRest) {
  const char* const text = R"toml(
[coordinates]
x = { position = 0 }
y = { position = 1 }
[energy]
kinetic = "x'^2/2 + y'^2/2"
potential = "y^2/2"
[forces]
x = "-0.5*sign(x')"
[solve]
duration = 5
)toml";
  const Simulation run = run_text(text, {"dop853", 0, 0});
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  EXPECT_EQ(run.samples.back().q[0], 0);
  EXPECT_NEAR(run.samples.back().q[1], std::cos(5.0), 1e-7);
}

}  // namespace
}  // namespace dalembert
