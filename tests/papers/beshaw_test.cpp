// Beshaw's example 1: the ellipse for k = 2, 0, −2, −400, and the estimate of admissible gains.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/solve/stability.hpp>
#include <dalembert/system/kinematic_system.hpp>

namespace dalembert {
namespace {

double largest_deviation(const std::string& k, const std::string& method, double step, double duration = 10) {
  const KinematicSystem system(read_model(find_model("ellipse"), {{"k", k}}));
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.step = step;
  options.duration = duration;
  options.output_times = {duration};
  return solve(system, options, SampleSink<double>{}).max_position_residual;
}

const std::vector<std::string> methods_of_the_paper{"euler", "heun", "kutta3", "rk4"};

TEST(Beshaw, Figure1APositiveGainIsUnstableWithEveryMethod) {
  for (const std::string& method : methods_of_the_paper) {
    const double early = largest_deviation("2", method, 0.01, 2);
    const double late = largest_deviation("2", method, 0.01, 8);
    EXPECT_GT(late, 100 * early) << method;  // the deviation grows like e^{2t}
  }
}

TEST(Beshaw, Figure2AModerateNegativeGainIsStableWithEveryMethod) {
  for (const std::string& method : methods_of_the_paper) {
    const double early = largest_deviation("-2", method, 0.01, 5);
    const double late = largest_deviation("-2", method, 0.01, 50);
    EXPECT_LT(late, 1.1 * early + 1e-12) << method;
  }
  // without a gain Euler's deviation grows
  EXPECT_GT(largest_deviation("0", "euler", 0.01, 5), 5 * largest_deviation("0", "euler", 0.01, 1));
}

TEST(Beshaw, Figure3AStrongGainIsStableWithRungeKuttaMethodsWhereEulerIsNot) {
  // at a step that the paper does not name: beyond 2/400, below 2.513/400 and 2.785/400
  // the unstable ones wander irregularly over the plane
  EXPECT_GT(largest_deviation("-400", "euler", 0.0055), 2);
  EXPECT_GT(largest_deviation("-400", "heun", 0.0055), 2);
  EXPECT_NEAR(largest_deviation("-400", "kutta3", 0.0055), 4.9e-4, 0.1e-4);
  EXPECT_NEAR(largest_deviation("-400", "rk4", 0.0055), 5.0e-4, 0.1e-4);
  // within the limits all are stable
  for (const std::string& method : methods_of_the_paper) {
    EXPECT_LT(largest_deviation("-400", method, 0.004), 0.05) << method;
  }
}

StabilityEstimate estimate(double a, double epsilon, double step) {
  const KinematicSystem system(read_model(find_model("ellipse")));
  StabilityQuestion question;
  question.box = {{-1.1, 1.1}, {-3.1, 3.1}};
  question.time = {0, 10};
  question.a = a;
  question.epsilon = epsilon;
  question.step = step;
  return estimate_stability(system, question);
}

TEST(Beshaw, BoundsOfTheSecondDerivativeEncloseAndAreSharp) {
  const StabilityEstimate result = estimate(0.99, 0.1, 0.002);
  // A is the largest 9 (9 x² + y²) with |9 x² + y² − 9| ≤ 0.2, that is 82.8
  EXPECT_GE(result.bound.A, 82.8);
  EXPECT_LE(result.bound.A, 82.8 * 1.03);
  // B the largest 144 |x y f| / (81 x² + y²), D the largest (729 x² + y²) f² / (81 x² + y²)²: by a fine grid
  double B = 0, D = 0;
  for (int i = -1100; i <= 1100; ++i) {
    for (int j = -1550; j <= 1550; ++j) {
      const double x = 0.001 * i, y = 0.002 * j;
      const double f = (9 * x * x + y * y - 9) / 2;
      if (std::abs(f) > 0.1) continue;
      const double size = 81 * x * x + y * y;
      B = std::max(B, 144 * std::abs(x * y * f) / size);
      D = std::max(D, (729 * x * x + y * y) * f * f / (size * size));
    }
  }
  EXPECT_GE(result.bound.B, B);
  EXPECT_LE(result.bound.B, 1.3 * B);
  EXPECT_GE(result.bound.D, D);
  EXPECT_LE(result.bound.D, 1.3 * D);
}

TEST(Beshaw, TheContractionAllowsGainsUpToMinusFiveNotMinusHalf) {
  const StabilityEstimate result = estimate(0.99, 0.1, 0.002);
  EXPECT_NEAR(result.contraction.low, -995, 1e-9);
  EXPECT_NEAR(result.contraction.high, -5, 1e-9);
  EXPECT_NEAR(result.allowed, 500, 1e-9);
  ASSERT_TRUE(result.admissible.has_value());
  EXPECT_EQ(result.admissible->high, result.contraction.high);
}

TEST(Beshaw, ThePapersOwnInequalityAllowsGainsUpTo684) {
  const double gain = solve_gain({81.9, 37.9, 3.4, 0}, 500).value();
  EXPECT_NEAR(81.9 + 37.9 * gain + 3.4 * gain * gain, 500, 1e-10);
  EXPECT_NEAR(gain, 6.84, 0.01);
}

TEST(Beshaw, WithinTheEstimateEulerKeepsTheDeviationBelowEpsilon) {
  const StabilityEstimate result = estimate(0.99, 0.1, 0.002);
  ASSERT_TRUE(result.admissible.has_value());
  for (const double k : {result.admissible->low, 0.5 * (result.admissible->low + result.admissible->high),
                         result.admissible->high}) {
    EXPECT_LE(largest_deviation(std::to_string(k), "euler", 0.002, 20), 0.1) << k;
  }
}

TEST(Beshaw, ThereIsNoAdmissibleGainBeyondTheLargestStep) {
  const double largest = estimate(0.99, 0.1, 0.002).largest_step.value();
  EXPECT_TRUE(estimate(0.99, 0.1, 0.99 * largest).admissible.has_value());
  EXPECT_FALSE(estimate(0.99, 0.1, 1.01 * largest).admissible.has_value());
}

TEST(Beshaw, StepsOfTheLinearLimitAreThoseOfTheErrata) {
  const Eigen::MatrixXd K = Eigen::MatrixXd::Constant(1, 1, -400);
  EXPECT_NEAR(stable_step(find_runge_kutta("euler"), K), 0.005, 1e-9);
  EXPECT_NEAR(stable_step(find_runge_kutta("heun"), K), 0.005, 1e-9);
  EXPECT_NEAR(stable_step(find_runge_kutta("kutta3"), K), 0.00628, 5e-6);
  EXPECT_NEAR(stable_step(find_runge_kutta("rk4"), K), 0.00696, 5e-6);
  // complex gains: 1 + z with z = τ (−1 ± 2 i) leaves the circle at τ = 2/5
  const Eigen::MatrixXd turning = (Eigen::MatrixXd(2, 2) << -1, 2, -2, -1).finished();
  EXPECT_NEAR(stable_step(find_runge_kutta("euler"), turning), 0.4, 1e-9);
  EXPECT_EQ(stable_step(find_runge_kutta("rk4"), Eigen::MatrixXd::Constant(1, 1, 2)), 0);
}

}  // namespace
}  // namespace dalembert
