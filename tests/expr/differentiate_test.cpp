#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>

#include "expr/random_expression.hpp"

namespace dalembert {
namespace {

class DerivativeTest : public testing::Test {
 protected:
  Expr of(const std::string& text) { return parse(graph, text); }

  Graph graph;
  Expr x = graph.symbol("x");
  Expr y = graph.symbol("y");
};

TEST_F(DerivativeTest, EqualsTheKnownNode) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"3", "0"},
      {"y", "0"},
      {"x", "1"},
      {"pi*x", "pi"},
      {"2*x + 3*y - 7", "2"},
      {"x*y", "y"},
      {"x^5", "5*x^4"},
      {"1/x", "-1/x^2"},
      {"sqrt(x)", "1/(2*sqrt(x))"},
      {"x^y", "y*x^(y - 1)"},
      {"2^x", "2^x*log(2)"},
      {"sin(x)", "cos(x)"},
      {"cos(x)", "-sin(x)"},
      {"tan(x)", "1 + tan(x)^2"},
      {"asin(x)", "1/sqrt(1 - x^2)"},
      {"acos(x)", "-1/sqrt(1 - x^2)"},
      {"atan(x)", "1/(1 + x^2)"},
      {"atan2(x, y)", "y/(x^2 + y^2)"},
      {"atan2(y, x)", "-y/(x^2 + y^2)"},
      {"sinh(x)", "cosh(x)"},
      {"cosh(x)", "sinh(x)"},
      {"tanh(x)", "1 - tanh(x)^2"},
      {"exp(x)", "exp(x)"},
      {"log(x)", "1/x"},
      {"erf(x)", "2/sqrt(pi)*exp(-x^2)"},
      {"abs(x)", "sign(x)"},
      {"sign(x)", "0"},
      {"min(x, y)", "1/2 - 1/2*sign(x - y)"},
      {"max(x, y)", "1/2 + 1/2*sign(x - y)"},
      {"sin(x*y)", "y*cos(x*y)"},
      {"sin(x)^2", "2*sin(x)*cos(x)"},
  };
  for (const auto& [input, expected] : cases) {
    EXPECT_EQ(derivative(of(input), x), of(expected)) << input << " -> " << to_text(derivative(of(input), x));
  }
}

// (f(x+h) - f(x-h))/(2h) has an error of h^2 f'''/6: with h = 1e-15 and 50 digits, about 1e-30.
TEST_F(DerivativeTest, EqualsCentralDifferencesOfFiftyDigits) {
  const DigitsScope digits(50);
  const Real h("1e-15");
  const std::unordered_map<NodeId, Real> at{{x.id(), Real("0.37")}, {y.id(), Real("1.9")}};
  for (const char* text : {"x^7 - 3*x^2*y",
                           "x^(5/3)",
                           "x^(-2)",
                           "sqrt(1 + x^2)",
                           "x^y",
                           "y^x",
                           "x^x",
                           "sin(x*y)",
                           "cos(x)^3",
                           "tan(x)",
                           "asin(x)",
                           "acos(x/y)",
                           "atan(x*y)",
                           "atan2(x, y)",
                           "atan2(y, x)",
                           "atan2(sin(x), cos(y*x))",
                           "sinh(x)",
                           "cosh(2*x)",
                           "tanh(x)",
                           "exp(sin(x))",
                           "log(x + y)",
                           "abs(x - y)*x",
                           "min(x, y)*x",
                           "max(x, y)*x",
                           "min(x^2, x)",
                           "x*y/(x + y)",
                           "sin(x)*cos(x)*exp(x)/(1 + x^2)",
                           "sign(x)*x"}) {
    const Expr e = of(text);
    auto right = at;
    auto left = at;
    right[x.id()] += h;
    left[x.id()] -= h;
    const Real difference = (evaluate(e, right) - evaluate(e, left)) / (2 * h);
    EXPECT_LT(abs(Real(evaluate(derivative(e, x), at) - difference)), Real("1e-27")) << text;
  }
}

TEST_F(DerivativeTest, SharesWorkInsteadOfSwelling) {
  Expr e = x;
  for (int i = 0; i < 200; ++i) e = sin(e) * cos(e);
  const Expr d = derivative(e, x);
  EXPECT_LT(reachable(d).size(), 200U * 12U);
}

TEST_F(DerivativeTest, NeedsNoStackForDeepGraphs) {
  Expr e = x;
  for (int i = 0; i < 30'000; ++i) e = sin(e + 1);
  const std::array symbols{x};
  EXPECT_FALSE(derivative(e, x).is_zero());
  EXPECT_EQ(gradient(e, SymbolIndex(symbols)).size(), 1U);
}

TEST_F(DerivativeTest, GradientLeavesOutZeros) {
  const std::array symbols{y, graph.symbol("z"), x};
  const auto result = gradient(of("x^2 + sin(y)"), SymbolIndex(symbols));
  ASSERT_EQ(result.size(), 2U);
  EXPECT_EQ(result[0], std::pair(std::uint32_t{0}, cos(y)));
  EXPECT_EQ(result[1], std::pair(std::uint32_t{2}, 2 * x));
  EXPECT_TRUE(gradient(of("q + 1"), SymbolIndex(symbols)).empty());
  EXPECT_TRUE(gradient(of("y - y"), SymbolIndex(symbols)).empty());
}

TEST_F(DerivativeTest, DirectionalIsTheChainRule) {
  const Expr dx = graph.symbol("dx");
  const Expr dy = graph.symbol("dy");
  Directional rate;
  rate.set_tangent(x, dx);
  rate.set_tangent(y, dy);
  EXPECT_EQ(rate(of("x*y")), of("y*dx + x*dy"));
  EXPECT_EQ(rate(of("x^2/2")), of("x*dx"));
  EXPECT_TRUE(rate(of("z")).is_zero());
}

// Forward, reverse and one symbol at a time are three routes to the same numbers; large parts may cancel in
// one of them, hence 200 digits.
TEST(Derivative, ThreeRoutesAgreeOnRandomExpressions) {
  const DigitsScope digits(200);
  int compared = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Graph graph;
    RandomExpressions expressions(graph, seed);
    const auto values = expressions.values<Real>();
    const std::array symbols{graph.symbol("x"), graph.symbol("y"), graph.symbol("theta'"), graph.symbol("t")};
    const std::array<Rational, 4> tangents{Rational(1), Rational(-2), Rational(1, 3), Rational(5)};
    Directional rate;
    for (std::size_t i = 0; i < 4; ++i) rate.set_tangent(symbols[i], graph.number(tangents[i]));
    for (int k = 0; k < 15; ++k) {
      const Expr e = expressions.next();
      std::array<Real, 4> slopes{0, 0, 0, 0};
      for (const auto& [i, slope] : gradient(e, SymbolIndex(symbols))) slopes[i] = evaluate(slope, values);
      Real total = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        const Real slope = evaluate(derivative(e, symbols[i]), values);
        if (abs(slope) < 1e9) {
          EXPECT_LT(abs(Real(slope - slopes[i])), 1e-25) << text_excerpt(e, 500);
          ++compared;
        }
        total += ScalarMath<Real>::from(tangents[i]) * slope;
      }
      if (!(abs(total) < 1e9)) continue;  // NaN, too
      EXPECT_LT(abs(Real(evaluate(rate(e), values) - total)), 1e-25) << text_excerpt(e, 500);
    }
  }
  EXPECT_GT(compared, 1500);
}

}  // namespace
}  // namespace dalembert
