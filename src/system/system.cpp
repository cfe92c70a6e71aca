#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/system/expansion_program.hpp>
#include <dalembert/system/implicit_programs.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

#include "program_outputs.hpp"

namespace dalembert {
namespace {

DynamicsProgram compile_dynamics(const Equations& e) {
  Outputs outputs;
  outputs.add(e.M);
  outputs.add(e.f);
  outputs.add(e.C);
  outputs.add(e.c);
  outputs.add(e.g);
  DynamicsProgram p;
  p.program = outputs.compile(e, Inputs::velocity);
  p.M = outputs.take(p.program, e.M);
  p.f = outputs.take(p.program, e.n());
  p.C = outputs.take(p.program, e.C);
  p.c = outputs.take(p.program, e.m());
  p.g = outputs.take(p.program, e.g.size());
  return p;
}

StateProgram compile_state(const Equations& e) {
  Outputs outputs;
  outputs.add(e.M);
  outputs.add(e.f);
  outputs.add(e.C);
  outputs.add(e.c);
  outputs.add(e.g);
  outputs.add(e.gamma);
  StateProgram p;
  p.program = outputs.compile(e, Inputs::velocity);
  p.M = outputs.take(p.program, e.M);
  p.f = outputs.take(p.program, e.n());
  p.C = outputs.take(p.program, e.C);
  p.c = outputs.take(p.program, e.m());
  p.g = outputs.take(p.program, e.g.size());
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
  for (const auto& [row, column, value] : e.M.entries) {
    terms.push_back({Rational(1, 2), e.v[row] * dt(value) * e.v[column]});
  }
  return e.graph().sum(terms);
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

template <class S>
std::unordered_map<NodeId, S> evaluate_parameters(const ModelData& model) {
  std::unordered_map<NodeId, S> values;
  for (const Parameter& parameter : model.parameters) {
    values.emplace(parameter.symbol.id(), evaluate<S>(parameter.value, values));
  }
  return values;
}

}  // namespace

struct System::LateExpansionProgram {
  std::once_flag made;
  ExpansionProgram program;
};

const ExpansionProgram& System::expansion_program() const {
  std::call_once(expansion_->made, [&] { expansion_->program = make_expansion_program(*this); });
  return expansion_->program;
}

System::System(Equations equations) : equations_(std::move(equations)) {
  observables_ = compile_observables(equations_);
  energy_ = compile_energy(equations_);
  determined_ = determine_velocities(equations_);
  dynamics_ = compile_dynamics(equations_);
  state_ = compile_state(equations_);
  position_ = compile_position(equations_);
  switches_ = make_switch_program(dynamics_.program, dynamics_.g);
  for (const Switch& call : switches_.calls) {
    if (call.op != Op::atan2) non_analytic_.push_back(call.text);
  }
  expansion_ = std::make_shared<LateExpansionProgram>();
  implicit_ = std::make_shared<ImplicitPrograms>();
  parameter_values_ = evaluate_parameters<double>(model());
  for (const Program* program : {&dynamics_.program, &state_.program, &position_.program,
                                 &observables_.program, &energy_.program, &switches_.program}) {
    for (const Expr& constant : program->constants)
      constant_values_.try_emplace(constant.id(), evaluate<double>(constant, parameter_values_));
  }
}

template <class S>
std::unordered_map<NodeId, S> System::parameter_values() const {
  if constexpr (std::is_same_v<S, double>) {
    return parameter_values_;
  } else {
    return evaluate_parameters<S>(model());
  }
}

template <class S>
std::vector<S> System::constants(const Program& program) const {
  if constexpr (std::is_same_v<S, double>) {
    std::vector<double> values;
    values.reserve(program.constants.size());
    for (const Expr& constant : program.constants) {
      const auto known = constant_values_.find(constant.id());
      values.push_back(known != constant_values_.end() ? known->second
                                                       : evaluate<double>(constant, parameter_values_));
    }
    return values;
  } else {
    return evaluate_constants<S>(program, parameter_values<S>());
  }
}

template <class S>
std::vector<S> System::given_positions() const {
  const auto parameters = parameter_values<S>();
  std::vector<S> values;
  for (const Coordinate& coordinate : model().coordinates) {
    values.push_back(evaluate<S>(coordinate.position, parameters));
  }
  return values;
}

template <class S>
std::vector<S> System::given_velocities() const {
  const auto parameters = parameter_values<S>();
  std::vector<S> values;
  for (const Coordinate& coordinate : model().coordinates) {
    values.push_back(evaluate<S>(coordinate.velocity, parameters));
  }
  return values;
}

template std::unordered_map<NodeId, double> System::parameter_values() const;
template std::unordered_map<NodeId, Real> System::parameter_values() const;
template std::unordered_map<NodeId, Rational> System::parameter_values() const;
template std::vector<double> System::constants(const Program&) const;
template std::vector<Real> System::constants(const Program&) const;
template std::vector<Rational> System::constants(const Program&) const;
template std::vector<double> System::given_positions() const;
template std::vector<Real> System::given_positions() const;
template std::vector<Rational> System::given_positions() const;
template std::vector<double> System::given_velocities() const;
template std::vector<Real> System::given_velocities() const;
template std::vector<Rational> System::given_velocities() const;

}  // namespace dalembert
