// RATTLE: symplectic, symmetric, of second order, on both levels of holonomic constraints.
#pragma once

#include <string>

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_rattle(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
std::string refuse_rattle(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
