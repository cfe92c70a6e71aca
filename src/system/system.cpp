#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {
namespace {

enum class Inputs { position, velocity, all };

// t, q, v, a, λ in this order as far as wanted, then the parameters.
std::vector<ProgramInput> inputs_of(const Equations& e, Inputs wanted) {
  std::vector<ProgramInput> inputs{{e.t, Stage::position}};
  for (const Expr& q : e.q) inputs.push_back({q, Stage::position});
  if (wanted != Inputs::position) {
    for (const Expr& v : e.v) inputs.push_back({v, Stage::velocity});
  }
  if (wanted == Inputs::all) {
    for (const Expr& a : e.a) inputs.push_back({a, Stage::acceleration});
    for (const Expr& lambda : e.lambda) inputs.push_back({lambda, Stage::acceleration});
  }
  for (const Parameter& parameter : e.model->parameters)
    inputs.push_back({parameter.symbol, Stage::constant});
  return inputs;
}

// Collects expressions for one compilation and hands their outputs out again in the same order.
class Outputs {
 public:
  void add(const std::vector<Expr>& expressions) {
    expressions_.insert(expressions_.end(), expressions.begin(), expressions.end());
  }
  void add(const ExprMatrix& matrix) {
    for (const auto& entry : matrix.entries) expressions_.push_back(entry.value);
  }
  Program compile(const Equations& e, Inputs wanted) const {
    return dalembert::compile(expressions_, inputs_of(e, wanted));
  }
  std::vector<Scaled> take(const Program& program, std::size_t count) {
    const auto first = program.outputs.begin() + static_cast<std::ptrdiff_t>(taken_);
    taken_ += count;
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<MatrixEntry> take(const Program& program, const ExprMatrix& matrix) {
    std::vector<MatrixEntry> entries;
    for (const auto& entry : matrix.entries) {
      entries.push_back({entry.row, entry.column, program.outputs[taken_++]});
    }
    return entries;
  }

 private:
  std::vector<Expr> expressions_;
  std::size_t taken_ = 0;
};

DynamicsProgram compile_dynamics(const Equations& e) {
  Outputs outputs;
  outputs.add(e.M);
  outputs.add(e.f);
  outputs.add(e.C);
  outputs.add(e.c);
  DynamicsProgram p;
  p.program = outputs.compile(e, Inputs::velocity);
  p.M = outputs.take(p.program, e.M);
  p.f = outputs.take(p.program, e.n());
  p.C = outputs.take(p.program, e.C);
  p.c = outputs.take(p.program, e.m());
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

// Q·v − v·∂R/∂v
Expr power_of_forces(const Equations& e) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < e.n(); ++i) terms.push_back({1, e.Q[i] * e.v[i]});
  for (const auto& [i, slope] : gradient(e.R, SymbolIndex(e.v))) terms.push_back({-1, slope * e.v[i]});
  return e.graph().sum(terms);
}

ObservableProgram compile_observables(const Equations& e) {
  Outputs outputs;
  outputs.add({e.K, e.V, e.R, power_of_forces(e)});
  for (const NamedExpr& output : e.outputs) outputs.add({output.expression});
  ObservableProgram p;
  p.program = outputs.compile(e, Inputs::all);
  const std::vector<Scaled> energies = outputs.take(p.program, 4);
  p.K = energies[0];
  p.V = energies[1];
  p.R = energies[2];
  p.power = energies[3];
  p.outputs = outputs.take(p.program, e.outputs.size());
  return p;
}

std::vector<std::string> list_non_analytic(const Equations& e) {
  std::vector<Expr> all = e.f;
  for (const auto& entry : e.M.entries) all.push_back(entry.value);
  std::vector<std::string> found;
  for (const NodeId id : reachable(all)) {
    const Expr node = e.graph().at(id);
    if (node.kind() == Kind::function && !info(node.function()).analytic) found.push_back(to_text(node));
  }
  return found;
}

}  // namespace

System::System(Equations equations) : equations_(std::move(equations)) {
  dynamics_ = compile_dynamics(equations_);
  state_ = compile_state(equations_);
  position_ = compile_position(equations_);
  observables_ = compile_observables(equations_);
  non_analytic_ = list_non_analytic(equations_);
}

template <class S>
std::unordered_map<NodeId, S> System::parameter_values() const {
  std::unordered_map<NodeId, S> values;
  for (const Parameter& parameter : model().parameters) {
    values.emplace(parameter.symbol.id(), evaluate<S>(parameter.value, values));
  }
  return values;
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
template std::vector<double> System::given_positions() const;
template std::vector<Real> System::given_positions() const;
template std::vector<Rational> System::given_positions() const;
template std::vector<double> System::given_velocities() const;
template std::vector<Real> System::given_velocities() const;
template std::vector<Rational> System::given_velocities() const;

}  // namespace dalembert
