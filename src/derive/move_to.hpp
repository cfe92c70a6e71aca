// Expressions as nodes of a graph that continues theirs.
#pragma once

#include <vector>

#include <dalembert/derive/equations.hpp>

namespace dalembert {

inline void move_one(Graph& graph, Expr& e) {
  if (e) e = graph.at(e.id());
}
inline void move_one(Graph& graph, NamedExpr& named) { move_one(graph, named.expression); }
inline void move_one(Graph& graph, Equations::EventFunctions& functions);
inline void move_one(Graph& graph, Equations::FrictionFunctions& functions);
template <class T>
void move_one(Graph& graph, std::vector<T>& list) {
  for (T& one : list) move_one(graph, one);
}
inline void move_one(Graph& graph, Equations::EventFunctions& functions) {
  move_one(graph, functions.when);
  move_one(graph, functions.values);
}
inline void move_one(Graph& graph, Equations::FrictionFunctions& functions) {
  move_one(graph, functions.margins);
  move_one(graph, functions.slips);
  move_one(graph, functions.speed);
}
inline void move_one(Graph& graph, ExprMatrix& matrix) {
  for (ExprMatrix::Entry& entry : matrix.entries) move_one(graph, entry.value);
}

template <class... Parts>
void move_to(Graph& graph, Parts&... parts) {
  (move_one(graph, parts), ...);
}

}  // namespace dalembert
