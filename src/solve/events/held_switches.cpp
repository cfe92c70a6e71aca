#include "events/held_switches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/hold_signs.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/substitute.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {
namespace {

using NodeSet = std::unordered_set<NodeId>;

ValueTape values_at(const System& system, const Program& program, const Start& start) {
  ValueTape values(system, program);
  values.set(System::input_t(), start.t);
  values.set(system.input_q(0), start.q);
  values.set(system.input_v(0), start.v);
  values.run();
  return values;
}

// A little later, with the accelerations of the start, where signs of zero are zero.
Start after(const Start& start, double h) {
  Start later = start;
  later.t += h;
  for (std::size_t i = 0; i < start.a.size(); ++i) {
    later.q[i] += h * (start.v[i] + h / 2 * start.a[i]);
    later.v[i] += h * start.a[i];
  }
  return later;
}
constexpr double little = 1e-9;  // of the duration

bool contains_any(Expr e, const NodeSet& wanted) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::ranges::any_of(symbols, [&](Expr one) { return wanted.contains(one.id()); });
}

// What moves: an argument of parameters alone keeps its sign.
NodeSet moving_symbols(const ModelData& model) {
  NodeSet symbols{model.time.id()};
  for (const Coordinate& x : model.coordinates) symbols.insert({x.q.id(), x.v.id()});
  for (const Input& input : model.inputs)
    for (const Expr derivative : input.derivatives) symbols.insert(derivative.id());
  return symbols;
}

NodeSet velocities_of(const ModelData& model) {
  NodeSet symbols;
  for (const Coordinate& x : model.coordinates) symbols.insert(x.v.id());
  return symbols;
}

// Of which a root is taken; jumps that are zero at the start, and those that stay so.
struct SpecialCalls {
  NodeSet rooted, resting;
};
SpecialCalls find_special_calls(const System& system, const Start& start, double duration) {
  SpecialCalls result;
  const double h = little * duration;
  const ValueTape values = values_at(system, system.switches().program, start);
  const ValueTape later = values_at(system, system.switches().program, after(start, h));
  double size = 1;
  for (const auto* state : {&start.q, &start.v})
    for (const double x : *state) size = std::max(size, std::abs(x));
  constexpr double rounding = 1e-14;
  for (const Switch& call : system.switches().calls) {
    const double value = values.get(call.argument), change = later.get(call.argument) - value;
    const bool rests = branch_of(call.op) == Branch::jump && std::abs(value) <= rounding * size &&
                       std::abs(change) <= std::max(rounding * size, 1e-6 * h * size);
    for (const Expr node : call.nodes) {
      if (call.rooted_side != 0 || call.is_rooted_abs) result.rooted.insert(node.id());
      if (rests) result.resting.insert(node.id());
    }
  }
  return result;
}

// Signs whose arguments are multiples of one value are one sign.
struct Relative {
  std::size_t leader;
  int direction;
};
std::unordered_map<NodeId, Relative> find_relatives(const System& system) {
  std::unordered_map<NodeId, Relative> result;
  const SwitchProgram& switches = system.switches();
  const std::vector<int> directions = switch_directions(switches, system.constants<double>(switches.program));
  for (std::size_t i = 0; i < switches.size(); ++i)
    for (const Expr node : switches.calls[i].nodes)
      if (directions[i] != 0) result.emplace(node.id(), Relative{switches.calls[i].leader, directions[i]});
  return result;
}

class Holding {
 public:
  Holding(const System& system, NodeSet not_held)
      : data_(system.model()),
        relatives_(find_relatives(system)),
        not_held_(std::move(not_held)),
        moving_(moving_symbols(data_)),
        velocities_(velocities_of(data_)) {
    data_.graph = std::make_shared<Graph>(system.model().graph);
    for (auto* list : {&data_.force, &data_.generalized_force})
      for (Expr& force : *list) {
        force = data_.graph->at(force.id());
        forces_.push_back(&force);
      }
    hold();
    for (Side& side : sides_) let_slide(side);
    data_.graph->freeze();
  }

  const std::unordered_map<NodeId, Expr>& held() const { return held_; }
  /// Those of the calls whose sign is held and cannot slide.
  NodeSet without_sliding(const NodeSet& calls) const {
    NodeSet result;
    for (const NodeId id : calls) {
      const auto call = held_.find(id);
      if (call == held_.end()) continue;
      const std::vector<Expr> symbols = symbols_in(call->second);
      const bool slides = std::ranges::any_of(sides_, [&](const Side& side) {
        return side.slides && std::ranges::find(symbols, side.symbol) != symbols.end();
      });
      if (!slides) result.insert(id);
    }
    return result;
  }
  Model model() const { return Model(data_); }
  std::vector<std::string> texts() const {
    std::vector<std::string> result;
    for (const auto& [id, value] : held_) result.push_back(text_excerpt(data_.graph->at(id)));
    std::ranges::sort(result);
    return result;
  }

 private:
  struct Side {
    Expr argument, symbol;
    bool jumps;  // of sign
    std::size_t parameter;
    std::optional<std::size_t> leader;  // of its relatives
    int direction;                      // beside its leader
    bool slides = false;
  };

  void hold() {
    std::vector<Expr> roots;
    for (const Expr* force : forces_) roots.push_back(*force);
    held_ = hold_signs(
        roots, [this](Expr call) { return !not_held_.contains(call.id()) && contains_any(call, moving_); },
        [this](Expr call, Expr argument) { return side_of(call, argument); });
    const std::vector<Expr> replaced = substitute(roots, held_);
    for (std::size_t i = 0; i < forces_.size(); ++i) *forces_[i] = replaced[i];
  }
  Expr side_of(Expr call, Expr argument) {
    const bool jumps = call.function() == Function::sign;
    const auto relative = relatives_.find(call.id());
    const std::optional<std::size_t> leader =
        jumps && relative != relatives_.end() ? std::optional(relative->second.leader) : std::nullopt;
    for (const Side& side : sides_) {
      if (side.argument == argument && side.jumps == jumps) return side.symbol;
      if (leader && side.leader == leader) return side.direction * relative->second.direction * side.symbol;
    }
    const std::string name = fmt::format("{} {}", jumps ? jump_word : "side", sides_.size());
    sides_.push_back({argument, data_.graph->symbol(name), jumps, data_.parameters.size(), leader,
                      leader ? relative->second.direction : 1});
    data_.parameters.push_back({name, sides_.back().symbol, data_.graph->number(1)});
    Event event;
    event.when = {argument};
    event.set = {{Assignment::Target::parameter, sides_.back().parameter, -sides_.back().symbol}};
    data_.events.push_back(std::move(event));
    return sides_.back().symbol;
  }

  // Q(s) becomes Q(s) + (∂Q/∂s + ∂w/∂v) λ: s = 0 while it slides, λ = 0 elsewhere.
  void let_slide(Side& side) {
    const std::vector<Expr> slopes = velocity_slopes(side);
    if (!side.jumps || slopes.empty() || !is_linear_in(side)) return;
    side.slides = true;
    Constraint constraint;
    constraint.name = fmt::format("sign({})", text_excerpt(side.argument));
    if (std::ranges::find(data_.disabled_nonholonomic, constraint.name, &Constraint::name) !=
        data_.disabled_nonholonomic.end())
      constraint.name += fmt::format(" {}", side.parameter);
    constraint.residual = side.argument;
    constraint.lambda = data_.graph->symbol(fmt::format("lambda({})", constraint.name));
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      Expr push = slopes[i] + derivative(data_.generalized_force[i], side.symbol);
      if (!data_.force.empty()) push = push + derivative(data_.force[i], side.symbol);
      data_.generalized_force[i] = data_.generalized_force[i] + push * constraint.lambda;
    }
    Event end;
    end.when = {1 - constraint.lambda, 1 + constraint.lambda};
    end.direction = Crossing::falling;
    end.set = {{Assignment::Target::parameter, side.parameter, side.symbol}};
    end.enable = {constraint.name};
    data_.events.push_back(std::move(end));
    data_.disabled_nonholonomic.push_back(std::move(constraint));
  }
  // ∂w/∂v where w = A(q, t) v + b(q, t) and no other sign is in it; else empty.
  std::vector<Expr> velocity_slopes(const Side& side) const {
    std::vector<Expr> slopes;
    NodeSet others = velocities_;
    for (const Side& other : sides_) others.insert(other.symbol.id());
    if (!contains_any(side.argument, velocities_)) return {};
    for (const Coordinate& x : data_.coordinates) {
      slopes.push_back(derivative(side.argument, data_.graph->at(x.v.id())));
      if (contains_any(slopes.back(), others)) return {};
    }
    return slopes;
  }
  // Whether the forces are linear in s, with factors that no other that may slide is in.
  bool is_linear_in(const Side& side) const {
    NodeSet signs;
    for (const Side& other : sides_)
      if (other.jumps) signs.insert(other.symbol.id());
    for (const Constraint& one : data_.disabled_nonholonomic) signs.insert(one.lambda.id());
    const bool is_nested = std::ranges::any_of(
        sides_, [&](const Side& other) { return contains_any(other.argument, {side.symbol.id()}); });
    return !is_nested && std::ranges::none_of(forces_, [&](const Expr* force) {
      return contains_any(derivative(*force, side.symbol), signs);
    });
  }

  ModelData data_;
  std::unordered_map<NodeId, Relative> relatives_;
  NodeSet not_held_, moving_, velocities_;
  std::vector<Expr*> forces_;
  std::vector<Side> sides_;
  std::unordered_map<NodeId, Expr> held_;
};

// Arguments may depend on the sides of others, which come before them; one that is zero has the side to which
// it goes.
System with_sides_of_start(System system, const Start& start, double duration) {
  const ModelData& model = system.model();
  const Start later = after(start, little * duration);
  for (std::size_t i = 0; i < model.events.size(); ++i) {
    if (!is_switch(model.events[i]) || ends_sliding(model.events[i])) continue;
    const EventProgram& program = system.events();
    const auto argument = [&](const Start& at) {
      return values_at(system, program.program, at).value(program.events[i].when[0]);
    };
    const double here = argument(start), there = argument(later);
    if (here > 0 || (here == 0 && there >= 0)) continue;
    const std::array<NamedValue, 1> below{{{model.parameters[model.events[i].set[0].index].name, -1.0}}};
    system = system.with_parameters(below);
  }
  return system;
}

}  // namespace

bool may_slide(const SolveOptions& options) {
  return find_method(options.method).multiplier_forces && options.dense_output == nullptr;
}

std::unique_ptr<HeldSwitches> hold_switches(const Problem& problem, const SolveOptions& options) {
  const System& system = problem.system;
  if (system.switches().size() == 0) return nullptr;
  // series follow branches themselves; what signs of multipliers do where a force jumps is decided with them
  if (options.method == "adomian" && system.model().held_signs.empty()) return nullptr;
  if (options.duration < 0 || options.digits > 0) return nullptr;
  SpecialCalls special = find_special_calls(system, problem.start, options.duration);
  auto holding = std::make_unique<Holding>(system, special.rooted);
  const NodeSet staying = may_slide(options) ? holding->without_sliding(special.resting) : special.resting;
  if (!staying.empty()) {
    special.rooted.insert(staying.begin(), staying.end());
    holding = std::make_unique<Holding>(system, std::move(special.rooted));
  }
  if (holding->held().empty()) return nullptr;
  System held(holding->model());
  held = held.with_parameters(system.given_parameters());
  if (system.has_inputs()) held = held.with_inputs_at(options.start);
  auto result = std::make_unique<HeldSwitches>(
      with_sides_of_start(std::move(held), problem.start, options.duration), problem);
  for (const std::string& text : holding->texts())
    result->problem.notes.push_back(
        fmt::format("{} is not smooth: steps end where its argument changes sign", text));
  return result;
}

}  // namespace dalembert
