// Far from a pulse its functions are beyond the largest number, or saturated: neither stops a run or makes it
// crawl.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::Simulation;

Simulation simulate_force(const std::string& force,
                          const std::string& start = "{ position = 0.1, velocity = 0.2 }",
                          double tolerance = 1e-14) {
  const System system(read_model_text(fmt::format(R"toml(
[coordinates]
x = {}
[energy]
kinetic = "x'^2/2"
[forces]
x = "{}"
[solve]
duration = 3
)toml",
                                                  start, force)));
  SolveOptions options = options_of(system.model());
  options.tolerance = tolerance;
  return testing::simulate(system, options);
}

// The impulses are A ∫ cosh⁻²(s) ds = 2 A, A ∫ cosh⁻⁴ ds = 4/3 A, A ∫ (1 + e^(−s))⁻¹ ds = A (t − T)/H.
TEST(FarPulse, AnOverflowInADivisorIsAZeroForce) {
  for (const double width : {0.3, 0.01, 0.003, 0.0013, 0.0004}) {
    const auto gain = [&](const char* pattern) {
      const Simulation result = simulate_force(fmt::format(fmt::runtime(pattern), width));
      EXPECT_EQ(result.report.outcome, Outcome::finished) << pattern << width << result.report.reason;
      return result.samples.back().v[0] - 0.2;
    };
    if (width < 0.1) {
      EXPECT_NEAR(gain("0.31/cosh((t - 1.22)/{0})^2/{0}"), 0.62, 1e-12) << width;
      EXPECT_NEAR(gain("0.31/cosh((t - 1.22)/{0})^4/{0}"), 0.31 * 4 / 3, 1e-12) << width;
      EXPECT_NEAR(gain("0.31/(exp((t - 1.22)/{0}) + exp((1.22 - t)/{0}))^2/{0}"), 0.155, 1e-12) << width;
    }
    if (width < 0.03) {
      EXPECT_NEAR(gain("1/(1 + exp((1.22 - t)/{}))"), 1.78, 1e-12) << width;
    }
  }
}

TEST(FarPulse, AForceThatOverflowsIsAnEnd) {
  for (const char* force :
       {"exp(t/0.001)", "cosh(t/0.001)^2", "exp(1000*t)*x", "1/cosh(t/0.001)^2 + exp(900*t)"}) {
    const Simulation result = simulate_force(force);
    EXPECT_EQ(result.report.outcome, Outcome::stopped_early) << force;
    EXPECT_NE(result.report.reason, "") << force;
  }
}

// ∫ (tanh((t − 1)/w) − tanh((t − 1.2)/w)) dt = 0.4. At rest at zero there is nothing beside which the
// rounding errors of the difference are small but the force to come.
TEST(FarPulse, DifferencesOfSaturatedFunctionsFromRestAreFollowedInFewSteps) {
  for (const double width : {0.05, 0.01, 0.001, 0.0001}) {
    for (const double tolerance : {1e-16, 1e-12, 1e-6}) {
      const Simulation result =
          simulate_force(fmt::format("tanh((t - 1)/{0}) - tanh((t - 1.2)/{0})", width), "0", tolerance);
      EXPECT_EQ(result.report.outcome, Outcome::finished) << width << ' ' << tolerance;
      EXPECT_LT(result.report.steps, 500U) << width << ' ' << tolerance;
      EXPECT_NEAR(result.samples.back().v[0], 0.4, 0.4 * (100 * tolerance + 1e-13))
          << width << ' ' << tolerance;
    }
  }
}

}  // namespace
}  // namespace dalembert
