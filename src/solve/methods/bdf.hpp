// Variable-order BDF by SUNDIALS IDA on the index forms of motion_dae.hpp.
#pragma once

#include <string>

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_bdf(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
std::string refuse_bdf(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
