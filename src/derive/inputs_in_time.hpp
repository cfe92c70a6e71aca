// Inputs of a model as functions of time: in ∂/∂t, and as the polynomials between their knots.
#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/derive/input_curves.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/substitute.hpp>
#include <dalembert/model/model.hpp>

#include "move_to.hpp"

namespace dalembert {

inline Directional partial_time_derivative(const ModelData& model, Graph& graph, const Expr& t) {
  Directional d;
  d.set_tangent(t, graph.number(1));
  for (const Input& input : model.inputs) {
    for (std::size_t k = 1; k < input.derivatives.size(); ++k)
      d.set_tangent(input.derivatives[k - 1], graph.at(input.derivatives[k].id()));
  }
  return d;
}

/// Polynomials in place of the inputs in all expressions of some parts.
template <class... Parts>
void insert_curves(const ModelData& model, Graph& graph, Parts&... parts) {
  if (model.inputs.empty()) return;
  std::vector<Expr*> places;
  std::vector<Expr> expressions;
  visit_each(
      [&](Expr& one) {
        places.push_back(&one);
        expressions.push_back(one);
      },
      parts...);
  const std::vector<Expr> inserted = substitute(expressions, input_curves(model, graph));
  for (std::size_t i = 0; i < places.size(); ++i) *places[i] = inserted[i];
}

}  // namespace dalembert
