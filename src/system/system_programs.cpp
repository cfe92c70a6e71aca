#include "system_programs.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/graph.hpp>

#include "program_outputs.hpp"

namespace dalembert {
namespace {

// M, f, C, D, B, c, g.
void add_dynamics(const Equations& e, Outputs& outputs) {
  outputs.add(e.M);
  outputs.add(e.f);
  outputs.add(e.C);
  if (!e.is_symmetric) outputs.add(e.D);
  outputs.add(e.B);
  outputs.add(e.c);
  outputs.add(e.g);
}

template <class AnyProgram>
void take_dynamics(const Equations& e, Outputs& outputs, AnyProgram& p) {
  p.M = outputs.take(p.program, e.M);
  p.f = outputs.take(p.program, e.n());
  p.C = outputs.take(p.program, e.C);
  if (!e.is_symmetric) p.D = outputs.take(p.program, e.D);
  p.B = outputs.take(p.program, e.B);
  p.c = outputs.take(p.program, e.m());
  p.g = outputs.take(p.program, e.g.size());
}

// v·∂K/∂v − K + V
Expr generalized_energy(const Equations& e) {
  std::vector<Term> terms{{-1, e.K}, {1, e.V}};
  for (const auto& [i, momentum] : gradient(e.K, SymbolIndex(e.v))) terms.push_back({1, e.v[i] * momentum});
  return e.graph().sum(terms);
}

// Q·v − v·∂R/∂v + λ·c − ∂K/∂t + ∂V/∂t, or v·f + λ·c + vᵀ (dM/dt) v / 2
Expr power(const Equations& e) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < e.m(); ++j) terms.push_back({1, e.lambda[j] * e.c[j]});
  if (e.model->kind == ModelKind::energy) {
    for (std::size_t i = 0; i < e.n(); ++i) terms.push_back({1, e.Q[i] * e.v[i]});
    for (const auto& [i, slope] : gradient(e.R, SymbolIndex(e.v))) terms.push_back({-1, slope * e.v[i]});
    terms.push_back({-1, derivative(e.K, e.t)});
    terms.push_back({1, derivative(e.V, e.t)});
    return e.graph().sum(terms);
  }
  Directional dt;
  dt.set_tangent(e.t, e.graph().number(1));
  for (std::size_t i = 0; i < e.n(); ++i) {
    dt.set_tangent(e.q[i], e.v[i]);
    dt.set_tangent(e.v[i], e.a[i]);
    terms.push_back({1, e.v[i] * e.f[i]});
  }
  if (!e.is_symmetric) {  // f has left (C − D)ᵀ λ to D
    for (const auto& [row, column, value] : e.C.entries)
      terms.push_back({1, e.v[column] * value * e.lambda[row]});
    for (const auto& [row, column, value] : e.D.entries)
      terms.push_back({-1, e.v[column] * value * e.lambda[row]});
  }
  for (const auto& [p, column, value] : e.B.entries) terms.push_back({-1, e.v[column] * value * e.size(p)});
  for (const auto& [row, column, value] : e.M.entries) {
    terms.push_back({Rational(1, 2), e.v[row] * dt(value) * e.v[column]});
  }
  return e.graph().sum(terms);
}

}  // namespace

DynamicsProgram compile_dynamics(const Equations& e) {
  Outputs outputs;
  add_dynamics(e, outputs);
  DynamicsProgram p;
  p.program = outputs.compile(e, Inputs::velocity);
  take_dynamics(e, outputs, p);
  return p;
}

StateProgram compile_state(const Equations& e) {
  Outputs outputs;
  add_dynamics(e, outputs);
  outputs.add(e.gamma);
  StateProgram p;
  p.program = outputs.compile(e, Inputs::velocity);
  take_dynamics(e, outputs, p);
  p.gamma = outputs.take(p.program, e.m());
  return p;
}

PositionProgram compile_position(const Equations& e) {
  Outputs outputs;
  outputs.add(e.g);
  PositionProgram p;
  p.program = outputs.compile(e, Inputs::position);
  p.g = outputs.take(p.program, e.g.size());
  return p;
}

ObservableProgram compile_observables(const Equations& e) {
  Outputs outputs;
  outputs.add({e.K, e.V});
  for (const NamedExpr& output : e.outputs) outputs.add({output.expression});
  ObservableProgram p;
  p.program = outputs.compile(e, Inputs::all);
  p.K = outputs.take(p.program, 1)[0];
  p.V = outputs.take(p.program, 1)[0];
  p.outputs = outputs.take(p.program, e.outputs.size());
  return p;
}

EventProgram compile_events(const Equations& e) {
  Outputs outputs;
  for (const auto& [when, values] : e.events) {
    outputs.add(when);
    outputs.add(values);
  }
  outputs.add(e.gaps);
  outputs.add(e.held_arguments);
  for (const auto& [margins, slips, speed] : e.frictions) {
    outputs.add(margins);
    outputs.add(slips);
    outputs.add({speed});
  }
  EventProgram p;
  p.program = outputs.compile(e, Inputs::all);
  for (const auto& [when, values] : e.events) {
    EventProgram::Functions functions;
    functions.when = outputs.take(p.program, when.size());
    functions.values = outputs.take(p.program, values.size());
    p.events.push_back(std::move(functions));
  }
  p.gaps = outputs.take(p.program, e.gaps.size());
  p.held_arguments = outputs.take(p.program, e.held_arguments.size());
  for (const auto& [margins, slips, speed] : e.frictions) {
    EventProgram::FrictionFunctions functions;
    functions.margins = outputs.take(p.program, margins.size());
    functions.slips = outputs.take(p.program, slips.size());
    functions.speed = outputs.take(p.program, 1)[0];
    p.frictions.push_back(std::move(functions));
  }
  return p;
}

EnergyProgram compile_energy(const Equations& e) {
  const Expr energy = e.model->kind == ModelKind::energy ? generalized_energy(e) : e.K;
  const Expr rate = power(e);
  Outputs outputs;
  outputs.add({energy, rate, e.K});
  EnergyProgram p;
  p.program = outputs.compile(e, Inputs::all);
  p.energy = outputs.take(p.program, 1)[0];
  p.power = outputs.take(p.program, 1)[0];
  p.kinetic = outputs.take(p.program, 1)[0];
  p.conservative = rate.is_zero();
  return p;
}

}  // namespace dalembert
