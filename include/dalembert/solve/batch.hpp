// Several trajectories of one system at once, in the lanes of SIMD registers: other starts, other parameters.
//
// The lanes share their steps, each as long as the lane that needs the shortest allows: every lane meets the
// tolerance, relative to its own size. Where lanes cannot go on together, or one comes to a singular
// configuration, each goes on alone from there; one that cannot is reported with time and reason.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/codegen/lanes_source.hpp>
#include <dalembert/solve/options.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/trajectory/report.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert {

struct BatchCase {
  /// At the start, moved onto the constraints by the least change that all of them allow; empty: as the
  /// model gives them. A case without q and v of its own starts where solve() with its parameters does.
  std::vector<double> q, v;
  std::vector<NamedValue> parameters;  ///< those that differ from the model's
};

/// The motion of one case at one time; spans are valid during the call.
struct BatchSample : Sample<double> {
  std::size_t number;  ///< of the case
};
using BatchSink = std::function<void(const BatchSample&)>;

struct CaseReport : RunReport {
  std::vector<double> q, v;  ///< at the end
};

struct BatchReport {
  std::size_t steps = 0;  ///< of all groups of lanes
  std::size_t rejected = 0;
  std::vector<CaseReport> cases;
  bool interrupted = false;  ///< by options.progress: cases that were not run say so
};

/// Compiled code for the steps of cases that share lanes.
using BatchCode = std::shared_ptr<const LanesCode>;
/// Null where the series of a system have a form that is not written as C, or where its cases share no lanes.
/// Throws Error where there is no compiler, or it fails.
BatchCode make_batch_code(const System& system);

/// The equations of the choices of contacts and constraints that events make, derived when first met.
class ModeForms;
using SharedModes = std::shared_ptr<ModeForms>;
/// For any number of batches of the same system, whatever its parameters, on any threads; null where nothing
/// changes its constraints.
SharedModes make_shared_modes(const System& system);

/// Runs the method adomian in doubles with start, duration, tolerance, order, output times, project, limits
/// and progress of the options. Samples of a case come in the order of time. Systems with branches or
/// redundant constraints run one case after the other. A case that has no start or cannot go on is reported
/// with its reason; the others run. Throws Error for unknown parameters, wrong sizes, values that are not
/// finite.
///
/// `code`: of the same system whatever its parameters; none: the interpreter computes the steps in lanes.
/// `modes`: likewise; none: those of this batch alone.
BatchReport solve_batch(const System& system, std::span<const BatchCase> cases, const SolveOptions& options,
                        const BatchSink& sink = {}, const BatchCode& code = {}, SharedModes modes = {});

}  // namespace dalembert
