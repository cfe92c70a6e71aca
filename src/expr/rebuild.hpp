// An expression with other operands.
#pragma once

#include <span>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// The same operation, on `graph`.
Expr rebuild(Graph& graph, Expr e, std::span<const Expr> operands);

}  // namespace dalembert
