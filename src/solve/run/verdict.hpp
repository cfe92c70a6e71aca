// Whether a run's own checks agree with its numbers.
#pragma once

#include <dalembert/solve/options.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert {

/// Fills `doubts`, and makes a run that reached its end with one of them doubtful. Drift that the options ask
/// for is a warning.
void judge(RunReport& report, const SolveOptions& options);

}  // namespace dalembert
