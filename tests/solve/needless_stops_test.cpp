// Smooth motions are followed to their end: a force that changes much within a step is no jump, and a pulse
// is met by a body at rest in the origin.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"
#include "run/constraint_guard.hpp"

namespace dalembert {
namespace {

using testing::Simulation;

Simulation simulate_text(const std::string& text, const std::string& method, double tolerance,
                         double duration = 10) {
  const System system(read_model_text(text));
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.tolerance = tolerance;
  options.duration = duration;
  return testing::simulate(system, options);
}

// An angle x from hanging, with a pivot that is shaken.
const std::string shaken = R"toml(
[coordinates]
x = { position = 2.8, velocity = 0 }
[energy]
kinetic = "x'^2/2"
potential = "-9.81*cos(x)"
[forces]
x = "800*cos(200*t)*sin(x)"
)toml";

// The same in Cartesian coordinates.
const std::string shaken_on_a_circle = R"toml(
[coordinates]
x = { position = "sin(2.8)", velocity = 0 }
y = { position = "-cos(2.8)", velocity = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[forces]
y = "800*cos(200*t)"
[constraints]
holonomic = { rod = "x^2 + y^2 = 1" }
)toml";

TEST(NeedlessStops, AShakenPendulumWithoutConstraintsJumpsNowhere) {
  const double expected = simulate_text(shaken, "adomian", 1e-14).samples.back().q[0];
  EXPECT_NEAR(expected, -2.80532886, 1e-7);  // SciPy's DOP853 at 1e-13
  for (const char* method : {"dop853", "dopri5", "nullspace", "partition"}) {
    for (const double tolerance : {1e-3, 1e-5, 1e-6}) {
      const Simulation result = simulate_text(shaken, method, tolerance);
      EXPECT_NE(result.report.outcome, Outcome::stopped_early)
          << method << ' ' << tolerance << result.report.reason;
      if (tolerance < 1e-4) {
        EXPECT_NEAR(result.samples.back().q[0], expected, 0.03) << method << ' ' << tolerance;
      }
    }
  }
}

TEST(NeedlessStops, TheSamePendulumOnACircleDoesNotJumpEither) {
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
    const Simulation result = simulate_text(shaken_on_a_circle, "dop853", tolerance);
    EXPECT_NE(result.report.outcome, Outcome::stopped_early) << tolerance << result.report.reason;
    if (tolerance < 1e-4) {
      EXPECT_NEAR(result.samples.back().q[0], std::sin(-2.80532886), 0.03) << tolerance;
      EXPECT_NEAR(result.samples.back().q[1], -std::cos(2.80532886), 0.03) << tolerance;
    }
  }
}

class GuardOnACircle : public ::testing::Test {
 protected:
  // Of a step from (1, 0) at rest to (x, y) at rest.
  std::string refusal_of_step_to(double x, double y) {
    ConstraintGuard guard(problem_);
    const std::vector<double> q = {x, y};
    const std::vector<double> rest = {0, 0};
    return guard.refuse(
        {.t = 0.01, .q = q, .v = rest, .h = 0.01, .largest = 0.01, .residual = 0, .last = false});
  }

 private:
  System system_{read_model_text(R"toml(
[coordinates]
x = 1
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraints]
holonomic = { rod = "x^2 + y^2 = 1" }
)toml")};
  Problem problem_ = make_problem(system_, 0);
};

TEST_F(GuardOnACircle, RefusesAJumpAcrossTheCentreWhereTheRowVanishes) {
  EXPECT_NE(refusal_of_step_to(-1, 0), "");
  EXPECT_NE(refusal_of_step_to(-std::cos(0.1), std::sin(0.1)), "");
}

TEST_F(GuardOnACircle, TakesAMoveAlongTheCircleThatVelocitiesAtItsEndsDoNotShow) {
  EXPECT_EQ(refusal_of_step_to(std::cos(0.1), std::sin(0.1)), "");
  EXPECT_EQ(refusal_of_step_to(std::cos(1.0), -std::sin(1.0)), "");
}

// ∫ 50 (tanh((t − 5)/w) − tanh((t − 5.01)/w)) dt = 1, and its centre is at 5.005: v = 1, x(10) = 4.995.
TEST(NeedlessStops, AShortPulseMeetsABodyAtRestInTheOrigin) {
  for (const char* start : {"0", "1"}) {
    const std::string text = fmt::format(R"toml(
[coordinates]
x = {}
[energy]
kinetic = "x'^2/2"
[forces]
x = "50*(tanh((t - 5)*1e4) - tanh((t - 5.01)*1e4))"
)toml",
                                         start);
    for (const char* method : {"adomian", "dop853"}) {
      for (const double tolerance : {1e-12, 1e-8}) {
        const Simulation result = simulate_text(text, method, tolerance);
        EXPECT_EQ(result.report.outcome, Outcome::finished) << method << tolerance << result.report.reason;
        EXPECT_LT(result.report.steps, 3000U) << method << tolerance;
        EXPECT_NEAR(result.samples.back().v[0], 1, 1e3 * tolerance + 1e-10) << method << tolerance;
        EXPECT_NEAR(result.samples.back().q[0], std::stod(start) + 4.995, 1e4 * tolerance + 1e-9)
            << method << tolerance;
      }
    }
  }
}

// ∫ 500 (erf((t − a)/w) − erf((t − b)/w)) dt = 1000 (b − a), with its centre at (a + b)/2.
TEST(NeedlessStops, APulseOfErrorFunctionsTakesFewStepsFromRest) {
  const Simulation result = simulate_text(R"toml(
[coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[forces]
x = "500*(erf((t - 7)*1e2) - erf((t - 7.2)*1e2))"
)toml",
                                          "dop853", 1e-10);
  EXPECT_EQ(result.report.outcome, Outcome::finished) << result.report.reason;
  EXPECT_LT(result.report.steps, 3000U);
  EXPECT_NEAR(result.samples.back().v[0], 200, 1e-6);
  EXPECT_NEAR(result.samples.back().q[0], 200 * 2.9, 1e-5);
}

TEST(StopReasons, SayWhichCallHasNoSeries) {
  const auto reason = [](const std::string& potential) {
    const Simulation result = simulate_text(fmt::format(R"toml(
[coordinates]
x = {{ position = 0.5, velocity = -1 }}
[energy]
kinetic = "x'^2/2"
potential = "{}"
)toml",
                                                        potential),
                                            "adomian", 1e-14);
    EXPECT_EQ(result.report.outcome, Outcome::stopped_early) << potential;
    EXPECT_EQ(result.report.reason.find("cosh"), std::string::npos) << result.report.reason;
    return result.report.reason;
  };
  EXPECT_NE(reason("-0.01*log(x)").find("denominator is zero ("), std::string::npos)
      << reason("-0.01*log(x)");
  EXPECT_NE(reason("-1/x").find("denominator is zero ("), std::string::npos) << reason("-1/x");
}

TEST(StopReasons, OfDependentConstraintsAreNoOverflow) {
  const Simulation result = simulate_text(R"toml(
[coordinates]
a = { position = "pi/2", velocity = 1 }
b = { position = "pi/2", velocity = 1 }
s = 0
[energy]
kinetic = "a'^2/2 + b'^2/3 + s'^2"
[constraints]
holonomic = { x = "cos(a) + cos(b) = s", y = "sin(a) = sin(b)" }
)toml",
                                          "adomian", 1e-14);
  EXPECT_EQ(result.report.outcome, Outcome::stopped_early);
  EXPECT_EQ(result.report.reason.find("overflows"), std::string::npos) << result.report.reason;
  EXPECT_NE(result.report.reason.find("depend"), std::string::npos) << result.report.reason;
}

}  // namespace
}  // namespace dalembert
