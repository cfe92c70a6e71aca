// Rewrites sums so that they cost fewer products of series:
//   a x + a y              is  a (x + y)          where the products serve no other purpose
//   c sin²u + c cos²u      is  c
//   p (x + y) + z          is  p x + p y + z      for a constant p, where the inner sum serves no other
//   purpose (2 x − 2 y) z          is  2 (x − y) z        so that proportional sums are one
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <dalembert/expr/graph.hpp>

#include "stages.hpp"

namespace dalembert {

struct Factored {
  std::vector<Expr> roots;
  /// What became of each function call that is not constant, by the node of the call.
  std::vector<std::pair<Expr, Expr>> calls;  ///< before, behind
};
Factored factored(std::span<const Expr> roots, Stages& stages);

}  // namespace dalembert
