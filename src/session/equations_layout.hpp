// How a page of equations is made.
#pragma once

#include <utility>
#include <vector>

#include <dalembert/session/equations.hpp>

namespace dalembert::session {

/// A page before its entries are made readable, with what that needs, on a graph that continues the model's:
/// another thread may work on it.
struct EquationsDraft {
  EquationsPage page;
  std::vector<Expr> variables;                    ///< t, q, v
  std::vector<std::pair<Expr, Expr>> parameters;  ///< symbols and values, of earlier ones
};

/// Empties the blocks that are too large to be read.
void leave_out_large(EquationsPage& page);

/// The blocks as derived, on the graph of the equations.
EquationsPage lay_out(const Equations& equations);
EquationsPage lay_out(const KinematicEquations& equations);

}  // namespace dalembert::session
