// Several trajectories of one system at once, in the lanes of SIMD registers: other starts, other parameters.
//
// The lanes share their steps, each as long as the lane that needs the shortest allows: every lane meets the
// tolerance, relative to its own size. Where lanes cannot go on together, or one comes to a singular
// configuration, each goes on alone from there; one that cannot is reported with time and reason.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/solve/options.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert {

struct BatchCase {
  /// At the start, moved onto the constraints by the least change that all of them allow; empty: as the
  /// model gives them. A case without anything of its own starts where solve() does.
  std::vector<double> q, v;
  std::vector<std::pair<std::string, double>> parameters;  ///< those that differ from the model's
};

/// The motion of one case at one time; spans are valid during the call.
struct BatchSample {
  std::size_t number;  ///< of the case
  double t;
  std::span<const double> q, v, a, lambda;
  std::span<const double> position_residual, velocity_residual;  ///< of the independent constraints
};
using BatchSink = std::function<void(const BatchSample&)>;

struct CaseReport {
  Outcome outcome = Outcome::finished;
  std::string reason;        ///< why it stopped
  double end_time = 0;       ///< reached
  std::vector<double> q, v;  ///< there
  std::vector<double>
      singular_times;  ///< when constraints lost rank: the motion went on along its smooth branch
  double max_position_residual = 0;
  double max_velocity_residual = 0;
};

struct BatchReport {
  std::size_t steps = 0;  ///< of all groups of lanes
  std::size_t rejected = 0;
  std::vector<CaseReport> cases;
};

/// Runs the method adomian in doubles with start, duration, tolerance, order, output times, project and
/// limits of the options. Samples of a case come in the order of time. Throws Error for unknown parameters,
/// wrong sizes, functions that are not smooth.
BatchReport solve_batch(const System& system, std::span<const BatchCase> cases, const SolveOptions& options,
                        const BatchSink& sink = {});

}  // namespace dalembert
