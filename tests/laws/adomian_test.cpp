// What holds for the multistage Adomian method: exact solutions, drift, energy, reversal, order, outcomes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::shipped_system;
using testing::simulate;

TEST(TwoLinkRobot, EqualsTheExactSolutionAtEveryOutputUpTo100) {
  const System system = shipped_system("two_link_robot");
  SolveOptions options = options_of(system.model());
  options.duration = 100;
  options.output_step = 0.1;
  const auto result = simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  ASSERT_EQ(result.samples.size(), 1001U);
  for (const auto& sample : result.samples) {  // p = (sin t, −2 sin t), λ = cos t: (77) in [benhammouda2022]
    EXPECT_NEAR(sample.q[0], std::sin(sample.t), 2e-13);
    EXPECT_NEAR(sample.q[1], -2 * std::sin(sample.t), 2e-13);
    EXPECT_NEAR(sample.v[0], std::cos(sample.t), 2e-13);
    EXPECT_NEAR(sample.v[1], -2 * std::cos(sample.t), 2e-13);
    EXPECT_NEAR(sample.lambda[0], std::cos(sample.t), 2e-13);
  }
}

TEST(TwoLinkRobot, Has50CorrectDigitsAtOneWith60Digits) {
  const System system = shipped_system("two_link_robot");
  SolveOptions options = options_of(system.model());
  options.duration = 1;
  options.output_times = {1};
  options.digits = 60;
  std::size_t samples = 0;
  const RunReport report = solve(system, options, SampleSink<Real>([&](const Sample<Real>& s) {
                                   const Real allowed("1e-51");
                                   EXPECT_LE(abs(Real(s.q[0] - sin(Real(1)))), allowed);
                                   EXPECT_LE(abs(Real(s.q[1] + 2 * sin(Real(1)))), allowed);
                                   EXPECT_LE(abs(Real(s.v[0] - cos(Real(1)))), allowed);
                                   EXPECT_LE(abs(Real(s.lambda[0] - cos(Real(1)))), allowed);
                                   ++samples;
                                   return true;
                                 }));
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_EQ(samples, 1U);
}

TEST(Andrews, TwoRunsOfDifferentOrderAndToleranceAgreeTo28Digits) {
  const System system = shipped_system("andrews");
  const auto end_state = [&](int digits, int order) {
    SolveOptions options = options_of(system.model());
    options.output_times = {options.duration};
    options.digits = digits;
    options.order = order;
    std::vector<Real> state;
    const RunReport report = solve(system, options, SampleSink<Real>([&](const Sample<Real>& s) {
                                     state.assign(s.q.begin(), s.q.end());
                                     state.insert(state.end(), s.v.begin(), s.v.end());
                                     state.insert(state.end(), s.lambda.begin(), s.lambda.end());
                                     return true;
                                   }));
    EXPECT_EQ(report.outcome, Outcome::finished) << report.reason;
    return state;
  };
  const std::vector<Real> coarse = end_state(34, 36);
  const std::vector<Real> fine = end_state(38, 44);
  ASSERT_EQ(coarse.size(), fine.size());
  for (std::size_t i = 0; i < fine.size(); ++i) {
    EXPECT_LE(static_cast<double>(abs(Real((coarse[i] - fine[i]) / fine[i]))), 1e-28) << i;
  }
}

TEST(CartesianPendulum, DriftStaysAtRoundOffAtEveryStepAndSample) {
  const System system = shipped_system("pendulum_cartesian");
  SolveOptions options = options_of(system.model());
  options.duration = 2000;
  options.output_step = 0.37;  // falls inside the steps
  const auto result = simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  EXPECT_GT(result.report.steps, 3000U);
  EXPECT_LE(result.report.max_position_residual, 1e-14);
  EXPECT_LE(result.report.max_velocity_residual, 1e-14);
}

// Rounding errors of either sign, one for each step, add up to ε √steps; a bias of a hundredth of one would
// show. Compiled code fuses products and sums; beside a program that does not, the two round the same matrix
// otherwise, which is such a bias.
TEST(CartesianPendulum, EnergyErrorGrowsNoFasterThanARandomWalkOfRoundingErrors) {
  const System system = shipped_system("pendulum_cartesian");
  SolveOptions options = options_of(system.model());
  options.duration = 20000;
  options.output_times = {20000};
  for (const bool compiled : {false, true}) {
    options.native = compiled ? "on" : "off";
    const auto result = simulate(system, options);
    ASSERT_EQ(result.report.outcome, Outcome::finished);
    EXPECT_GT(result.report.steps, 50000U);
#ifdef __FMA__
    const double bias = 0;
#else
    const double bias = result.report.native_counts ? 0.02 : 0;
#endif
    const auto steps = static_cast<double>(result.report.steps);
    EXPECT_LE(result.report.max_energy_error / result.report.energy_scale,
              std::numeric_limits<double>::epsilon() * (std::sqrt(steps) + bias * steps))
        << options.native;
  }
}

// The particles are at rest long before; forces of size 5 cancel there, and only their rounding errors are
// left.
TEST(Fekete, AStateAtRestTakesLongSteps) {
  const System system = shipped_system("fekete");
  SolveOptions options = options_of(system.model());
  options.duration = 1000;
  options.output_times = {1000};
  const auto result = simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  EXPECT_LE(result.report.steps, 1000U);
  EXPECT_GE(result.report.largest_step, 2);
  EXPECT_LE(result.report.max_position_residual, 1e-14);
  for (const double lambda : result.samples.at(0).lambda) EXPECT_NEAR(lambda, 4.75, 1e-13);
  for (const double speed : result.samples.at(0).v) EXPECT_NEAR(speed, 0, 1e-14);
}

TEST(CartesianPendulum, FifteenPeriodsOfTheSundialsExampleInFewSteps) {
  // gravity such that the pendulum released from the horizontal has the period 2 (SUNDIALS' cvPendulum
  // example)
  const System system = shipped_system(
      "pendulum_cartesian", {{"g", "13.750371636040745654980191559621114395801712"}, {"x", "1"}, {"y", "0"}});
  SolveOptions options = options_of(system.model());
  options.duration = 30;
  options.output_times = {30};
  const auto result = simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  EXPECT_LE(result.report.steps, 400U);
  EXPECT_EQ(result.samples.at(0).t, 30);
  EXPECT_NEAR(result.samples.at(0).q[0], 1, 1e-12);
  EXPECT_NEAR(result.samples.at(0).q[1], 0, 1e-12);
  EXPECT_NEAR(result.samples.at(0).v[0], 0, 1e-12);
  EXPECT_NEAR(result.samples.at(0).v[1], 0, 1e-12);
}

TEST(SliderCrank, EnergyBalanceHoldsUnderATorque) {
  const System system = shipped_system("slider_crank");
  const auto result = simulate(system, options_of(system.model()));
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  EXPECT_FALSE(result.report.conservative);
  EXPECT_GT(std::abs(result.report.work), 100);
  EXPECT_LE(result.report.max_energy_error / result.report.energy_scale, 1e-12);
}

TEST(CarAxis, EnergyBalanceCountsTheWorkOfMovingConstraints) {
  const System system = shipped_system("car_axis");
  const auto result = simulate(system, options_of(system.model()));
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  EXPECT_GT(std::abs(result.report.work), 1e-4);
  EXPECT_LE(result.report.max_energy_error / result.report.energy_scale, 1e-11);
}

TEST(DoublePendulum, RunsBackToItsStart) {
  const Model there = read_model(find_model("double_pendulum_cartesian"));
  const System system(there);
  SolveOptions options = options_of(*there);
  options.duration = 3;
  options.output_times = {3};
  const auto forward = simulate(system, options);
  ASSERT_EQ(forward.samples.size(), 1U);

  std::vector<Override> turn;
  for (std::size_t i = 0; i < system.n(); ++i) {
    turn.push_back({system.coordinate_name(i), std::to_string(0)});
    turn.back().value = fmt::format("{:.17g}", forward.samples[0].q[i]);
    turn.push_back({system.coordinate_name(i) + "'", fmt::format("{:.17g}", forward.samples[0].v[i])});
  }
  const System turned(read_model(find_model("double_pendulum_cartesian"), turn));
  options.start = 3;
  options.duration = -3;
  options.output_times = {0};
  const auto back = simulate(turned, options);
  ASSERT_EQ(back.report.outcome, Outcome::finished) << back.report.reason;
  ASSERT_EQ(back.samples.size(), 1U);
  const std::vector<double> start = system.given_positions<double>();
  for (std::size_t i = 0; i < system.n(); ++i) EXPECT_NEAR(back.samples[0].q[i], start[i], 1e-11);
}

// Error of one run with a fixed order and steps of one length, relative to the exact solution at t = 2.
double fixed_step_error(const System& system, int order, double step) {
  SolveOptions options = options_of(system.model());
  options.duration = 2;
  options.output_times = {2};
  options.order = order;
  options.tolerance = 1e300;  // steps are limited by max_step alone
  options.max_step = step;
  const auto result = simulate(system, options);
  EXPECT_EQ(result.report.outcome, Outcome::finished);
  return std::abs(result.samples.at(0).q[0] - std::sin(2.0));
}

// The accelerations at a step's end add a term to the series of order p: the method has order p + 1.
TEST(Adomian, TheWorkOfForcesDoesNotDependOnHowOftenItIsSampled) {
  for (const char* model : {"slider_crank", "car_axis"}) {
    const System system = shipped_system(model);
    SolveOptions options = options_of(system.model());
    options.duration = 1;
    std::vector<double> works;
    for (const double samples : {1, 30, 100, 3000}) {
      options.output_step = options.duration / samples;
      const RunReport report = simulate(system, options).report;
      works.push_back(report.work);
      EXPECT_LE(report.max_energy_error, 1e-13 * report.energy_scale) << model << ' ' << samples;
    }
    for (const double work : works) EXPECT_NEAR(work, works[0], 1e-13 * std::abs(works[0])) << model;
  }
}

TEST(TwoLinkRobot, MeasuredOrderIsOneMoreThanThatOfTheSeries) {
  const System system = shipped_system("two_link_robot");
  for (const int order : {4, 5, 6}) {  // beyond, errors of steps in the asymptotic range are rounding errors
    const double coarse = fixed_step_error(system, order, 0.125);
    const double fine = fixed_step_error(system, order, 0.0625);
    EXPECT_NEAR(std::log2(coarse / fine), order + 1, 0.6) << order;
  }
}

TEST(Adomian, ToleranceIsHeldOverSixDecades) {
  const System system = shipped_system("two_link_robot");
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    SolveOptions options = options_of(system.model());
    options.tolerance = tolerance;
    options.output_times = {options.duration};
    const auto result = simulate(system, options);
    const double error = std::abs(result.samples.at(0).q[0] - std::sin(options.duration));
    EXPECT_LE(error, 20 * tolerance) << tolerance;
  }
}

TEST(Adomian, StopsWithTimeAndReasonAtASingularityOfTheSolution) {
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
  const auto result = simulate(system, options_of(*model));
  EXPECT_EQ(result.report.outcome, Outcome::stopped_early);
  EXPECT_NEAR(result.report.end_time, 1, 1e-3);
  EXPECT_NE(result.report.reason.find("singular"), std::string::npos);
  ASSERT_FALSE(result.samples.empty());
  for (const auto& sample : result.samples) {
    if (sample.t >= 0.9) break;
    EXPECT_NEAR(sample.q[0] * (1 - sample.t) * (1 - sample.t), 1, 1e-11);
  }
}

TEST(Adomian, CrossesAKinkWithoutLosingAccuracy) {
  // x'' = −abs(x) + 1/10 from rest at −1: where x changes sign the force has a kink. The motion is cosh on
  // one side and cos on the other, joined smoothly; energy K + V with V = x |x|/2 − x/10 stays.
  const Model model = read_model_text(R"(
[coordinates]
x = { position = 1, velocity = 0 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-abs(x) + 1/10"
[outputs]
invariant = "x'^2/2 + x*abs(x)/2 - x/10"
[solve]
duration = 3
)");
  const System system(model);
  SolveOptions options = options_of(*model);
  std::vector<double> invariant;
  const RunReport report = solve(system, options, SampleSink<double>([&](const Sample<double>& s) {
                                   invariant.push_back(s.outputs[0]);
                                   return true;
                                 }));
  ASSERT_EQ(report.outcome, Outcome::finished) << report.reason;
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_NE(report.warnings[0].find("abs(x)"), std::string::npos);
  const double largest = *std::max_element(invariant.begin(), invariant.end());
  const double smallest = *std::min_element(invariant.begin(), invariant.end());
  EXPECT_LE(largest - smallest, 1e-13);
}

TEST(Adomian, WithoutProjectionTheConstraintsStillHoldToTheTolerance) {
  const System system = shipped_system("andrews");
  SolveOptions options = options_of(system.model());
  options.project = false;
  const auto result = simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  EXPECT_LE(result.report.max_position_residual, 1e-13);
}

// Circles of a torus in steps of several radians: the matrix that divides the recursion belongs to the point
// of expansion, or what is off grows threefold from step to step.
TEST(Adomian, LongStepsAlongACircleKeepTheirEnergy) {
  const System system(read_model_text(R"toml([coordinates]
x = { position = 3, velocity = 0 }
y = { position = 0, velocity = 1 }
z = { position = 0, velocity = 0 }
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
[constraints.holonomic]
torus = "(sqrt(x^2 + y^2) - 2)^2 + z^2 = 1"
)toml"));
  for (const double longest : {3.0, 5.0, 7.0, 10.0}) {
    SolveOptions options;
    options.duration = 600;
    options.tolerance = 1e-12;
    options.max_step = longest;
    options.output_times = {600};
    const auto result = simulate(system, options);
    ASSERT_EQ(result.report.outcome, Outcome::finished) << longest;
    EXPECT_GT(result.report.largest_step, 0.9 * longest);
    EXPECT_LT(result.report.max_energy_error / 0.5, 1e-11) << longest;
    EXPECT_NEAR(result.samples.back().q[0], 3 * std::cos(200.0), 1e-9) << longest;
  }
}

TEST(HeavyTop, HasTheDigitsThatWereAskedFor) {
  const System system = shipped_system("heavy_top");
  SolveOptions options = options_of(system.model());
  options.duration = 0.2;
  options.digits = 20;
  const RunReport report = solve(system, options, SampleSink<Real>([](const auto&) { return true; }));
  ASSERT_EQ(report.outcome, Outcome::finished);
  EXPECT_LT(report.max_energy_error / report.energy_scale, 1e-19);
}

TEST(Solve, RefusesWhatCannotBeMeant) {
  const System system = shipped_system("pendulum");
  SolveOptions options = options_of(system.model());
  options.method = "adomain";
  try {
    solve(system, options, SampleSink<double>{});
    FAIL() << "a misspelt method was accepted";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("did you mean 'adomian'"), std::string::npos) << error.message();
  }
  options = options_of(system.model());
  options.duration = 0;
  EXPECT_THROW(solve(system, options, SampleSink<double>{}), Error);
  options.duration = 1;
  options.tolerance = -1;
  EXPECT_THROW(solve(system, options, SampleSink<double>{}), Error);
}

}  // namespace
}  // namespace dalembert
