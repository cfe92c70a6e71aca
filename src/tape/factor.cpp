#include "factor.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

std::vector<Expr> factors_of(Expr e) {
  if (e.kind() != Kind::product) return {e};
  std::vector<Expr> factors;
  for (std::size_t i = 0; i < e.size(); ++i) factors.push_back(e.operand(i));
  return factors;
}

Expr without(Expr e, Expr factor) {
  std::vector<Expr> rest = factors_of(e);
  rest.erase(std::find(rest.begin(), rest.end(), factor));
  return e.graph().product(rest);
}

// The largest number of which all coefficients are integer multiples, with the sign of the first.
Rational content(Expr sum) {
  Integer above = numerator(sum.constant());
  Integer below = denominator(sum.constant());
  for (std::size_t i = 0; i < sum.size(); ++i) {
    above = gcd(above, numerator(sum.coefficient(i)));
    below = lcm(below, denominator(sum.coefficient(i)));
  }
  const Rational size(Integer(abs(above)), below);
  return sum.coefficient(0) < 0 ? Rational(-size) : size;
}

class Factoring {
 public:
  Factoring(Graph& graph, Stages& stages) : graph_(graph), stages_(stages) {}

  Factored run(std::span<const Expr> roots) {
    const std::vector<NodeId> nodes = reachable(roots);
    for (const Expr& root : roots) ++uses_[root.id()];
    for (const NodeId id : nodes) {
      const Expr e = graph_.at(id);
      for (std::size_t i = 0; i < e.size(); ++i) ++uses_[e.operand(i).id()];
    }
    for (const NodeId id : nodes) rewritten_.emplace(id, rewrite(graph_.at(id)));
    Factored results;
    for (const Expr& root : roots) results.roots.push_back(rewritten_.at(root.id()));
    for (const NodeId id : nodes) {
      const Expr e = graph_.at(id);
      if (e.kind() == Kind::function && !stages_.is_constant(e))
        results.calls.emplace_back(e, rewritten_.at(id));
    }
    return results;
  }

 private:
  // A term of a sum. Its share is 1 where it serves this sum alone, 1/n where it serves n purposes.
  struct Part {
    Rational coefficient;
    Expr e;
    double share = 1;
  };

  Expr rewrite(Expr e) {
    if (e.size() == 0 || stages_.is_constant(e)) return e;
    if (e.kind() == Kind::sum) return rewrite_sum(e);
    std::vector<Expr> operands;
    for (std::size_t i = 0; i < e.size(); ++i) operands.push_back(rewritten_.at(e.operand(i).id()));
    if (e.kind() == Kind::function) return graph_.call(e.function(), operands);
    if (e.kind() == Kind::product) return product_of(operands);
    const bool whole = operands[1].is_number() && is_integer(operands[1].number());
    if (!whole) return graph_.power(operands[0], operands[1]);
    const Scaled s = primitive(operands[0]);
    const auto scale = integer_power(s.coefficient, operands[1].number());
    return scale ? *scale * graph_.power(s.e, operands[1]) : graph_.power(operands[0], operands[1]);
  }

  // coefficient · e
  struct Scaled {
    Rational coefficient;
    Expr e;
  };

  Scaled primitive(Expr e) {
    const bool has_content = e.kind() == Kind::sum && !stages_.is_constant(e);
    const Rational c = has_content ? content(e) : Rational(1);
    if (c == 1) return {1, e};
    return {c, graph_.sum(std::vector<Term>{{1 / c, e}})};
  }

  Expr product_of(const std::vector<Expr>& factors) {
    Rational coefficient = 1;
    std::vector<Expr> primitives;
    for (const Expr& factor : factors) {
      const Scaled s = primitive(factor);
      coefficient *= s.coefficient;
      primitives.push_back(s.e);
    }
    primitives.push_back(graph_.number(coefficient));
    return graph_.product(primitives);
  }

  bool serves_once(Expr e) const { return uses_.at(e.id()) == 1; }

  Expr rewrite_sum(Expr e) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Expr old = e.operand(i);
      add_part(parts, {e.coefficient(i), rewritten_.at(old.id()), 1.0 / uses_.at(old.id())}, old);
    }
    return sum_of(std::move(parts), e.constant());
  }

  // Takes the terms of an inner sum, or of a constant times an inner sum, into the outer one.
  void add_part(std::vector<Part>& parts, const Part& part, Expr old) {
    const std::vector<Expr> factors = factors_of(part.e);
    std::vector<Expr> constants;
    std::optional<Expr> inner;
    for (const Expr& factor : factors) {
      if (stages_.is_constant(factor)) {
        constants.push_back(factor);
      } else if (factor.kind() == Kind::sum && !inner) {
        inner = factor;
      } else {
        parts.push_back(part);
        return;
      }
    }
    const bool inner_is_own = serves_once(old) && inner && own_sum(old);
    if (!inner_is_own) {
      parts.push_back(part);
      return;
    }
    const Expr scale = graph_.product(constants);
    const auto scaled = [&](Expr term) { return graph_.product(std::vector<Expr>{scale, term}); };
    for (std::size_t i = 0; i < inner->size(); ++i)
      parts.push_back({part.coefficient * inner->coefficient(i), scaled(inner->operand(i))});
    parts.push_back({part.coefficient * inner->constant(), scale});
  }

  // Whether the variable factor of a node is a sum that only this node uses.
  bool own_sum(Expr old) {
    if (old.kind() == Kind::sum) return true;  // the node itself, which serves once
    return std::ranges::all_of(factors_of(old), [&](const Expr& factor) {
      return stages_.is_constant(factor) || (factor.kind() == Kind::sum && serves_once(factor));
    });
  }

  Expr sum_of(std::vector<Part> parts, const Rational& constant) {
    join_squares_of_sine_and_cosine(parts);
    constexpr std::size_t longest_searched = 2000;  // the search takes quadratic time
    if (parts.size() > longest_searched) return graph_sum(parts, constant);
    while (const auto factor = best_factor(parts)) extract(parts, *factor);
    return graph_sum(parts, constant);
  }

  Expr graph_sum(const std::vector<Part>& parts, const Rational& constant) {
    std::vector<Term> terms;
    for (const Part& part : parts) terms.push_back({part.coefficient, part.e});
    return graph_.sum(terms, constant);
  }

  // c r sin²u + c r cos²u = c r
  void join_squares_of_sine_and_cosine(std::vector<Part>& parts) {
    std::unordered_map<NodeId, std::size_t> place;
    for (std::size_t i = 0; i < parts.size(); ++i) place[parts[i].e.id()] = i;
    std::vector<bool> joined(parts.size(), false);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const Expr& factor : factors_of(parts[i].e)) {
        if (joined[i] || !is_square_of_sine(factor)) continue;
        const Expr rest = without(parts[i].e, factor);
        const Expr cosine = cos(factor.operand(0).operand(0));
        const auto partner = place.find(graph_.product(std::vector<Expr>{rest, pow(cosine, 2)}).id());
        if (partner == place.end() || joined[partner->second]) continue;
        if (parts[partner->second].coefficient != parts[i].coefficient) continue;
        joined[i] = joined[partner->second] = true;
        parts.push_back({parts[i].coefficient, rest});
        joined.push_back(false);
        place[rest.id()] = parts.size() - 1;
      }
    }
    std::size_t i = 0;
    std::erase_if(parts, [&](const Part&) { return joined[i++]; });
  }

  bool is_square_of_sine(Expr e) {
    if (e.kind() != Kind::power || e.operand(1) != graph_.number(2)) return false;
    const Expr base = e.operand(0);
    return base.kind() == Kind::function && base.function() == Function::sin;
  }

  // The variable factor whose extraction saves most: the products that have it go, as far as they serve this
  // sum, and one comes. Nothing if no extraction saves.
  std::optional<Expr> best_factor(const std::vector<Part>& parts) {
    std::map<NodeId, double> shares;
    for (const Part& part : parts) {
      if (part.e.kind() != Kind::product) continue;
      for (const Expr& factor : factors_of(part.e)) {
        if (!stages_.is_constant(factor)) shares[factor.id()] += part.share;
      }
    }
    const auto best = std::max_element(shares.begin(), shares.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    // shares are sums of fractions: more than one but for rounding
    constexpr double one_product = 1 + 1e-9;
    if (best == shares.end() || best->second < one_product) return std::nullopt;
    return graph_.at(best->first);
  }

  void extract(std::vector<Part>& parts, Expr factor) {
    std::vector<Part> inner;
    std::vector<Part> others;
    for (const Part& part : parts) {
      const std::vector<Expr> factors = factors_of(part.e);
      const bool has = part.e.kind() == Kind::product &&
                       std::find(factors.begin(), factors.end(), factor) != factors.end();
      if (has) {
        inner.push_back({part.coefficient, without(part.e, factor), part.share});
      } else {
        others.push_back(part);
      }
    }
    const Expr product = product_of({factor, sum_of(std::move(inner), 0)});
    const bool is_scaled = product.kind() == Kind::sum && product.size() == 1 && product.constant() == 0;
    others.push_back(is_scaled ? Part{product.coefficient(0), product.operand(0)} : Part{1, product});
    parts = std::move(others);
  }

  Graph& graph_;
  Stages& stages_;
  std::unordered_map<NodeId, int> uses_;
  std::unordered_map<NodeId, Expr> rewritten_;
};

}  // namespace

Factored factored(std::span<const Expr> roots, Stages& stages) {
  if (roots.empty()) return {};
  return Factoring(roots[0].graph(), stages).run(roots);
}

}  // namespace dalembert
