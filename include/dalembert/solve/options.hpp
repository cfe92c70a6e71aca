// What a run is asked to do, for every method.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dalembert {

struct Progress {
  double t;
  double fraction;  ///< of the duration
  std::size_t steps;
};

struct SolveOptions {
  std::string method = "adomian";
  double start = 0;
  double duration = 10;      ///< negative: backwards in time
  double tolerance = 1e-15;  ///< relative error allowed per step; the default is what doubles can hold
  /// Samples at start, start + output_step, ... and at the end; 0: at every step's end; or at `output_times`.
  double output_step = 0;
  std::vector<double> output_times;
  int order = 0;              ///< of series methods; 0: chosen by cost
  bool project = true;        ///< back onto g = 0 and C v + c = 0 after each step
  double max_step = 0;        ///< 0: unlimited
  std::size_t max_steps = 0;  ///< 0: unlimited
  int digits = 0;             ///< above 17: the whole solver runs in that many decimal digits
  std::function<bool(const Progress&)> progress;  ///< called now and then; false interrupts the run
};

}  // namespace dalembert
