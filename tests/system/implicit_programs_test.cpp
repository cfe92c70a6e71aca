// Residuals and their exact derivatives on every shipped model: against the equations as expressions and
// against central differences, both in 80 digits; and the plain values of programs against series of order 0.
#include <cmath>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/system/implicit_programs.hpp>
#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/interval_values.hpp>
#include <dalembert/tape/series.hpp>

#include "mechanical_models.hpp"
#include "system/models.hpp"

namespace dalembert {
namespace {

using Values = std::unordered_map<NodeId, Real>;

constexpr std::array levels{ConstraintLevel::position, ConstraintLevel::velocity,
                            ConstraintLevel::acceleration};

// The values of all symbols at a random state near the start; multipliers and accelerations are of order one.
struct Point {
  double t;
  std::vector<double> q, v, a, lambda;
};

Point random_point(const System& system) {
  std::mt19937 generator(7);
  const auto uniform = [&] {
    return static_cast<double>(static_cast<int>(generator() % 2049) - 1024) / 1024;
  };
  Point point{system.model().solve.start() + 0.125,
              system.given_positions<double>(),
              system.given_velocities<double>(),
              {},
              {}};
  for (std::size_t i = 0; i < system.n(); ++i) {
    point.q[i] += uniform() / 16;
    point.v[i] += uniform();
    point.a.push_back(uniform());
  }
  for (std::size_t j = 0; j < system.m(); ++j) point.lambda.push_back(uniform());
  return point;
}

Values values_at(const System& system, const Point& point) {
  const Equations& e = system.equations();
  Values values = system.parameter_values<Real>();
  values[e.t.id()] = Real(point.t);
  for (std::size_t i = 0; i < e.n(); ++i) {
    values[e.q[i].id()] = Real(point.q[i]);
    values[e.v[i].id()] = Real(point.v[i]);
    values[e.a[i].id()] = Real(point.a[i]);
  }
  for (std::size_t j = 0; j < e.m(); ++j) values[e.lambda[j].id()] = Real(point.lambda[j]);
  return values;
}

// r and s from M, f, C, c, g, γ one by one.
struct Residuals {
  std::vector<Real> r, s;
};

Residuals residuals_at(const Equations& e, ConstraintLevel level, const Values& at) {
  const auto value = [&](Expr x) { return evaluate<Real>(x, at); };
  Residuals result{std::vector<Real>(e.n(), Real(0)), std::vector<Real>(e.m(), Real(0))};
  for (std::size_t i = 0; i < e.n(); ++i) result.r[i] -= value(e.f[i]);
  for (const auto& x : e.M.entries) result.r[x.row] += value(x.value) * at.at(e.a[x.column].id());
  for (const auto& x : e.C.entries) result.r[x.column] += value(x.value) * at.at(e.lambda[x.row].id());
  const bool acceleration = level == ConstraintLevel::acceleration;
  for (const auto& x : e.C.entries)
    result.s[x.row] += value(x.value) * at.at((acceleration ? e.a : e.v)[x.column].id());
  for (std::size_t j = 0; j < e.m(); ++j) {
    result.s[j] += acceleration ? Real(-value(e.gamma[j])) : value(e.c[j]);
    if (level == ConstraintLevel::position && j < e.g.size()) result.s[j] = value(e.g[j]);
  }
  return result;
}

template <class Tape>
void load(Tape& tape, const System& system, const Point& point) {
  tape.set(System::input_t(), point.t);
  tape.set(system.input_q(0), point.q);
  tape.set(system.input_v(0), point.v);
  tape.set(system.input_a(0), point.a);
  if (system.m() > 0) tape.set(system.input_lambda(0), point.lambda);
  tape.run();
}

class ImplicitProgramsOf : public testing::TestWithParam<std::string> {
 private:
  DigitsScope digits_scope_{80};
};

double relative(const Real& found, const Real& expected, const Real& scale) {
  return static_cast<double>(Real(abs(Real(found - expected)) / (scale + abs(expected))));
}

TEST_P(ImplicitProgramsOf, ResidualsAreThoseOfTheEquations) {
  const System system = test::shipped(GetParam());
  const Point point = random_point(system);
  for (const ConstraintLevel level : levels) {
    const ResidualProgram& p = system.implicit_programs().residual(system, level);
    ValueTape tape(system, p.program);
    load(tape, system, point);
    const Residuals expected = residuals_at(system.equations(), level, values_at(system, point));
    for (std::size_t i = 0; i < system.n(); ++i)
      EXPECT_LE(relative(Real(tape.value(p.r[i])), expected.r[i], Real(1)), 1e-12) << "r " << i;
    for (std::size_t j = 0; j < system.m(); ++j)
      EXPECT_LE(relative(Real(tape.value(p.s[j])), expected.s[j], Real(1)), 1e-12) << "s " << j;
  }
}

// All entries of a column, dense, from a list of entries.
std::vector<double> column_of(const std::vector<MatrixEntry>& entries, std::size_t column, std::size_t rows,
                              const ValueTape& tape) {
  std::vector<double> result(rows, 0.0);
  for (const MatrixEntry& entry : entries)
    if (entry.column == column) result[entry.row] = tape.value(entry.value);
  return result;
}

TEST_P(ImplicitProgramsOf, DerivativesAreThoseOfDifferences) {
  const System system = test::shipped(GetParam());
  const Equations& e = system.equations();
  const Point point = random_point(system);
  const Values here = values_at(system, point);
  const Real step("1e-25");
  const std::size_t stride = system.n() > 20 ? 7 : 1;  // of the columns that are compared
  for (const ConstraintLevel level : levels) {
    const JacobianProgram& p = system.implicit_programs().jacobian(system, level);
    ValueTape tape(system, p.program);
    load(tape, system, point);
    const auto compare = [&](const std::vector<Expr>& symbols, std::size_t column,
                             const std::vector<MatrixEntry>& r, const std::vector<MatrixEntry>& s) {
      Values ahead = here, behind = here;
      ahead[symbols[column].id()] += step;
      behind[symbols[column].id()] -= step;
      const Residuals plus = residuals_at(e, level, ahead), minus = residuals_at(e, level, behind);
      const std::vector<double> dr = column_of(r, column, e.n(), tape),
                                ds = column_of(s, column, e.m(), tape);
      for (std::size_t i = 0; i < e.n(); ++i)
        EXPECT_LE(relative(Real(dr[i]), Real((plus.r[i] - minus.r[i]) / (2 * step)), Real(1)), 1e-11)
            << "r " << i << " by " << symbols[column].name();
      for (std::size_t j = 0; j < e.m(); ++j)
        EXPECT_LE(relative(Real(ds[j]), Real((plus.s[j] - minus.s[j]) / (2 * step)), Real(1)), 1e-11)
            << "s " << j << " by " << symbols[column].name();
    };
    const std::vector<MatrixEntry> none;
    for (std::size_t i = 0; i < e.n(); i += stride) {
      compare(e.q, i, p.r_q, p.s_q);
      compare(e.v, i, p.r_v, p.s_v);
      compare(e.a, i, p.M, level == ConstraintLevel::acceleration ? p.C : none);
    }
  }
}

// d/dt π − F = M a − f along any motion, where d/dt π = π_q v + M a + ∂π/∂t.
TEST_P(ImplicitProgramsOf, MomentaAndTheirForcesGiveTheEquationsOfMotion) {
  const System system = test::shipped(GetParam());
  const Equations& e = system.equations();
  if (mass_depends_on_velocity(e)) GTEST_SKIP() << "the mass depends on velocities";
  const MomentumProgram& p = system.implicit_programs().momentum(system);
  const Point point = random_point(system);
  const auto momentum_and_force = [&](double s) {
    Point moved = point;
    moved.t += s;
    for (std::size_t i = 0; i < e.n(); ++i) {
      moved.q[i] += s * (point.v[i] + s * point.a[i] / 2);
      moved.v[i] += s * point.a[i];
    }
    ValueTape tape(system, p.program);
    tape.set(System::input_t(), moved.t);
    tape.set(system.input_q(0), moved.q);
    tape.set(system.input_v(0), moved.v);
    tape.run();
    std::vector<double> result;
    for (const auto* part : {&p.momentum, &p.force})
      for (const Scaled& output : *part) result.push_back(tape.value(output));
    return result;
  };
  constexpr double s = 1e-4;
  const auto here = momentum_and_force(0);
  const auto at = [&](double factor) { return momentum_and_force(factor * s); };
  const auto a1 = at(1), b1 = at(-1), a2 = at(2), b2 = at(-2);
  Point still = point;
  for (double& lambda : still.lambda) lambda = 0;
  const Residuals expected = residuals_at(e, ConstraintLevel::velocity, values_at(system, still));
  for (std::size_t i = 0; i < e.n(); ++i) {
    const double rate = (8 * (a1[i] - b1[i]) - (a2[i] - b2[i])) / (12 * s);  // fourth order
    const double found = rate - here[e.n() + i];
    const double scale = std::abs(rate) + std::abs(here[e.n() + i]) + std::abs(here[i]);
    EXPECT_NEAR(found, static_cast<double>(expected.r[i]), 1e-9 * scale + 1e-14) << i;
  }
}

TEST_P(ImplicitProgramsOf, PlainValuesAreSeriesOfOrderZero) {
  const System system = test::shipped(GetParam());
  const Program& program = system.implicit_programs().jacobian(system, ConstraintLevel::acceleration).program;
  ValueTape tape(system, program);
  const Point point = random_point(system);
  load(tape, system, point);
  const std::vector<double> constants =
      evaluate_constants<double>(program, system.parameter_values<double>());
  Series<double> series(program, constants, 0);
  std::vector<double> inputs{point.t};
  for (const auto* part : {&point.q, &point.v, &point.a, &point.lambda})
    inputs.insert(inputs.end(), part->begin(), part->end());
  for (std::size_t i = 0; i < inputs.size(); ++i) series.set(program.inputs[i], 0, inputs[i]);
  for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) series.run(stage, 0);
  IntervalValues enclosure(program, std::vector<Interval>(constants.begin(), constants.end()));
  for (std::size_t i = 0; i < inputs.size(); ++i) enclosure.set(program.inputs[i], inputs[i]);
  enclosure.run();
  for (const Scaled& output : program.outputs) {
    // The same operations, but compilers contract and order sums differently: each value is as far from the
    // exact one as rounding allows, and that is what the enclosure of a point measures.
    const Interval exact = enclosure.value(output);
    EXPECT_NEAR(tape.value(output), exact.middle(), exact.width());
    EXPECT_NEAR(series.output(output, 0), exact.middle(), exact.width());
    EXPECT_LE(exact.width(), 1e-9 * (1 + exact.magnitude()));  // says something
  }
}

std::vector<std::string> all_but_the_longest() {
  std::vector<std::string> names = test::mechanical_models();
  std::erase(names, "iftomm_a02_n40");  // iftomm_a02 again
  return names;
}

INSTANTIATE_TEST_SUITE_P(ShippedModels, ImplicitProgramsOf, testing::ValuesIn(all_but_the_longest()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace dalembert
