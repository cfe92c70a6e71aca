#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/derive/equations.hpp>
#include <dalembert/derive/input_curves.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/substitute.hpp>
#include <dalembert/model/sliding_force.hpp>

#include "inputs_in_time.hpp"
#include "jacobian.hpp"
#include "move_to.hpp"
#include "shorter_inertia.hpp"

namespace dalembert {
namespace {

Directional partial_time_derivative(const Equations& e) {
  return partial_time_derivative(*e.model, e.graph(), e.t);
}

// d/dt with accelerations left out: Σ v ∂/∂q + ∂/∂t.
Directional time_derivative(const Equations& e) {
  Directional d = partial_time_derivative(e);
  for (std::size_t i = 0; i < e.n(); ++i) d.set_tangent(e.q[i], e.v[i]);
  return d;
}

std::vector<Expr> dense(const std::vector<std::pair<std::uint32_t, Expr>>& sparse, std::size_t size,
                        Expr zero) {
  std::vector<Expr> result(size, zero);
  for (const auto& [i, value] : sparse) result[i] = value;
  return result;
}

// π = ∂K/∂v, M = ∂π/∂v, f = Q − ∂V/∂q − ∂R/∂v + ∂K/∂q − (∂π/∂q) v − ∂π/∂t
void derive_from_energies(Equations& e, const SymbolIndex& positions, const SymbolIndex& velocities) {
  const std::size_t n = e.n();
  const Expr zero = e.graph().number(0);
  const std::vector<Expr> momentum = dense(gradient(e.K, velocities), n, zero);
  const std::vector<Expr> dK = dense(gradient(e.K, positions), n, zero);
  const std::vector<Expr> dV = dense(gradient(e.V, positions), n, zero);
  const std::vector<Expr> dR = dense(gradient(e.R, velocities), n, zero);
  e.M = derive_jacobian(momentum, velocities, n);
  Directional dt = time_derivative(e);
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<Term> terms{{1, e.Q[i]}, {-1, dV[i]}, {-1, dR[i]}, {1, dK[i]}, {-1, dt(momentum[i])}};
    e.f.push_back(e.graph().sum(terms));
  }
}

void take_matrices(Equations& e) {
  const ModelData& model = *e.model;
  std::vector<Term> energy;
  e.M = {e.n(), e.n(), {}};
  for (std::size_t i = 0; i < e.n(); ++i) {
    for (std::size_t j = 0; j < e.n(); ++j) {
      const Expr entry = e.graph().at(model.mass[i][j].id());
      if (entry.is_zero()) continue;
      e.M.entries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), entry});
      energy.push_back({Rational(1, 2), entry * e.v[i] * e.v[j]});
    }
    e.f.push_back(e.graph().at(model.force[i].id()) + e.Q[i]);
  }
  e.K = e.graph().sum(energy);
}

void derive_constraints(Equations& e, const SymbolIndex& positions, const SymbolIndex& velocities) {
  const ModelData& model = *e.model;
  const std::size_t holonomic = model.holonomic.size();
  const auto residual = [&](const Constraint& constraint) { return e.graph().at(constraint.residual.id()); };
  for (const Constraint& constraint : model.holonomic) e.g.push_back(residual(constraint));
  e.G = derive_jacobian(e.g, positions, e.n());

  std::vector<Expr> pfaffian;
  std::unordered_map<NodeId, Expr> at_rest;
  for (const Expr& v : e.v) at_rest.emplace(v.id(), e.graph().number(0));
  for (const Constraint& constraint : model.nonholonomic) {
    pfaffian.push_back(residual(constraint));
    e.b.push_back(substitute(residual(constraint), at_rest));
  }
  e.A = derive_jacobian(pfaffian, velocities, e.n());

  e.C = e.G;
  e.C.rows = e.m();
  for (const auto& entry : e.A.entries) {
    e.C.entries.push_back({static_cast<std::uint32_t>(entry.row + holonomic), entry.column, entry.value});
  }
  Directional dt = time_derivative(e);
  Directional partial_t = partial_time_derivative(e);
  for (const Expr& g : e.g) e.c.push_back(partial_t(g));
  for (const Expr& b : e.b) e.c.push_back(b);

  std::vector<std::vector<Term>> gamma(e.m());  // γ = −(d/dt C) v − d/dt c
  for (const auto& [row, column, value] : e.C.entries) gamma[row].push_back({-1, dt(value) * e.v[column]});
  for (std::size_t row = 0; row < e.m(); ++row) {
    gamma[row].push_back({-1, dt(e.c[row])});
    e.gamma.push_back(e.graph().sum(gamma[row]));
  }
}

// The sizes of the multipliers that are there.
std::vector<Expr> take_sizes(Equations& e) {
  std::vector<Expr> symbols;
  for (const MultiplierSize& size : e.model->sizes) {
    std::vector<std::uint32_t> rows;
    for (const Expr& lambda : size.multipliers) {
      const auto found = std::ranges::find(e.lambda, lambda);
      if (found != e.lambda.end()) rows.push_back(static_cast<std::uint32_t>(found - e.lambda.begin()));
    }
    e.sizes.push_back(std::move(rows));
    symbols.push_back(e.graph().at(size.symbol.id()));
  }
  e.B.rows = symbols.size();
  e.B.columns = e.n();
  return symbols;
}

// Q = Q₀ + (∂Q/∂λ) λ + (∂Q/∂N) N, with D, B and f that hold Q: the model's check has seen that Q is linear in
// λ and N.
void split_forces(Equations& e) {
  e.D = e.C;
  const SymbolIndex multipliers(e.lambda);
  const std::vector<Expr> size_symbols = take_sizes(e);
  const SymbolIndex sizes(size_symbols);
  std::unordered_map<NodeId, Expr> zero;
  for (const Expr& lambda : e.lambda) zero.emplace(lambda.id(), e.graph().number(0));
  for (const Expr& size : size_symbols) zero.emplace(size.id(), e.graph().number(0));
  std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> rows;
  for (const auto& [row, column, value] : e.D.entries) rows.emplace(std::pair(row, column), value);
  for (std::uint32_t i = 0; i < e.n(); ++i) {
    const auto slopes = gradient(e.f[i], multipliers);
    for (const auto& [p, slope] : gradient(e.f[i], sizes)) e.B.entries.push_back({p, i, -slope});
    if (slopes.empty() && size_symbols.empty()) continue;
    e.is_symmetric = e.is_symmetric && slopes.empty() && e.B.entries.empty();
    e.f[i] = substitute(e.f[i], zero);
    for (const auto& [j, slope] : slopes) {
      const auto [known, is_new] = rows.try_emplace({j, i}, -slope);
      if (!is_new) known->second = known->second - slope;
    }
  }
  std::unordered_map<NodeId, Expr> written;
  for (const MultiplierSize& size : e.model->sizes)
    written.emplace(size.symbol.id(), size_of_multipliers(e.graph(), size));
  if (!written.empty()) e.Q = substitute(e.Q, written);
  if (e.is_symmetric) return;
  e.D.entries.clear();
  for (const auto& [place, value] : rows)
    if (!value.is_zero()) e.D.entries.push_back({place.first, place.second, value});
}

// Multipliers of contacts and constraints that do not hold are zero; those of slips are the force of friction
// that slides. Sizes are written out, but in the forces, which are linear in them.
std::unordered_map<NodeId, Expr> absent_multipliers(const Equations& e, bool with_sizes) {
  const ModelData& model = *e.model;
  std::unordered_map<NodeId, Expr> absent;
  const auto forget = [&](Expr lambda) {
    if (std::find(e.lambda.begin(), e.lambda.end(), lambda) == e.lambda.end())
      absent.emplace(lambda.id(), e.graph().number(0));
  };
  for (const auto* constraints : {&model.disabled_holonomic, &model.disabled_nonholonomic})
    for (const Constraint& constraint : *constraints) forget(constraint.lambda);
  for (const Contact& contact : model.contacts) forget(contact.lambda);
  for (const MultiplierSize& size : model.sizes) {
    const Expr written = substitute(size_of_multipliers(*e.own, size), absent);
    if (with_sizes || written.is_zero()) absent.emplace(size.symbol.id(), written);
  }
  const std::unordered_map<NodeId, Expr> normals = absent;
  for (const Friction& friction : model.frictions) {
    for (std::size_t k = 0; k < friction.slip.size(); ++k) {
      const Expr lambda = friction.slip[k].lambda;
      forget(lambda);
      if (!absent.contains(lambda.id()) || !friction.own) continue;
      absent[lambda.id()] = substitute(sliding_force(*e.own, model, friction, k), normals);
    }
  }
  return absent;
}

// How far a friction that sticks is from sliding either way, and its slip.
template <class Present>
void take_friction(Equations& e, const Friction& friction, Present present) {
  const Expr most = present(friction.sticking) * present(friction.pressure);
  Equations::FrictionFunctions functions;
  std::vector<Expr> slips;
  Expr square = e.graph().number(0), force = square;
  for (const Slip& slip : friction.slip) {
    slips.push_back(present(slip.velocity));
    square = square + slips.back() * slips.back();
    force = force + present(slip.lambda) * present(slip.lambda);
  }
  if (slips.size() == 1) {
    const Expr lambda = present(friction.slip[0].lambda);
    functions.margins = {most - lambda, most + lambda};
    functions.speed = slips[0];
  } else {
    functions.margins = {most * most - force};
    functions.speed = sqrt(square);
  }
  functions.slips = std::move(slips);
  e.frictions.push_back(std::move(functions));
}

void take_reported(Equations& e) {
  const ModelData& model = *e.model;
  const std::unordered_map<NodeId, Expr> absent = absent_multipliers(e, true);
  const auto present = [&](Expr x) {
    move_to(e.graph(), x);
    return absent.empty() ? x : substitute(x, absent);
  };

  for (const auto& [name, expression] : model.outputs) e.outputs.push_back({name, present(expression)});
  for (const Event& event : model.events) {
    Equations::EventFunctions functions;
    for (const Expr& function : event.when) functions.when.push_back(present(function));
    for (const Assignment& one : event.set) functions.values.push_back(present(one.value));
    e.events.push_back(std::move(functions));
  }
  for (const Contact& contact : model.contacts) e.gaps.push_back(present(contact.gap));
  const std::unordered_map<NodeId, Expr> absent_in_forces = absent_multipliers(e, false);
  for (Expr& force : e.Q) force = substitute(force, absent_in_forces);
  for (const HeldSign& sign : model.held_signs) e.held_arguments.push_back(present(sign.argument));
  for (const Friction& friction : model.frictions) take_friction(e, friction, present);
}

}  // namespace

Expr ExprMatrix::at(std::size_t row, std::size_t column, Graph& graph) const {
  for (const Entry& entry : entries) {
    if (entry.row == row && entry.column == column) return entry.value;
  }
  return graph.number(0);
}

Expr Equations::size(std::size_t p) const {
  Expr square = graph().number(0);
  for (const std::uint32_t row : sizes[p]) square = square + lambda[row] * lambda[row];
  return sqrt(square);
}

Equations Equations::continued() const {
  Equations e = *this;
  e.own = std::make_shared<Graph>(own);
  move_to(*e.own, e.t, e.q, e.v, e.a, e.lambda, e.M, e.f, e.g, e.G, e.A, e.b, e.C, e.D, e.B, e.c, e.gamma,
          e.K, e.V, e.R, e.Q, e.outputs, e.events, e.gaps, e.held_arguments, e.frictions);
  return e;
}

// u = Σ c_k (t − t_i)^k, and its derivatives.
std::unordered_map<NodeId, Expr> input_curves(const ModelData& model, Graph& graph) {
  const Expr t = graph.at(model.time.id());
  std::unordered_map<NodeId, Expr> curves;
  for (const Input& input : model.inputs) {
    const Expr x = t - graph.at(input.origin.id());
    Expr curve = graph.number(0);
    for (std::size_t k = input.coefficients.size(); k-- > 0;)
      curve = graph.at(input.coefficients[k].id()) + x * curve;
    for (const Expr& symbol : input.derivatives) {
      curves.emplace(symbol.id(), curve);
      curve = derivative(curve, t);
    }
  }
  return curves;
}

void insert_inputs(Equations& e) {
  insert_curves(*e.model, e.graph(), e.M, e.f, e.g, e.G, e.A, e.b, e.C, e.D, e.B, e.c, e.gamma, e.K, e.V, e.R,
                e.Q, e.outputs, e.events, e.gaps, e.held_arguments, e.frictions);
}

Equations derive_equations(const Model& model) {
  if (model->kind == ModelKind::kinematic) {
    throw Error("a kinematic model has no equations of motion (its velocities follow from the constraints)");
  }
  Equations e(model);
  e.t = model->time;
  for (const Coordinate& coordinate : model->coordinates) {
    e.q.push_back(coordinate.q);
    e.v.push_back(coordinate.v);
    e.a.push_back(coordinate.a);
  }
  for (const Constraint& constraint : model->holonomic) e.lambda.push_back(constraint.lambda);
  for (const Constraint& constraint : model->nonholonomic) e.lambda.push_back(constraint.lambda);
  e.K = model->kinetic;
  e.V = model->potential;
  e.R = model->dissipation;
  e.Q = model->generalized_force;
  move_to(*e.own, e.t, e.q, e.v, e.a, e.lambda, e.K, e.V, e.R, e.Q);
  take_reported(e);

  const SymbolIndex positions(e.q);
  const SymbolIndex velocities(e.v);
  if (model->kind == ModelKind::energy) {
    derive_from_energies(e, positions, velocities);
  } else {
    take_matrices(e);
  }
  derive_constraints(e, positions, velocities);
  if (model->kind == ModelKind::energy) shorten_inertia(e);
  split_forces(e);
  e.own->freeze();
  return e;
}

}  // namespace dalembert
