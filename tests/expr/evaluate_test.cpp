#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include <gtest/gtest.h>

#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/flat_expressions.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>

#include "expr/random_expression.hpp"

namespace dalembert {
namespace {

class EvaluateTest : public testing::Test {
 protected:
  template <class S>
  S at(const std::string& text, const S& x) {
    return evaluate<S>(parse(graph, text), {{graph.symbol("x").id(), x}});
  }

  Graph graph;
};

TEST_F(EvaluateTest, DoublesUseTheStandardLibrary) {
  const double x = 0.7;
  EXPECT_DOUBLE_EQ(at<double>("sin(x)", x), std::sin(x));
  EXPECT_DOUBLE_EQ(at<double>("cos(x)", x), std::cos(x));
  EXPECT_DOUBLE_EQ(at<double>("tan(x)", x), std::tan(x));
  EXPECT_DOUBLE_EQ(at<double>("asin(x)", x), std::asin(x));
  EXPECT_DOUBLE_EQ(at<double>("acos(x)", x), std::acos(x));
  EXPECT_DOUBLE_EQ(at<double>("atan(x)", x), std::atan(x));
  EXPECT_DOUBLE_EQ(at<double>("atan2(x, -2)", x), std::atan2(x, -2.0));
  EXPECT_DOUBLE_EQ(at<double>("sinh(x)", x), std::sinh(x));
  EXPECT_DOUBLE_EQ(at<double>("cosh(x)", x), std::cosh(x));
  EXPECT_DOUBLE_EQ(at<double>("tanh(x)", x), std::tanh(x));
  EXPECT_DOUBLE_EQ(at<double>("exp(x)", x), std::exp(x));
  EXPECT_DOUBLE_EQ(at<double>("log(x)", x), std::log(x));
  EXPECT_DOUBLE_EQ(at<double>("erf(x)", x), std::erf(x));
  EXPECT_DOUBLE_EQ(at<double>("sqrt(x)", x), std::sqrt(x));
  EXPECT_DOUBLE_EQ(at<double>("x^1.3", x), std::pow(x, 1.3));
  EXPECT_DOUBLE_EQ(at<double>("2^x", x), std::pow(2.0, x));
  EXPECT_DOUBLE_EQ(at<double>("1/x", x), 1 / x);
  EXPECT_DOUBLE_EQ(at<double>("3 - 2*x", x), 3 - 2 * x);
}

TEST_F(EvaluateTest, NonAnalyticFunctionsAndNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(at<double>("abs(x)", -2), 2);
  EXPECT_EQ(at<double>("sign(x)", -2), -1);
  EXPECT_EQ(at<double>("sign(x)", 0), 0);
  EXPECT_EQ(at<double>("min(x, 3)", 2), 2);
  EXPECT_EQ(at<double>("min(x, 3)", 4), 3);
  EXPECT_EQ(at<double>("max(x, 3)", 4), 4);
  for (const char* text : {"abs(x)", "sign(x)", "min(x, 3)", "min(3, x)", "max(x, 3)", "max(3, x)"}) {
    EXPECT_TRUE(std::isnan(at<double>(text, nan))) << text;
  }
}

// Digits from OEIS: sqrt(2) A002193, e A001113, log(2) A002162.
TEST_F(EvaluateTest, RealHasTheDigitsAskedFor) {
  const DigitsScope digits(50);
  const auto near = [](const Real& value, const char* digits_of) {
    return abs(Real(value - Real(digits_of))) < Real("1e-48");
  };
  EXPECT_TRUE(near(at<Real>("sqrt(x)", 2), "1.41421356237309504880168872420969807856967187537694"));
  EXPECT_TRUE(near(at<Real>("exp(x)", 1), "2.71828182845904523536028747135266249775724709369995"));
  EXPECT_TRUE(near(at<Real>("log(x)", 2), "0.69314718055994530941723212145817656807550013436025"));
  EXPECT_TRUE(near(at<Real>("4*atan(x) - pi", 1), "0"));
  EXPECT_TRUE(near(at<Real>("0.1*x - 1/30*x", 15), "1"));
}

TEST_F(EvaluateTest, RationalIsExactOrSaysWhereItIsNot) {
  EXPECT_EQ(at<Rational>("x^3 - 1/x + sqrt(x)", Rational(1, 4)), Rational(1, 64) - 4 + Rational(1, 2));
  EXPECT_EQ(at<Rational>("cos(x - 1) + min(x, 2)", 1), 2);
  const auto refusal = [this](const std::string& text, const Rational& x) -> std::string {
    try {
      at<Rational>(text, x);
    } catch (const NotRational& error) {
      return error.message();
    }
    return "no error";
  };
  EXPECT_EQ(refusal("1 + sin(2*x)", Rational(1, 2)), "sin(1) is not rational, in 'sin(2*x)'");
  EXPECT_EQ(refusal("3/(x - 1)", 1), "0^(-1) divides by zero, in '1/(x - 1)'");
  EXPECT_EQ(refusal("x*pi", 1), "pi is not rational, in 'pi'");
}

TEST_F(EvaluateTest, AMissingValueIsAnErrorThatNamesIt) {
  try {
    evaluate<double>(parse(graph, "x + y'"), {{graph.symbol("x").id(), 1.0}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "'y'' has no value");
  }
}

TEST_F(EvaluateTest, VeryDeepGraphsNeedNoStack) {
  Expr e = graph.symbol("x");
  for (int i = 0; i < 100'000; ++i) e = sin(e) + 1;
  double expected = 0.5;
  for (int i = 0; i < 100'000; ++i) expected = std::sin(expected) + 1;
  EXPECT_NEAR(evaluate<double>(e, {{graph.symbol("x").id(), 0.5}}), expected, 1e-14);
}

Real evaluate_with_digits(unsigned count, const RandomExpressions& expressions, Expr e) {
  const DigitsScope digits(count);
  return evaluate(e, expressions.values<Real>());
}

// Where 20 digits and 50 digits agree to 1e-14, rounding is not amplified beyond 1e6, and doubles must be
// good to 1e-9.
TEST(Evaluate, ScalarsAgreeOnRandomExpressions) {
  int doubles = 0;
  int rationals = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    Graph graph;
    RandomExpressions expressions(graph, seed);
    for (int i = 0; i < 20; ++i) {
      const Expr e = expressions.next();
      const Real expected = evaluate_with_digits(50, expressions, e);
      const Real rough = evaluate_with_digits(20, expressions, e);
      if (!(abs(Real(rough - expected)) < 1e-14) || abs(expected) > 1e6) continue;  // NaN, too
      EXPECT_NEAR(evaluate(e, expressions.values<double>()), static_cast<double>(expected), 1e-9)
          << text_excerpt(e, 500);
      ++doubles;
      try {
        const Rational exact = evaluate(e, expressions.values<Rational>());
        const DigitsScope digits(50);
        EXPECT_LT(abs(Real(ScalarMath<Real>::from(exact) - expected)), 1e-14) << text_excerpt(e, 500);
        ++rationals;
      } catch (const NotRational&) {
      }
    }
  }
  EXPECT_GT(doubles, 400);
  EXPECT_GT(rationals, 100);
}

TEST(FlatExpressions, HaveTheValuesOfTheirExpressionsOneByOne) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Graph graph;
    RandomExpressions expressions(graph, seed);
    std::vector<Expr> roots;
    for (int i = 0; i < 30; ++i) roots.push_back(expressions.next());
    const auto values = expressions.values<double>();
    const std::vector<double> found = FlatExpressions(roots).eval(values);
    ASSERT_EQ(found.size(), roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const double expected = evaluate(roots[i], values);
      const bool is_same = found[i] == expected || (std::isnan(found[i]) && std::isnan(expected));
      EXPECT_TRUE(is_same || std::abs(found[i] - expected) <= 1e-14 * std::abs(expected))
          << text_excerpt(roots[i], 500) << ": " << found[i] << ", " << expected;
    }
  }
}

TEST(FlatExpressions, AMissingValueIsAnErrorThatNamesIt) {
  Graph graph;
  const std::vector<Expr> roots{graph.number(2), graph.symbol("width") + 1};
  try {
    FlatExpressions(roots).eval({});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "'width' has no value");
  }
}

}  // namespace
}  // namespace dalembert
