// The multistage Adomian method.
#pragma once

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_adomian(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
RunReport run_adomian_digits(const Problem& problem, const SolveOptions& options,
                             const SampleSink<Real>& sink);

}  // namespace dalembert
