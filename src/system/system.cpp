#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/flat_expressions.hpp>
#include <dalembert/system/expansion_program.hpp>
#include <dalembert/system/implicit_programs.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/series.hpp>

#include "system_programs.hpp"

namespace dalembert {
namespace {

// As the number is written.
template <class S>
S from_decimal(double value) {
  if constexpr (std::is_same_v<S, double>) {
    return value;
  } else {
    return S(rational(value));
  }
}

template <class S>
void add_inputs_and_signs(const ModelData& model, const std::unordered_map<NodeId, double>& given,
                          const std::vector<std::size_t>& pieces, std::unordered_map<NodeId, S>& values) {
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const Input& input = model.inputs[i];
    const PiecewiseCubic::Piece& piece = input.curve[pieces[i]];
    values.emplace(input.origin.id(), from_decimal<S>(piece.origin));
    for (std::size_t k = 0; k < piece.c.size(); ++k)
      values.emplace(input.coefficients[k].id(), from_decimal<S>(piece.c[k]));
  }
  for (const HeldSign& sign : model.held_signs) {
    const auto own = given.find(sign.symbol.id());
    values.emplace(sign.symbol.id(), own == given.end() ? S(0) : from_decimal<S>(own->second));
  }
}

template <class S>
std::unordered_map<NodeId, S> evaluate_parameters(const ModelData& model,
                                                  const std::unordered_map<NodeId, double>& given,
                                                  const std::vector<std::size_t>& pieces) {
  std::unordered_map<NodeId, S> values;
  for (const Parameter& parameter : model.parameters) {
    const auto own = given.find(parameter.symbol.id());
    values.emplace(parameter.symbol.id(),
                   own == given.end() ? evaluate<S>(parameter.value, values) : from_decimal<S>(own->second));
  }
  add_inputs_and_signs(model, given, pieces, values);
  return values;
}

}  // namespace

// What is evaluated for every set of parameters, as flat lists; the last three when they are needed first.
struct System::FlatParts {
  struct Late {
    std::once_flag made;
    FlatExpressions expressions;
    const FlatExpressions& get(std::span<const Expr> roots) {
      std::call_once(made, [&] { expressions = FlatExpressions(roots); });
      return expressions;
    }
  };
  std::vector<FlatExpressions> parameters;  // one by one: those that are given need none
  std::array<FlatExpressions, 7> constants;
  FlatExpressions positions, velocities;  // at the start
  Late g, velocity, gamma;
};

struct System::LateExpansionProgram {
  std::once_flag made;
  ExpansionProgram program;
};

// Plans by program, and whether they are for order 0 alone; tapes.
class System::SharedPlans {
 public:
  std::shared_ptr<const SeriesPlan> find(const Program& program, bool values_only) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const SeriesPlan>& plan = plans_[{&program, values_only}];
    if (!plan) plan = make(program, values_only);
    return plan;
  }
  static std::shared_ptr<const SeriesPlan> make(const Program& program, bool values_only) {
    return values_only ? make_value_plan(program) : make_series_plan(program);
  }

  std::shared_ptr<const ValueTape> find_tape(const System& system, const Program& program) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const ValueTape>& tape = tapes_[&program];
    if (!tape) tape = std::make_shared<const ValueTape>(program, system.constants<double>(program));
    return tape;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<const Program*, bool>, std::shared_ptr<const SeriesPlan>> plans_;
  std::map<const Program*, std::shared_ptr<const ValueTape>> tapes_;
};

std::shared_ptr<const SeriesPlan> System::plan_of(const Program& program, bool values_only) const {
  const auto own = programs();
  const bool is_own = std::find(own.begin(), own.end(), &program) != own.end();
  return is_own ? parts_->plans->find(program, values_only) : SharedPlans::make(program, values_only);
}

std::shared_ptr<const ValueTape> System::value_tape(const Program& program) const {
  const auto own = programs();
  const bool is_own = std::find(own.begin(), own.end(), &program) != own.end();
  return is_own ? parts_->plans->find_tape(*this, program) : nullptr;
}

std::shared_ptr<const SeriesPlan> System::series_plan(const Program& program) const {
  return plan_of(program, false);
}

std::shared_ptr<const SeriesPlan> System::value_plan(const Program& program) const {
  return plan_of(program, true);
}

const ExpansionProgram& System::expansion_program() const {
  LateExpansionProgram& late = *parts_->expansion;
  std::call_once(late.made, [&] {
    late.program = make_expansion_program(*this);
    late.program.plan = make_series_plan(late.program.program, wanted_registers(late.program));
    late.program.flat_constants = FlatExpressions(late.program.program.constants);
    late.program.constants =
        late.program.flat_constants.eval(evaluate_parameters<double>(model(), {}, pieces_));
  });
  return late.program;
}

System::System(const Equations& equations) {
  const auto parts = std::make_shared<Parts>(equations.continued());
  insert_inputs(parts->equations);
  parts->observables = compile_observables(parts->equations);
  parts->energy = compile_energy(parts->equations);
  parts->events = compile_events(parts->equations);
  parts->determined = determine_velocities(parts->equations);
  parts->dynamics = compile_dynamics(parts->equations);
  parts->state = compile_state(parts->equations);
  parts->position = compile_position(parts->equations);
  parts->switches = make_switch_program(parts->dynamics.program, parts->dynamics.g);
  for (const Switch& call : parts->switches.calls) {
    if (branch_of(call.op) != Branch::cut) parts->non_analytic.push_back(call.text);
  }
  parts->expansion = std::make_shared<LateExpansionProgram>();
  parts->plans = std::make_shared<SharedPlans>();
  parts->implicit = std::make_shared<ImplicitPrograms>();
  parts->flat = std::make_shared<FlatParts>();
  parts->equations.own->freeze();
  parts_ = parts;
  std::vector<Expr> positions, velocities;
  for (const Coordinate& coordinate : model().coordinates) {
    positions.push_back(coordinate.position);
    velocities.push_back(coordinate.velocity);
  }
  parts->flat->positions = FlatExpressions(positions);
  parts->flat->velocities = FlatExpressions(velocities);
  for (const Parameter& parameter : model().parameters)
    parts->flat->parameters.emplace_back(std::span(&parameter.value, 1));
  for (std::size_t i = 0; i < parts->flat->constants.size(); ++i)
    parts->flat->constants[i] = FlatExpressions(programs()[i]->constants);
  take_pieces(model().solve.start(), false);
  evaluate_all();
}

System System::with_parameters(std::span<const NamedValue> values) const {
  System other = *this;
  for (const auto& [name, value] : values) {
    const auto& signs = model().held_signs;
    const auto sign = std::ranges::find(signs, name, &HeldSign::name);
    if (sign != signs.end()) {
      other.given_[sign->symbol.id()] = value;
      continue;
    }
    const auto& all = model().parameters;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Parameter& parameter) { return parameter.name == name; });
    if (found == all.end()) {
      std::vector<std::string> names;
      for (const Parameter& parameter : all) names.push_back(parameter.name);
      throw Error(fmt::format("there is no parameter '{}'{}", name, suggestion(name, names)));
    }
    other.given_[found->symbol.id()] = value;
  }
  other.evaluate_all();
  return other;
}

std::vector<NamedValue> System::given_parameters() const {
  std::vector<NamedValue> result;
  for (const Parameter& parameter : model().parameters) {
    const auto own = given_.find(parameter.symbol.id());
    if (own != given_.end()) result.emplace_back(parameter.name, own->second);
  }
  return result;
}

System System::with_inputs_at(double t, bool before) const {
  System other = *this;
  other.take_pieces(t, before);
  if (other.pieces_ != pieces_) other.evaluate_all();
  return other;
}

void System::take_pieces(double t, bool before) {
  pieces_.clear();
  for (const Input& input : model().inputs) pieces_.push_back(input.curve.find(t, before));
}

void System::evaluate_all() {
  parameter_values_ = flat_parameters();
  for (std::size_t i = 0; i < constant_values_.size(); ++i)
    constant_values_[i] = parts_->flat->constants[i].eval(parameter_values_);
}

std::vector<double> System::constants(const Program& program,
                                      const std::unordered_map<NodeId, double>& parameters) const {
  const auto own = programs();
  const auto found = std::find(own.begin(), own.end(), &program);
  if (found != own.end())
    return parts_->flat->constants[static_cast<std::size_t>(found - own.begin())].eval(parameters);
  if (&program == &parts_->expansion->program.program)
    return parts_->expansion->program.flat_constants.eval(parameters);
  return evaluate_constants<double>(program, parameters);
}

const FlatExpressions& System::flat_positions() const { return parts_->flat->g.get(equations().g); }

const FlatExpressions& System::flat_velocities() const {
  std::vector<Expr> roots = equations().c;
  for (const auto& entry : equations().C.entries) roots.push_back(entry.value);
  return parts_->flat->velocity.get(roots);
}

const FlatExpressions& System::flat_accelerations() const {
  return parts_->flat->gamma.get(equations().gamma);
}

// Those of evaluate_parameters().
std::unordered_map<NodeId, double> System::flat_parameters() const {
  const ModelData& model = this->model();
  std::unordered_map<NodeId, double> values;
  values.reserve(model.parameters.size() + model.held_signs.size() + 6 * model.inputs.size());
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const NodeId symbol = model.parameters[i].symbol.id();
    const auto own = given_.find(symbol);
    values.emplace(symbol, own == given_.end() ? parts_->flat->parameters[i].eval(values)[0] : own->second);
  }
  add_inputs_and_signs(model, given_, pieces_, values);
  return values;
}

template <class S>
std::unordered_map<NodeId, S> System::parameter_values() const {
  if constexpr (std::is_same_v<S, double>) {
    return parameter_values_;
  } else {
    return evaluate_parameters<S>(model(), given_, pieces_);
  }
}

template <class S>
std::vector<S> System::constants(const Program& program) const {
  if constexpr (std::is_same_v<S, double>) {
    const auto own = programs();
    const auto found = std::find(own.begin(), own.end(), &program);
    return found == own.end() ? constants(program, parameter_values_)
                              : constant_values_[static_cast<std::size_t>(found - own.begin())];
  } else {
    return evaluate_constants<S>(program, parameter_values<S>());
  }
}

template <class S>
std::vector<S> System::given_positions() const {
  if constexpr (std::is_same_v<S, double>) return parts_->flat->positions.eval(parameter_values_);
  const auto parameters = parameter_values<S>();
  std::vector<S> values;
  for (const Coordinate& coordinate : model().coordinates) {
    values.push_back(evaluate<S>(coordinate.position, parameters));
  }
  return values;
}

template <class S>
std::vector<S> System::given_velocities() const {
  if constexpr (std::is_same_v<S, double>) return parts_->flat->velocities.eval(parameter_values_);
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
