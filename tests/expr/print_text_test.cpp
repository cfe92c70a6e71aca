#include <cstddef>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>

#include "expr/random_expression.hpp"

namespace dalembert {
namespace {

TEST(ToText, ParsesBackToTheSameNode) {
  int too_long = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    Graph graph;
    RandomExpressions expressions(graph, seed);
    for (int i = 0; i < 500; ++i) {
      const Expr e = expressions.next();
      if (text_excerpt(e, 20'000).size() > 20'000) {
        ++too_long;
        continue;
      }
      const std::string text = to_text(e);
      ASSERT_EQ(parse(graph, text), e) << text << '\n' << to_text(parse(graph, text));
    }
  }
  EXPECT_LT(too_long, 500);
}

TEST(ToText, ReadsNaturally) {
  Graph graph;
  for (const char* name : {"m", "l1", "l2", "x", "y", "z", "theta1", "theta2"}) graph.symbol(name);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"m*x'^2/2", "1/2*m*x'^2"},
      {"sin(theta1)*-l1", "-l1*sin(theta1)"},
      {"x/y/z", "x/(y*z)"},
      {"x^(1/2)", "sqrt(x)"},
      {"x^-(1/2)", "1/sqrt(x)"},
      {"3*x/(2*y)", "3*x/(2*y)"},
      {"1/2/x", "1/(2*x)"},
      {"x/(2*(y+z))", "x/(2*y + 2*z)"},
      {"x/2/(y+z)", "1/2*x/(y + z)"},
      {"1/(x+y)^2", "1/(x + y)^2"},
      {"x^2 + y^2 - l1^2", "x^2 + y^2 - l1^2"},
      {"-l1^2 + y^2 + x^2", "x^2 + y^2 - l1^2"},
      {"1 - x", "1 - x"},
      {"x - 1", "x - 1"},
      {"-x - 1", "-x - 1"},
      {"cos(theta1 - theta2)*theta1'*theta2'*l1*l2*m", "m*l1*l2*theta1'*theta2'*cos(theta1 - theta2)"},
      {"x^y^z", "x^(y^z)"},
      {"(x^y)^z", "(x^y)^z"},
      {"x^-y", "x^(-y)"},
      {"(-2)^x", "(-2)^x"},
      {"-2^x", "-2^x"},
      {"(1/3)^x", "(1/3)^x"},
      {"2*pi*x", "2*pi*x"},
      {"atan2(y, x)", "atan2(y, x)"},
      {"-(x + y)*(x - y)", "-(x + y)*(x - y)"},
      {"x - (a + b + c + d + e)", "x - (a + b + c + d + e)"},
      {"lambda( pin )", "lambda(pin)"},
  };
  for (const auto& [input, expected] : cases) EXPECT_EQ(to_text(parse(graph, input)), expected) << input;
}

TEST(ToText, WritesDecimalsAsDecimalsAndSmallFractionsAsFractions) {
  Graph graph;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"9.81", "9.81"},
      {"-9.81", "-9.81"},
      {"0.5", "1/2"},
      {"0.75", "3/4"},
      {"1/3", "1/3"},
      {"0.1", "0.1"},
      {"0.001", "0.001"},
      {"6.674e-11", "6.674e-11"},
      {"100", "100"},
      {"250000", "250000"},
      {"1e6", "1e6"},
      {"2.5e9", "2.5e9"},
      {"123456789012", "123456789012"},
      {"1/30", "1/30"},
      {"0.0078125", "0.0078125"},
      {"1e-5", "0.00001"},
      {"12.5e-7", "1.25e-6"},
  };
  for (const auto& [input, expected] : cases) EXPECT_EQ(to_text(parse(graph, input)), expected) << input;
}

TEST(ToText, WritesAVeryDeepGraphWithoutRecursion) {
  Graph graph;
  Expr e = graph.symbol("x");
  for (int i = 0; i < 30'000; ++i) e = sin(e + 1);
  const std::string text = to_text(e);
  EXPECT_EQ(text.size(), 30'000 * std::string("sin( + 1)").size() + 1);
}

// s_k = s_{k-1}^2 + sin(s_{k-1}) has k nodes and 2^k characters.
TEST(ToText, GivesUpWhenSharedPartsWrittenOutExceedTheLimit) {
  Graph graph;
  Expr e = graph.symbol("x");
  for (int i = 0; i < 200; ++i) e = pow(e, 2) + sin(e);
  const std::clock_t start = std::clock();
  EXPECT_THROW(to_text(e), Error);
  EXPECT_THROW(to_latex(e), Error);
  EXPECT_EQ(text_excerpt(e, 10).size(), 13U);
  EXPECT_TRUE(text_excerpt(e).ends_with("..."));
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace dalembert
