// What generalized_alpha promises of accelerations and multipliers, which are its own.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::shipped_system;
using testing::simulate;
using testing::Simulation;

struct Errors {
  double a = 0, lambda = 0;
};

// The largest at the end of any step, from the first on.
Errors errors_of(const System& system, double duration, int steps) {
  SolveOptions options = options_of(system.model());
  options.duration = duration;
  for (int k = 1; k <= steps; ++k) options.output_times.push_back(duration * k / steps);
  const Simulation exact = simulate(system, options);
  options.method = "generalized_alpha";
  options.step = duration / steps;
  const Simulation run = simulate(system, options);
  EXPECT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  Errors errors;
  const auto include = [](double& error, const std::vector<double>& x, const std::vector<double>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(x[i] - y[i]));
  };
  for (std::size_t k = 0; k < exact.samples.size(); ++k) {
    include(errors.a, run.samples.at(k).a, exact.samples[k].a);
    include(errors.lambda, run.samples.at(k).lambda, exact.samples[k].lambda);
  }
  return errors;
}

TEST(GeneralizedAlpha, AccelerationsAndMultipliersOfAMovingStartHaveSecondOrder) {
  const System systems[] = {shipped_system("pendulum_cartesian", {{"x'", "3"}}),
                            shipped_system("slider_crank", {{"theta1'", "3"}})};
  for (const System& system : systems) {
    const Errors coarse = errors_of(system, 0.5, 50);
    const Errors fine = errors_of(system, 0.5, 100);
    EXPECT_NEAR(std::log2(coarse.a / fine.a), 2, 0.15) << system.model().title;
    EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), 2, 0.15) << system.model().title;
  }
}

}  // namespace
}  // namespace dalembert
