// The generalized-α method on the index-3 equations.
#pragma once

#include <string>

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_generalized_alpha(const Problem& problem, const SolveOptions& options,
                                const SampleSink<double>& sink);
std::string refuse_generalized_alpha(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
