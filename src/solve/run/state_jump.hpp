// Whether two states can be the ends of one step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace dalembert {

struct StateView {
  std::span<const double> q, v;
  double least = 0;  ///< sizes of q below this do not count
};

/// q1 − q0 = h (v0 + v1)/2 as far as a step can be: beyond `factor` h |v| the states are not of the same
/// motion. `round_off` relative to q.
inline bool has_jumped(const StateView& begin, const StateView& end, double h, double factor,
                       double round_off) {
  double jump = 0;
  double speed = 0;
  double size = begin.least;
  for (std::size_t i = 0; i < begin.q.size(); ++i) {
    const double moved = h / 2 * (begin.v[i] + end.v[i]);
    jump = std::max(jump, std::abs(end.q[i] - begin.q[i] - moved));
    speed = std::max({speed, std::abs(begin.v[i]), std::abs(end.v[i])});
    size = std::max(size, std::abs(end.q[i]));
  }
  return !(jump <= factor * std::abs(h) * speed + round_off * size);
}

}  // namespace dalembert
