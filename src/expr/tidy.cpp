#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/tidy.hpp>

#include "polynomial.hpp"
#include "rebuild.hpp"

namespace dalembert {
namespace {

constexpr double longest_tidied = 20000;  // leaves; beyond that nobody reads

using Lengths = std::unordered_map<NodeId, double>;

double leaf_length(const Rational& coefficient) { return coefficient == 1 || coefficient == -1 ? 0 : 1; }

double node_length(Expr e, const Lengths& lengths) {
  double length = e.kind() == Kind::sum && e.constant() != 0 ? 1 : 0;
  if (e.kind() == Kind::function) length += 1;
  if (e.size() == 0) return 1;
  for (std::size_t i = 0; i < e.size(); ++i) {
    length += lengths.at(e.operand(i).id());
    if (e.kind() == Kind::sum) length += leaf_length(e.coefficient(i)) + 0.5;
  }
  return length;
}

// Of the expression and of what it is made of, as far as it is not known.
double reading_length(Expr e, Lengths& lengths) {
  if (const auto known = lengths.find(e.id()); known != lengths.end()) return known->second;
  for (const NodeId id : reachable(e)) {
    if (!lengths.contains(id)) lengths.emplace(id, node_length(e.graph().at(id), lengths));
  }
  return lengths.at(e.id());
}

// Of the coefficients of terms that are put in parentheses: the common factor, with the first one's sign.
Rational content_of(const std::vector<std::pair<Monomial, Rational>>& terms) {
  Integer above = 0;
  Integer below = 1;
  for (const auto& term : terms) {
    above = gcd(above, Integer(abs(numerator(term.second))));
    below = lcm(below, Integer(denominator(term.second)));
  }
  const Rational content(above, below);
  return terms.front().second < 0 ? Rational(-content) : content;
}

Monomial common_factor(const std::vector<std::pair<Monomial, Rational>>& terms) {
  Monomial common = terms.front().first;
  for (const auto& term : terms) {
    for (auto& [atom, exponent] : common) exponent = std::min(exponent, exponent_of(term.first, atom));
    std::erase_if(common, [](const auto& factor) { return factor.second <= 0; });
  }
  return common;
}

// content · common · (sum of what is left) · variable part
Expr build_group(Graph& graph, const Monomial& variable,
                 const std::vector<std::pair<Monomial, Rational>>& terms) {
  if (terms.size() == 1) return terms.front().second * to_expr(graph, terms.front().first * variable);
  const Rational content = content_of(terms);
  const Monomial common = common_factor(terms);
  Monomial inverse = common;
  for (auto& factor : inverse) factor.second = -factor.second;
  std::vector<Term> rest;
  for (const auto& [monomial, coefficient] : terms) {
    rest.push_back({coefficient / content, to_expr(graph, monomial * inverse)});
  }
  return content * (to_expr(graph, common) * graph.sum(rest) * to_expr(graph, variable));
}

// The common factor of the coefficients of a sum without a constant, negative when all of them are.
Rational content_of(Expr sum) {
  std::vector<std::pair<Monomial, Rational>> terms;
  bool negative = true;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    negative = negative && sum.coefficient(i) < 0;
    terms.emplace_back(Monomial(), sum.coefficient(i));
  }
  const Rational content = abs(content_of(terms));
  return negative ? Rational(-content) : content;
}

// J (4 a + 4 b) is 4 J (a + b), and (2 a + 2 b)^2 is 4 (a + b)^2: numbers stand in front.
Expr with_numbers_in_front(Expr e, Lengths& lengths) {
  if (e.kind() != Kind::product && e.kind() != Kind::power) return e;
  Graph& graph = e.graph();
  Rational front = 1;
  std::vector<Expr> factors;
  for (std::size_t i = 0; i < (e.kind() == Kind::product ? e.size() : 1); ++i) {
    const Expr factor = e.kind() == Kind::product ? e.operand(i) : e;
    const bool is_power = factor.kind() == Kind::power;
    const Expr base = is_power ? factor.operand(0) : factor;
    const Expr exponent = is_power ? factor.operand(1) : graph.number(1);
    factors.push_back(factor);
    if (base.kind() != Kind::sum || base.size() < 2 || base.constant() != 0 || !exponent.is_number() ||
        exponent.number() < 0)
      continue;
    const Rational content = content_of(base);
    const auto power = integer_power(content, exponent.number());
    if (!power || content == 1) continue;
    front *= *power;
    factors.back() = graph.power(Rational(1 / content) * base, exponent);
  }
  if (front == 1) return e;
  const Expr result = front * graph.product(factors);
  return reading_length(result, lengths) <= reading_length(e, lengths) ? result : e;
}

}  // namespace

double reading_length(Expr e) {
  Lengths lengths;
  return reading_length(e, lengths);
}

Tidy::Tidy(std::span<const Expr> variables) {
  for (const Expr& variable : variables) variables_.insert(variable.id());
}

bool Tidy::is_variable(Expr e) {
  const auto known = varies_.find(e.id());
  if (known != varies_.end()) return known->second;
  bool varies = false;
  for (const Expr& symbol : symbols_in(e)) varies = varies || variables_.contains(symbol.id());
  return varies_[e.id()] = varies;
}

Expr Tidy::tidy_node(Expr e) {
  Graph& graph = e.graph();
  std::optional<Polynomial> polynomial = expand(e);
  if (!polynomial) return e;
  if (polynomial->size() > 1) apply_trigonometry(graph, *polynomial);
  std::map<Monomial, std::vector<std::pair<Monomial, Rational>>> groups;  // by the variable part
  for (const auto& [monomial, coefficient] : *polynomial) {
    Monomial variable;
    Monomial parameters;
    for (const auto& factor : monomial) {
      (is_variable(graph.at(factor.first)) ? variable : parameters).push_back(factor);
    }
    groups[variable].emplace_back(parameters, coefficient);
  }
  std::vector<Term> terms;
  for (const auto& [variable, group] : groups) terms.push_back({1, build_group(graph, variable, group)});
  const Expr tidied = graph.sum(terms);
  return reading_length(tidied, lengths_) < reading_length(e, lengths_) ? tidied : e;
}

Expr Tidy::operator()(Expr e) {
  if (reading_length(e, lengths_) > longest_tidied) return e;
  for (const NodeId id : reachable(e)) {
    if (results_.contains(id)) continue;
    const Expr node = e.graph().at(id);
    std::vector<Expr> operands;
    for (std::size_t i = 0; i < node.size(); ++i) operands.push_back(results_.at(node.operand(i).id()));
    const bool algebraic =
        node.kind() == Kind::sum || node.kind() == Kind::product || node.kind() == Kind::power;
    const Expr rebuilt = rebuild(node.graph(), node, operands);
    results_[id] = algebraic ? with_numbers_in_front(tidy_node(rebuilt), lengths_) : rebuilt;
  }
  return results_.at(e.id());
}

}  // namespace dalembert
