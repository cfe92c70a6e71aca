// Sines and cosines in lanes against 40 digits.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/scalar.hpp>
#include <dalembert/tape/sincos.hpp>

namespace dalembert {
namespace {

class SineAndCosineInLanes : public testing::Test {
 private:
  DigitsScope digits_scope_{40};
};

// |value − exact| in units in the last place of the exact value.
double error_in_ulps(double value, const Real& exact) {
  const double rounded = static_cast<double>(exact);
  const double ulp =
      std::nextafter(std::abs(rounded), std::numeric_limits<double>::infinity()) - std::abs(rounded);
  return std::abs(static_cast<double>(Real(value) - exact)) / ulp;
}

template <int W>
double worst_error(double largest_argument) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> argument(-largest_argument, largest_argument);
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    Lanes<W> x{}, sine{}, cosine{};
    for (int lane = 0; lane < W; ++lane) x[lane] = argument(random);
    sincos<W>(x, sine, cosine);
    const Real exact(x[i % W]);
    worst =
        std::max({worst, error_in_ulps(sine[i % W], sin(exact)), error_in_ulps(cosine[i % W], cos(exact))});
  }
  return worst;
}

TEST_F(SineAndCosineInLanes, ErrorsStayBelowOneUnitInTheLastPlace) {
  for (const double largest : {0.7, 4.0, 1000.0, 9.9e4, 1e9}) {
    EXPECT_LT(worst_error<4>(largest), 1) << largest;
    EXPECT_LT(worst_error<8>(largest), 1) << largest;
  }
}

TEST_F(SineAndCosineInLanes, HoldNearMultiplesOfAQuarterTurn) {
  for (int k = -60000; k <= 60000; k += 997) {
    const double near = k * 1.5707963267948966;
    const Lanes<4> x{near, std::nextafter(near, 1e9), -near, 0.0};
    Lanes<4> sine{}, cosine{};
    sincos<4>(x, sine, cosine);
    for (int lane = 0; lane < 3; ++lane) {
      EXPECT_LT(error_in_ulps(sine[lane], sin(Real(x[lane]))), 1) << k;
      EXPECT_LT(error_in_ulps(cosine[lane], cos(Real(x[lane]))), 1) << k;
    }
    EXPECT_EQ(sine[3], 0);
    EXPECT_EQ(cosine[3], 1);
  }
}

TEST_F(SineAndCosineInLanes, WhatIsNotFiniteGivesNoNumber) {
  const Lanes<4> x{std::numeric_limits<double>::infinity(), std::nan(""), 0.5, -0.5};
  Lanes<4> sine{}, cosine{};
  sincos<4>(x, sine, cosine);
  EXPECT_TRUE(std::isnan(sine[0]) && std::isnan(sine[1]) && std::isnan(cosine[0]) && std::isnan(cosine[1]));
  EXPECT_EQ(sine[2], -sine[3]);
}

}  // namespace
}  // namespace dalembert
