// Constraint forces against Newton's law: what is left of M a when the other forces are taken away.
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/builder.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert {
namespace {

Model particle() {
  return ModelBuilder("Particle on a moving rod")
      .parameter("m", 3)
      .coordinate("x", {.position = 1})
      .coordinate("y", {.position = 0})
      .kinetic("m/2*(x'^2 + y'^2)")
      .potential("9.81*m*y")
      .holonomic("rod", "x^2 + y^2 = 1")
      .build();
}

TEST(RowFiller, GivesTheConstraintForceThatNewtonsLawAsksFor) {
  const Model model = particle();
  const System system(model);
  RowFiller<double> filler(model, choose_columns(*model, std::vector<std::string>{"a", "force"}),
                           constraint_forces(system.equations()));
  SolveOptions options;
  options.duration = 2;
  options.output_step = 0.1;
  std::size_t samples = 0;
  solve(system, options, SampleSink<double>([&](const Sample<double>& sample) {
          const auto row = filler.fill(sample);  // t, x'', y'', force(x), force(y)
          EXPECT_NEAR(row[3], 3 * row[1], 1e-12);
          EXPECT_NEAR(row[4], 3 * (row[2] + 9.81), 1e-12);
          ++samples;
          return true;
        }));
  EXPECT_EQ(samples, 21U);
}

TEST(RowFiller, PutsThePointsOfTheViewWhereTheModelSays) {
  const Model model = read_model(DALEMBERT_SOURCE_DIR "/models/slider_crank.toml", {});
  const System system(model);
  RowFiller<double> filler(model, view_columns(*model), {});
  SolveOptions options;
  options.duration = 1;
  options.output_step = 0.25;
  solve(system, options, SampleSink<double>([&](const Sample<double>& sample) {
          const auto row = filler.fill(sample);  // O.x O.y A.x A.y B.x B.y
          EXPECT_EQ(row[0], 0);
          EXPECT_EQ(row[1], 0);
          EXPECT_NEAR(row[2], 0.2 * std::cos(sample.q[0]), 1e-15);
          EXPECT_NEAR(row[3], 0.2 * std::sin(sample.q[0]), 1e-15);
          EXPECT_NEAR(row[4], 0.2 * std::cos(sample.q[0]) + std::cos(sample.q[1]), 1e-15);
          return true;
        }));
}

}  // namespace
}  // namespace dalembert
