// The programs of the shipped models: right, and short.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/system/system.hpp>

#include "mechanical_models.hpp"
#include "tape/expansion.hpp"

namespace dalembert {
namespace {

std::filesystem::path models() { return std::filesystem::path(DALEMBERT_SOURCE_DIR) / "models"; }

class ShippedModel : public testing::TestWithParam<std::string> {
 protected:
  DigitsScope digits_{60};
  System system_{read_model(models() / (GetParam() + ".toml"))};
};

// Values of t, q and v near the start, where every function has its value.
std::unordered_map<NodeId, Real> random_state(const System& system) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> small(-0.01, 0.01);
  const Equations& e = system.equations();
  std::unordered_map<NodeId, Real> values = system.parameter_values<Real>();
  const std::vector<Real> q = system.given_positions<Real>();
  values.emplace(e.t.id(), Real(small(random)));
  for (std::size_t i = 0; i < e.n(); ++i) {
    values.emplace(e.q[i].id(), Real(q[i] + small(random)));
    values.emplace(e.v[i].id(), Real(1 + small(random)));
  }
  return values;
}

TEST_P(ShippedModel, ComputesWhatItsEquationsSay) {
  const Equations& e = system_.equations();
  const DynamicsProgram& dynamics = system_.dynamics();
  const std::unordered_map<NodeId, Real> state = random_state(system_);
  Series<Real> series(dynamics.program,
                      evaluate_constants<Real>(dynamics.program, system_.parameter_values<Real>()), 0);
  series.set(dynamics.program.inputs[System::input_t()], 0, state.at(e.t.id()));
  for (std::size_t i = 0; i < e.n(); ++i) {
    series.set(dynamics.program.inputs[system_.input_q(i)], 0, state.at(e.q[i].id()));
    series.set(dynamics.program.inputs[system_.input_v(i)], 0, state.at(e.v[i].id()));
  }
  series.run(Stage::position, 0);
  series.run(Stage::velocity, 0);

  const auto expect_same = [&](Expr expression, const Scaled& output) {
    const Real expected = evaluate<Real>(expression, state);
    const Real scale = abs(expected) > 1 ? Real(abs(expected)) : Real(1);
    EXPECT_LE(Real(abs(series.output(output, 0) - expected)), Real(scale * Real("1e-54")));
  };
  ASSERT_EQ(dynamics.M.size(), e.M.entries.size());
  ASSERT_EQ(dynamics.C.size(), e.C.entries.size());
  for (std::size_t i = 0; i < dynamics.M.size(); ++i) expect_same(e.M.entries[i].value, dynamics.M[i].value);
  for (std::size_t i = 0; i < dynamics.C.size(); ++i) expect_same(e.C.entries[i].value, dynamics.C[i].value);
  for (std::size_t i = 0; i < dynamics.f.size(); ++i) expect_same(e.f[i], dynamics.f[i]);
  for (std::size_t i = 0; i < dynamics.c.size(); ++i) expect_same(e.c[i], dynamics.c[i]);
  for (std::size_t i = 0; i < dynamics.g.size(); ++i) expect_same(e.g[i], dynamics.g[i]);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedModel, testing::ValuesIn(test::mechanical_models()),
                         [](const auto& info) { return info.param; });

// Nonlinear instructions that M, f, C and c depend on; what g needs besides runs at order 0 alone.
std::size_t nonlinear_count(const std::string& name) {
  const System system(read_model(models() / (name + ".toml")));
  const DynamicsProgram& dynamics = system.dynamics();
  std::set<Register> needed;
  for (const MatrixEntry& entry : dynamics.M) needed.insert(entry.value.x);
  for (const MatrixEntry& entry : dynamics.C) needed.insert(entry.value.x);
  for (const Scaled& force : dynamics.f) needed.insert(force.x);
  for (const Scaled& rate : dynamics.c) needed.insert(rate.x);
  std::size_t count = 0;
  const Program& program = dynamics.program;
  for (auto i = program.instructions.rbegin(); i != program.instructions.rend(); ++i) {
    needed.erase(no_register);
    if (!needed.contains(i->result) && !needed.contains(i->second_result)) continue;
    if (i->op != Op::linear) ++count;
    needed.insert({i->x, i->y, i->z});
    for (std::uint32_t t = 0; t < i->term_count; ++t) needed.insert(program.terms[i->first_term + t].x);
  }
  return count;
}

// Counted by hand: 10 angles; (spring) 2 squares, root, quotient, 2 + 2 products; (each of the three velocity
// terms) s a, (s a) (2 b + a), s b, (s b) b.
TEST(AndrewsMechanism, NeedsNoMoreProductsThanAHumanWouldWrite) {
  EXPECT_LE(nonlinear_count("andrews"), 30U);
}

TEST(ModelsWithPolynomialConstraintsAndConstantMasses, NeedNoProductsOfSeries) {
  EXPECT_EQ(nonlinear_count("pendulum_cartesian"), 0U);
  EXPECT_EQ(nonlinear_count("spherical_pendulum"), 0U);
  EXPECT_EQ(nonlinear_count("chain10"), 0U);
}

// 190 pairs of particles: three squares and three quotients each.
TEST(FeketePoints, NeedSixProductsForEachPair) { EXPECT_EQ(nonlinear_count("fekete"), 1140U); }

}  // namespace
}  // namespace dalembert
