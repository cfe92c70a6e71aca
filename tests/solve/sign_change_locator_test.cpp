// Where a polynomial changes its sign first.
#include "switches/sign_change_locator.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/scalar.hpp>

namespace dalembert {
namespace {

// Coefficients of factor · Π (τ − root).
std::vector<double> with_roots(double factor, const std::vector<double>& roots) {
  std::vector<double> c{factor};
  for (const double root : roots) {
    c.push_back(0);
    for (std::size_t k = c.size(); k-- > 1;) c[k] = c[k - 1] - root * c[k];
    c[0] *= -root;
  }
  return c;
}

SignChangeLocator<double>::Found first_change(const std::vector<double>& c, double length, int side,
                                              bool leaves_zero = false) {
  return SignChangeLocator<double>(30).find(c, length, side, leaves_zero);
}

TEST(SignChangeLocator, FindsTheFirstOfSeveralRoots) {
  const auto found = first_change(with_roots(-1, {0.9, 0.5, 0.25}), 1, 1);
  EXPECT_TRUE(found.crosses);
  EXPECT_NEAR(found.reach, 0.25, 1e-14);
  const auto negative = first_change(with_roots(1, {0.9, 0.5, 0.25}), 1, -1);
  EXPECT_TRUE(negative.crosses);
  EXPECT_NEAR(negative.reach, 0.25, 1e-14);
}

TEST(SignChangeLocator, FollowsAMotionBackwards) {
  const auto found = first_change(with_roots(1, {-0.3, 0.7}), -1, -1);
  EXPECT_TRUE(found.crosses);
  EXPECT_NEAR(found.reach, -0.3, 1e-14);
}

TEST(SignChangeLocator, GoesToTheEndWhereNothingChanges) {
  for (const auto& roots : {std::vector<double>{1.01, 2}, {-0.5, -0.1}, {}}) {
    const std::vector<double> c = with_roots(1, roots);
    const auto found = first_change(c, 1, c[0] > 0 ? 1 : -1);
    EXPECT_FALSE(found.crosses);
    EXPECT_EQ(found.reach, 1);
  }
}

TEST(SignChangeLocator, PassesAZeroThatIsOnlyTouched) {
  const auto found = first_change(with_roots(1, {0.5, 0.5}), 1, 1);
  EXPECT_FALSE(found.crosses);
  EXPECT_EQ(found.reach, 1);
  const auto behind = first_change(with_roots(-1, {0.5, 0.5, 0.75}), 1, 1);
  EXPECT_TRUE(behind.crosses);
  EXPECT_NEAR(behind.reach, 0.75, 1e-12);
}

TEST(SignChangeLocator, SeparatesRootsThatAreClose) {
  const double gap = 1e-6;
  const auto found = first_change(with_roots(1, {0.5, 0.5 + gap}), 1, 1);
  EXPECT_TRUE(found.crosses);
  EXPECT_NEAR(found.reach, 0.5, 1e-9);  // the slope there is 1e-6
}

TEST(SignChangeLocator, LeavesAZeroAtTheStart) {
  const auto found = first_change(with_roots(-1, {0, 0.4}), 1, 1, true);
  EXPECT_TRUE(found.crosses);
  EXPECT_NEAR(found.reach, 0.4, 1e-14);
  const auto never = first_change({0, 1, 1}, 1, 1, true);
  EXPECT_FALSE(never.crosses);
}

TEST(SignChangeLocator, IsRightToTheDigitsOfItsNumbers) {
  const DigitsScope digits(40);
  std::vector<Real> c = {Real(2), Real(0), Real(-1)};  // 2 − τ²
  const auto found = SignChangeLocator<Real>(2).find(c, Real(3), 1, false);
  EXPECT_TRUE(found.crosses);
  EXPECT_LT(abs(Real(found.reach * found.reach - 2)), Real("1e-37"));
}

}  // namespace
}  // namespace dalembert
