// Derived equations of every shipped model against finite differences of what the user wrote, in 80 digits.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/digits.hpp>
#include <dalembert/model/shipped.hpp>

#include "derive/model_point.hpp"

namespace dalembert {
namespace {

using Values = std::unordered_map<NodeId, Real>;
using test::ModelPoint;
using test::random_point;
using test::values_on_curve;

constexpr unsigned digits = 80;

// With h = 1e-20 both the truncation h² and the round-off 1e-80/h² are near 1e-40.
Real step() { return Real("1e-20"); }
Real tolerance() { return Real("1e-30"); }

class FiniteDifferences : public testing::TestWithParam<std::string> {
 private:
  DigitsScope digits_scope_{digits};
};

Real partial(Expr e, Expr symbol, const Values& values) {
  Values ahead = values;
  Values behind = values;
  ahead[symbol.id()] += step();
  behind[symbol.id()] -= step();
  return (evaluate<Real>(e, ahead) - evaluate<Real>(e, behind)) / (2 * step());
}

void expect_near(const Real& derived, const Real& expected, const std::string& what) {
  const Real error = abs(derived - expected);
  const Real allowed = tolerance() * (1 + abs(expected));
  EXPECT_TRUE(error <= allowed) << what << ": derived " << derived.str(20) << ", by differences "
                                << expected.str(20);
}

// M a − f = d/dt ∂K/∂v − ∂K/∂q + ∂V/∂q + ∂R/∂v − Q
void check_motion(const Equations& e, const ModelPoint<Real>& point) {
  const ModelData& model = *e.model;
  const Values here = values_on_curve<Real>(model, point, Real(0));
  const Values ahead = values_on_curve<Real>(model, point, step());
  const Values behind = values_on_curve<Real>(model, point, -step());
  Values without_multipliers = here;  // f has none
  for (const Expr& symbol : symbols_in(model.generalized_force))
    if (!here.contains(symbol.id())) without_multipliers[symbol.id()] = 0;
  std::vector<Real> derived(e.n());
  for (const auto& entry : e.M.entries) {
    derived[entry.row] += evaluate<Real>(entry.value, here) * point.a[entry.column];
  }
  for (std::size_t i = 0; i < e.n(); ++i) {
    const Expr v = e.v[i];
    const Real momentum_rate =
        (partial(model.kinetic, v, ahead) - partial(model.kinetic, v, behind)) / (2 * step());
    const Real expected = momentum_rate - partial(model.kinetic, e.q[i], here) +
                          partial(model.potential, e.q[i], here) + partial(model.dissipation, v, here) -
                          evaluate<Real>(model.generalized_force[i], without_multipliers);
    expect_near(derived[i] - evaluate<Real>(e.f[i], here), expected,
                "equation of " + model.coordinates[i].name);
  }
}

// On a curve: C v + c = d/dt g, C a − γ = d²/dt² g; and C v + c = h, C a − γ = d/dt h for h = A v + b.
void check_constraints(const Equations& e, const ModelPoint<Real>& point) {
  const ModelData& model = *e.model;
  const Values here = values_on_curve<Real>(model, point, Real(0));
  const Values ahead = values_on_curve<Real>(model, point, step());
  const Values behind = values_on_curve<Real>(model, point, -step());
  std::vector<Real> velocity(e.m());
  std::vector<Real> acceleration(e.m());
  for (const auto& entry : e.C.entries) {
    const Real value = evaluate<Real>(entry.value, here);
    velocity[entry.row] += value * point.v[entry.column];
    acceleration[entry.row] += value * point.a[entry.column];
  }
  for (std::size_t j = 0; j < e.m(); ++j) {
    velocity[j] += evaluate<Real>(e.c[j], here);
    acceleration[j] -= evaluate<Real>(e.gamma[j], here);
    const bool holonomic = j < e.g.size();
    const Constraint& constraint = holonomic ? model.holonomic[j] : model.nonholonomic[j - e.g.size()];
    const Real next = evaluate<Real>(constraint.residual, ahead);
    const Real now = evaluate<Real>(constraint.residual, here);
    const Real last = evaluate<Real>(constraint.residual, behind);
    const Real slope = (next - last) / (2 * step());
    expect_near(velocity[j], holonomic ? slope : now, "velocity level of " + constraint.name);
    expect_near(acceleration[j], holonomic ? Real((next - 2 * now + last) / (step() * step())) : slope,
                "acceleration level of " + constraint.name);
  }
}

TEST_P(FiniteDifferences, OfEnergiesAndConstraintsAreTheDerivedEquations) {
  const Model model = test::shipped_model(GetParam());
  if (model->kind == ModelKind::kinematic) GTEST_SKIP() << "no equations of motion";
  const Equations e = derive_equations(model);
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const ModelPoint<Real> point = random_point<Real>(*model, seed);
    if (model->kind == ModelKind::energy) check_motion(e, point);
    check_constraints(e, point);
  }
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(DALEMBERT_SOURCE_DIR) + "/models")) {
    if (file.path().stem() == "iftomm_a02_n40") continue;  // iftomm_a02 again, only longer
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(ShippedModels, FiniteDifferences, testing::ValuesIn(model_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace dalembert
