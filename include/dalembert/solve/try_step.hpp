// Tries a step, then shorter ones, until the check at its end is passed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <dalembert/solve/adomian_step.hpp>

namespace dalembert {

template <class S>
struct StepAttempt {
  S h;                        ///< the last one tried
  bool taken = false;         ///< the step is at its end
  bool was_singular = false;  ///< why it was not, the last time
  bool was_finite = true;     ///< false: why it was not
  bool interrupted = false;   ///< asked for by look
  std::size_t rejected = 0;
};

/// After expand(). Gives up where the step is no longer than `smallest`. look(check) sees how the first
/// attempt ended and may ask to try another way.
template <class S, class Look>
StepAttempt<S> try_step(AdomianStep<S>& step, const S& wanted, double smallest, Look look) {
  using Check = typename AdomianStep<S>::Check;
  StepAttempt<S> attempt{wanted};
  double previous = 0;  // defect per step length of the attempt before
  for (bool first = true;; first = false) {
    const double size = LaneMath<S>::size(attempt.h);
    if (!(size > smallest)) return attempt;
    const Check check = step.advance(attempt.h);
    attempt.was_singular = check == Check::singular;
    attempt.was_finite = check != Check::not_finite;
    const bool has_defect = !attempt.was_singular && attempt.was_finite;
    attempt.taken = check == Check::good;
    if (first && look(check)) {
      attempt.taken = false;
      attempt.interrupted = true;
      return attempt;
    }
    if (attempt.taken) break;
    // a defect that shrinks no faster than the step is the rounding error of the accelerations themselves
    constexpr double most_noise = 1e-9;
    const double rate = step.defect() / size;
    const bool is_noise = rate > 0.7 * previous && previous > 0 && step.relative_defect() < most_noise;
    if (has_defect && is_noise) {
      step.accept_as_noise();
      attempt.taken = true;
      return attempt;
    }
    previous = has_defect ? rate : 0;
    ++attempt.rejected;
    attempt.h *= has_defect ? std::clamp(0.9 * std::pow(step.defect(), -0.2), 0.3, 0.8) : 0.5;
  }
  // after a failure the next steps grow by and by
  constexpr double growth = 1.2;
  step.set_step_limit(growth * (attempt.rejected > 0 ? LaneMath<S>::size(attempt.h) : step.step_limit()));
  return attempt;
}

template <class S>
StepAttempt<S> try_step(AdomianStep<S>& step, const S& wanted, double smallest) {
  using Check = typename AdomianStep<S>::Check;
  return try_step(step, wanted, smallest, [](Check) { return false; });
}

}  // namespace dalembert
