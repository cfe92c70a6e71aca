// Enclosures contain the values at points, and are not much wider than they must be.
#include <cmath>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/tape/interval_values.hpp>

namespace dalembert {
namespace {

TEST(Interval, RoundsOutward) {
  const Interval tenth = Interval(1) / Interval(10);
  EXPECT_LT(tenth.low, tenth.high);
  EXPECT_LT(tenth.low, 0.1L);
  EXPECT_GT(tenth.high, 0.1L);
  const Interval sum = tenth + Interval(0.2);
  EXPECT_TRUE(sum.contains(0.3) && sum.contains(0.30000000000000004));
}

TEST(Interval, SignsAndZerosOfProductsAndQuotients) {
  const Interval product = Interval(-2, 3) * Interval(-5, 4);
  EXPECT_NEAR(product.low, -15, 1e-13);
  EXPECT_NEAR(product.high, 12, 1e-13);
  EXPECT_EQ(square(Interval(-2, 1)).low, 0);
  EXPECT_NEAR(square(Interval(-2, 1)).high, 4, 1e-13);
  EXPECT_TRUE(std::isinf((Interval(1) / Interval(-1, 1)).high));
}

class IntervalPrograms : public ::testing::TestWithParam<std::string> {};

TEST_P(IntervalPrograms, EnclosureContainsTheValuesAtRandomPoints) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr y = graph.symbol("y");
  const Expr e = parse(graph, GetParam(), [&](const std::string& name) { return name == "x" ? x : y; });
  const Program program =
      compile(std::vector<Expr>{e}, std::vector<ProgramInput>{{x, Stage::position}, {y, Stage::position}});
  std::vector<Interval> constants;
  for (const Expr& constant : program.constants) {
    const double value = evaluate<double>(constant);
    constants.push_back(Interval::widened(value, value));
  }
  IntervalValues values(program, constants);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(0, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const Interval box_x(0.2 + number(random) * 0.3, 0.5 + number(random) * 0.4);
    const Interval box_y(-2 + number(random), number(random) * 2);
    values.set(0, box_x);
    values.set(1, box_y);
    values.run();
    const Interval enclosure = values.value(program.outputs[0]);
    for (int point = 0; point < 20; ++point) {
      const double px = box_x.low + number(random) * box_x.width();
      const double py = box_y.low + number(random) * box_y.width();
      const double value = evaluate<double>(e, {{x.id(), px}, {y.id(), py}});
      EXPECT_TRUE(enclosure.contains(value)) << GetParam() << " at " << px << ", " << py;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, IntervalPrograms,
                         ::testing::Values("x*y - 3*y^2 + x", "sin(4*y) + cos(3*x*y)", "exp(y)/x",
                                           "sqrt(x) + log(x)", "x^3 - y^3 + y^4", "tan(x) + atan(y)",
                                           "asin(x) - acos(x)", "erf(2*y) - x", "tanh(y) + cosh(y) + sinh(x)",
                                           "atan2(y, x)", "abs(y) + sign(y) + min(x, y) - max(x, y)",
                                           "x^1.5 + 1/(1 + y^2)"));

}  // namespace
}  // namespace dalembert
