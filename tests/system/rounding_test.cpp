#include <cmath>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/system/rounding.hpp>

namespace dalembert {
namespace {

RoundedValue rounded(Graph& graph, const std::string& text,
                     const std::unordered_map<std::string, double>& at) {
  std::unordered_map<NodeId, double> values;
  for (const auto& [name, value] : at) values[graph.symbol(name).id()] = value;
  const std::vector<Expr> roots{parse(graph, text)};
  return evaluate_with_error(roots, values).front();
}

TEST(Rounding, ExactValuesHaveNoError) {
  Graph graph;
  EXPECT_EQ(rounded(graph, "3", {}).error, 0);
  EXPECT_EQ(rounded(graph, "x", {{"x", 0}}).error, 0);
  EXPECT_EQ(rounded(graph, "sqrt(x)", {{"x", 0}}).error, 0);
}

TEST(Rounding, CancellationIsMeasuredByWhatCancels) {
  Graph graph;
  const RoundedValue small = rounded(graph, "x^2 - y", {{"x", 1e8}, {"y", 1e16}});
  EXPECT_EQ(small.value, 0);
  EXPECT_GT(small.error, 1);
  EXPECT_LT(small.error, 20);
}

TEST(Rounding, BoundsHoldForInputsThatWereRoundedToDouble) {
  const std::vector<std::string> texts{"x^2 + y^2 - z",
                                       "sin(x)*cos(y) - tan(z/3)",
                                       "exp(x - y)*log(z)",
                                       "sqrt(x*y) - z^(1/3)",
                                       "atan2(x, y) - asin(x/4)*acos(y/4)",
                                       "sinh(x) - cosh(y)*tanh(z)",
                                       "(x - y)^5/(z + 0.1)^3",
                                       "max(x, y) - min(y, z) + abs(x - z)",
                                       "atan(x*y*z) - pi/7",
                                       "x^z - y^x"};
  const DigitsScope digits(60);
  std::mt19937 random(3);
  for (const std::string& text : texts) {
    Graph graph;
    const std::vector<Expr> roots{parse(graph, text)};
    for (int trial = 0; trial < 50; ++trial) {
      std::unordered_map<NodeId, Real> exact;
      std::unordered_map<NodeId, double> values;
      for (const Expr& symbol : symbols_in(roots.front())) {
        exact[symbol.id()] = Real(1) + Real(random() % 1000003) / 1000003;
        values[symbol.id()] = static_cast<double>(exact[symbol.id()]);
      }
      const RoundedValue value = evaluate_with_error(roots, values).front();
      const Real error = abs(evaluate<Real>(roots.front(), exact) - Real(value.value));
      EXPECT_LE(static_cast<double>(error), value.error) << text;
      EXPECT_LT(value.error, 1e-13) << text;
    }
  }
}

}  // namespace
}  // namespace dalembert
