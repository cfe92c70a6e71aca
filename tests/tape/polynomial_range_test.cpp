// Bounds of polynomials over parts of [0, 1].
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/tape/polynomial_range.hpp>

namespace dalembert {
namespace {

double value(const std::vector<double>& c, double x) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
  return sum;
}

TEST(PolynomialRange, HoldsAllValuesAndLittleMore) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> c;
    for (int k = 0; k < 12; ++k) c.push_back(uniform(engine) * std::pow(0.7, k));
    const double from = 0.5 * (1 + uniform(engine)) * 0.9, to = from + 0.1;
    const Interval range = polynomial_range(c, from, to);
    Interval sampled(value(c, from));
    for (double x = from; x <= to; x += 1e-3 * (to - from)) {
      sampled = {std::min(sampled.low, value(c, x)), std::max(sampled.high, value(c, x))};
    }
    EXPECT_LE(range.low, sampled.low);
    EXPECT_GE(range.high, sampled.high);
    EXPECT_LE(range.width(), sampled.width() + 0.02);
  }
}

TEST(PolynomialRange, OfAParabolaIsExact) {
  const std::vector<double> c{1, -4, 4};  // (1 − 2σ)²
  EXPECT_NEAR(polynomial_range(c, 0, 1).low, 0, 1e-13);
  EXPECT_NEAR(polynomial_range(c, 0, 1).high, 1, 1e-13);
  EXPECT_NEAR(polynomial_range(c, 0.6, 0.7).low, 0.04, 1e-13);
}

}  // namespace
}  // namespace dalembert
