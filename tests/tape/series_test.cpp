// Programs of random expressions: every way to run one gives the same series.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/print.hpp>

#include "tape/random_programs.hpp"

namespace dalembert {
namespace {

constexpr int order = 12;
// Relative to the largest coefficient; compilers may fuse products and sums here and not there.
constexpr double rounding = 1e-13;
constexpr std::array stages{Stage::position, Stage::velocity, Stage::acceleration};

// A random program and polynomials for its inputs.
struct Sample {
  explicit Sample(unsigned seed) : programs(graph, seed) {
    expressions = programs.outputs(10);
    program = compile(expressions, programs.inputs);
    for (const ProgramInput& input : programs.inputs) {
      std::vector<Rational> coefficients;
      for (int k = 0; k <= order; ++k) coefficients.push_back(programs.small_number());
      if (input.stage == Stage::constant) {
        parameters.emplace_back(input.symbol, coefficients[0]);
      } else {
        polynomials.push_back(coefficients);
      }
    }
  }

  template <class S>
  std::vector<S> constants() const {
    std::unordered_map<NodeId, S> values;
    for (const auto& [symbol, value] : parameters) values.emplace(symbol.id(), ScalarMath<S>::from(value));
    return evaluate_constants<S>(program, values);
  }

  template <class S>
  void set_inputs(Series<S>& series, int k) const {
    for (std::size_t i = 0; i < polynomials.size(); ++i)
      series.set(program.inputs[i], k, ScalarMath<S>::from(polynomials[i][static_cast<std::size_t>(k)]));
  }

  // [output][order]
  template <class S>
  std::vector<std::vector<S>> run() const {
    Series<S> series(program, constants<S>(), order);
    return run(series);
  }
  template <class S>
  std::vector<std::vector<S>> run(Series<S>& series) const {
    for (int k = 0; k <= order; ++k) {
      set_inputs(series, k);
      for (const Stage stage : stages) series.run(stage, k);
    }
    std::vector<std::vector<S>> results;
    for (const Scaled& output : program.outputs) {
      results.emplace_back();
      for (int k = 0; k <= order; ++k) results.back().push_back(series.output(output, k));
    }
    return results;
  }

  template <class S>
  std::unordered_map<NodeId, S> values() const {
    std::unordered_map<NodeId, S> values;
    for (std::size_t i = 0; i < polynomials.size(); ++i)
      values.emplace(programs.inputs[i].symbol.id(), ScalarMath<S>::from(polynomials[i][0]));
    for (const auto& [symbol, value] : parameters) values.emplace(symbol.id(), ScalarMath<S>::from(value));
    return values;
  }

  // Moves every start value and every parameter.
  void shift(const Rational& by) {
    for (std::vector<Rational>& coefficients : polynomials) coefficients[0] += by;
    for (auto& parameter : parameters) parameter.second += by;
  }

  Graph graph;
  RandomPrograms programs;
  std::vector<Expr> expressions;
  Program program;
  std::vector<std::vector<Rational>> polynomials;
  std::vector<std::pair<Expr, Rational>> parameters;
};

double largest(const std::vector<double>& coefficients) {
  double result = 1;
  for (const double c : coefficients) result = std::max(result, std::abs(c));
  return result;
}

class RandomProgram : public testing::TestWithParam<unsigned> {
 protected:
  DigitsScope digits_{60};
  Sample sample_{GetParam()};
};

TEST_P(RandomProgram, InDoublesHasTheSeriesOf60Digits) {
  const auto rounded = sample_.run<double>();
  const auto precise = sample_.run<Real>();
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    for (std::size_t k = 0; k <= order; ++k)
      EXPECT_NEAR(rounded[i][k], static_cast<double>(precise[i][k]), rounding * largest(rounded[i])) << i;
  }
}

TEST_P(RandomProgram, AtOrderZeroIsPlainEvaluation) {
  const auto series = sample_.run<Real>();
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Real expected = evaluate<Real>(sample_.expressions[i], sample_.values<Real>());
    EXPECT_LE(Real(abs(series[i][0] - expected)), Real("1e-55")) << to_text(sample_.expressions[i]);
  }
}

TEST_P(RandomProgram, AtOrderOneIsTheDerivativeAlongTheTangents) {
  Directional along;
  auto values = sample_.values<Real>();
  for (std::size_t i = 0; i < sample_.polynomials.size(); ++i) {
    const Expr tangent = sample_.graph.symbol("tangent" + std::to_string(i));
    along.set_tangent(sample_.programs.inputs[i].symbol, tangent);
    values.emplace(tangent.id(), ScalarMath<Real>::from(sample_.polynomials[i][1]));
  }
  const auto series = sample_.run<Real>();
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Real expected = evaluate<Real>(along(sample_.expressions[i]), values);
    const Real scale = abs(expected) > 1 ? Real(abs(expected)) : Real(1);
    EXPECT_LE(Real(abs(series[i][1] - expected)), Real(scale * Real("1e-54"))) << i;
  }
}

TEST_P(RandomProgram, RunsAStageAheadOfTheLaterOnes) {
  Series<double> series(sample_.program, sample_.constants<double>(), order);
  for (int k = 0; k <= order; ++k) sample_.set_inputs(series, k);
  for (const Stage stage : stages) {
    for (int k = 0; k <= order; ++k) series.run(stage, k);
  }
  const auto expected = sample_.run<double>();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (int k = 0; k <= order; ++k)
      EXPECT_EQ(series.output(sample_.program.outputs[i], k), expected[i][static_cast<std::size_t>(k)]);
  }
}

TEST_P(RandomProgram, HasOnePlanForAllParametersAndNumbers) {
  const auto plan = make_series_plan(sample_.program);
  Series<double> series(plan, sample_.constants<double>(), order);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(sample_.run(series), sample_.run<double>()) << round;
    Series<Real> precise(plan, sample_.constants<Real>(), order);
    EXPECT_EQ(sample_.run(precise), sample_.run<Real>()) << round;
    sample_.shift(fraction(1, 7));
    series.set_constants(sample_.constants<double>());
  }
}

// Four trajectories, each with values and parameters of its own, against four runs.
TEST_P(RandomProgram, InABatchIsFourRuns) {
  constexpr std::size_t lanes = 4;
  std::vector<Lanes<4>> constants(sample_.program.constants.size());
  std::vector<std::vector<Lanes<4>>> inputs(sample_.polynomials.size(), std::vector<Lanes<4>>(order + 1));
  std::vector<std::vector<std::vector<double>>> expected;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    sample_.shift(fraction(1, 7));
    const std::vector<double> own = sample_.constants<double>();
    for (std::size_t i = 0; i < own.size(); ++i) constants[i][lane] = own[i];
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (std::size_t k = 0; k <= order; ++k) inputs[i][k][lane] = to_double(sample_.polynomials[i][k]);
    }
    expected.push_back(sample_.run<double>());
  }

  Series<Lanes<4>> batch(sample_.program, constants, order);
  for (int k = 0; k <= order; ++k) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      batch.set(sample_.program.inputs[i], k, inputs[i][static_cast<std::size_t>(k)]);
    for (const Stage stage : stages) batch.run(stage, k);
    for (std::size_t i = 0; i < sample_.program.outputs.size(); ++i) {
      const Lanes<4> result = batch.output(sample_.program.outputs[i], k);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        EXPECT_NEAR(result[lane], expected[lane][i][static_cast<std::size_t>(k)],
                    rounding * largest(expected[lane][i]))
            << i << ", order " << k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgram, testing::Range(0U, 40U));

// Runs one order of `e` at the given value of its only symbol, exactly.
std::string message_at(Expr e, const Rational& place, int last_order) {
  const Expr symbol = symbols_in(e).front();
  try {
    expand<Rational>(e, {{{symbol, {place, 1}}}, {}}, last_order);
  } catch (const NotRational& error) {
    return "not rational: " + error.message();
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(ExactSeriesThatDoNotExist, AreErrorsThatNameTheExpression) {
  Graph graph;
  const Expr x = graph.symbol("theta");
  EXPECT_EQ(message_at(sin(2 * x), 1, 0), "not rational: sin(2) is not rational, in 'sin(2*theta)'");
  EXPECT_EQ(message_at(sqrt(x), 2, 0), "not rational: sqrt(2) is not rational, in 'sqrt(theta)'");
  EXPECT_EQ(message_at(3 / (x - 1), 1, 0), "division by zero, in '1/(theta - 1)'");
  EXPECT_EQ(message_at(sqrt(x), 0, 1), "division by zero, in 'sqrt(theta)'");
  EXPECT_EQ(message_at(acos(x), 1, 1), "division by zero, in 'sqrt(1 - theta^2)'");
  EXPECT_EQ(message_at(pow(x, graph.number(fraction(4, 3))), 0, 1), "division by zero, in 'theta^(4/3)'");
}

TEST(PowerWithAParameterForExponent, HasItsSeriesAtZeroWhereTheExponentIsNatural) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr n = graph.symbol("n");
  for (const int exponent : {0, 1, 2, 3, 5, 30}) {
    for (const long first : {1L, 2L}) {  // the lowest order of x
      std::vector<Rational> polynomial = random_polynomial(0, 14, 5);
      polynomial[static_cast<std::size_t>(first)] = 4;
      if (first == 2) polynomial[1] = 0;
      const Arguments arguments{{{x, polynomial}}, {{n, exponent}}};
      const std::vector<Rational> exact = expand<Rational>(pow(x, exponent), arguments, 14);
      EXPECT_EQ(expand<Rational>(pow(x, n), arguments, 14), exact) << exponent;
      const std::vector<double> rounded = expand<double>(pow(x, n), arguments, 14);
      for (std::size_t k = 0; k <= 14; ++k)
        EXPECT_NEAR(rounded[k], to_double(exact[k]), rounding * largest(rounded)) << exponent;
    }
  }
}

TEST(WhatIsNotANumber, StaysNotANumber) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr y = graph.symbol("y");
  const std::vector<Expr> outputs{sign(x), abs(x), min(x, y), min(y, x), max(x, y), max(y, x)};
  const std::vector<ProgramInput> inputs{{x, Stage::position}, {y, Stage::position}};
  const Program program = compile(outputs, inputs);
  Series<double> series(program, evaluate_constants<double>(program, {}), 0);
  series.set(program.inputs[0], 0, nan);
  series.set(program.inputs[1], 0, 1.0);
  series.run(Stage::position, 0);
  for (const Scaled& output : program.outputs) EXPECT_TRUE(std::isnan(series.output(output, 0)));
}

}  // namespace
}  // namespace dalembert
