// Constraints hold to round-off at every sample, however loose the tolerance.
#include <string>

#include <gtest/gtest.h>

#include <dalembert/solve/dense_output.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

constexpr double round_off = 2e-12;  // of C v + c with v of 75 rad/s

TEST(LooseTolerances, KeepConstraintsBetweenSteps) {
  for (const std::string model : {"double_pendulum_bodies", "spatial_four_bar", "heavy_top_bodies",
                                  "slider_crank_bodies", "heavy_top", "chain10"}) {
    const System system = testing::shipped_system(model);
    for (const char* method : {"adomian", "dop853"}) {
      for (const double tolerance : {1e-1, 1e-2, 1e-4, 1e-6}) {
        SolveOptions options;
        options.method = method;
        options.tolerance = tolerance;
        options.duration = 1;
        options.output_step = 0.0103;
        const RunReport report = testing::simulate(system, options).report;
        EXPECT_EQ(report.outcome, Outcome::finished) << report.reason;
        EXPECT_LT(report.max_position_residual, round_off) << model << " " << method << " " << tolerance;
        EXPECT_LT(report.max_velocity_residual, round_off) << model << " " << method << " " << tolerance;
      }
    }
  }
}

TEST(LooseTolerances, KeepConstraintsInDenseOutput) {
  const System system = testing::shipped_system("heavy_top");
  DenseOutput dense(system);
  SolveOptions options;
  options.tolerance = 1e-2;
  options.duration = 1;
  options.dense_output = &dense;
  testing::simulate(system, options);
  for (double t = 0; t < 1; t += 0.0107) {
    const auto q = dense.at(t).q;
    double norm = -1;
    for (std::size_t i = q.size() - 4; i < q.size(); ++i) norm += q[i] * q[i];
    EXPECT_NEAR(norm, 0, 1e-13) << t;
  }
}

}  // namespace
}  // namespace dalembert
