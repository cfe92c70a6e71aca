#pragma once
// A run from a start to an end, as the solver does it, for one trajectory or for several in lanes.

#include <algorithm>
#include <cmath>
#include <span>

#include <dalembert/solve/adomian_step.hpp>

namespace dalembert::bench {

struct RunCounts {
  bool finished = false;
  long steps = 0, rejected = 0;
};

template <class S, int W>
RunCounts run_adomian_steps(AdomianStep<S, W>& step, std::span<const S> q, std::span<const S> v,
                            double end_time) {
  using Step = AdomianStep<S, W>;
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
    const double wanted = h;
    double previous = 0;  // defect per step length of the attempt before
    for (;;) {
      const auto check = step.advance(LaneMath<S>::of(1) * h);
      if (check == Step::Check::good) break;
      const bool singular = check == Step::Check::singular;
      const double rate = step.defect() / h;
      if (!singular && previous > 0 && rate > 0.7 * previous) {
        step.accept_as_noise();
        break;
      }
      previous = singular ? 0 : rate;
      ++counts.rejected;
      h *= singular ? 0.5 : std::clamp(0.9 * std::pow(step.defect(), -0.2), 0.3, 0.8);
      if (h < 1e-12 * end_time) return counts;
    }
    constexpr double growth = 1.2;
    step.set_step_limit(growth * (h < wanted ? h : step.step_limit()));
    ++counts.steps;
    t = last && h == wanted ? end_time : t + h;
  }
  counts.finished = true;
  return counts;
}

}  // namespace dalembert::bench
