// Making of nodes, with light simplification.
#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/functions/all.hpp>
#include <dalembert/expr/graph.hpp>

#include "short_number.hpp"

namespace dalembert {
namespace {

// Making a number takes longer than most of what is done with it.
const Rational& unit() {
  static const Rational one(1);
  return one;
}

}  // namespace

Expr Graph::sum(std::span<const Term> terms, const Rational& constant) {
  struct Collected {
    NodeId node;
    const Rational* coefficient;
  };
  std::vector<Collected> collected;
  std::deque<Rational> products;  // that coefficients point to
  Rational total = constant;
  const auto add = [&](const Rational& coefficient, Expr e) {
    if (e.is_number()) {
      total += coefficient * e.number();
      require_short(total);
    } else {
      collected.push_back({e.id(), &coefficient});
    }
  };
  for (const Term& term : terms) {
    const Expr e = term.expression;
    if (term.coefficient == 0) continue;
    if (e.kind() == Kind::sum && e.size() <= longest_merged_sum) {
      total += term.coefficient * e.constant();
      require_short(total);
      for (std::size_t i = 0; i < e.size(); ++i) {
        const Rational& inner = e.coefficient(i);
        add(term.coefficient == 1 ? inner : products.emplace_back(term.coefficient * inner), e.operand(i));
      }
    } else {
      add(term.coefficient, e);
    }
  }
  std::stable_sort(collected.begin(), collected.end(),
                   [](const Collected& a, const Collected& b) { return a.node < b.node; });
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < collected.size();) {
    const auto [node, first] = collected[i];
    if (++i == collected.size() || collected[i].node != node) {
      operands.push_back({node, intern(*first)});
      continue;
    }
    Rational coefficient = *first;
    for (; i < collected.size() && collected[i].node == node; ++i) {
      coefficient += *collected[i].coefficient;
      require_short(coefficient);
    }
    if (coefficient != 0) operands.push_back({node, intern(coefficient)});
  }
  if (operands.empty()) return number(total);
  if (operands.size() == 1 && total == 0 && number_at(operands[0].coefficient) == 1)
    return {this, operands[0].node};
  return intern(Kind::sum, {}, operands, intern(total));
}

Expr Graph::product(std::span<const Expr> factors) {
  struct Collected {
    NodeId base;
    const Rational* exponent;
    bool operator<(const Collected& other) const {
      return base != other.base ? base < other.base : (*exponent < 0) < (*other.exponent < 0);
    }
  };
  Rational coefficient = 1;
  std::vector<Collected> collected;
  std::vector<Expr> pending(factors.rbegin(), factors.rend());
  while (!pending.empty()) {
    const Expr e = pending.back();
    pending.pop_back();
    if (e.is_number()) {
      coefficient *= e.number();
      require_short(coefficient);
    } else if (e.kind() == Kind::sum && e.size() == 1 && e.constant() == 0) {
      coefficient *= e.coefficient(0);
      require_short(coefficient);
      pending.push_back(e.operand(0));
    } else if (e.kind() == Kind::product && e.size() <= longest_merged_product) {
      for (std::size_t i = 0; i < e.size(); ++i) pending.push_back(e.operand(i));
    } else if (e.kind() == Kind::power && e.operand(1).is_number() && is_integer(e.operand(1).number())) {
      collected.push_back({e.operand(0).id(), &e.operand(1).number()});
    } else {
      collected.push_back({e.id(), &unit()});
    }
  }
  if (coefficient == 0) return number(0);
  std::sort(collected.begin(), collected.end());
  std::vector<Operand> operands;
  const NumberId one = intern(unit());
  for (std::size_t i = 0; i < collected.size();) {
    const Collected factor = collected[i];
    if (++i == collected.size() || factor < collected[i]) {
      operands.push_back({power(at(factor.base), *factor.exponent).id(), one});
      continue;
    }
    Rational exponent = *factor.exponent;
    for (; i < collected.size() && !(factor < collected[i]); ++i) exponent += *collected[i].exponent;
    operands.push_back({power(at(factor.base), exponent).id(), one});
  }
  if (operands.empty()) return number(coefficient);
  std::sort(operands.begin(), operands.end(),
            [](const Operand& a, const Operand& b) { return a.node < b.node; });
  const Expr e = operands.size() == 1 ? at(operands[0].node) : intern(Kind::product, {}, operands, 0);
  if (coefficient == 1) return e;
  const Term scaled{coefficient, e};
  return sum(std::span<const Term>(&scaled, 1));
}

// Both are numbers; folds where the result is rational and of a sensible length.
Expr Graph::power_of_number(Expr base, Expr exponent) {
  const Rational value = base.number();
  const Rational n = exponent.number();
  if (value == 0 && n < 0) throw Error("division by zero");
  if (is_integer(n)) {
    if (const auto folded = integer_power(value, n)) return number(*folded);
  } else if (value >= 0 && denominator(n) <= 64) {
    if (const auto root = exact_root(value, static_cast<unsigned>(denominator(n)))) {
      if (const auto folded = integer_power(*root, Rational(numerator(n)))) return number(*folded);
    }
  }
  const NumberId one = intern(unit());
  const Operand operands[] = {{base.id(), one}, {exponent.id(), one}};
  return intern(Kind::power, {}, operands, 0);
}

namespace {

// An integer power that is better written otherwise.
std::optional<Expr> rewritten_power(Graph& graph, Expr base, const Rational& n) {
  if (base.kind() == Kind::product && base.size() <= Graph::longest_merged_product) {  // (x y)^n = x^n y^n
    std::vector<Expr> factors;
    for (std::size_t i = 0; i < base.size(); ++i)
      factors.push_back(graph.power(base.operand(i), graph.number(n)));
    return graph.product(factors);
  }
  if (base.kind() == Kind::sum && base.size() == 1 && base.constant() == 0) {  // (c x)^n = c^n x^n
    const Expr term = base.operand(0);
    if (const auto scale = integer_power(base.coefficient(0), n))
      return *scale * graph.power(term, graph.number(n));
  }
  if (base.kind() == Kind::power &&
      base.operand(1).is_number()) {  // (x^a)^n = x^(a n) where both exist alike
    const Rational a = base.operand(1).number();
    if ((n == -1 && a > 0) || (is_integer(a) && (a > 0 || n > 0)))
      return graph.power(base.operand(0), graph.number(a * n));
  }
  return std::nullopt;
}

}  // namespace

Expr Graph::power(Expr base, Expr exponent) {
  if (exponent.is_zero() || base.is_one()) return number(1);
  if (exponent.is_one()) return at(base.id());
  if (exponent.is_number() && base.is_number()) return power_of_number(base, exponent);
  if (exponent.is_number() && is_integer(exponent.number())) {
    if (const auto better = rewritten_power(*this, base, exponent.number())) return *better;
  }
  const NumberId one = intern(unit());
  const Operand operands[] = {{base.id(), one}, {exponent.id(), one}};
  return intern(Kind::power, {}, operands, 0);
}

namespace {

template <class Unit>
std::optional<Rational> exact_value(std::span<const Expr> arguments) {
  const auto is_number = [](const Expr& x) { return x.is_number(); };
  if (!std::all_of(arguments.begin(), arguments.end(), is_number)) return Unit::exact_at(arguments[0]);
  if constexpr (Unit::info.arity == 1) {
    return Unit::exact(arguments[0].number());
  } else {
    return Unit::exact(arguments[0].number(), arguments[1].number());
  }
}

}  // namespace

Expr Graph::call(Function function, std::span<const Expr> arguments) {
  const int arity = info(function).arity;
  if (arguments.size() != static_cast<std::size_t>(arity)) {
    throw Error(std::string(info(function).name) + " takes " + std::to_string(arity) +
                (arity == 1 ? " argument, not " : " arguments, not ") + std::to_string(arguments.size()));
  }
  const std::optional<Rational> value =
      with_function(function, [&](auto unit) { return exact_value<decltype(unit)>(arguments); });
  if (value) return number(*value);
  const NumberId one = intern(unit());
  std::vector<Operand> operands;
  for (const Expr& argument : arguments) operands.push_back({argument.id(), one});
  return intern(Kind::function, function, operands, 0);
}

}  // namespace dalembert
