// Plain evaluation of single expressions: parameters, start values, tests. Programs (tape) do it for systems.
#pragma once

#include <unordered_map>

#include <dalembert/expr/graph.hpp>
#include <dalembert/expr/scalar.hpp>

namespace dalembert {

/// The value of `e` at the given values of its symbols, for double, Real and Rational. Throws Error when a
/// symbol has no value, and NotRational (naming the sub-expression) when an exact value does not exist.
template <class S>
S evaluate(Expr e, const std::unordered_map<NodeId, S>& values = {});

extern template double evaluate(Expr, const std::unordered_map<NodeId, double>&);
extern template Real evaluate(Expr, const std::unordered_map<NodeId, Real>&);
extern template Rational evaluate(Expr, const std::unordered_map<NodeId, Rational>&);

}  // namespace dalembert
