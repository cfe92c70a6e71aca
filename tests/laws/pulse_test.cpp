// Forces that are felt for a short time, or in a short place: no method may step over them.
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

testing::Simulation run_of(const std::string& force, double velocity, const std::string& method) {
  const System system(
      read_model_text("[coordinates]\nx = { position = 0, velocity = " + std::to_string(velocity) +
                      " }\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"" + force + "\"\n"));
  SolveOptions options;
  options.method = method;
  options.duration = 10;
  options.output_times = {10};
  const testing::Simulation run = testing::simulate(system, options);
  EXPECT_EQ(run.report.outcome, Outcome::finished) << method << " " << force << ": " << run.report.reason;
  return run;
}

testing::KeptSample end_of(const std::string& force, double velocity, const std::string& method) {
  return run_of(force, velocity, method).samples.back();
}

class Pulses : public ::testing::TestWithParam<const char*> {};

TEST_P(Pulses, AreMetByMotionsThatNothingElseChanges) {
  const double bump = std::sqrt(std::acos(-1.0)) / 10;  // ∫ exp(−((t − 5)/0.1)²) dt
  EXPECT_NEAR(end_of("exp(-((t-5)/0.1)^2)", 0, GetParam()).v[0], bump, 1e-7);
  EXPECT_NEAR(end_of("exp(-((t-5)/0.1)^2)", 1, GetParam()).v[0], 1 + bump, 1e-6);
  EXPECT_NEAR(end_of("1/cosh(20*(t-3))^2", 1, GetParam()).v[0], 1.1, 1e-6);  // ∫ = 2/20
}

// The potential exp(−((x − 5)/0.1)²) is higher than the energy 1/2: what comes is thrown back.
TEST_P(Pulses, OfAPlaceThrowBackWhatHasTooLittleEnergy) {
  const auto end = end_of("200*(x-5)*exp(-((x-5)/0.1)^2)", 1, GetParam());
  EXPECT_NEAR(end.v[0], -1, 1e-6);
  EXPECT_NEAR(end.q[0], -0.02781528868, 3e-6);  // rk4 with steps of 1e-4 and 5e-5
}

// Pulses far shorter than the steps around them; their impulse is size · width · √π.
TEST_P(Pulses, ThatAreShorterThanStepsAreMet) {
  for (const double width : {1e-2, 1e-3, 1e-4}) {
    const std::string force = "(200*exp(-((t - 5.237)/" + std::to_string(width) + ")^2))";
    const double impulse = 200 * width * std::sqrt(std::acos(-1.0));
    EXPECT_NEAR(end_of(force, 1, GetParam()).v[0], 1 + impulse, 2e-6) << width;
    if (width > 5e-4) {  // what is shorter has no scale at rest for bdf, which says so
      EXPECT_NEAR(end_of(force, 0, GetParam()).v[0], impulse, 1e-5 * impulse) << width;
    }
    const std::string place =
        "(0.1/" + std::to_string(width) + "*exp(-((x - 5.237)/" + std::to_string(width) + ")^2))";
    EXPECT_NEAR(end_of(place, 1, GetParam()).v[0], std::sqrt(1 + 0.2 * std::sqrt(std::acos(-1.0))), 1e-5)
        << width;
  }
}

class FromRest : public ::testing::TestWithParam<const char*> {};

// 1 + tanh is a rounding error of 1 for the first five seconds. x(10) = 25 + π²/12 · 1e-6
TEST_P(FromRest, AForceThatBeginsAsARoundingErrorIsFollowed) {
  const auto end = end_of("1 + tanh(1000*(t-5))", 0, GetParam());
  EXPECT_NEAR(end.v[0], 10, 1e-7);
  EXPECT_NEAR(end.q[0], 25 + std::pow(std::acos(-1.0), 2) / 12e6, 1e-6);
}

TEST_P(FromRest, APulseIsFollowedFromWhereItMattersInAnyUnits) {
  const double bump = std::sqrt(std::acos(-1.0)) / 10;
  for (const auto& [unit, size] : {std::pair{"1", 1.0}, std::pair{"1e-12", 1e-12}, std::pair{"1e9", 1e9}}) {
    const auto run = run_of(std::string(unit) + "*exp(-((t-5)/0.1)^2)", 0, GetParam());
    EXPECT_LT(run.report.steps, 1000u) << unit;
    EXPECT_NEAR(run.samples.back().v[0] / size, bump, 1e-7) << unit;
    const auto wave = end_of(std::string(unit) + "*(1/cosh(2*(t-3))^2)", 0, GetParam());
    EXPECT_NEAR(wave.v[0] / size, (std::tanh(14) + std::tanh(6)) / 2, 1e-6) << unit;
    const auto swing = end_of(std::string(unit) + " - x", 0, GetParam());  // x = 1 − cos t
    EXPECT_NEAR(swing.v[0] / size, std::sin(10), 1e-5) << unit;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, FromRest,
                         ::testing::Values("bdf", "ndf", "dop853", "dopri5", "nullspace", "partition",
                                           "augmented_lagrangian"),
                         [](const auto& info) { return std::string(info.param); });

INSTANTIATE_TEST_SUITE_P(Methods, Pulses,
                         ::testing::Values("adomian", "bdf", "ndf", "dop853", "dopri5", "nullspace",
                                           "partition", "augmented_lagrangian"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace dalembert
