// Numerical differentiation formulas of order 1 to 5 on the index forms of motion_dae.hpp.
#pragma once

#include <string>

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_ndf(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
std::string refuse_ndf(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
