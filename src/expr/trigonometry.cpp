// Trigonometric identities on expressions that are multiplied out.
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "polynomial.hpp"

namespace dalembert {
namespace {

// sin(A) and cos(A).
struct Angle {
  Expr argument;
  NodeId sine;
  NodeId cosine;
};

Angle make_angle(Expr argument) { return {argument, sin(argument).id(), cos(argument).id()}; }

std::vector<Angle> angles_of(Graph& graph, const Polynomial& polynomial) {
  std::set<NodeId> arguments;
  for (const auto& term : polynomial) {
    for (const auto& factor : term.first) {
      const Expr atom = graph.at(factor.first);
      if (atom.kind() != Kind::function) continue;
      if (atom.function() == Function::sin || atom.function() == Function::cos) {
        arguments.insert(atom.operand(0).id());
      }
    }
  }
  std::vector<Angle> angles;
  for (const NodeId id : arguments) angles.push_back(make_angle(graph.at(id)));
  return angles;
}

// Each square of `from` replaced by 1 − to².
Polynomial replace_square(const Polynomial& polynomial, NodeId from, NodeId to) {
  Polynomial result;
  Polynomial pending = polynomial;
  while (!pending.empty()) {
    const auto [monomial, coefficient] = *pending.begin();
    pending.erase(pending.begin());
    if (exponent_of(monomial, from) < 2) {
      add_term(result, monomial, coefficient);
      continue;
    }
    const Monomial less = shifted(monomial, from, -2);
    add_term(pending, less, coefficient);
    add_term(pending, shifted(less, to, 2), -coefficient);
  }
  return result;
}

// The shorter of what sin² = 1 − cos² and cos² = 1 − sin² give.
void use_pythagoras(Polynomial& polynomial, const Angle& angle) {
  for (const auto& [from, to] : {std::pair(angle.sine, angle.cosine), std::pair(angle.cosine, angle.sine)}) {
    Polynomial candidate = replace_square(polynomial, from, to);
    if (candidate.size() < polynomial.size()) polynomial = std::move(candidate);
  }
}

// c rest (x y ± u w) for one pair of factors x, y of a term.
bool combine(Polynomial& polynomial, const Monomial& rest, std::pair<NodeId, NodeId> first,
             std::pair<NodeId, NodeId> second, const Expr& if_equal, const Expr& if_opposite) {
  const Monomial one = shifted(shifted(rest, first.first, 1), first.second, 1);
  const Monomial two = shifted(shifted(rest, second.first, 1), second.second, 1);
  const auto i = polynomial.find(one);
  const auto j = polynomial.find(two);
  if (i == polynomial.end() || j == polynomial.end()) return false;
  const Rational c = i->second;
  if (j->second != c && j->second != -c) return false;
  const std::optional<Polynomial> sum = expand(j->second == c ? if_equal : if_opposite);
  if (!sum) return false;
  polynomial.erase(i);
  polynomial.erase(two);
  for (const auto& [monomial, coefficient] : *sum) add_term(polynomial, rest * monomial, c * coefficient);
  return true;
}

// cos A cos B ∓ sin A sin B = cos(A ± B), sin A cos B ± cos A sin B = sin(A ± B)
bool use_addition(Polynomial& polynomial, const Angle& a, const Angle& b) {
  std::vector<Monomial> monomials;
  for (const auto& term : polynomial) monomials.push_back(term.first);
  bool changed = false;
  const Expr sum = a.argument + b.argument;
  const Expr difference = a.argument - b.argument;
  for (const Monomial& monomial : monomials) {
    if (exponent_of(monomial, a.cosine) > 0 && exponent_of(monomial, b.cosine) > 0) {
      const Monomial rest = shifted(shifted(monomial, a.cosine, -1), b.cosine, -1);
      changed |= combine(polynomial, rest, {a.cosine, b.cosine}, {a.sine, b.sine}, cos(difference), cos(sum));
    }
    if (exponent_of(monomial, a.sine) > 0 && exponent_of(monomial, b.cosine) > 0) {
      const Monomial rest = shifted(shifted(monomial, a.sine, -1), b.cosine, -1);
      changed |= combine(polynomial, rest, {a.sine, b.cosine}, {a.cosine, b.sine}, sin(sum), sin(difference));
    }
  }
  return changed;
}

}  // namespace

void apply_trigonometry(Graph& graph, Polynomial& polynomial) {
  // the search compares all pairs, again after each find; for readable texts alone
  constexpr std::size_t most_angles = 50;
  bool changed = true;
  while (changed) {
    changed = false;
    const std::vector<Angle> angles = angles_of(graph, polynomial);
    if (angles.size() > most_angles) return;
    for (const Angle& angle : angles) use_pythagoras(polynomial, angle);
    for (std::size_t i = 0; i < angles.size(); ++i) {
      for (std::size_t j = i + 1; j < angles.size(); ++j) {
        changed |= use_addition(polynomial, angles[i], angles[j]);
      }
    }
  }
}

}  // namespace dalembert
