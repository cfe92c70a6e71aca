// Interpolation between work-precision points and the error norm.
#include "work_precision.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "error_norm.hpp"

namespace dalembert::bench {
namespace {

Point point(double error, double seconds, bool finished = true) {
  return {0, {finished, error, 0, 0, 0}, {seconds, seconds}};
}

TEST(TimeAtError, IsLinearInTheLogarithms) {
  // time = error^(-1/4)
  const std::vector<Point> points = {point(1e-4, 10), point(1e-8, 100), point(1e-12, 1000)};
  EXPECT_NEAR(*time_at_error(points, 1e-6), std::pow(10, 1.5), 1e-12);
  EXPECT_NEAR(*time_at_error(points, 1e-8), 100, 1e-12);
  EXPECT_NEAR(*time_at_error(points, 1e-9), std::pow(10, 2.25), 1e-12);
}

TEST(TimeAtError, IgnoresPointsThatACheaperOneSurpasses) {
  const std::vector<Point> points = {point(1e-4, 10), point(1e-3, 50), point(1e-8, 100)};
  EXPECT_NEAR(*time_at_error(points, 1e-6), std::pow(10, 1.5), 1e-12);
}

TEST(TimeAtError, IsThatOfTheCheapestRunWhereItIsBetter) {
  const std::vector<Point> points = {point(1e-3, 50), point(1e-4, 10), point(1e-8, 100)};
  EXPECT_EQ(time_at_error(points, 1e-3), 10);
}

TEST(TimeAtError, IsEmptyWhereNoFinishedRunReachesIt) {
  const std::vector<Point> points = {point(1e-4, 10), point(1e-8, 100), point(1e-12, 1000, false)};
  EXPECT_FALSE(time_at_error(points, 1e-10));
}

TEST(ToleranceRange, HoldsBothEndsAndEqualRatios) {
  const std::vector<double> tolerances = tolerance_range(1e-3, 1e-5, 2);
  ASSERT_EQ(tolerances.size(), 5u);
  EXPECT_DOUBLE_EQ(tolerances.front(), 1e-3);
  EXPECT_NEAR(tolerances[1], std::pow(10, -3.5), 1e-15);
  EXPECT_NEAR(tolerances.back(), 1e-5, 1e-17);
}

TEST(StateError, TakesTheLargerOfScaledCoordinatesAndVelocities) {
  using Pair = std::array<double, 2>;
  const Pair q_exact = {10, 0.1}, v_exact = {200, 1};
  EXPECT_DOUBLE_EQ(state_error(Pair{11, 0.1}, v_exact, q_exact, v_exact, 200), 0.1);
  EXPECT_DOUBLE_EQ(state_error(Pair{10, 0.35}, v_exact, q_exact, v_exact, 200), 0.25);
  EXPECT_DOUBLE_EQ(state_error(q_exact, Pair{200, 2}, q_exact, v_exact, largest(v_exact)), 0.005);
  EXPECT_TRUE(std::isnan(state_error(Pair{NAN, 0.1}, v_exact, q_exact, v_exact, 200)));
}

}  // namespace
}  // namespace dalembert::bench
