#include "polynomial.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace dalembert {
namespace {

std::optional<Polynomial> power(const Polynomial& base, long exponent) {
  std::optional<Polynomial> result = Polynomial{{{}, 1}};
  for (long i = 0; i < exponent && result; ++i) result = multiply(*result, base);
  return result;
}

// a binomial to it has 13 terms; (a + b + c)^12 has 91. For readable texts alone; chosen.
constexpr long largest_exponent = 12;

std::optional<Polynomial> expand_power(Expr e) {
  const Expr exponent = e.operand(1);
  if (!exponent.is_number()) return Polynomial{{{{e.id(), 1}}, 1}};
  const Rational value = exponent.number();
  const Integer above = numerator(value);
  const Integer below = denominator(value);
  if (abs(above) > largest_exponent) return Polynomial{{{{e.id(), 1}}, 1}};
  const auto count = static_cast<int>(above);
  if (below != 1) {  // x^(3/2) is the third power of the atom x^(1/2)
    const Expr root = e.graph().power(e.operand(0), Rational(Integer(1), below));
    return Polynomial{{{{root.id(), count}}, 1}};
  }
  const std::optional<Polynomial> base = expand(e.operand(0));
  if (!base) return std::nullopt;
  if (count > 0) return power(*base, count);
  if (base->size() == 1) {
    Monomial inverse = base->begin()->first;
    for (auto& factor : inverse) factor.second *= count;
    const auto coefficient = integer_power(base->begin()->second, Rational(count));
    if (coefficient) return Polynomial{{inverse, *coefficient}};
  }
  return Polynomial{{{{e.operand(0).id(), count}}, 1}};
}

}  // namespace

Monomial operator*(const Monomial& a, const Monomial& b) {
  Monomial product;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->first < j->first)) {
      product.push_back(*i++);
    } else if (i == a.end() || j->first < i->first) {
      product.push_back(*j++);
    } else {
      const int exponent = i->second + j->second;
      if (exponent != 0) product.emplace_back(i->first, exponent);
      ++i;
      ++j;
    }
  }
  return product;
}

int exponent_of(const Monomial& monomial, NodeId atom) {
  for (const auto& [id, exponent] : monomial) {
    if (id == atom) return exponent;
  }
  return 0;
}

Monomial shifted(Monomial monomial, NodeId atom, int change) { return monomial * Monomial{{atom, change}}; }

void add_term(Polynomial& polynomial, const Monomial& monomial, const Rational& coefficient) {
  Rational& sum = polynomial[monomial];
  sum += coefficient;
  if (sum == 0) polynomial.erase(monomial);
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
  if (a.size() * b.size() > 10 * longest_polynomial) return std::nullopt;
  Polynomial product;
  for (const auto& [m, c] : a) {
    for (const auto& [n, d] : b) add_term(product, m * n, c * d);
  }
  if (product.size() > longest_polynomial) return std::nullopt;
  return product;
}

std::optional<Polynomial> expand(Expr e) {
  switch (e.kind()) {
    case Kind::number:
      return e.is_zero() ? Polynomial{} : Polynomial{{{}, e.number()}};
    case Kind::sum: {
      Polynomial sum;
      if (e.constant() != 0) sum.emplace(Monomial{}, e.constant());
      for (std::size_t i = 0; i < e.size(); ++i) {
        const auto term = expand(e.operand(i));
        if (!term || sum.size() > longest_polynomial) return std::nullopt;
        for (const auto& [monomial, coefficient] : *term) {
          add_term(sum, monomial, coefficient * e.coefficient(i));
        }
      }
      return sum;
    }
    case Kind::product: {
      std::optional<Polynomial> product = Polynomial{{{}, 1}};
      for (std::size_t i = 0; i < e.size() && product; ++i) {
        const auto factor = expand(e.operand(i));
        product = factor ? multiply(*product, *factor) : std::nullopt;
      }
      return product;
    }
    case Kind::power:
      return expand_power(e);
    case Kind::pi:
    case Kind::symbol:
    case Kind::function:
      break;
  }
  return Polynomial{{{{e.id(), 1}}, 1}};
}

Expr to_expr(Graph& graph, const Monomial& monomial) {
  std::vector<Expr> factors;
  for (const auto& [atom, exponent] : monomial) {
    const Expr base = graph.at(atom);
    factors.push_back(exponent == 1 ? base : graph.power(base, Rational(exponent)));
  }
  return graph.product(factors);
}

}  // namespace dalembert
