#include <cmath>
#include <random>
#include <string>
#include <unordered_map>

#include <gtest/gtest.h>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/tidy.hpp>

namespace dalembert {
namespace {

class TidyTest : public testing::Test {
 protected:
  Expr tidied(const std::string& text) {
    const std::vector<Expr> variables{graph_.symbol("x"), graph_.symbol("y"), graph_.symbol("x'")};
    return Tidy(variables)(parse(graph_, text));
  }
  void expect_tidied(const std::string& text, const std::string& expected) {
    EXPECT_EQ(tidied(text), parse(graph_, expected)) << text << " became " << to_text(tidied(text));
  }
  Graph graph_;
};

TEST_F(TidyTest, SquaresOfSineAndCosineAddToOne) {
  expect_tidied("a*sin(x)^2 + a*cos(x)^2", "a");
  expect_tidied("b + a*cos(x)*cos(x) + a*sin(x)*sin(x)", "a + b");
  expect_tidied("sin(x)^4 + 2*sin(x)^2*cos(x)^2 + cos(x)^4", "1");
}

TEST_F(TidyTest, AdditionTheoremsAreUsedBackwards) {
  expect_tidied("cos(x)*cos(y) - sin(x)*sin(y)", "cos(x + y)");
  expect_tidied("cos(x)*cos(y) + sin(x)*sin(y)", "cos(x - y)");
  expect_tidied("a*(sin(x)*cos(y) + cos(x)*sin(y))", "a*sin(x + y)");
  expect_tidied("a*(sin(x)*cos(y) - cos(x)*sin(y))", "a*sin(x - y)");
}

TEST_F(TidyTest, WhatCancelsIsGone) {
  expect_tidied("(x + y)^2 - x^2 - y^2 - 2*x*y", "0");
  expect_tidied("(a + b)*x - a*x - b*x + c", "c");
  expect_tidied("x'*(a*x' + b) - a*x'^2", "b*x'");
}

TEST_F(TidyTest, TermsAreCollectedByTheirVariablePartAndCommonFactorsSetApart) {
  expect_tidied("m1*g*l*sin(x) + m2*g*l*sin(x)", "g*l*(m1 + m2)*sin(x)");
  expect_tidied("m1*l^2*x'/2 + m2*l^2*x'", "l^2*(m1 + 2*m2)*x'/2");
}

TEST_F(TidyTest, NumbersStandInFrontOfParentheses) {
  expect_tidied("a/2*(2*x*y - 2*y*x')^2", "2*a*(x*y - y*x')^2");
  expect_tidied("2*a*sin(x)*(4*x*y - 4*y*x')", "8*a*sin(x)*(x*y - y*x')");
  expect_tidied("a*exp(x)*(-x/2 - y/2)", "-a*exp(x)*(x + y)/2");
  expect_tidied("a*(2*x + 2*y)^(1/2)", "a*(2*x + 2*y)^(1/2)");
}

TEST_F(TidyTest, ShortExpressionsStayAsTheyAre) {
  for (const char* text : {"x", "0", "(x + a)^8", "sqrt((x - a)^2 + (y - b)^2)", "x/(a + b)", "exp(x)*sin(x)",
                           "a^x", "max(x, y)", "pi*x^(3/2)"}) {
    EXPECT_EQ(tidied(text), parse(graph_, text)) << text;
  }
}

TEST_F(TidyTest, QuotientsAreTidiedAboveAndBelow) {
  expect_tidied("(sin(x)^2 + cos(x)^2)/(a + x*y - y*x + b)", "1/(a + b)");
  expect_tidied("x*(y + a)/x - y", "a");
}

TEST_F(TidyTest, HugePowersAreLeftAlone) {
  const std::string text = "(a + b + c + d + x + y)^200*(a - x)^300 + (x + y)^1000";
  EXPECT_EQ(tidied(text), parse(graph_, text));
}

TEST_F(TidyTest, ValuesStayTheSameForRandomExpressions) {
  std::mt19937 random(1);
  const std::vector<std::string> leaves{"x",   "y",      "x'",     "a",      "b",     "2",
                                        "1/3", "sin(x)", "cos(x)", "sin(y)", "cos(y)"};
  const auto leaf = [&] { return leaves[random() % leaves.size()]; };
  for (int trial = 0; trial < 300; ++trial) {
    std::string text = leaf();
    for (int i = 0; i < 8; ++i) {
      const std::string other = "(" + leaf() + (random() % 2 == 0 ? " + " : "*") + leaf() + ")";
      const char* operations[] = {" + ", " - ", "*"};
      text = "(" + text + operations[random() % 3] + other + (random() % 4 == 0 ? "^2" : "") + ")";
    }
    const Expr before = parse(graph_, text);
    const Expr after = tidied(text);
    EXPECT_LE(reading_length(after), reading_length(before)) << text;
    std::unordered_map<NodeId, double> values;
    for (const Expr& symbol : symbols_in(before))
      values[symbol.id()] = 0.3 + 0.001 * static_cast<int>(random() % 1000);
    const double expected = evaluate<double>(before, values);
    EXPECT_NEAR(evaluate<double>(after, values), expected, 1e-11 * (1 + std::abs(expected))) << text;
  }
}

}  // namespace
}  // namespace dalembert
