// Code for several trajectories at once computes the series of each, to round-off.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/digits.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/expansion.hpp>

#include "codegen/cache_of_tests.hpp"

namespace dalembert {
namespace {

using Eight = Lanes<8>;
constexpr int top_order = 30;

Eight in_all(double x) { return Eight{} + x; }
double lane(const Eight& x, std::size_t i) { return x[i]; }

// Velocities of lane i, not on the constraints: they show all coefficients.
template <class S>
S velocity(double given, std::size_t coordinate, std::size_t i) {
  return S(given + 0.0625 * static_cast<double>((coordinate + 1) * (i + 1)));
}

void expand_lanes(Expansion<Eight>& expansion, const Problem& problem) {
  std::vector<Eight> q, v;
  for (const double x : problem.start.q) q.push_back(in_all(x));
  for (std::size_t j = 0; j < problem.start.v.size(); ++j) {
    v.push_back(in_all(0));
    for (std::size_t i = 0; i < 8; ++i) v[j][i] = velocity<double>(problem.start.v[j], j, i);
  }
  expansion.forget_order();  // pivots of an expansion before would change last digits
  expansion.set_position(in_all(problem.start.t), q);
  expansion.set_velocity(v);
  ASSERT_TRUE(expansion.factor());
  expansion.expand(top_order);
}

void expand_precisely(Expansion<Real>& expansion, const Problem& problem, std::size_t lane_number) {
  const std::vector<Real> q(problem.start.q.begin(), problem.start.q.end());
  std::vector<Real> v;
  for (std::size_t j = 0; j < problem.start.v.size(); ++j)
    v.push_back(velocity<Real>(problem.start.v[j], j, lane_number));
  expansion.set_position(Real(problem.start.t), q);
  expansion.set_velocity(v);
  ASSERT_TRUE(expansion.factor());
  expansion.expand(top_order);
}

// As expect_same_series() of one trajectory, against 60 digits, at the scale on which coefficients grow.
void expect_series_of_lane(const Problem& problem, const Expansion<Eight>& plain,
                           const Expansion<Eight>& compiled, std::size_t number) {
  const DigitsScope digits(60);
  Expansion<Real> precise(problem.system, problem.active, top_order);
  expand_precisely(precise, problem, number);
  const std::size_t width = plain.coefficients(0).size();
  double growth = 1;
  for (int k = 1; k < top_order; ++k) {
    for (std::size_t i = 0; i < width; ++i)
      growth = std::max(growth, std::pow(std::abs(static_cast<double>(precise.coefficients(k)[i])), 1.0 / k));
  }
  double plain_error = 1e-15, compiled_error = 0;
  for (int k = 0; k < top_order; ++k) {
    const double scale = std::pow(growth, -k);
    for (std::size_t i = 0; i < width; ++i) {
      const double expected = static_cast<double>(precise.coefficients(k)[i]);
      plain_error =
          std::max(plain_error, std::abs(lane(plain.coefficients(k)[i], number) - expected) * scale);
      compiled_error =
          std::max(compiled_error, std::abs(lane(compiled.coefficients(k)[i], number) - expected) * scale);
    }
    ASSERT_LE(compiled_error, 32 * plain_error) << "order " << k;
  }
}

class ModelsInLanes : public ::testing::TestWithParam<std::string> {};

TEST_P(ModelsInLanes, HaveTheSeriesOfEachTrajectory) {
  const Model model = read_model(find_model(GetParam()));
  const System system(model);
  const Problem problem = make_problem(system, 0);
  const BatchCode code = make_batch_code(system);
  ASSERT_NE(code, nullptr);
  Expansion<Eight> plain(system, problem.active, top_order), compiled(system, problem.active, top_order);
  compiled.use_code(code);
  expand_lanes(plain, problem);
  expand_lanes(compiled, problem);
  for (const std::size_t number : {std::size_t{0}, std::size_t{5}})
    expect_series_of_lane(problem, plain, compiled, number);
  // twice: nothing of an expansion is left for the next one
  const std::vector<Eight> first(compiled.coefficients(top_order - 1).begin(),
                                 compiled.coefficients(top_order - 1).end());
  expand_lanes(compiled, problem);
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(lane(first[i], 3), lane(compiled.coefficients(top_order - 1)[i], 3));
}

// What the recursion has: no constraints, holonomic and nonholonomic ones, forces and constraints of time,
// quotients and roots, masses that depend on positions.
INSTANTIATE_TEST_SUITE_P(All, ModelsInLanes,
                         ::testing::Values("pendulum", "pendulum_cartesian", "double_pendulum",
                                           "slider_crank", "four_bar", "andrews", "car_axis", "heavy_top",
                                           "rolling_disk", "knife_edge", "two_link_robot"),
                         [](const auto& info) { return info.param; });

TEST(BatchCode, IsNoneWhereCasesShareNoLanes) {
  EXPECT_EQ(make_batch_code(System(read_model(find_model("bouncing_ball")))), nullptr);
}

// What sines and cosines share with products, and energies and the work of forces by compiled code: of models
// with and without forces that do work.
TEST(BatchCode, HasTheBalanceOfEnergyOfTheInterpreter) {
  for (const char* name : {"four_bar", "slider_crank", "double_pendulum", "car_axis"}) {
    const System system(read_model(find_model(name)));
    std::vector<BatchCase> cases(8);
    SolveOptions options = options_of(system.model());
    options.duration = 0.5;
    options.tolerance = 1e-12;
    const BatchCode code = make_batch_code(system);
    ASSERT_NE(code, nullptr);
    ASSERT_NE(code->position, nullptr) << name;
    ASSERT_NE(code->velocity, nullptr) << name;
    ASSERT_NE(code->energy, nullptr) << name;
    const BatchReport plain = solve_batch(system, cases, options);
    const BatchReport compiled = solve_batch(system, cases, options, {}, code);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const double scale = plain.cases[i].energy_scale;
      ASSERT_GT(scale, 0) << name;
      EXPECT_NEAR(compiled.cases[i].work, plain.cases[i].work, 1e-10 * scale) << name;
      EXPECT_NEAR(compiled.cases[i].end_energy, plain.cases[i].end_energy, 1e-10 * scale) << name;
      EXPECT_LT(compiled.cases[i].max_energy_error, 1e-10 * scale) << name;
    }
  }
}

// Functions that are not written out are left to the interpreter, others to the code.
TEST(BatchCode, LeavesOtherFunctionsToTheInterpreter) {
  const System system(read_model_text(R"(
[parameters]
k = 1
[coordinates]
x = { position = 0.5 }
[energy]
kinetic = "x'^2/2"
potential = "k*exp(x) - k*x"
)"));
  const BatchCode code = make_batch_code(system);
  ASSERT_NE(code, nullptr);
  EXPECT_EQ(code->position, nullptr);
  EXPECT_FALSE(code->source.found_at_position.empty());
  std::vector<BatchCase> cases(8);
  for (std::size_t i = 0; i < cases.size(); ++i)
    cases[i].parameters = {{"k", 1 + 0.1 * static_cast<double>(i)}};
  SolveOptions options;
  options.duration = 3;
  options.tolerance = 1e-13;
  const BatchReport plain = solve_batch(system, cases, options);
  const BatchReport compiled = solve_batch(system, cases, options, {}, code);
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_NEAR(compiled.cases[i].q[0], plain.cases[i].q[0], 1e-11) << i;
}

// Cases with parameters of their own end where the interpreter says.
TEST(BatchCode, TakesCasesWhereTheInterpreterDoes) {
  for (const auto& [name, l2] : {std::pair("four_bar", 0.35), std::pair("slider_crank", 1.0)}) {
    const System system(read_model(find_model(name)));
    std::vector<BatchCase> cases(20);
    for (std::size_t i = 0; i < cases.size(); ++i)
      cases[i].parameters = {{"l2", l2 * (1 + 1e-3 * static_cast<double>(i))}};
    SolveOptions options = options_of(system.model());
    options.duration = 1;
    options.tolerance = 1e-12;
    options.output_times = {1};
    options.output_step = 0;
    const BatchCode code = make_batch_code(system);
    ASSERT_NE(code, nullptr);
    const BatchReport plain = solve_batch(system, cases, options);
    const BatchReport compiled = solve_batch(system, cases, options, {}, code);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      ASSERT_EQ(compiled.cases[i].outcome, Outcome::finished);
      for (std::size_t j = 0; j < system.n(); ++j)
        EXPECT_NEAR(compiled.cases[i].q[j], plain.cases[i].q[j], 1e-10) << name << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace dalembert
