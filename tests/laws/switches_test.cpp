// Forces with abs, sign, min and max: motions that are known in closed form on every branch.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::KeptSample;
using testing::Simulation;

// x'' = force
Simulation run(const std::string& force, double duration, double x = 0.5, double v = 0.3,
               double tolerance = 0) {
  const System system(read_model_text(fmt::format(R"(
[coordinates]
x = {{ position = {}, velocity = {} }}
[energy]
kinetic = "x'^2/2"
[forces]
x = "{}"
)",
                                                  x, v, force)));
  SolveOptions options = options_of(system.model());
  options.duration = duration;
  options.output_times = {duration};
  if (tolerance > 0) options.tolerance = tolerance;
  return testing::simulate(system, options);
}

KeptSample end_of(const std::string& force, double duration, double x = 0.5, double v = 0.3,
                  double tolerance = 0) {
  const Simulation result = run(force, duration, x, v, tolerance);
  EXPECT_EQ(result.report.outcome, Outcome::finished) << force << ": " << result.report.reason;
  EXPECT_LT(result.report.steps, 2000U) << force;
  return result.samples.at(0);
}

struct Integrals {
  double once, twice;
};

// Of sign(sin θ), |sin θ| and sin θ from 0 to θ; n half waves and r more.
Integrals of_square_wave(double theta) {
  const double n = std::floor(theta / M_PI);
  const double r = theta - n * M_PI;
  const bool rises = std::fmod(n, 2) == 0;
  return {rises ? r : M_PI - r, n * M_PI * M_PI / 2 + (rises ? r * r / 2 : M_PI * r - r * r / 2)};
}
Integrals of_rectified_sine(double theta) {
  const double n = std::floor(theta / M_PI);
  const double r = theta - n * M_PI;
  return {2 * n + 1 - std::cos(r), M_PI * n * n + (2 * n + 1) * r - std::sin(r)};
}
Integrals of_sine(double theta) { return {1 - std::cos(theta), theta - std::sin(theta)}; }

void expect_motion(const std::string& force, double frequency, double duration, double tolerance,
                   Integrals (*integrals)(double)) {
  const KeptSample end = end_of(force, duration, 0.5, 0.3, tolerance);
  const Integrals i = integrals(frequency * duration);
  EXPECT_NEAR(end.v[0], 0.3 + i.once / frequency, 2e-14) << force;
  EXPECT_NEAR(end.q[0], 0.5 + 0.3 * duration + i.twice / frequency / frequency, 2e-14) << force;
}

TEST(Switches, FromAStartOnASwitchAndManyWithinASmoothStepNoneIsMissed) {
  const auto positive_part = [](double theta) {
    const Integrals a = of_sine(theta), b = of_rectified_sine(theta);
    return Integrals{(a.once + b.once) / 2, (a.twice + b.twice) / 2};
  };
  const auto negative_part = [](double theta) {
    const Integrals a = of_sine(theta), b = of_rectified_sine(theta);
    return Integrals{(a.once - b.once) / 2, (a.twice - b.twice) / 2};
  };
  for (const double tolerance : {1e-15, 1e-6}) {  // a loose one moves no switch
    for (const double w : {5.0, 20.0}) {
      expect_motion(fmt::format("sign(sin({}*t))", w), w, 2, tolerance, of_square_wave);
    }
  }
  expect_motion("abs(sin(30*t))", 30, 2, 1e-15, of_rectified_sine);
  expect_motion("max(0, sin(30*t))", 30, 2, 1e-15, positive_part);
  expect_motion("min(0, sin(30*t))", 30, 2, 1e-15, negative_part);
}

TEST(Switches, AreFoundFromAnyPhase) {
  // ∫ sign(sin(20 t + 1/10)) dt
  const auto wave = [](double t) { return of_square_wave(20 * t + 0.1).once / 20; };
  EXPECT_NEAR(end_of("sign(sin(20*t + 1/10))", 2).v[0], 0.3 + wave(2) - wave(0), 2e-14);
}

TEST(Switches, AreFoundBackwardsInTime) {
  const KeptSample end = end_of("sign(sin(5*t))", -2);  // the force is odd: v is even
  const Integrals i = of_square_wave(10);
  EXPECT_NEAR(end.v[0], 0.3 + i.once / 5, 2e-14);
  EXPECT_NEAR(end.q[0], 0.5 - 0.6 - i.twice / 25, 2e-14);
}

TEST(Switches, OfSeveralFunctionsCountAtOnce) {
  const KeptSample end = end_of("sign(sin(5*t)) + abs(sin(20*t)) - 3*sign(sin(20*t))", 2);
  EXPECT_NEAR(
      end.v[0],
      0.3 + of_square_wave(10).once / 5 + of_rectified_sine(40).once / 20 - 3 * of_square_wave(40).once / 20,
      5e-14);
}

TEST(Switches, ArgumentsThatOnlyTouchZeroSwitchNothing) {
  EXPECT_NEAR(end_of("sign((t - 1)^2)", 2).v[0], 2.3, 2e-14);
  EXPECT_NEAR(end_of("sign(1 - cos(4*t))", 6).v[0], 6.3, 2e-14);  // zero at the start too
  EXPECT_NEAR(end_of("sign(t)", 2).v[0], 2.3, 2e-14);
}

TEST(Switches, AWallWithASpringReflects) {
  // from 1 with −1 to the wall, half a period of x'' = −4 x there, and back
  const KeptSample end = end_of("4*max(0, -x)", 4, 1, -1);
  EXPECT_NEAR(end.v[0], 1, 2e-14);
  EXPECT_NEAR(end.q[0], 3 - M_PI / 2, 2e-14);
}

TEST(Switches, OfTheStateAreMetInEveryPeriod) {
  // x'' = −sign(x) has the period 4 √(2 E), E = v²/2 + |x|
  const double period = 4 * std::sqrt(2 * 0.545);
  const KeptSample end = end_of("-sign(x)", 5 * period);
  EXPECT_NEAR(end.q[0], 0.5, 1e-12);
  EXPECT_NEAR(end.v[0], 0.3, 1e-12);
}

TEST(Switches, JoinTwoDampedBranches) {
  // x'' = −sign(x) − x': x = 1/2 + 13/10 (1 − e^(−t)) − t to its zero s, then x = τ + (v(s) − 1)(1 − e^(−τ))
  double s = 1.5;
  for (int i = 0; i < 30; ++i) s -= (0.5 - 1.3 * std::expm1(-s) - s) / (1.3 * std::exp(-s) - 1);
  const double v = 1.3 * std::exp(-s) - 1;
  const KeptSample end = end_of("-sign(x) - x'", 2);
  EXPECT_NEAR(end.q[0], (2 - s) - (v - 1) * std::expm1(s - 2), 2e-14);
  EXPECT_NEAR(end.v[0], 1 + (v - 1) * std::exp(s - 2), 2e-14);
}

TEST(Switches, DryFrictionBringsToRestAndRestLasts) {
  const KeptSample end = end_of("-sign(x')", 2);
  EXPECT_NEAR(end.v[0], 0, 1e-15);
  EXPECT_NEAR(end.q[0], 0.545, 1e-15);
  EXPECT_EQ(end.a[0], 0);
}

TEST(Switches, FrictionThatHoldsAgainstAForceStopsTheRunWithTheReason) {
  const Simulation result = run("1/2 - sign(x')", 2);  // x' = 3/10 − t/2
  EXPECT_EQ(result.report.outcome, Outcome::stopped_early);
  EXPECT_NEAR(result.report.end_time, 0.6, 1e-15);
  EXPECT_NE(result.report.reason.find("sign(x')"), std::string::npos) << result.report.reason;
  EXPECT_NE(result.report.reason.find("sticks"), std::string::npos) << result.report.reason;
}

TEST(Switches, AreMetToAllDigits) {
  const System system(read_model_text(R"toml(
[coordinates]
x = { position = 0.5, velocity = 0 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "sign(sin(5*t))"
)toml"));
  SolveOptions options = options_of(system.model());
  options.duration = 2;
  options.output_times = {2};
  options.digits = 40;
  const RunReport report = solve(system, options, SampleSink<Real>([&](const Sample<Real>& s) {
                                   EXPECT_LE(abs(Real(s.v[0] - acos(cos(Real(10))) / 5)), Real("1e-39"));
                                   return true;
                                 }));
  EXPECT_EQ(report.outcome, Outcome::finished) << report.reason;
}

TEST(Adomian, SaysThatAForceHasNoValueWhereItsRootEnds) {
  const Simulation result = run("sqrt(1 - t)", 2);
  EXPECT_EQ(result.report.outcome, Outcome::stopped_early);
  EXPECT_NEAR(result.report.end_time, 1, 1e-10);
  EXPECT_EQ(result.report.reason.find("matrix"), std::string::npos) << result.report.reason;
  EXPECT_NE(result.report.reason.find("no finite value"), std::string::npos) << result.report.reason;
}

}  // namespace
}  // namespace dalembert
