// The history of a multistep method: exact for polynomials of its order.
#include "multistep/backward_differences.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace dalembert {
namespace {

// A polynomial of degree 5 and its derivative, in two components.
double difference_value(double t, int degree) { return degree == 0 ? 2 : std::pow(t, degree) - 3 * t + 2; }
double difference_slope(double t, int degree) {
  return degree == 0 ? 0 : degree * std::pow(t, degree - 1) - 3;
}

// ∇ʲ y at t with step h, from the values at t, t − h, t − 2h, ...
BackwardDifferences history(int degree, double t, double h) {
  BackwardDifferences differences(2);
  std::vector<double> values;
  for (int i = 0; i <= BackwardDifferences::max_order + 2; ++i)
    values.push_back(difference_value(t - i * h, degree));
  for (int j = 1; j <= BackwardDifferences::max_order + 2; ++j) {
    for (std::size_t i = 0; i + static_cast<std::size_t>(j) < values.size(); ++i) values[i] -= values[i + 1];
    differences[j][0] = values[0];
    differences[j][1] = -values[0];
  }
  return differences;
}

TEST(BackwardDifferences, PredictAndInterpolatePolynomialsOfTheirOrder) {
  const double t = 1.3, h = 0.2;
  for (int order = 1; order <= BackwardDifferences::max_order; ++order) {
    const BackwardDifferences differences = history(order, t, h);
    const std::vector<double> y = {difference_value(t, order), -difference_value(t, order)};
    std::vector<double> found(2);
    differences.predict(order, y, found);
    EXPECT_NEAR(found[0], difference_value(t + h, order), 1e-12) << order;
    EXPECT_NEAR(found[1], -difference_value(t + h, order), 1e-12) << order;
    for (const double s : {-1.0, -0.3, 0.0, 0.5, 1.0}) {
      differences.interpolate(order, y, s, found);
      EXPECT_NEAR(found[0], difference_value(t + s * h, order), 1e-12) << order << ' ' << s;
      differences.differentiate(order, s, found);
      EXPECT_NEAR(found[0], h * difference_slope(t + s * h, order), 1e-12) << order << ' ' << s;
    }
  }
}

TEST(BackwardDifferences, AnotherStepKeepsThePolynomial) {
  const double t = 0.7, h = 0.3;
  for (int order = 1; order <= BackwardDifferences::max_order; ++order) {
    for (const double ratio : {0.1, 0.5, 1.0, 1.7}) {
      BackwardDifferences differences = history(order, t, h);
      differences.rescale(order, ratio);
      const BackwardDifferences expected = history(order, t, ratio * h);
      for (int j = 1; j <= order; ++j) {
        EXPECT_NEAR(differences[j][0], expected[j][0], 1e-11) << order << ' ' << ratio << ' ' << j;
        EXPECT_NEAR(differences[j][1], expected[j][1], 1e-11) << order << ' ' << ratio << ' ' << j;
      }
    }
  }
}

TEST(BackwardDifferences, AStepThatIsTakenBecomesTheNewestOfThem) {
  const double t = 0.4, h = 0.25;
  constexpr int order = 3;
  BackwardDifferences differences = history(5, t, h);
  const std::vector<double> y = {difference_value(t, 5), -difference_value(t, 5)};
  std::vector<double> correction(2);
  differences.predict(order, y, correction);
  correction[0] = difference_value(t + h, 5) - correction[0];
  correction[1] = -difference_value(t + h, 5) - correction[1];
  differences.advance(order, correction);
  const BackwardDifferences expected = history(5, t + h, h);
  for (int j = 1; j <= order + 2; ++j) EXPECT_NEAR(differences[j][0], expected[j][0], 1e-12) << j;
}

}  // namespace
}  // namespace dalembert
