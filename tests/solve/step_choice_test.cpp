// x'' = 2 x³ from x = 1/ρ, x' = 1/ρ² is x = 1/(ρ − t): every coefficient is known, and with it the step.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/system/start.hpp>

namespace dalembert {
namespace {

System pole_at(double rho) {
  return System(read_model_text(
      fmt::format("[coordinates]\nx = {{ position = {:.17g}, velocity = {:.17g} }}\n[energy]\n"
                  "kinetic = \"x'^2/2\"\npotential = \"-x^4/2\"\n",
                  1 / rho, 1 / rho / rho)));
}

struct Choice {
  int order;
  double step;
};

Choice choice_at_start(const System& system, const StepSettings& settings) {
  AdomianStep<double> step(system, {}, settings);
  const Start start = find_start(system);
  EXPECT_TRUE(step.set_state(start.t, start.q, start.v));
  step.expand();
  return {step.order(), step.proposed_step()};
}

// Coefficients beside the value: ρ^(−k) of x, (k + 1) ρ^(−k) of x'.
double step_by_formula(double rho, int p, double tolerance) {
  const double last = std::pow(tolerance / (p + 1), 1.0 / p);
  const double before = std::pow(tolerance * std::exp(1.9) / p, 1.0 / (p - 1));
  return rho * std::min(last, before);
}

TEST(StepChoice, TheLastTwoTermsAreTheTolerance) {
  for (const double rho : {0.5, 2.0, 64.0}) {
    const System system = pole_at(rho);
    for (const double tolerance : {1e-6, 1e-10, 1e-15}) {
      for (const int order : {10, 20, 30}) {
        const double h =
            choice_at_start(system, {.log_tolerance = std::log(tolerance), .fixed_order = order}).step;
        EXPECT_NEAR(h / step_by_formula(rho, order, tolerance), 1, 1e-9)
            << rho << ' ' << tolerance << ' ' << order;
      }
    }
  }
}

TEST(StepChoice, APolynomialHasNoLongestStep) {
  const System system(
      read_model_text("[coordinates]\ny = { position = 1, velocity = 2 }\n[energy]\nkinetic = "
                      "\"y'^2/2\"\npotential = \"10*y\"\n"));
  EXPECT_TRUE(std::isinf(choice_at_start(system, {.log_tolerance = std::log(1e-12)}).step));
}

// p = ⌈1 − ½ ln tol⌉ is the middle of the orders that are tried [jorbazou2005].
TEST(StepChoice, OrdersFollowTheTolerance) {
  const System system = pole_at(1);
  int last = 0;
  for (const double tolerance : {1e-4, 1e-8, 1e-12, 1e-16}) {
    const StepSettings settings{.log_tolerance = std::log(tolerance)};
    const int middle = static_cast<int>(std::ceil(1 - 0.5 * settings.log_tolerance));
    const int order = choice_at_start(system, settings).order;
    EXPECT_GE(order, std::max(middle / 2, 6)) << tolerance;
    EXPECT_LE(order, std::max(middle * 5 / 3, 6)) << tolerance;
    EXPECT_GE(order, last) << tolerance;
    last = order;
  }
}

}  // namespace
}  // namespace dalembert
