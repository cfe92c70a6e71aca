// Series in exact rationals: against closed forms, against laws, and against the other scalars.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tape/expansion.hpp"

namespace dalembert {
namespace {

constexpr int order = 40;

class ExactSeries : public testing::Test {
 protected:
  // Coefficients of e where x = place + τ.
  std::vector<Rational> expand_at(const Rational& place, Expr e) {
    return expand<Rational>(e, {{{x, {place, 1}}}, {}}, order);
  }

  // Compares each coefficient with `formula` of its order.
  void expect_coefficients(const Rational& place, Expr e, const std::function<Rational(int)>& formula) {
    const std::vector<Rational> series = expand_at(place, e);
    for (int k = 0; k <= order; ++k) EXPECT_EQ(series[static_cast<std::size_t>(k)], formula(k)) << k;
  }

  Graph graph;
  Expr x = graph.symbol("x");
};

Rational factorial(int n) { return n <= 1 ? Rational(1) : Rational(n * factorial(n - 1)); }

// c (c − 1) … (c − k + 1) / k!
Rational binomial(const Rational& c, int k) {
  Rational result = 1;
  for (int j = 0; j < k; ++j) result *= (c - j) / (j + 1);
  return result;
}

int sign_of(int half_order) { return half_order % 2 == 0 ? 1 : -1; }

TEST_F(ExactSeries, OfExpSinCosAndTheirHyperbolicKinAreInverseFactorials) {
  expect_coefficients(0, exp(x), [](int k) { return Rational(1 / factorial(k)); });
  expect_coefficients(0, sin(x),
                      [](int k) { return k % 2 == 0 ? 0 : Rational(sign_of(k / 2) / factorial(k)); });
  expect_coefficients(0, cos(x),
                      [](int k) { return k % 2 == 1 ? 0 : Rational(sign_of(k / 2) / factorial(k)); });
  expect_coefficients(0, sinh(x), [](int k) { return k % 2 == 0 ? 0 : Rational(1 / factorial(k)); });
  expect_coefficients(0, cosh(x), [](int k) { return k % 2 == 1 ? 0 : Rational(1 / factorial(k)); });
}

TEST_F(ExactSeries, OfLogAtanAndAsinAreTheTextbookOnes) {
  expect_coefficients(1, log(x), [](int k) { return k == 0 ? 0 : Rational(-sign_of(k)) / k; });
  expect_coefficients(0, atan(x), [](int k) { return k % 2 == 0 ? 0 : Rational(sign_of(k / 2)) / k; });
  expect_coefficients(0, asin(x), [](int k) {  // (2n)! / (4^n n!² (2n + 1)), k = 2n + 1
    if (k % 2 == 0) return Rational(0);
    const int n = k / 2;
    return Rational(factorial(2 * n) /
                    (pow(Integer(4), static_cast<unsigned>(n)) * factorial(n) * factorial(n) * k));
  });
}

TEST_F(ExactSeries, OfPowersAreBinomialCoefficients) {
  for (const Rational& c : {fraction(1, 2), fraction(-1, 2), fraction(3, 2), fraction(-3, 2), fraction(1, 3),
                            Rational(-1), Rational(-2), Rational(-5), Rational(7)}) {
    SCOPED_TRACE(c.str());
    expect_coefficients(1, pow(x, graph.number(c)), [&](int k) { return binomial(c, k); });
  }
}

TEST_F(ExactSeries, OfTanAndTanhBeginWithThePublishedFractions) {
  const std::vector<Rational> published{0, 1,
                                        0, fraction(1, 3),
                                        0, fraction(2, 15),
                                        0, fraction(17, 315),
                                        0, fraction(62, 2835),
                                        0, fraction(1382, 155925)};
  const std::vector<Rational> tan_series = expand_at(0, tan(x));
  const std::vector<Rational> tanh_series = expand_at(0, tanh(x));
  for (std::size_t k = 0; k < published.size(); ++k) {
    EXPECT_EQ(tan_series[k], published[k]) << k;
    EXPECT_EQ(tanh_series[k], sign_of(static_cast<int>(k) / 2) * published[k]) << k;
  }
}

TEST_F(ExactSeries, OfAFunctionAndItsInverseIsTheIdentity) {
  const auto identity_at = [](const Rational& place) {
    return [place](int k) { return k == 0 ? place : Rational(k == 1 ? 1 : 0); };
  };
  expect_coefficients(0, asin(sin(x)), identity_at(0));
  expect_coefficients(0, sin(asin(x)), identity_at(0));
  expect_coefficients(0, tan(atan(x)), identity_at(0));
  expect_coefficients(0, atan(tan(x)), identity_at(0));
  expect_coefficients(0, log(exp(x)), identity_at(0));
  expect_coefficients(1, exp(log(x)), identity_at(1));
  expect_coefficients(0, atan2(sin(x), cos(x)), identity_at(0));
  expect_coefficients(fraction(8, 27), pow(pow(x, graph.number(fraction(1, 3))), 3),
                      identity_at(fraction(8, 27)));
}

TEST_F(ExactSeries, ObeyTheLawsOfTheirFunctions) {
  const auto zero = [](int) { return Rational(0); };
  const auto one = [](int k) { return Rational(k == 0 ? 1 : 0); };
  const Expr u = 3 * x + pow(x, 2);
  expect_coefficients(0, pow(sin(u), 2) + pow(cos(u), 2), one);
  expect_coefficients(0, pow(cosh(u), 2) - pow(sinh(u), 2), one);
  expect_coefficients(0, tan(u) - sin(u) / cos(u), zero);
  expect_coefficients(0, tanh(u) - sinh(u) / cosh(u), zero);
  expect_coefficients(0, atan2(u, 1 + x) - atan(u / (1 + x)), zero);
  expect_coefficients(4, pow(sqrt(x), 4) - pow(x, 2), zero);
  expect_coefficients(1, pow(x, u) - exp(u * log(x)), zero);
}

struct RationalCase {
  std::string name;
  std::function<Expr(Expr x, Expr y, Expr c)> make;
  Rational x0;
  Rational y0 = 1;
  Rational c = 1;

  friend std::ostream& operator<<(std::ostream& out, const RationalCase& f) { return out << f.name; }
};

std::vector<RationalCase> rational_cases() {
  const auto one = [](Expr (*f)(Expr)) { return [f](Expr x, Expr, Expr) { return f(x); }; };
  const auto power = [](Expr x, Expr, Expr c) { return pow(x, c); };
  return {
      {"product", [](Expr x, Expr y, Expr) { return x * y; }, fraction(2, 3), fraction(-5, 7)},
      {"square", [](Expr x, Expr, Expr) { return pow(x, 2); }, fraction(2, 3)},
      {"quotient", [](Expr x, Expr y, Expr) { return x / y; }, fraction(2, 3), fraction(-5, 4)},
      {"inverse", [](Expr x, Expr, Expr) { return 1 / x; }, fraction(5, 4)},
      {"sqrt", one(sqrt), 4},
      {"sqrt_of_a_fraction", one(sqrt), fraction(25, 9)},
      {"power_c_3_2", power, 4, 1, fraction(3, 2)},
      {"power_c_minus_1_3", power, fraction(27, 8), 1, fraction(-1, 3)},
      {"power_c_minus_2", power, fraction(-5, 4), 1, -2},
      {"exp", one(exp), 0},
      {"log", one(log), 1},
      {"sin", one(sin), 0},
      {"cos", one(cos), 0},
      {"tan", one(tan), 0},
      {"sinh", one(sinh), 0},
      {"cosh", one(cosh), 0},
      {"tanh", one(tanh), 0},
      {"asin", one(asin), 0},
      {"atan", one(atan), 0},
      {"atan2", [](Expr x, Expr y, Expr) { return atan2(x, y); }, 0, fraction(5, 4)},
  };
}

class EveryScalar : public testing::TestWithParam<RationalCase> {};

TEST_P(EveryScalar, HasTheCoefficientsOfTheExactSeries) {
  constexpr int last = 20;
  const DigitsScope digits(100);
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr y = graph.symbol("y");
  const Expr c = graph.symbol("c");
  const Expr e = GetParam().make(x, y, c);
  const Arguments arguments{
      {{x, random_polynomial(GetParam().x0, last, 3)}, {y, random_polynomial(GetParam().y0, last, 4)}},
      {{c, GetParam().c}}};
  const std::vector<Rational> exact = expand<Rational>(e, arguments, last);
  const std::vector<Real> precise = expand<Real>(e, arguments, last);
  const std::vector<double> rounded = expand<double>(e, arguments, last);
  double largest = 1;  // a rounding error of any coefficient reaches the later ones
  for (std::size_t k = 0; k <= last; ++k) {
    const Real expected = ScalarMath<Real>::from(exact[k]);
    largest = std::max(largest, std::abs(to_double(exact[k])));
    EXPECT_LE(static_cast<double>(abs(precise[k] - expected)), largest * 1e-96) << k;
    EXPECT_LE(std::abs(rounded[k] - to_double(exact[k])), largest * 1e-14) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(RationalPlaces, EveryScalar, testing::ValuesIn(rational_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace dalembert
