// Forces that depend on multipliers, and friction among them.
//
// They are linear in the multipliers while the signs in them hold: |λ| is sign(λ) λ, min and max are one of
// their two. A force −c |λ| sign(w) with a velocity w is Coulomb's friction: where w is zero it may stick.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/substitute.hpp>

#include "checker.hpp"
#include "identity.hpp"

namespace dalembert {
namespace {

constexpr std::size_t longest_name = 60;

using SymbolSet = std::unordered_set<NodeId>;

SymbolSet multipliers_of(const ModelData& model) {
  SymbolSet symbols;
  for (const auto* list :
       {&model.holonomic, &model.nonholonomic, &model.disabled_holonomic, &model.disabled_nonholonomic})
    for (const Constraint& constraint : *list) symbols.insert(constraint.lambda.id());
  for (const Contact& contact : model.contacts) {
    symbols.insert(contact.lambda.id());
    for (const Slip& slip : contact.slip) symbols.insert(slip.lambda.id());
  }
  return symbols;
}

bool contains_any(Expr e, const SymbolSet& wanted) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::ranges::any_of(symbols, [&](Expr symbol) { return wanted.contains(symbol.id()); });
}

// The terms of a force with multipliers, and the others.
std::pair<Expr, Expr> split(Expr force, const SymbolSet& multipliers) {
  if (!contains_any(force, multipliers)) return {force.graph().number(0), force};
  if (force.kind() != Kind::sum) return {force, force.graph().number(0)};
  std::vector<Term> with, without;
  for (std::size_t i = 0; i < force.size(); ++i)
    (contains_any(force.operand(i), multipliers) ? with : without)
        .push_back({force.coefficient(i), force.operand(i)});
  return {force.graph().sum(with), force.graph().sum(without, Rational(force.constant()))};
}

Expr without(Expr e, Expr symbol) {
  return substitute(e, std::unordered_map<NodeId, Expr>{{symbol.id(), e.graph().number(0)}});
}

// d with e = d·symbol, or nothing.
std::optional<Expr> factor_of(Expr e, Expr symbol) {
  const Expr d = derivative(e, symbol);
  const SymbolSet one{symbol.id()};
  if (contains_any(d, one) || !without(e, symbol).is_zero()) return std::nullopt;
  return d;
}

}  // namespace

std::size_t Checker::hold_sign(const std::string& name, Expr argument) {
  const auto known = std::ranges::find(data_.held_signs, name, &HeldSign::name);
  if (known != data_.held_signs.end()) return static_cast<std::size_t>(known - data_.held_signs.begin());
  data_.held_signs.push_back({name, data_.graph->symbol(name), argument});
  return data_.held_signs.size() - 1;
}

// abs, sign, min, max of what moves.
Expr Checker::with_held_signs(Expr force) {
  std::unordered_map<NodeId, Expr> replaced;
  const SymbolSet multipliers = multipliers_of(data_);
  for (const NodeId id : reachable(force)) {
    const Expr call = data_.graph->at(id);
    if (call.kind() != Kind::function || info(call.function()).analytic()) continue;
    const bool moves = names_.contains_coordinate(call) || names_.contains_velocity(call) ||
                       contains_any(call, multipliers) || contains_any(call, {data_.time.id()});
    if (!moves) continue;
    const Expr first = substitute(call.operand(0), replaced);
    const bool compares = call.size() == 2;
    Expr argument = compares ? first - substitute(call.operand(1), replaced) : first;
    Rational factor = 1;
    if (argument.kind() == Kind::sum && argument.size() == 1 && argument.constant() == 0) {
      factor = argument.coefficient(0) < 0 ? -1 : 1;
      argument = argument.operand(0);
    }
    const std::string name = fmt::format("sign({})", text_excerpt(argument, longest_name));
    const Expr sign = factor * data_.held_signs[hold_sign(name, argument)].symbol;
    Expr value = sign;
    if (call.function() == Function::abs) value = sign * first;
    if (compares) {
      const Expr second = substitute(call.operand(1), replaced);
      const Rational half = call.function() == Function::max ? Rational(1, 2) : Rational(-1, 2);
      value = Rational(1, 2) * (first + second) + half * (sign * (first - second));
    }
    replaced.emplace(id, value);
  }
  return substitute(force, replaced);
}

void Checker::check_linear(Expr force, const std::string& what) const {
  const SymbolSet multipliers = multipliers_of(data_);
  for (const Expr& symbol : symbols_in(force)) {
    if (!multipliers.contains(symbol.id()) || !contains_any(derivative(force, symbol), multipliers)) continue;
    report_.at_model(fmt::format(
        "{} is not linear in {}: forces may contain multipliers linearly, and in abs, sign, min and max",
        what, symbol.name()));
  }
}

// −c |λ| sign(w) on every coordinate that sign(w) acts on, with one λ.
void Checker::recognize_friction(std::size_t held) {
  const HeldSign sign = data_.held_signs[held];
  const SymbolSet multipliers = multipliers_of(data_);
  if (contains_any(sign.argument, multipliers) || !names_.contains_velocity(sign.argument)) return;
  const Expr velocity = linear_in_velocities(sign.argument, data_);
  if (!velocity || contains_any(velocity, {sign.symbol.id()})) return;
  Friction friction{sign.name, {}, {}, {}, held, data_.graph->number(1), data_.graph->number(1), {}, {}, {}};
  std::vector<Expr> along(data_.coordinates.size(), data_.graph->number(0));
  for (std::size_t i = 0; i < along.size(); ++i) {
    const Expr slope = derivative(data_.generalized_force[i], sign.symbol);
    if (slope.is_zero()) continue;
    for (const Expr& symbol : symbols_in(slope)) {
      if (!multipliers.contains(symbol.id())) continue;
      if (friction.normal && friction.normal != symbol) return;
      friction.normal = symbol;
    }
    const auto factor = friction.normal ? factor_of(slope, friction.normal) : std::nullopt;
    if (!factor) return;
    along[i] = -*factor;
  }
  if (!friction.normal) return;
  const auto of_contact = std::ranges::find(data_.contacts, friction.normal, &Contact::lambda);
  if (of_contact != data_.contacts.end()) {
    friction.contact = static_cast<std::size_t>(of_contact - data_.contacts.begin());
  } else {
    const auto side = std::ranges::find(data_.held_signs, friction.normal, &HeldSign::argument);
    if (side == data_.held_signs.end()) return;
    friction.side = static_cast<std::size_t>(side - data_.held_signs.begin());
    for (Expr& d : along) {
      const auto factor = factor_of(d, side->symbol);
      if (!factor) return;
      d = *factor;
    }
  }
  const Expr lambda = data_.graph->symbol("lambda(" + sign.name + ")");
  friction.slip.push_back({sign.name, velocity, lambda});
  for (std::size_t i = 0; i < along.size(); ++i) {
    const Expr own = derivative(velocity, data_.coordinates[i].v);  // of the constraint that it sticks by
    data_.generalized_force[i] = data_.generalized_force[i] + (along[i] - own) * lambda;
  }
  data_.frictions.push_back(std::move(friction));
}

// In the plane −μ d λ ∂w/∂v with the held sign d of the slip w, in space −μ d λ (w ∂w/∂v)/|w|.
void Checker::add_contact_friction(std::size_t index) {
  const Contact& contact = data_.contacts[index];
  if (contact.slip.empty()) return;
  const bool in_plane = contact.slip.size() == 1;
  const Expr zero = data_.graph->number(0);
  Friction friction{contact.name, index, contact.lambda, {}, 0, contact.friction, contact.sticking,
                    contact.slip, {},    contact.where};
  const std::string word = in_plane ? "direction" : "slides";
  friction.direction =
      hold_sign(fmt::format("{}({})", word, contact.name), in_plane ? contact.slip[0].velocity : zero);
  const Expr direction = data_.held_signs[friction.direction].symbol;
  Expr pressed = -(contact.friction * direction * contact.lambda);
  Expr square = 1 - direction;  // not zero while it sticks
  for (const Slip& slip : contact.slip) square = square + slip.velocity * slip.velocity;
  if (!in_plane) {
    pressed = pressed / sqrt(square);
    Expr along = zero;
    for (std::size_t k = 0; k <= contact.slip.size(); ++k) {
      friction.heading.push_back(hold_sign(fmt::format("heading_{}({})", k + 1, contact.name), zero));
      const Expr held = data_.held_signs.back().symbol;
      along = k < contact.slip.size() ? along + held * contact.slip[k].velocity : along - held;
    }
    data_.held_signs[friction.direction].argument = along;
  }
  for (std::size_t i = 0; i < data_.coordinates.size(); ++i) {
    for (const Slip& slip : contact.slip) {
      const Expr arm = derivative(slip.velocity, data_.coordinates[i].v);
      const Expr force = in_plane ? pressed : pressed * slip.velocity;
      data_.generalized_force[i] = data_.generalized_force[i] + arm * force;
    }
  }
  data_.frictions.push_back(std::move(friction));
}

void Checker::check_multiplier_forces() {
  if (data_.kind == ModelKind::kinematic) return;
  const SymbolSet multipliers = multipliers_of(data_);
  for (std::size_t i = 0; i < data_.coordinates.size(); ++i) {
    const std::string what = fmt::format("the force on {}", in_quotes(data_.coordinates[i].name));
    Expr& force = data_.generalized_force[i];
    if (data_.kind == ModelKind::matrices) {
      const auto [own, rest] = split(data_.force[i], multipliers);
      force = force + own;
      data_.force[i] = rest;
    }
    const auto [with, rest] = split(force, multipliers);
    if (with.is_zero()) continue;
    const Expr held = with_held_signs(with);
    check_linear(held, what);
    force = rest + held;
  }
  const std::size_t signs = data_.held_signs.size();
  for (std::size_t k = 0; k < signs; ++k) recognize_friction(k);
  for (std::size_t i = 0; i < data_.contacts.size(); ++i) add_contact_friction(i);
}

}  // namespace dalembert
