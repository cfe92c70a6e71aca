#include "compare/reference_check.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace dalembert {
namespace {

// The first time at which two motions are further apart than `limit`.
double time_apart(const SampledStates& found, const SampledStates& reference, double duration, double limit) {
  const double size_q = largest_of(reference.q);
  const double size_v = std::max(largest_of(reference.v), least_speed(reference, duration));
  for (std::size_t k = 0; k < std::min(found.t.size(), reference.t.size()); ++k) {
    for (std::size_t i = 0; i < reference.q[k].size(); ++i) {
      const double q = std::abs(found.q[k][i] - reference.q[k][i]);
      const double v = std::abs(found.v[k][i] - reference.v[k][i]);
      if (!(q <= limit * size_q) || !(v <= limit * size_v)) return reference.t[k];
    }
  }
  return reference.t.back();
}

}  // namespace

Testimony hear(const Witness& witness, const SampledStates& reference, double duration) {
  using enum Testimony::Kind;
  if (witness.fine.t.empty() || witness.rough.t.empty())
    return {nothing, fmt::format("{} cannot tell: {}", witness.name, witness.failure)};
  constexpr double safety = 3;     // the distance of the two runs is an estimate
  constexpr double enough = 1e-3;  // what is known less well is no confirmation
  const double own = motion_error(witness.rough, witness.fine, duration);
  const double off = motion_error(witness.fine, reference, duration);
  const double allowed = safety * std::max(own, 100 * witness.tolerance);
  if (!(off <= allowed)) {
    return {contradicts,
            fmt::format(
                "{} is {:.1e} away from it from t = {:.6g} on, and from itself by {:.1e} at a hundredth of "
                "the tolerance",
                witness.name, off, time_apart(witness.fine, reference, duration, allowed), own)};
  }
  if (!(own <= enough))
    return {nothing,
            fmt::format("{} finds the motion only to {:.1e} itself: errors grow", witness.name, own)};
  return {agrees, fmt::format("{} to {:.1e}", witness.name, off)};
}

}  // namespace dalembert
