// Runs of kinematic systems by the explicit methods.
#pragma once

#include <dalembert/solve/solve.hpp>
#include <dalembert/system/kinematic_system.hpp>

namespace dalembert {

RunReport run_kinematic(const KinematicSystem& system, const SolveOptions& options,
                        const SampleSink<double>& sink);

}  // namespace dalembert
