// ∂/∂t, of the inputs of a model, too.
#pragma once

#include <cstddef>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/model/model.hpp>

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

}  // namespace dalembert
