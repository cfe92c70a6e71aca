// A power of max(t, 0) has no series at t = 0: steps begin very short there, and must not lose the velocity.
#include <cmath>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

// x'' = −70 t^1.5 from far away and fast: x' = 43 − 28 t^2.5.
TEST(ShortFirstStep, LeavesTheVelocityItsAccuracy) {
  const System system(read_model_text(R"toml(
[coordinates]
x = { position = -65, velocity = 43 }
[energy]
kinetic = "x'^2/20000"
[forces]
x = "-0.007*max(t, 0)^1.5"
[solve]
duration = 3
)toml"));
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    SolveOptions options = options_of(system.model());
    options.tolerance = tolerance;
    const testing::Simulation run = testing::simulate(system, options);
    ASSERT_EQ(run.report.outcome, Outcome::finished);
    const double v = 43 - 28 * std::pow(3, 2.5), x = -65 + 43 * 3 - 8 * std::pow(3, 3.5);
    EXPECT_NEAR(run.samples.back().v[0], v, 400 * tolerance) << tolerance;
    EXPECT_NEAR(run.samples.back().q[0], x, 400 * tolerance) << tolerance;
  }
}

}  // namespace
}  // namespace dalembert
