// Calls with branches, with their signs as numbers.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// What stands for the calls of abs, sign, min and max in `roots` that are `wanted`, by node. With a number
/// s = ±1 that `sign_of` gives for an argument, x of sign(x) and abs(x), x − y of max(x, y) and min(x, y),
/// these are s, s x, (1 + s)/2 x + (1 − s)/2 y, (1 − s)/2 x + (1 + s)/2 y. Arguments of calls within others
/// hold theirs. `sign_of` is told the call, too.
std::unordered_map<NodeId, Expr> hold_signs(std::span<const Expr> roots,
                                            const std::function<bool(Expr)>& wanted,
                                            const std::function<Expr(Expr call, Expr argument)>& sign_of);

}  // namespace dalembert
