// The pendulum's constants and its exact reference.
#include "pendulum/pendulum.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace dalembert::bench::pendulum {
namespace {

TEST(Pendulum, GravityGivesThePeriodTwoByTheCompleteEllipticIntegral) {
  const double K = std::comp_ellint_1(std::sqrt(0.5));
  EXPECT_NEAR(4 * K / std::sqrt(gravity), 2, 1e-15);
  EXPECT_NEAR(largest_speed, std::sqrt(2 * gravity), 1e-13);
}

TEST(Pendulum, ProjectionOfANearPointLandsOnTheCircleAndItsTangentAndThenStays) {
  State y = {0.6 + 1e-9, -0.8 + 2e-9, 1.7, 0.3};
  project(y.data());
  EXPECT_NEAR(y[0] * y[0] + y[1] * y[1], 1, 1e-15);
  EXPECT_NEAR(y[0] * y[2] + y[1] * y[3], 0, 1e-15);
  const State before = y;
  project(y.data());
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(y[i], before[i], 1e-15);
}

TEST(Pendulum, Dop853ReturnsToTheStartAfterFifteenPeriods) {
  const Result result = dop853_contestants().front().run(1e-14);
  EXPECT_TRUE(result.finished);
  EXPECT_LT(result.error, 1e-12);
}

}  // namespace
}  // namespace dalembert::bench::pendulum
