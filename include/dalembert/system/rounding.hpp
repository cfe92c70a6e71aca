// How much of a computed value is round-off: first-order running error analysis on the expression graph.
//
// Inputs and constants are taken as rounded to double, every operation as rounded once more. A residual below
// its bound is zero as far as doubles can tell.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/flat_expressions.hpp>
#include <dalembert/expr/graph.hpp>

namespace dalembert {

struct RoundedValue {
  double value = 0;
  double error = 0;  ///< bound of the round-off in `value`; infinite or NaN where the value is not smooth
};

/// One per root; every symbol needs a value. `errors`: of symbols whose values were computed.
std::vector<RoundedValue> evaluate_with_error(const FlatExpressions& expressions,
                                              const std::unordered_map<NodeId, double>& values,
                                              const std::unordered_map<NodeId, double>& errors = {});

/// The same of expressions that are evaluated once.
std::vector<RoundedValue> evaluate_with_error(std::span<const Expr> roots,
                                              const std::unordered_map<NodeId, double>& values,
                                              const std::unordered_map<NodeId, double>& errors = {});

}  // namespace dalembert
