// The explicit Runge-Kutta methods on the index-1 form.
#pragma once

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_euler(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
RunReport run_heun(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
RunReport run_kutta3(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
RunReport run_rk4(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
RunReport run_dopri5(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
RunReport run_dop853(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);

/// The stabilization `linear` is of kinematic systems alone.
std::string refuse_linear(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
