// Forces with abs, sign, min and max: motions that are known in closed form on every branch.
#include <cmath>
#include <string>
#include <vector>

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

TEST(Switches, FrictionHoldsAgainstAForceThatIsSmaller) {
  const KeptSample end = end_of("1/2 - sign(x')", 2);  // x' = 3/10 − t/2 to its zero at 0.6
  EXPECT_NEAR(end.q[0], 0.59, 1e-15);
  EXPECT_NEAR(end.v[0], 0, 1e-15);
  EXPECT_NEAR(end.a[0], 0, 1e-15);
}

TEST(Switches, FrictionLetsGoWhereTheForceHasGrown) {
  // at rest to t = 2, then x'' = t/2 − 1
  const KeptSample end = end_of("t/2 - sign(x')", 5, 0, 0);
  EXPECT_NEAR(end.q[0], 27.0 / 12, 1e-14);
  EXPECT_NEAR(end.v[0], 2.25, 1e-14);
  const KeptSample held = end_of("t/2 - sign(x')", 1.5, 0, 0);
  EXPECT_NEAR(held.q[0], 0, 1e-15);
  EXPECT_NEAR(held.a[0], 0, 1e-15);
  const KeptSample back = end_of("-t/2 - sign(x')", 5, 0, 0);
  EXPECT_NEAR(back.q[0], -27.0 / 12, 1e-14);
  const KeptSample strong = end_of("3*t/2 - 3*sign(2*x')", 5, 0, 0);
  EXPECT_NEAR(strong.q[0], 3 * 27.0 / 12, 1e-13);
}

TEST(Switches, FrictionFollowsABeltThatItSticksTo) {
  // x' = t²: the friction that is needed, 2 t, is there to t = 3/2, then x'' = 3
  const KeptSample end = end_of("3*sign(t^2 - x')", 2, 0, 0);
  EXPECT_NEAR(end.v[0], 2.25 + 1.5, 1e-13);
  EXPECT_NEAR(end.q[0], 1.125 + 2.25 / 2 + 1.5 * 0.25, 1e-13);
}

TEST(Switches, FrictionThatFallsWithSpeedSticksToo) {
  // slips to the speed of the belt, then sticks: x = (t − s)/2 + x(s), until the spring needs more than 3
  const Simulation result = run("3*sign(0.5 - x')/(1 + 2*abs(0.5 - x')) - 40*x", 20, 0, 0);
  EXPECT_EQ(result.report.outcome, Outcome::finished) << result.report.reason;
  EXPECT_LT(result.report.steps, 1000U);
  EXPECT_LT(result.report.max_energy_error, 1e-12);
}

TEST(Switches, TheSignOfFrictionThatSticksIsTheForceThatItNeeds) {
  const System system(read_model_text(R"toml(
[coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[forces]
x = "t/2 - sign(x')"
[outputs]
friction = "sign(x')"
)toml"));
  SolveOptions options = options_of(system.model());
  options.duration = 3;
  options.output_times = {0.5, 1, 1.9, 2.5};
  std::vector<double> friction;
  const RunReport report = solve(system, options, SampleSink<double>([&](const Sample<double>& s) {
                                   friction.push_back(s.outputs[0]);
                                   return true;
                                 }));
  EXPECT_EQ(report.outcome, Outcome::finished) << report.reason;
  EXPECT_LT(report.max_energy_error, 1e-15);
  ASSERT_EQ(friction.size(), 4U);
  EXPECT_NEAR(friction[0], 0.25, 1e-14);
  EXPECT_NEAR(friction[1], 0.5, 1e-14);
  EXPECT_NEAR(friction[2], 0.95, 1e-14);
  EXPECT_EQ(friction[3], 1);
}

TEST(Switches, TwoBodiesStickToEachOtherUnderAConstraint) {
  // y drives x by friction 2 and is driven by 3 t/2 itself: both have x'' = t/2 as long as t/2 < 2; a rod
  // holds z
  const System system(read_model_text(R"toml(
[coordinates]
x = 0
y = 0
z = 1
[energy]
kinetic = "x'^2/2 + 2*y'^2/2 + z'^2/2"
potential = "9.81*z"
[forces]
x = "2*sign(y' - x')"
y = "3*t/2 - 2*sign(y' - x')"
[constraints]
holonomic = { rod = "z - 1" }
)toml"));
  SolveOptions options = options_of(system.model());
  options.duration = 6;
  options.output_times = {4, 6};
  const Simulation result = testing::simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished) << result.report.reason;
  EXPECT_LT(result.report.max_energy_error, 1e-12);
  EXPECT_NEAR(result.samples[0].v[0], 4, 1e-13);  // t²/4
  EXPECT_NEAR(result.samples[0].v[1], 4, 1e-13);
  EXPECT_NEAR(result.samples[1].v[0], 4 + 2 * 2, 1e-13);
  EXPECT_NEAR(result.samples[1].v[1], 4 + 0.75 / 2 * (36 - 16) - 2, 1e-13);
  EXPECT_NEAR(result.samples[1].lambda[0], -9.81, 1e-12);
}

TEST(Switches, MethodsThatCannotFollowFrictionThatSticksSayWhy) {
  for (const char* method : {"nullspace", "partition", "augmented_lagrangian"}) {
    const System system(read_model_text(R"toml(
[coordinates]
x = { position = 0, velocity = 0.3 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "1/2 - sign(x')"
)toml"));
    SolveOptions options = options_of(system.model());
    options.method = method;
    options.duration = 2;
    options.max_steps = 20000;
    const Simulation result = testing::simulate(system, options);
    EXPECT_EQ(result.report.outcome, Outcome::stopped_early) << method;
    EXPECT_EQ(result.report.reason.find("limit"), std::string::npos) << method << result.report.reason;
    EXPECT_NEAR(result.report.end_time, 0.6, 1e-3) << method;
  }
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

// y'' = atan2(sin x, cos x) with x = 3/10 + 3 t: a saw tooth, and its integrals
TEST(Switches, AnAngleJumpsByAFullTurn) {
  const auto integrals = [](double theta) {
    const double n = std::round(theta / (2 * M_PI));
    const double r = theta - 2 * M_PI * n;
    return Integrals{r * r / 2, n * M_PI * M_PI * M_PI / 3 + r * r * r / 6};
  };
  const auto force = [](double x0, double w) {
    return fmt::format("atan2(sin({0} + {1}*t), cos({0} + {1}*t))", x0, w);
  };
  for (const double w : {3.0, -3.0, 20.0}) {
    for (const double x0 : {0.3, 3.0, -3.0}) {
      const double T = 4;
      const KeptSample end = end_of(force(x0, w), T, 0, 0);
      const Integrals a = integrals(x0), b = integrals(x0 + w * T);
      EXPECT_NEAR(end.v[0], (b.once - a.once) / w, 1e-13) << x0 << " " << w;
      EXPECT_NEAR(end.q[0], (b.twice - a.twice) / w / w - a.once * T / w, 1e-13) << x0 << " " << w;
    }
  }
}

TEST(Switches, AnAngleOffItsCutEndsNoStep) {
  const Simulation with = run("-atan2(sin(x), 2 + cos(x))", 10);
  const Simulation without = run("-atan(sin(x)/(2 + cos(x)))", 10);
  EXPECT_NEAR(with.samples.at(0).q[0], without.samples.at(0).q[0], 1e-12);
  EXPECT_LE(with.report.steps, without.report.steps + 2);
}

TEST(Adomian, StopsWhereAFunctionHasAKinkThatNoSeriesFollows) {
  struct Case {
    const char* force;
    double v, time;
  };
  for (const auto& [force, v, time] :
       {Case{"0*x + sqrt(t^2 - 2*t + 1)", 0, 1}, Case{"asin(sin(t))", 0, M_PI / 2},
        Case{"acos(cos(t + 1/10))", 0, M_PI - 0.1}, Case{"((t - 1)^4)^(1/4)", 0, 1},
        Case{"atan2(2*(t - 1), t - 1)", 0, 1}}) {
    const Simulation result = run(force, 5, 0.5, v);
    EXPECT_EQ(result.report.outcome, Outcome::stopped_early) << force;
    EXPECT_NEAR(result.report.end_time, time, 1e-7) << force;
    const std::string name = std::string(force).substr(0, 4);
    if (name[0] != '0' && name[0] != '(') {
      EXPECT_NE(result.report.reason.find(name), std::string::npos) << result.report.reason;
    }
  }
}

TEST(Adomian, LeapsOverNoPoleHoweverWeak) {
  for (const char* force :
       {"1e-18*tan(t)", "1e-20/(t - pi/2)", "1e-20/(t - pi/2)^2", "1e-16*log((t - pi/2)^2)"}) {
    const Simulation result = run(force, 3);
    if (std::string(force).find("log") != std::string::npos) continue;  // its integral is finite
    EXPECT_EQ(result.report.outcome, Outcome::stopped_early) << force;
    EXPECT_NEAR(result.report.end_time, M_PI / 2, 1e-6) << force;
  }
}

TEST(Steppers, StopBehindAPoleThatAStepLeaptOver) {
  for (const char* method : {"rk4", "rattle", "generalized_alpha"}) {
    for (const char* force : {"0.01*tan(t)", "0.01/(t - 1.5705)", "0.01*sin(t)/cos(t)"}) {
      const System system(read_model_text(fmt::format(
          "[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"{}\"\n", force)));
      SolveOptions options = options_of(system.model());
      options.method = method;
      options.duration = 3;
      options.step = 1e-3;
      const Simulation result = testing::simulate(system, options);
      EXPECT_EQ(result.report.outcome, Outcome::stopped_early) << method << force;
      EXPECT_NEAR(result.report.end_time, 1.57, 3e-3) << method << force;
    }
  }
}

}  // namespace
}  // namespace dalembert
