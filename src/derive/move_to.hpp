// Every expression of some parts of equations, and their moving to a graph that continues theirs.
#pragma once

#include <vector>

#include <dalembert/derive/equations.hpp>

namespace dalembert {

template <class Visit>
void visit_one(const Visit& visit, Expr& e) {
  if (e) visit(e);
}
template <class Visit>
void visit_one(const Visit& visit, NamedExpr& named) {
  visit_one(visit, named.expression);
}
template <class Visit>
void visit_one(const Visit& visit, Equations::EventFunctions& functions);
template <class Visit>
void visit_one(const Visit& visit, Equations::FrictionFunctions& functions);
template <class Visit, class T>
void visit_one(const Visit& visit, std::vector<T>& list) {
  for (T& one : list) visit_one(visit, one);
}
template <class Visit>
void visit_one(const Visit& visit, Equations::EventFunctions& functions) {
  visit_one(visit, functions.when);
  visit_one(visit, functions.values);
}
template <class Visit>
void visit_one(const Visit& visit, Equations::FrictionFunctions& functions) {
  visit_one(visit, functions.margins);
  visit_one(visit, functions.slips);
  visit_one(visit, functions.speed);
}
template <class Visit>
void visit_one(const Visit& visit, ExprMatrix& matrix) {
  for (ExprMatrix::Entry& entry : matrix.entries) visit_one(visit, entry.value);
}

template <class Visit, class... Parts>
void visit_each(const Visit& visit, Parts&... parts) {
  (visit_one(visit, parts), ...);
}

template <class... Parts>
void move_to(Graph& graph, Parts&... parts) {
  visit_each([&graph](Expr& e) { e = graph.at(e.id()); }, parts...);
}

}  // namespace dalembert
