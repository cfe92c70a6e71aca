// The force of friction while it slides.
#pragma once

#include <cstddef>

#include <dalembert/expr/graph.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

/// Of a friction by keys, along slip k: −μ d N with the held sign d of the slip w, in space −μ s N w_k/|w|
/// with s = 1, where |w| is h·w √(Σ (w_j/(h·w))²) with the heading h. It is zero while the friction sticks,
/// d = 0, or nothing presses. `graph` is the model's or continues it.
Expr sliding_force(Graph& graph, const ModelData& model, const Friction& friction, std::size_t k);

/// sqrt(λ₁² + λ₂² + ...)
Expr size_of_multipliers(Graph& graph, const MultiplierSize& size);

}  // namespace dalembert
