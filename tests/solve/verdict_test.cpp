// A run says so when its own checks contradict its numbers, and only then.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"
#include "mechanical_models.hpp"

namespace dalembert {
namespace {

using testing::shipped_system;
using testing::simulate;

RunReport report_of(const std::string& model, const std::string& method, double step = 0) {
  const System system(read_model_text(model));
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.step = step;
  options.tolerance = 0;
  return simulate(system, options).report;
}

std::string free_particle(const std::string& potential) {
  return R"toml([coordinates]
x = { position = -0.99995, velocity = 1 }
[energy]
kinetic = "x'^2/2"
potential = ")toml" +
         potential + "\"\n[solve]\nduration = 2\n";
}

// A barrier of width 1e-9 from which the particle should turn back. Constant steps do not see it and go on,
// with an energy that has jumped by 2.
TEST(Verdict, ABarrierThatStepsDoNotSeeIsDoubted) {
  for (const char* method : {"rk4", "rattle", "generalized_alpha"}) {
    const RunReport report = report_of(free_particle("tanh(1e9*x)"), method);
    EXPECT_EQ(report.outcome, Outcome::doubtful) << method;
    ASSERT_EQ(report.doubts.size(), 1U) << method;
    EXPECT_NE(report.doubts[0].find("the energy changes by 2.0e+00"), std::string::npos) << report.doubts[0];
    EXPECT_NEAR(report.max_energy_error, 2, 1e-6) << method;
  }
}

// The same jump, a hundred thousand times smaller.
TEST(Verdict, ASmallJumpIsDoubtedWhereTheToleranceDoesNotExplainIt) {
  EXPECT_EQ(report_of(free_particle("0.00001*tanh(1e9*x)"), "rk4").outcome,
            Outcome::finished);  // a thousandth of a percent
  EXPECT_EQ(report_of(free_particle("0.1*tanh(1e9*x)"), "rk4").outcome, Outcome::doubtful);
}

// A constant that is added to the potential is no energy that a motion exchanges.
TEST(Verdict, ALargeConstantInThePotentialHidesNothing) {
  EXPECT_EQ(report_of(free_particle("1000 + 0.2*tanh(1e9*x)"), "rk4").outcome, Outcome::doubtful);
  EXPECT_EQ(report_of(free_particle("1000000 + x"), "rk4").outcome, Outcome::finished);
  EXPECT_EQ(report_of(free_particle("1000000 + x"), "adomian").outcome, Outcome::finished);
}

TEST(Verdict, AnEnergyThatIsNoNumberIsDoubted) {
  const RunReport report = report_of(free_particle("acos(t)"), "rk4");
  EXPECT_EQ(report.outcome, Outcome::doubtful);
  ASSERT_FALSE(report.doubts.empty());
  EXPECT_EQ(report.doubts[0], "the energy is not a finite number");
}

constexpr const char* oscillator = R"toml([coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[solve]
duration = 10
)toml";

TEST(Verdict, AStepThatIsTooLongForTheMotionIsDoubted) {
  // Euler's method multiplies the energy by 1 + h² in each step
  EXPECT_EQ(report_of(oscillator, "euler", 1e-2).outcome, Outcome::doubtful);
  EXPECT_EQ(report_of(oscillator, "euler", 1e-4).outcome, Outcome::finished);
  EXPECT_EQ(report_of(oscillator, "rk4", 1e-2).outcome, Outcome::finished);
}

// A stiff spring far from the origin: positions are kept to 1e-9 of 1000, which is much beside its stretch.
TEST(Verdict, WhatAToleranceDoesToAStiffSpringFarAwayIsExplained) {
  const std::string far = R"toml([coordinates]
x = 1000.001
y = 1001
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "1e4*(y - x - 1)^2/2"
[solve]
duration = 1
)toml";
  for (const char* method : {"adomian", "dop853", "bdf", "ndf"}) {
    const RunReport report = report_of(far, method);
    EXPECT_EQ(report.outcome, Outcome::finished)
        << method << ": " << report.max_energy_error << " of " << report.explained_energy_error;
  }
}

// At rest there is no energy to compare errors with.
TEST(Verdict, ABodyAtRestIsNotDoubted) {
  const std::string rest = R"toml([coordinates]
x = 0.3
[energy]
kinetic = "x'^2/2"
potential = "50*(x - 0.1*3)^2"
[solve]
duration = 10
)toml";
  for (const char* method : {"adomian", "dop853", "bdf", "rk4", "generalized_alpha"})
    EXPECT_EQ(report_of(rest, method).outcome, Outcome::finished) << method;
}

// The drive carries the force: the motion is sin t, and no step heeds that force's singularities near t
// = 1.3, but the work does.
TEST(Verdict, TheWorkOfAForceThatADriveCarriesIsNotDoubted) {
  for (const char* sharpness : {"400", "40000"}) {
    const std::string force = "1/(1 + " + std::string(sharpness) + "*(t - 1.3)^2)";
    const std::string model = R"toml([coordinates]
x = { guess = true }
[energy]
kinetic = "x'^2/2"
[constraints]
holonomic = { drive = "x = sin(t)" }
[forces]
x = ")toml" + force + "\"\n[solve]\nduration = 4\n";
    for (const char* method : {"adomian", "dop853"}) {
      const RunReport report = report_of(model, method);
      EXPECT_EQ(report.outcome, Outcome::finished) << method << ' ' << sharpness;
      EXPECT_LT(report.max_energy_error, 2e-12) << method << ' ' << sharpness;
    }
  }
}

TEST(Verdict, DriftThatWasAskedForIsANote) {
  const System system = shipped_system("pendulum_cartesian");
  SolveOptions options = options_of(system.model());
  options.method = "rk4";
  options.step = 0.1;
  options.stabilization = Stabilization::none;
  const RunReport report = simulate(system, options).report;
  EXPECT_GT(report.relative_position_residual, 0.01);
  EXPECT_TRUE(report.doubts.empty()) << report.doubts[0];
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_NE(report.warnings.back().find("as these options let it"), std::string::npos)
      << report.warnings.back();
}

class EveryModel : public ::testing::TestWithParam<std::string> {};

// What is shipped is not doubted by methods that choose their steps.
TEST_P(EveryModel, IsNotDoubtedWithoutReason) {
  const System system = shipped_system(GetParam());
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    SolveOptions options = options_of(system.model());
    options.method = method;
    options.tolerance = 0;
    options.duration = std::min(options.duration, 2.0);
    const RunReport report = simulate(system, options).report;
    EXPECT_TRUE(report.doubts.empty()) << method << ": " << report.doubts[0];
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::ValuesIn(test::mechanical_models()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace dalembert
