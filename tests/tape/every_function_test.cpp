// What every function must have, so that a new one is tested as soon as it is in the list.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/functions/all.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/tape/interval_values.hpp>

#include "tape/expansion.hpp"
#include "tape/function_cases.hpp"

namespace dalembert {
namespace {

class EveryFunction : public testing::TestWithParam<Function> {
 protected:
  std::string name() const { return std::string(info(GetParam()).name); }
  Expr called(Expr first, Expr second) {
    std::vector<Expr> arguments{first};
    if (info(GetParam()).arity == 2) arguments.push_back(second);
    return first.graph().call(GetParam(), arguments);
  }

  Graph graph_;
  Expr x_ = graph_.symbol("x");
  Expr y_ = graph_.symbol("y");
  Expr call_ = called(x_, y_);
};

TEST_P(EveryFunction, IsFoundByItsNameAndWrittenAsItIsRead) {
  EXPECT_EQ(find_function(name()), GetParam());
  EXPECT_EQ(to_text(call_).substr(0, name().size() + 1), name() + "(");
  EXPECT_EQ(parse(graph_, to_text(call_)), call_);
  EXPECT_FALSE(to_latex(call_).empty());
}

TEST_P(EveryFunction, HasTheSlopesOfItsDerivative) {
  const std::unordered_map<NodeId, double> values{{x_.id(), 0.3}, {y_.id(), -0.6}};
  const double in_x = std::abs(evaluate<double>(derivative(call_, x_), values));
  with_function(GetParam(), [&](auto unit) {
    if constexpr (unit.info.arity == 1) {
      EXPECT_NEAR(std::abs(unit.slope(0.3, unit.value(0.3))), in_x, 1e-15);
    } else {
      const auto [slope_x, slope_y] = unit.slopes(0.3, -0.6);
      EXPECT_NEAR(slope_x, in_x, 1e-15);
      EXPECT_NEAR(slope_y, std::abs(evaluate<double>(derivative(call_, y_), values)), 1e-15);
    }
  });
}

TEST_P(EveryFunction, EnclosesItsValuesClosely) {
  const Program program = compile(std::vector<Expr>{call_},
                                  std::vector<ProgramInput>{{x_, Stage::position}, {y_, Stage::position}});
  std::vector<Interval> constants;
  for (const Expr& constant : program.constants) {
    const double value = evaluate<double>(constant);
    constants.push_back(Interval::widened(value, value));
  }
  IntervalValues values(program, constants);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(0, 1);
  for (int trial = 0; trial < 100; ++trial) {
    const double width = trial % 2 == 0 ? 0.3 : 1e-9;
    const double x = 0.05 + 0.6 * number(random);
    const double y = 0.05 + 0.6 * number(random);
    values.set(0, Interval(x, x + width));
    values.set(1, Interval(y, y + width));
    values.run();
    const Interval enclosure = values.value(program.outputs[0]);
    for (int point = 0; point < 10; ++point) {
      const std::unordered_map<NodeId, double> at{{x_.id(), x + width * number(random)},
                                                  {y_.id(), y + width * number(random)}};
      EXPECT_TRUE(enclosure.contains(evaluate<double>(call_, at))) << x << ", " << y;
    }
    EXPECT_LE(enclosure.width(), 1000 * width);
  }
}

// All lanes alike.
template <class S>
std::vector<S> expand_in_lanes(Expr e, const Arguments& arguments, int order) {
  const Program program = compile(std::vector<Expr>{e}, arguments);
  std::vector<S> constants;
  for (const double constant : evaluate_constants<double>(program, {})) constants.push_back(S{} + constant);
  Series<S> series(program, constants, order);
  std::vector<S> result;
  for (int k = 0; k <= order; ++k) {
    for (std::size_t i = 0; i < arguments.polynomials.size(); ++i)
      series.set(program.inputs[i], k,
                 S{} + to_double(arguments.polynomials[i].coefficients[static_cast<std::size_t>(k)]));
    series.run(Stage::position, k);
    result.push_back(series.output(program.outputs[0], k));
  }
  return result;
}

TEST_P(EveryFunction, HasOneSeriesInAllNumbers) {
  constexpr int last = 16;
  const DigitsScope digits(60);
  const Arguments arguments{
      {{x_, random_polynomial(fraction(3, 10), last, 3)}, {y_, random_polynomial(fraction(1, 5), last, 4)}},
      {}};
  const std::vector<Real> precise = expand<Real>(call_, arguments, last);
  const std::vector<double> rounded = expand<double>(call_, arguments, last);
  const auto lanes_of_four = expand_in_lanes<Lanes<4>>(call_, arguments, last);
  const auto lanes_of_eight = expand_in_lanes<Lanes<8>>(call_, arguments, last);
  double largest = 1;
  for (std::size_t k = 0; k <= last; ++k) {
    const auto expected = static_cast<double>(precise[k]);
    largest = std::max(largest, std::abs(expected));
    for (const double value : {rounded[k], lanes_of_four[k][3], lanes_of_eight[k][5]})
      EXPECT_NEAR(value, expected, 1e-14 * largest) << k;
  }
}

// Operations that are computed at once wait for each other where one is the argument of another.
TEST_P(EveryFunction, HasItsValueOfItself) {
  const Expr nested = called(called(called(x_, y_), y_), x_);
  const Arguments arguments{{{x_, {fraction(3, 10), 0}}, {y_, {fraction(1, 5), 0}}}, {}};
  const double expected = evaluate<double>(nested, {{x_.id(), 0.3}, {y_.id(), 0.2}});
  if (!std::isfinite(expected)) GTEST_SKIP() << "acos(acos(x))";
  EXPECT_NEAR(expand<double>(nested, arguments, 1)[0], expected, 1e-14);
  EXPECT_NEAR(expand_in_lanes<Lanes<4>>(nested, arguments, 1)[0][2], expected, 1e-14);
}

TEST_P(EveryFunction, IsExactOrRefusedInRationals) {
  const Rational x = fraction(7, 10);
  const Rational y = fraction(-1, 5);
  const std::unordered_map<NodeId, Rational> values{{x_.id(), x}, {y_.id(), y}};
  const bool is_exact = !info(GetParam()).analytic();
  try {
    const Rational exact = evaluate<Rational>(call_, values);
    EXPECT_TRUE(is_exact) << exact;
    EXPECT_EQ(to_double(exact), evaluate<double>(call_, {{x_.id(), 0.7}, {y_.id(), -0.2}}));
  } catch (const NotRational& error) {
    EXPECT_FALSE(is_exact);
    const std::string arguments = info(GetParam()).arity == 1 ? "7/10" : "7/10, -1/5";
    EXPECT_EQ(error.message().substr(0, error.message().find(", in")),
              name() + "(" + arguments + ") is not rational");
  }
}

TEST_P(EveryFunction, IsAmongTheCasesOfTheRecurrences) {
  if (GetParam() == Function::sign) GTEST_SKIP() << "constant";
  bool found = false;
  for (const FunctionCase& known : function_cases()) found = found || known.make(x_, y_, x_) == call_;
  if (GetParam() == Function::atan2)
    for (const FunctionCase& known : function_cases())
      found = found || known.make(x_, y_, x_) == atan2(x_, y_);
  EXPECT_TRUE(found) << "tests/tape/function_cases.hpp";
}

std::vector<Function> all_functions() {
  std::vector<Function> all;
  for (std::size_t i = 0; i < function_count; ++i) all.push_back(static_cast<Function>(i));
  return all;
}

INSTANTIATE_TEST_SUITE_P(Of, EveryFunction, testing::ValuesIn(all_functions()),
                         [](const auto& tested) { return std::string(dalembert::info(tested.param).name); });

}  // namespace
}  // namespace dalembert
