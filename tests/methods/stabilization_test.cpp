// What the stabilizations of explicit methods do to drift, and how explicit runs end.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::shipped_system;
using testing::simulate;

RunReport run_pendulum(const std::string& method, Stabilization stabilization, double duration, double step,
                       std::optional<double> gain = {}) {
  const System system = shipped_system("pendulum_cartesian");
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.stabilization = stabilization;
  options.duration = duration;
  options.step = step;
  options.tolerance = 1e-6;
  options.alpha = options.beta = gain;
  options.output_times = {duration};
  return simulate(system, options).report;
}

TEST(Stabilization, WithoutAnyTheDriftOfRk4FollowsItsOrder) {
  const double coarse = run_pendulum("rk4", Stabilization::none, 10, 0.01).max_position_residual;
  const double fine = run_pendulum("rk4", Stabilization::none, 10, 0.005).max_position_residual;
  EXPECT_GT(fine, 1e-12);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.7);
}

TEST(Stabilization, WithoutAnyDriftGrowsWithTime) {
  const double early = run_pendulum("rk4", Stabilization::none, 5, 0.01).max_position_residual;
  const double late = run_pendulum("rk4", Stabilization::none, 50, 0.01).max_position_residual;
  EXPECT_GT(late, 10 * early);
}

TEST(Stabilization, BaumgarteBoundsTheDrift) {
  for (const char* method : {"rk4", "dopri5", "dop853"}) {
    const double early = run_pendulum(method, Stabilization::baumgarte, 25, 0.01).max_position_residual;
    const double late = run_pendulum(method, Stabilization::baumgarte, 100, 0.01).max_position_residual;
    // where steps vary the residual fluctuates, and its peak says little about its growth: it stays below
    // the tolerance
    EXPECT_LT(late, std::max(2 * early, 1e-6)) << method;
    EXPECT_LT(late, 0.3 * run_pendulum(method, Stabilization::none, 100, 0.01).max_position_residual)
        << method;
  }
}

TEST(Stabilization, BaumgarteWithGainsFromTheStepKeepsTheOrder) {
  const System system = shipped_system("pendulum_cartesian");
  SolveOptions options = options_of(system.model());
  options.duration = 2;
  options.output_times = {2};
  const auto end = simulate(system, options).samples.back();
  options.method = "rk4";
  options.stabilization = Stabilization::baumgarte;
  const auto error = [&](double step, double direction) {
    options.step = step;
    options.duration = 2 * direction;
    options.output_times = {options.duration};
    const auto found = simulate(system, options).samples.back();  // the motion from rest is even in time
    return std::max(std::abs(found.q[1] - end.q[1]), std::abs(direction * found.v[1] - end.v[1]));
  };
  for (const double direction : {1.0, -1.0}) {
    EXPECT_NEAR(std::log2(error(0.02, direction) / error(0.01, direction)), 4, 0.5) << direction;
    EXPECT_NEAR(std::log2(error(0.01, direction) / error(0.005, direction)), 4, 0.5) << direction;
  }
}

// Its gains must not make equations stiff, nor a first short step.
// Samples and the work of forces are evaluated within steps.
TEST(Stabilization, BaumgarteHoldsTheResidualsOfTheStartOfAStepWhateverIsEvaluatedWithinIt) {
  struct Example {
    const char* model;
    double duration, step;
  };
  for (const Example& example : {Example{"four_bar", 2, 0.002}, Example{"car_axis", 1, 0.001}}) {
    const System system = shipped_system(example.model);
    for (const char* method : {"heun", "rk4"}) {
      SolveOptions options = options_of(system.model());
      options.method = method;
      options.duration = example.duration;
      options.step = example.step;
      options.output_times = {options.duration};
      options.stabilization = Stabilization::none;
      const double drift = simulate(system, options).report.max_position_residual;
      options.stabilization = Stabilization::baumgarte;
      const auto sampled_once = simulate(system, options);
      EXPECT_EQ(sampled_once.report.outcome, Outcome::finished) << example.model << ' ' << method;
      EXPECT_LT(sampled_once.report.max_position_residual, drift) << example.model << ' ' << method;
      options.output_times.clear();
      options.output_step = example.step / 3;
      EXPECT_EQ(simulate(system, options).samples.back().q, sampled_once.samples.back().q) << example.model;
    }
  }
}

TEST(Stabilization, BaumgarteTakesAboutTheStepsOfProjection) {
  const System tilted(read_model_text(R"(
[coordinates]
x = { position = 1 }
y = { position = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints]
holonomic = ["x^2 + y^2 + x*y - 1"]
)"));
  const System pendulum = shipped_system("pendulum_cartesian");
  for (const System* system : {&tilted, &pendulum}) {
    for (const char* method : {"dopri5", "dop853", "nullspace", "augmented_lagrangian"}) {
      SolveOptions options = options_of(system->model());
      options.duration = 2;
      options.output_times = {2};
      const auto exact = simulate(*system, options).samples.back();
      options.method = method;
      options.tolerance = 1e-8;
      const auto projected = simulate(*system, options);
      options.stabilization = Stabilization::baumgarte;
      const auto found = simulate(*system, options);
      ASSERT_EQ(found.report.outcome, Outcome::finished) << method << found.report.reason;
      EXPECT_LT(found.report.steps, 2 * projected.report.steps) << method;
      EXPECT_NEAR(found.samples.back().q[0], exact.q[0], 1e-6) << method;
      EXPECT_LT(found.report.max_position_residual, 1e-7) << method;
    }
  }
}

TEST(Stabilization, BaumgarteWithoutGainsIsNone) {
  const RunReport none = run_pendulum("rk4", Stabilization::none, 5, 0.01);
  const RunReport zero = run_pendulum("rk4", Stabilization::baumgarte, 5, 0.01, 0.0);
  EXPECT_EQ(none.max_position_residual, zero.max_position_residual);
  EXPECT_EQ(none.end_energy, zero.end_energy);
}

TEST(Stabilization, ProjectionLeavesRoundOff) {
  for (const char* method : {"euler", "rk4", "dopri5", "dop853"}) {
    const RunReport report = run_pendulum(method, Stabilization::projection, 20, 0.01);
    EXPECT_LE(report.max_position_residual, 1e-14) << method;
    const double speed = std::sqrt(2 * (report.energy_scale));  // of a unit mass, and more
    EXPECT_LE(report.max_velocity_residual, 1e-14 * speed) << method;
  }
}

TEST(Stabilization, LinearIsRefusedForEquationsOfMotion) {
  try {
    run_pendulum("rk4", Stabilization::linear, 1, 0.01);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("kinematic"), std::string::npos);
  }
}

TEST(Explicit, ConstantStepsAreCountedExactly) {
  const RunReport report = run_pendulum("heun", Stabilization::projection, 100, 0.01);
  EXPECT_EQ(report.steps, 10000U);
  EXPECT_EQ(report.evaluations, 20000U);
  EXPECT_EQ(report.end_time, 100);
}

TEST(Explicit, StopsWithTimeAndReasonAtASingularityOfTheSolution) {
  // x'' = 6 x², x(0) = 1, x'(0) = 2 has the solution 1/(1 − t)²: it blows up at t = 1
  const Model model = read_model_text(R"(
[coordinates]
x = { position = 1, velocity = 2 }
[energy]
kinetic = "x'^2/2"
potential = "-2*x^3"
[solve]
duration = 2
)");
  const System system(model);
  for (const char* method : {"euler", "rk4", "dopri5", "dop853"}) {
    SolveOptions options = options_of(*model);
    options.method = method;
    const auto result = simulate(system, options);
    EXPECT_EQ(result.report.outcome, Outcome::stopped_early) << method;
    EXPECT_NEAR(result.report.end_time, 1, 0.2) << method;
    EXPECT_FALSE(result.report.reason.empty()) << method;
    ASSERT_FALSE(result.samples.empty());
    EXPECT_LE(result.samples.back().t, result.report.end_time);
  }
}

TEST(Explicit, RedundantConstraintsAreKeptThroughTheIndependentOnes) {
  const Model model = read_model_text(R"(
[coordinates]
x = { position = 1 }
y = { position = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints]
holonomic = { rod = "x^2 + y^2 - 1", twin = "2*x^2 + 2*y^2 - 2" }
[solve]
duration = 2
)");
  const System system(model);
  SolveOptions options = options_of(*model);
  options.method = "dopri5";
  const auto result = simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  EXPECT_LE(result.report.max_position_residual, 1e-14);
  EXPECT_EQ(result.samples.back().g.size(), 2U);
}

}  // namespace
}  // namespace dalembert
