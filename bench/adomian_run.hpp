#pragma once
// A run from a start to an end, as the solver does it, for one trajectory or for several in lanes.

#include <cmath>
#include <span>

#include <dalembert/solve/try_step.hpp>

namespace dalembert::bench {

struct RunCounts {
  bool finished = false;
  long steps = 0, rejected = 0;
};

template <class S>
RunCounts run_adomian_steps(AdomianStep<S>& step, std::span<const S> q, std::span<const S> v,
                            double end_time) {
  RunCounts counts;
  step.restart();
  if (!step.set_state(LaneMath<S>::of(0), q, v)) return counts;
  double t = 0;
  while (t < end_time) {
    step.expand();
    double h = step.proposed_step();
    if (std::isnan(h)) return counts;
    const bool last = h >= (end_time - t) * (1 - 1e-12);
    if (last) h = end_time - t;
    const StepAttempt<S> attempt = try_step(step, LaneMath<S>::of(1) * h, 1e-12 * end_time);
    counts.rejected += static_cast<long>(attempt.rejected);
    if (!attempt.taken) return counts;
    ++counts.steps;
    t = last && attempt.rejected == 0 ? end_time : t + LaneMath<S>::size(attempt.h);
  }
  counts.finished = true;
  return counts;
}

}  // namespace dalembert::bench
