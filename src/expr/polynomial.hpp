// Expressions multiplied out: sums of rational multiples of products of atoms.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// Atoms with their exponents (not zero), sorted by atom. An atom is a symbol, pi, a function call, a root,
/// or a sum that is divided by.
using Monomial = std::vector<std::pair<NodeId, int>>;

/// Coefficients that are not zero.
using Polynomial = std::map<Monomial, Rational>;

/// Longer ones are not made.
inline constexpr std::size_t longest_polynomial = 300;

Monomial operator*(const Monomial& a, const Monomial& b);
int exponent_of(const Monomial& monomial, NodeId atom);
/// With the exponent of one atom changed by `change`.
Monomial shifted(Monomial monomial, NodeId atom, int change);

void add_term(Polynomial& polynomial, const Monomial& monomial, const Rational& coefficient);
std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b);

/// The expression multiplied out, or nothing when that is too long.
std::optional<Polynomial> expand(Expr e);

Expr to_expr(Graph& graph, const Monomial& monomial);

/// sin² + cos² = 1, and the addition theorems where both of their terms are there.
void apply_trigonometry(Graph& graph, Polynomial& polynomial);

}  // namespace dalembert
