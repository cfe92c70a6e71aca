// Expressions for reading.
//
// Derivatives share their work but read badly: cos(a)*cos(b) - sin(a)*sin(b) where a textbook has cos(a + b).
// Tidying multiplies out, uses sin² + cos² = 1 and the addition theorems, collects like terms, sets common
// factors apart, and keeps the result where it is shorter. Values stay the same; programs use it for inertia.
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

class Tidy {
 public:
  /// Terms are collected by their part in the `variables`; the other symbols are coefficients.
  explicit Tidy(std::span<const Expr> variables);

  /// An equal expression, not longer than the given one. Results are kept for the next call.
  Expr operator()(Expr e);

 private:
  Expr tidy_node(Expr e);
  bool is_variable(Expr e);

  std::unordered_set<NodeId> variables_;
  std::unordered_map<NodeId, bool> varies_;
  std::unordered_map<NodeId, Expr> results_;
  std::unordered_map<NodeId, double> lengths_;
};

/// How long an expression reads: its names, numbers, functions and powers, written out.
double reading_length(Expr e);

}  // namespace dalembert
