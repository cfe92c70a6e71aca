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

/// Of a method that needs the forces of multipliers to be −Cᵀ λ; empty where they are.
std::string refuse_multiplier_forces(const Problem& problem);

/// The stabilization `linear` is of kinematic systems alone.
std::string refuse_linear(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
