// Replacing symbols by expressions, and copying expressions to another graph.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// The expressions with every symbol that is a key replaced by its value, in the same graph.
std::vector<Expr> substitute(std::span<const Expr> roots, const std::unordered_map<NodeId, Expr>& values);
Expr substitute(Expr root, const std::unordered_map<NodeId, Expr>& values);

/// The same expressions on another graph, which then may belong to another thread.
std::vector<Expr> copy_to(Graph& target, std::span<const Expr> roots);

}  // namespace dalembert
