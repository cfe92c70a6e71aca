#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/graph.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/substitute.hpp>

#include "expr/random_expression.hpp"

namespace dalembert {
namespace {

class GraphTest : public testing::Test {
 protected:
  Expr of(const std::string& text) { return parse(graph, text); }

  Graph graph;
  Expr x = graph.symbol("x");
  Expr y = graph.symbol("y");
  Expr z = graph.symbol("z");
};

TEST_F(GraphTest, EqualExpressionsAreOneNode) {
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(x * y * z, z * (x * y));
  EXPECT_EQ((x + y) + z, x + (y + z));
  EXPECT_EQ(sin(x + 1), sin(1 + x));
  EXPECT_EQ(graph.symbol("x"), x);
  EXPECT_EQ(of("0.1*x"), of("x/10"));
  EXPECT_EQ(of("sqrt(x)"), of("x^0.5"));
  const std::size_t size = graph.size();
  of("0.1*x");
  EXPECT_EQ(graph.size(), size);
}

TEST_F(GraphTest, DifferentExpressionsAreDifferentNodes) {
  EXPECT_NE(x - y, y - x);
  EXPECT_NE(pow(x, y), pow(y, x));
  EXPECT_NE(atan2(x, y), atan2(y, x));
  EXPECT_NE(min(x, y), max(x, y));
}

TEST_F(GraphTest, CollectsLikeTerms) {
  EXPECT_EQ(x + x, 2 * x);
  EXPECT_EQ(3 * x - 2 * x, x);
  EXPECT_TRUE((x - x).is_zero());
  EXPECT_EQ(of("x*y + 2*y*x"), 3 * (x * y));
  EXPECT_EQ(of("2*(x + y) - y"), 2 * x + y);
  EXPECT_EQ((x + 1) - x, graph.number(1));
}

TEST_F(GraphTest, CollectsEqualBasesWithExponentsOfOneSignOnly) {
  EXPECT_EQ(x * x, pow(x, 2));
  EXPECT_EQ(x * pow(x, 2), pow(x, 3));
  EXPECT_EQ(1 / x / x, pow(x, -2));
  EXPECT_EQ(pow(pow(x, 2), 3), pow(x, 6));
  EXPECT_EQ(pow(x * y, 2), pow(x, 2) * pow(y, 2));
  EXPECT_EQ((x / x).kind(), Kind::product);  // has no value at x = 0
  EXPECT_NE(x * x / x, x);
}

TEST_F(GraphTest, KeepsPowersThatExistOnOneSideOnly) {
  EXPECT_NE(pow(sqrt(x), 2), x);      // has no value for x < 0
  EXPECT_NE(sqrt(pow(x, 2)), x);      // is |x|
  EXPECT_NE(pow(pow(x, -1), -1), x);  // has no value at 0
  EXPECT_NE(sqrt(x) * sqrt(y), sqrt(x * y));
  EXPECT_EQ(1 / sqrt(x), graph.power(x, Rational(-1, 2)));
}

TEST_F(GraphTest, KnowsZeroAndOne) {
  EXPECT_TRUE((0 * x).is_zero());
  EXPECT_TRUE((graph.number(0) * sin(x)).is_zero());
  EXPECT_EQ(1 * x, x);
  EXPECT_EQ(x + 0, x);
  EXPECT_EQ(pow(x, 1), x);
  EXPECT_TRUE(pow(x, 0).is_one());
  EXPECT_TRUE(pow(graph.number(1), x).is_one());
  EXPECT_EQ(x / 1, x);
}

TEST_F(GraphTest, FoldsNumbersExactly) {
  EXPECT_EQ(of("0.1 + 0.2"), graph.number(Rational(3, 10)));
  EXPECT_EQ(of("1/3 + 1/6"), graph.number(Rational(1, 2)));
  EXPECT_EQ(of("(2/3)^-2"), graph.number(Rational(9, 4)));
  EXPECT_EQ(of("sqrt(9/4)"), graph.number(Rational(3, 2)));
  EXPECT_EQ(of("8^(2/3)"), graph.number(4));
  EXPECT_EQ(of("sqrt(2)").kind(), Kind::power);
  EXPECT_EQ(of("sqrt(-4)").kind(), Kind::power);
  EXPECT_EQ(of("abs(-1/2)"), graph.number(Rational(1, 2)));
  EXPECT_EQ(of("sign(-3)"), graph.number(-1));
  EXPECT_EQ(of("sign(0)"), graph.number(0));
  EXPECT_EQ(of("min(2, 1/2)"), graph.number(Rational(1, 2)));
  EXPECT_EQ(of("max(2, 1/2)"), graph.number(2));
}

TEST_F(GraphTest, FoldsFunctionsWhereTheyAreExact) {
  for (const char* zero : {"sin(0)", "tan(0)", "asin(0)", "acos(1)", "atan(0)", "atan2(0, 2)", "sinh(0)",
                           "tanh(0)", "log(1)", "sin(pi)", "sin(-3*pi)", "cos(pi/2)", "cos(-5*pi/2)"}) {
    EXPECT_TRUE(of(zero).is_zero()) << zero;
  }
  for (const char* one : {"cos(0)", "cosh(0)", "exp(0)", "sin(pi/2)", "cos(2*pi)", "sin(-3*pi/2)"}) {
    EXPECT_TRUE(of(one).is_one()) << one;
  }
  EXPECT_EQ(of("cos(pi)"), graph.number(-1));
  EXPECT_EQ(of("sin(-pi/2)"), graph.number(-1));
  EXPECT_EQ(of("sin(pi/4)").kind(), Kind::function);
  EXPECT_EQ(of("sin(1)").kind(), Kind::function);
  EXPECT_EQ(of("atan2(0, -2)").kind(), Kind::function);
}

TEST_F(GraphTest, MergesShortInnerSumsAndSharesLongOnes) {
  EXPECT_EQ(of("x + (y - (z + 1))").size(), 3U);
  const Expr inner = of("a + b + c + d + f");
  const Expr outer = inner + x;
  EXPECT_EQ(outer.size(), 2U);
  EXPECT_EQ(of("a + b + c + d + f + x").size(), 6U);
}

// Without a limit the derivative of a chain of n functions would hold 1 + 2 + ... + n factors.
TEST_F(GraphTest, MergesShortInnerProductsAndSharesLongOnes) {
  EXPECT_EQ(of("x*(y*(z*w))").size(), 4U);
  std::vector<Expr> factors;
  for (std::size_t i = 0; i <= Graph::longest_merged_product; ++i) {
    factors.push_back(graph.symbol(fmt::format("f{}", i)));
  }
  const Expr inner = graph.product(factors);
  EXPECT_EQ(inner.size(), factors.size());
  EXPECT_EQ((inner * x).size(), 2U);
  EXPECT_EQ(inner * inner, pow(inner, 2));
  factors.push_back(x);
  EXPECT_EQ(graph.product(factors).size(), factors.size());
}

TEST_F(GraphTest, RefusesDivisionByZeroAndWrongArity) {
  EXPECT_THROW(1 / graph.number(0), Error);
  EXPECT_THROW(of("0^-1"), Error);
  EXPECT_THROW(graph.call(Function::sin, std::array{x, y}), Error);
  EXPECT_THROW(graph.call(Function::atan2, std::array{x}), Error);
}

TEST_F(GraphTest, RefusesNumbersThatGrowWithoutEnd) {
  EXPECT_THROW(of("1e6000*1e6000"), Error);
  EXPECT_EQ(of("2^100000").kind(), Kind::power);
  std::string text = "1e5000";
  for (int i = 0; i < 20'000; ++i) text += "*1e5000";
  EXPECT_THROW(of(text), Error);
}

TEST_F(GraphTest, OperandsHaveSmallerNumbersThanTheirUsers) {
  const std::vector<NodeId> nodes = reachable(of("sin(x*y)^2 + sqrt(x*y + z)/cos(x)"));
  for (const NodeId id : nodes) {
    const Expr e = graph.at(id);
    for (std::size_t i = 0; i < e.size(); ++i) EXPECT_LT(e.operand(i).id(), id);
  }
}

TEST_F(GraphTest, FindsSymbolsAndNonAnalyticFunctions) {
  const Expr e = of("sin(z)*x + abs(x - 1)");
  EXPECT_EQ(symbols_in(e), (std::vector<Expr>{x, z}));
  EXPECT_EQ(find_non_analytic(e), abs(x - 1));
  EXPECT_FALSE(find_non_analytic(of("sin(z)*x")));
}

TEST(FrozenGraph, GivesNodesThatAreThereAndRefusesOthers) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr e = sin(x) + 2 * x;
  const std::size_t nodes = graph.size();
  graph.number(2);
  EXPECT_EQ(graph.size(), nodes + 1);
  graph.freeze();
  EXPECT_EQ(sin(x) + 2 * x, e);
  EXPECT_EQ(graph.number(2), graph.number(2));
  EXPECT_THROW(cos(x), Error);
  EXPECT_THROW(graph.symbol("y"), Error);
  EXPECT_THROW(graph.number(77), Error);
}

TEST(FrozenGraph, IsContinuedByOthersThatDoNotDisturbEachOther) {
  const auto base = std::make_shared<Graph>();
  const Expr x = base->symbol("x");
  const Expr e = sin(x) + 2 * x;
  EXPECT_THROW(Graph{base}, Error);  // not frozen
  base->freeze();
  const std::size_t nodes = base->size();
  const auto one = std::make_shared<Graph>(base);
  Graph other(base);
  EXPECT_EQ(one->at(e.id()), e);
  EXPECT_EQ(one->symbol("x"), x);

  const Expr y = one->symbol("y");
  const Expr z = other.symbol("z");  // the first symbol of its graph, too
  EXPECT_EQ(y.id(), z.id());
  EXPECT_NE(y, z);
  EXPECT_EQ(y.name(), "y");
  EXPECT_EQ(z.name(), "z");
  EXPECT_EQ(to_text(one->at(e.id()) * y / 77), "1/77*y*(2*x + sin(x))");
  EXPECT_EQ(to_text(e * z / 99), "1/99*z*(2*x + sin(x))");  // on the graph that continues the other

  one->freeze();
  Graph third(one);
  EXPECT_TRUE(third.continues(*base));
  EXPECT_FALSE(other.continues(*one));
  EXPECT_EQ(third.symbol("y"), y);
  EXPECT_EQ(third.at(e.id()) - 2 * third.at(x.id()), sin(third.at(x.id())));
  EXPECT_EQ(to_text(derivative(third.at(e.id()) * third.symbol("y"), third.at(x.id()))), "y*(cos(x) + 2)");
  EXPECT_EQ(base->size(), nodes);
}

// The same nodes in the same order, however the graph is divided.
TEST(FrozenGraph, TextsAndValuesAreThoseOfOneGraph) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Graph whole;
    RandomExpressions in_one(whole, seed);
    std::vector<Expr> alone;
    for (int i = 0; i < 60; ++i) alone.push_back(in_one.next());
    auto graph = std::make_shared<Graph>();
    std::vector<Expr> continued = copy_to(*graph, std::span(alone).first(20));
    graph->freeze();
    const auto second = std::make_shared<Graph>(graph);
    const std::vector<Expr> more = copy_to(*second, std::span(alone).first(40));
    second->freeze();
    Graph third(second);
    const std::vector<Expr> all = copy_to(third, alone);
    for (std::size_t i = 0; i < continued.size(); ++i) EXPECT_EQ(all[i], continued[i]);
    for (std::size_t i = 0; i < more.size(); ++i) EXPECT_EQ(all[i], more[i]);
    const auto values = in_one.values<double>();
    std::unordered_map<NodeId, double> others;
    for (const auto& [id, value] : values) others.emplace(third.symbol(whole.at(id).name()).id(), value);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double expected = evaluate<double>(alone[i], values);
      const double value = evaluate<double>(all[i], others);
      if (!std::isfinite(expected)) continue;
      EXPECT_NEAR(value, expected, 1e-9 * std::abs(expected)) << to_text(all[i]);
    }
  }
}

// The same random operations on numbers of 200 digits: simplification must not change a value.
TEST(Graph, SimplificationNeverChangesAValue) {
  const DigitsScope digits(200);
  int compared = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Graph graph;
    RandomExpressions expressions(graph, seed);
    const std::unordered_map<NodeId, Real> values = expressions.values<Real>();
    for (int i = 0; i < 15; ++i) {
      const Expr a = expressions.next();
      const Expr b = expressions.next();
      const Real va = evaluate(a, values);
      const Real vb = evaluate(b, values);
      const auto expect_equal = [&](Expr e, const Real& expected) {
        if (!(abs(va) < 1e9 && abs(vb) < 1e9 && abs(expected) < 1e18)) return;  // NaN, too
        ++compared;
        EXPECT_LT(abs(Real(evaluate(e, values) - expected)), 1e-25) << to_text(e);
      };
      expect_equal(a + b, va + vb);
      expect_equal(a - b, va - vb);
      expect_equal(a * b, va * vb);
      if (!b.is_zero()) expect_equal(a / b, va / vb);
      expect_equal(pow(a, 3), va * va * va);
      if (!a.is_zero()) expect_equal(pow(a, -2), 1 / (va * va));
      if (va >= 0) expect_equal(sqrt(a), sqrt(va));
    }
  }
  EXPECT_GT(compared, 5000);
}

}  // namespace
}  // namespace dalembert
