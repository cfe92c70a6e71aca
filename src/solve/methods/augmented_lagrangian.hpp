// Bayo's augmented Lagrangian [bayo1988]: constraints by penalties, made exact by iteration; mass-orthogonal
// projections [bayoledesma1996].
//
//   (M + Cᵀ α C) a = f − Cᵀ λ + Cᵀ α γ,   λ += α (C a − γ)   until λ stays
#pragma once

#include <string>

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_augmented_lagrangian(const Problem& problem, const SolveOptions& options,
                                   const SampleSink<double>& sink);
std::string refuse_augmented_lagrangian(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
