#include "dimensions.hpp"

#include <cstddef>
#include <string>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

namespace dalembert {
namespace {

std::string in_words(Expr e, const Unit& unit) {
  const std::string text = unit_text(unit);
  const char* const pure = e.is_number() ? "a pure number" : "a pure number or an angle";
  return fmt::format("{} is {}", text_excerpt(e, 40), text == "1" ? pure : "in " + text);
}

}  // namespace

std::optional<Unit> Dimensions::infer(Expr e) {
  conflict_.clear();
  found_.clear();
  for (const NodeId id : reachable(e)) found_[id] = of_node(e.graph().at(id));  // operands before users
  return found_.at(e.id());
}

// 1/2, 2/5, 12: factors of formulas. 9.81 is a measured number.
bool Dimensions::is_plain(const Rational& number) const {
  const Integer largest = 64;
  if (numbers_hide_units_) return number == 1 || number == -1;
  return abs(numerator(number)) <= largest && denominator(number) <= largest;
}

Dimensions::Found Dimensions::of_operand(Expr node) const { return found_.at(node.id()); }

Dimensions::Found Dimensions::of_node(Expr node) {
  switch (node.kind()) {
    case Kind::number:
      return is_plain(node.number()) ? Found(Unit{}) : Found();
    case Kind::pi:
      return Unit{};
    case Kind::symbol: {
      const auto it = known_.find(node.id());
      return it == known_.end() ? Found() : Found(it->second);
    }
    case Kind::sum:
      return of_sum(node);
    case Kind::product:
      return of_product(node);
    case Kind::power:
      return of_power(node);
    case Kind::function:
      return of_function(node);
  }
  return {};
}

Dimensions::Found Dimensions::agree(Expr a, const Found& unit_of_a, Expr b, const Found& unit_of_b) {
  if (!unit_of_a) return unit_of_b;
  if (unit_of_b && !unit_of_a->equals(*unit_of_b) && conflict_.empty()) {
    conflict_ =
        fmt::format("{}, but {}{}", in_words(a, *unit_of_a), in_words(b, *unit_of_b),
                    unit_of_a->has_dimension_of(*unit_of_b) ? "" : ": they cannot be added or compared");
  }
  return unit_of_a;
}

Dimensions::Found Dimensions::of_sum(Expr node) {
  Found result;
  Expr first;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const Expr term = node.operand(i);
    if (!is_plain(node.coefficient(i))) continue;
    const Found unit = of_operand(term);
    if (!unit || (numbers_hide_units_ && term.is_number())) continue;
    result = first ? agree(first, result, term, unit) : unit;
    if (!first) first = term;
  }
  // a sum of one term and no constant is a multiple, whose factor may hide a unit
  if (node.size() == 1 && node.constant() == 0 && !first) return {};
  return result;
}

Dimensions::Found Dimensions::of_product(Expr node) {
  Unit result;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const Found unit = of_operand(node.operand(i));
    if (!unit) return {};
    result = result * *unit;
  }
  return result;
}

Dimensions::Found Dimensions::of_power(Expr node) {
  const Expr exponent = node.operand(1);
  const Found base = of_operand(node.operand(0));
  require_pure(exponent, "an exponent");
  if (!base) return {};
  if (base->equals(Unit{})) return Unit{};
  if (!exponent.is_number()) return {};
  return power(*base, to_double(exponent.number()));
}

Dimensions::Found Dimensions::of_function(Expr node) {
  const Expr first = node.operand(0);
  const auto common = [&] {
    const Found unit = of_operand(first);
    return node.size() == 1 ? unit : agree(first, unit, node.operand(1), of_operand(node.operand(1)));
  };
  switch (info(node.function()).units) {
    case UnitRule::kept:
      return common();
    case UnitRule::ratio:
      common();
      break;
    case UnitRule::any:
      break;
    case UnitRule::pure:
      require_pure(first, fmt::format("the argument of {}", info(node.function()).name));
      break;
  }
  return Unit{};
}

void Dimensions::require_pure(Expr argument, const std::string& where) {
  const Found unit = of_operand(argument);
  if (!unit || unit->equals(Unit{}) || !conflict_.empty()) return;
  conflict_ =
      fmt::format("{}, but {} is a pure number or an angle in radians", in_words(argument, *unit), where);
}

}  // namespace dalembert
