// Multipliers eliminated by a basis N of the kernel of C:
//
//   C a = γ,   Nᵀ M a = Nᵀ f,   afterwards   Cᵀ λ = f − M a
//
// which for one constraint is (8)-(10) in the paper on Lagrange's equations with constraints.
#pragma once

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_nullspace(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);

std::string refuse_nullspace(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
