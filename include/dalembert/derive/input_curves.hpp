// Inputs as polynomials in time.
#pragma once

#include <unordered_map>

#include <dalembert/expr/graph.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

/// The polynomials in t of inputs and their derivatives, by the nodes of their symbols; the coefficients are
/// symbols of the model. The graph continues the model's and takes more expressions.
std::unordered_map<NodeId, Expr> input_curves(const ModelData& model, Graph& graph);

}  // namespace dalembert
