// The expansion that [benhammouda2022] computes by hand, from the exact engine.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/number.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/series_solution.hpp>
#include <dalembert/system/expansion.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

Rational factorial(int n) {
  Rational product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return product;
}

// The coefficient of t^n of sin t (first = 1) or of cos t (first = 0).
Rational alternating(int n, int first) {
  if (n % 2 != first) return 0;
  return Rational((n / 2) % 2 == 0 ? 1 : -1) / factorial(n);
}

TEST(Benhammouda, ExpansionToOrder40IsTheExactSolutionTermByTerm) {
  const System system(read_model(find_model("two_link_robot")));
  const SeriesTable table = expand_exactly(system, 40);
  ASSERT_EQ(table.variables.size(), 5U);
  const auto expect = [&](std::size_t variable, int factor, int first) {
    const auto& coefficients = table.variables[variable].coefficients;
    for (std::size_t n = 0; n < coefficients.size(); ++n) {
      EXPECT_EQ(coefficients[n], Rational(factor * alternating(static_cast<int>(n), first)).str())
          << table.variables[variable].name << " t^" << n;
    }
  };
  expect(0, 1, 1);   // (74): p1 = t − t³/3! + t⁵/5! − ...
  expect(1, -2, 1);  // p2 = −2 p1
  expect(2, 1, 0);   // (75): v1 = 1 − t²/2! + ...
  expect(3, -2, 0);
  expect(4, 1, 0);  // (76): λ = 1 − t²/2! + ...
  EXPECT_EQ(table.variables[0].coefficients.size(), 41U);
  EXPECT_EQ(table.variables[4].coefficients.size(), 39U);
}

using Pair = std::array<Rational, 2>;

// What the paper prints on its way to (72): the Adomian polynomials of M, f and Gᵀ along the solution, by
// their coefficients of t^k.
class HandComputation : public ::testing::Test {
 protected:
  static constexpr int order = 8;

  HandComputation()
      : system_(read_model(find_model("two_link_robot"))),
        expansion_(system_, std::array<std::size_t, 1>{0}, order),
        polynomials_(
            system_.dynamics().program,
            evaluate_constants<Rational>(system_.dynamics().program, system_.parameter_values<Rational>()),
            order) {
    expansion_.set_position(Rational(0), system_.given_positions<Rational>());
    expansion_.set_velocity(system_.given_velocities<Rational>());
    EXPECT_TRUE(expansion_.factor());
    expansion_.expand(order);
    for (int k = 0; k < order; ++k) {
      for (std::size_t i = 0; i < 2; ++i) {
        polynomials_.set(input(system_.input_q(i)), k, expansion_.q(k)[i]);
        polynomials_.set(input(system_.input_v(i)), k, expansion_.v(k)[i]);
      }
      polynomials_.run(Stage::position, k);
      polynomials_.run(Stage::velocity, k);
    }
  }

  Register input(std::size_t i) const { return system_.dynamics().program.inputs[i]; }
  Rational entry(const std::vector<MatrixEntry>& matrix, std::size_t row, std::size_t column, int k) const {
    for (const MatrixEntry& e : matrix) {
      if (e.row == row && e.column == column) return polynomials_.output(e.value, k);
    }
    return 0;
  }
  Rational M(std::size_t row, std::size_t column, int k) const {
    return entry(system_.dynamics().M, row, column, k);
  }
  Pair G(int k) const { return {entry(system_.dynamics().C, 0, 0, k), entry(system_.dynamics().C, 0, 1, k)}; }
  Pair f(int k) const {
    const auto& f = system_.dynamics().f;
    return {polynomials_.output(f[0], k), polynomials_.output(f[1], k)};
  }
  Pair p(int k) const { return {expansion_.q(k)[0], expansion_.q(k)[1]}; }
  Pair v(int k) const { return {expansion_.v(k)[0], expansion_.v(k)[1]}; }
  Pair z(int k) const { return {expansion_.a(k)[0], expansion_.a(k)[1]}; }
  Rational lambda(int k) const { return expansion_.lambda(k)[0]; }
  static Pair times(const Rational& factor, const Pair& x) { return {factor * x[0], factor * x[1]}; }

  System system_;
  Expansion<Rational> expansion_;
  Series<Rational> polynomials_;
  const Pair zero_ = {0, 0};
  const Pair direction_ = {1, -2};
};

TEST_F(HandComputation, TheConstantMatrixIsTheInverseOfTheOnePrinted) {
  const Rational factor(2, 7);  // M⁻¹(p⁽⁰⁾) = (2/7) [2 −5; −5 16]
  const std::array<Pair, 2> inverse = {{{2 * factor, -5 * factor}, {-5 * factor, 16 * factor}}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(M(i, 0, 0) * inverse[0][j] + M(i, 1, 0) * inverse[1][j], Rational(i == j ? 1 : 0));
    }
  }
  EXPECT_EQ(G(0), (Pair{2, 1}));
}

TEST_F(HandComputation, StepTwoIs46To49) {
  EXPECT_EQ(f(0), (Pair{2, 1}));
  EXPECT_EQ(lambda(0), Rational(1));
  EXPECT_EQ(p(2), zero_);
  EXPECT_EQ(v(1), zero_);
}

TEST_F(HandComputation, StepThreeIs50To57) {
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(M(i, j, 1), Rational(0));
  }
  EXPECT_EQ(G(1), zero_);
  EXPECT_EQ(f(1), (Pair{-3, Rational(-1, 2)}));
  EXPECT_EQ(lambda(1), Rational(0));
  EXPECT_EQ(p(3), times(Rational(-1, 6), direction_));
  EXPECT_EQ(v(2), times(Rational(-1, 2), direction_));
}

TEST_F(HandComputation, StepFourIs58To64) {
  EXPECT_EQ(f(2), (Pair{-2, -1}));
  EXPECT_EQ(G(2), (Pair{-1, Rational(-1, 2)}));
  EXPECT_EQ(z(0), zero_);
  EXPECT_EQ(lambda(2), Rational(-1, 2));
  EXPECT_EQ(p(4), zero_);
  EXPECT_EQ(v(3), zero_);
}

TEST_F(HandComputation, StepFiveIs65To73) {
  EXPECT_EQ(f(3), (Pair{Rational(1, 2), Rational(37, 12)}));
  EXPECT_EQ(G(3), zero_);
  EXPECT_EQ(M(0, 0, 2), Rational(-6));
  EXPECT_EQ(M(0, 1, 2), Rational(-3));
  EXPECT_EQ(M(1, 0, 2), Rational(-3));
  EXPECT_EQ(M(1, 1, 2), Rational(0));
  EXPECT_EQ(z(1), (Pair{-1, 2}));
  EXPECT_EQ(lambda(3), Rational(0));
  EXPECT_EQ(p(5), times(Rational(1, 120), direction_));
  EXPECT_EQ(v(4), times(Rational(1, 24), direction_));
}

TEST_F(HandComputation, StepsThroughEightAre74To76) {
  for (int k = 0; k < order; ++k) EXPECT_EQ(p(k), times(alternating(k, 1), direction_)) << k;
  for (int k = 0; k < order - 1; ++k) EXPECT_EQ(v(k), times(alternating(k, 0), direction_)) << k;
  for (int k = 0; k < order - 2; ++k) EXPECT_EQ(lambda(k), alternating(k, 0)) << k;
}

// One expansion is a polynomial: its error grows like t^n. Many expansions stay with the solution.
TEST(Benhammouda, OneExpansionLeavesTheSolutionManyDoNot) {
  const auto sum = [](int terms, double t) {  // (74) and more of it
    double total = 0;
    for (int n = terms; n >= 0; --n) total = total * t + to_double(alternating(n, 1));
    return total;
  };
  EXPECT_LT(std::abs(sum(7, 1.0) - std::sin(1.0)), 3e-6);   // 1/9!
  EXPECT_GT(std::abs(sum(7, 10.0) - std::sin(10.0)), 1e3);  // 10⁹/9! − ...
  EXPECT_GT(std::abs(sum(39, 40.0) - std::sin(40.0)), 1e3);

  SolveOptions options;
  options.duration = 40;
  options.output_step = 0.5;
  const auto run = testing::simulate(testing::shipped_system("two_link_robot"), options);
  ASSERT_EQ(run.report.outcome, Outcome::finished);
  for (const auto& sample : run.samples) {
    EXPECT_NEAR(sample.q[0], std::sin(sample.t), 1e-13) << sample.t;
    EXPECT_NEAR(sample.lambda[0], std::cos(sample.t), 1e-13) << sample.t;
  }
}

TEST(Benhammouda, AnIrrationalStartIsRefusedWithTheExpression) {
  const System system(read_model(find_model("two_link_robot"), {{"theta1", "1"}, {"theta2", "-2"}}));
  try {
    expand_exactly(system, 4);
    FAIL() << "sin(1) was taken for a rational number";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("not rational"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("--digits"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace dalembert
