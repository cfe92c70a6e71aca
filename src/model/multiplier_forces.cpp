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
#include <dalembert/expr/hold_signs.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/substitute.hpp>

#include "checker.hpp"
#include "identity.hpp"

namespace dalembert {
namespace {

constexpr std::size_t longest_name = 60;

using SymbolSet = std::unordered_set<NodeId>;

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

std::unordered_set<NodeId> multipliers_of(const ModelData& model) {
  std::unordered_set<NodeId> symbols;
  for (const auto* list :
       {&model.holonomic, &model.nonholonomic, &model.disabled_holonomic, &model.disabled_nonholonomic})
    for (const Constraint& constraint : *list) symbols.insert(constraint.lambda.id());
  for (const Contact& contact : model.contacts) {
    symbols.insert(contact.lambda.id());
    for (const Slip& slip : contact.slip) symbols.insert(slip.lambda.id());
  }
  for (const MultiplierSize& size : model.sizes) symbols.insert(size.symbol.id());
  return symbols;
}

std::size_t Checker::hold_sign(const std::string& name, Expr argument) {
  const auto known = std::ranges::find(data_.held_signs, name, &HeldSign::name);
  if (known != data_.held_signs.end()) return static_cast<std::size_t>(known - data_.held_signs.begin());
  data_.held_signs.push_back({name, data_.graph->symbol(name), argument});
  return data_.held_signs.size() - 1;
}

// The multipliers of which e is the size, sqrt(λ₁² + λ₂²); none: it is no size.
std::vector<Expr> size_in(Expr e, const SymbolSet& multipliers) {
  const bool is_root = e.kind() == Kind::power && e.operand(1).is_number() &&
                       e.operand(1).number() == Rational(1, 2) && e.operand(0).kind() == Kind::sum;
  if (!is_root || e.operand(0).constant() != 0) return {};
  std::vector<Expr> found;
  for (std::size_t i = 0; i < e.operand(0).size(); ++i) {
    const Expr square = e.operand(0).operand(i);
    const bool is_square = square.kind() == Kind::power && square.operand(1).is_number() &&
                           square.operand(1).number() == 2 && multipliers.contains(square.operand(0).id());
    if (!is_square || e.operand(0).coefficient(i) != 1) return {};
    found.push_back(square.operand(0));
  }
  return found;
}

// Sizes of multipliers are symbols of their own, linear in which forces are.
Expr Checker::with_sizes(Expr force) {
  std::unordered_map<NodeId, Expr> replaced;
  const SymbolSet multipliers = multipliers_of(data_);
  for (const NodeId id : reachable(force)) {
    const Expr root = data_.graph->at(id);
    const std::vector<Expr> found = size_in(root, multipliers);
    if (found.empty()) continue;
    const auto known = std::ranges::find(data_.sizes, found, &MultiplierSize::multipliers);
    if (known != data_.sizes.end()) {
      replaced.emplace(id, known->symbol);
      continue;
    }
    const Expr symbol = data_.graph->symbol(fmt::format("size({})", text_excerpt(root, longest_name)));
    data_.sizes.push_back({symbol, found});
    replaced.emplace(id, symbol);
  }
  return replaced.empty() ? force : substitute(force, replaced);
}

// abs, sign, min, max of what moves.
Expr Checker::with_held_signs(Expr force) {
  const SymbolSet multipliers = multipliers_of(data_);
  const auto moves = [&](Expr call) {
    return names_.contains_coordinate(call) || names_.contains_velocity(call) ||
           contains_any(call, multipliers) || contains_any(call, {data_.time.id()});
  };
  const auto sign_of = [&](Expr, Expr argument) {
    const bool is_multiple = argument.kind() == Kind::sum && argument.size() == 1 && argument.constant() == 0;
    const Rational factor = is_multiple && argument.coefficient(0) < 0 ? -1 : 1;
    if (is_multiple) argument = argument.operand(0);
    const std::string name = fmt::format("sign({})", text_excerpt(argument, longest_name));
    return factor * data_.held_signs[hold_sign(name, argument)].symbol;
  };
  return substitute(force, hold_signs({&force, 1}, moves, sign_of));
}

void Checker::check_linear(Expr force, const std::string& what, const Text* text) const {
  const SymbolSet multipliers = multipliers_of(data_);
  for (const Expr& symbol : symbols_in(force)) {
    if (!multipliers.contains(symbol.id()) || !contains_any(derivative(force, symbol), multipliers)) continue;
    const std::string message = fmt::format(
        "{} is not linear in {}: forces may contain multipliers linearly, in abs, sign, min and max, and by "
        "their sizes sqrt(lambda(a)^2 + lambda(b)^2)",
        what, symbol.name());
    if (text != nullptr) report_.at_text(*text, what, 0, message);
    report_.at_model(message);
  }
}

// −c |λ| sign(w) on every coordinate that sign(w) acts on, with one λ or one size of several.
void Checker::recognize_friction(std::size_t held) {
  const HeldSign sign = data_.held_signs[held];
  const SymbolSet multipliers = multipliers_of(data_);
  if (contains_any(sign.argument, multipliers) || !names_.contains_velocity(sign.argument)) return;
  const Expr velocity = linear_in_velocities(sign.argument, data_);
  if (!velocity || contains_any(velocity, {sign.symbol.id()})) return;
  Friction friction;
  friction.name = sign.name;
  friction.own = false;
  friction.direction = held;
  friction.friction = friction.sticking = data_.graph->number(1);
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
  friction.pressure = friction.normal;
  const auto of_contact = std::ranges::find(data_.contacts, friction.normal, &Contact::lambda);
  const auto size = std::ranges::find(data_.sizes, friction.normal, &MultiplierSize::symbol);
  if (of_contact != data_.contacts.end()) {
    friction.contact = static_cast<std::size_t>(of_contact - data_.contacts.begin());
  } else if (size != data_.sizes.end()) {
    friction.normal = size->multipliers[0];
  } else {
    const auto side = std::ranges::find(data_.held_signs, friction.normal, &HeldSign::argument);
    if (side == data_.held_signs.end()) return;
    friction.pressure = side->symbol * friction.normal;
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
    const Expr held = with_held_signs(with_sizes(with));
    check_linear(held, what);
    force = rest + held;
  }
  const std::size_t signs = data_.held_signs.size();
  for (std::size_t k = 0; k < signs; ++k) recognize_friction(k);
}

}  // namespace dalembert
