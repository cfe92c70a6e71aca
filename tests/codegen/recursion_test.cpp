// Generated code and the interpreter compute the same series, to round-off.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/expansion.hpp>
#include <dalembert/system/kkt/saddle_pattern.hpp>

#include "codegen/cache_of_tests.hpp"
#include "tape/random_programs.hpp"

namespace dalembert {
namespace {

constexpr int highest_order = 40;

template <class S>
void expand_at_start(Expansion<S>& expansion, const Problem& problem, bool moves) {
  const std::vector<S> q(problem.start.q.begin(), problem.start.q.end());
  std::vector<S> v(problem.start.v.begin(), problem.start.v.end());
  // from rest, every other coefficient is zero; a velocity that is not on the constraints shows all of them
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += S(moves ? 0.125 * static_cast<double>(i + 1) : 0.0);
  expansion.set_position(S(problem.start.t), q);
  expansion.set_velocity(v);
  ASSERT_TRUE(expansion.factor());
  expansion.expand(highest_order);
}

// Against 60 digits: compiled code may err by some times what the interpreter does (11 seen, where the
// interpreter happened to err by less than its rounding errors). Errors of a coefficient come from all before
// it, so the largest so far count, at the scale on which coefficients grow.
void expect_same_series(const Problem& problem, const ExpansionSource& source, bool moves) {
  const DigitsScope digits(60);
  Expansion<double> plain(problem.system, problem.active, highest_order);
  Expansion<double> compiled(problem.system, problem.active, highest_order);
  Expansion<Real> precise(problem.system, problem.active, highest_order);
  std::string reason;
  const auto code = compile_expansion_code(source, reason);
  ASSERT_NE(code, nullptr) << reason;
  compiled.use_code(code);
  expand_at_start(plain, problem, moves);
  expand_at_start(compiled, problem, moves);
  expand_at_start(precise, problem, moves);
  const std::size_t width = plain.coefficients(0).size();
  double growth = 1;  // of coefficients per order
  for (int k = 1; k < highest_order; ++k) {
    for (std::size_t i = 0; i < width; ++i) {
      const double size = std::abs(static_cast<double>(precise.coefficients(k)[i]));
      growth = std::max(growth, std::pow(size, 1.0 / k));
    }
  }
  double plain_error = 1e-15, compiled_error = 0;
  for (int k = 0; k < highest_order; ++k) {
    const double scale = std::pow(growth, -k);
    for (std::size_t i = 0; i < width; ++i) {
      const double expected = static_cast<double>(precise.coefficients(k)[i]);
      plain_error = std::max(plain_error, std::abs(plain.coefficients(k)[i] - expected) * scale);
      compiled_error = std::max(compiled_error, std::abs(compiled.coefficients(k)[i] - expected) * scale);
    }
    ASSERT_LE(compiled_error, 32 * plain_error) << "order " << k;
  }
}

void expect_same_series(const Problem& problem, bool moves = false) {
  expect_same_series(problem, expansion_source(problem.system, problem.active), moves);
}

// A step takes its polynomials from the rows; the registers get them back when all are asked for.
void expect_rows_of_coefficients(const Problem& problem) {
  constexpr int order = 12;
  Expansion<double> compiled(problem.system, problem.active, order);
  std::string reason;
  compiled.use_code(compile_expansion_code(expansion_source(problem.system, problem.active), reason));
  const std::size_t n = problem.system.n(), width = compiled.coefficients(0).size();
  std::vector<double> rows((order + 2) * width, 0.0);
  compiled.set_position(problem.start.t, problem.start.q);
  compiled.set_velocity(problem.start.v);
  ASSERT_TRUE(compiled.factor());
  compiled.expand_start();
  compiled.expand_rest(order, rows);
  compiled.complete_registers(order);
  for (int k = 0; k <= order + 1; ++k) {
    const std::size_t known = k < order ? width : k == order ? 2 * n : n;
    for (std::size_t i = 0; i < known; ++i)
      ASSERT_EQ(rows[static_cast<std::size_t>(k) * width + i], compiled.coefficients(k)[i]) << k << ' ' << i;
  }
}

class ShippedModels : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedModels, HaveTheSameSeriesByCompiledCode) {
  const Model model = read_model(find_model(GetParam()));
  if (model->kind == ModelKind::kinematic) GTEST_SKIP() << "it has no series";
  const System system(model);
  const Problem problem = make_problem(system, 0);
  if (system.expansion_program().plan->rows.size() > most_rows) {
    std::string reason;
    EXPECT_EQ(compile_expansion_code(expansion_source(system, problem.active), reason), nullptr);
    EXPECT_NE(reason.find("are left to the interpreter"), std::string::npos) << reason;
    return;
  }
  expect_same_series(problem);
  expect_same_series(problem, true);
  expect_rows_of_coefficients(problem);
}

std::vector<std::string> names_of_models() {
  std::vector<std::string> names;
  for (const ShippedModel& model : shipped_models()) names.push_back(model.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, ShippedModels, ::testing::ValuesIn(names_of_models()),
                         [](const auto& info) { return info.param; });

// As expansion_source() of models whose registers nobody looks at, with sums in vectors of so many lanes.
ExpansionSource source_in_lanes(const Problem& problem, std::size_t lanes) {
  const System& system = problem.system;
  const ExpansionProgram& p = system.expansion_program();
  std::vector<MatrixElement> matrix;
  SaddlePattern(system, system.dynamics(), problem.active)
      .for_each([&](std::uint32_t row, std::uint32_t column, const Scaled& value) {
        matrix.push_back({row, column, value});
      });
  RecursionShape shape;
  shape.plan = p.plan.get();
  shape.n = system.n();
  shape.active = problem.active;
  shape.force = p.force;
  shape.constraint = p.constraint;
  shape.f = system.dynamics().f;
  shape.matrix = matrix;
  shape.c = system.dynamics().c;
  shape.lanes = lanes;
  return write_expansion(shape);
}

TEST(Lanes, OfAnyNumberGiveTheSameSeries) {
  for (const char* const name : {"andrews", "slider_crank", "double_pendulum", "car_axis"}) {
    const System system(read_model(find_model(name)));
    const Problem problem = make_problem(system, 0);
    for (const std::size_t lanes : {4, 8}) {
      SCOPED_TRACE(fmt::format("{} in {} lanes", name, lanes));
      expect_same_series(problem, source_in_lanes(problem, lanes), true);
    }
  }
}

std::string model_with_forces(const std::string& first, const std::string& second) {
  return fmt::format(R"(
title = "Two bodies on a curve"
[parameters]
p1 = 0.35
p2 = -0.6
[coordinates]
q1 = {{ position = 0.3, velocity = 0.2 }}
q2 = {{ position = -0.4, velocity = 0.1, guess = true }}
q3 = {{ position = 0.5, velocity = -0.3, guess = true }}
[definitions]
v1 = "q1'"
v2 = "q2'"
a1 = "0.7"
[energy]
kinetic = "(q1'^2 + q2'^2 + (1 + sin(q1)^2)*q3'^2)/2"
potential = "q2"
[forces]
q1 = "{}"
q2 = "{}"
[constraints]
holonomic = {{ curve = "q3 - 0.4*cos(q1) - 0.1*q1*q2" }}
)",
                     first, second);
}

class Functions : public ::testing::TestWithParam<std::string> {};

TEST_P(Functions, HaveTheSameSeriesByCompiledCode) {
  const System system(read_model_text(model_with_forces(GetParam(), "-q2")));
  expect_same_series(make_problem(system, 0));
}

INSTANTIATE_TEST_SUITE_P(All, Functions,
                         ::testing::Values("sin(q1)*cos(q2)", "tan(q1)", "asin(q1*q2)", "acos(q1)",
                                           "atan(q1 - v2)", "sinh(q1)", "cosh(v1)", "tanh(3*q1)",
                                           "exp(-q1^2)", "log(1 + q1^2)", "sqrt(1 + v1^2)", "q1^p1",
                                           "(1 + q1^2)^(3/2)", "1/(1 + q1^2)", "q1/(2 + v1)",
                                           "atan2(q1, 1 + q2)", "abs(q1)*q2", "sign(q1)*q2", "min(q1, q2)",
                                           "max(q1, v2)", "(t - 0)^3 + q1", "(q1 - 0.3)^3", "t*q1",
                                           "(1 + sin(t))^200"));

class RandomForces : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomForces, HaveTheSameSeriesByCompiledCode) {
  Graph graph;
  RandomPrograms programs(graph, GetParam());
  const std::vector<Expr> forces = programs.outputs(2);
  const System system(read_model_text(model_with_forces(to_text(forces[0]), to_text(forces[1]))));
  expect_same_series(make_problem(system, 0));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomForces, ::testing::Range(0U, 20U));

}  // namespace
}  // namespace dalembert
