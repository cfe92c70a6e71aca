// States of runs at the same times, and how far they are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "series/as_double.hpp"

namespace dalembert {

using StateList = std::vector<std::vector<double>>;  // by sample

struct SampledStates {
  std::vector<double> t;
  StateList q, v, lambda;
};

template <class S>
std::vector<double> rounded(std::span<const S> values) {
  std::vector<double> result;
  for (const S& value : values) result.push_back(as_double(value));
  return result;
}

inline double largest_of(std::span<const double> values) {
  double result = 0;
  for (const double value : values)
    if (!(std::abs(value) <= result)) result = std::abs(value);  // what is not a number counts
  return result;
}

inline double largest_of(const StateList& lists) {
  double result = 0;
  for (const std::vector<double>& values : lists) result = std::max(result, largest_of(values));
  return result;
}

/// The largest difference of two lists of vectors, as far as both go, beside the largest value of the
/// reference, or `least` where that is larger.
inline double error_of(const StateList& found, const StateList& reference, double least = 0) {
  double error = 0;
  const double size = std::max(largest_of(reference), least);
  for (std::size_t k = 0; k < std::min(found.size(), reference.size()); ++k) {
    for (std::size_t i = 0; i < reference[k].size(); ++i) {
      const double difference = std::abs(found[k][i] - reference[k][i]);
      if (!(difference <= error)) error = difference;
    }
  }
  return size > 0 ? error / size : error;
}

/// Velocities below this move nothing within the duration: they are round-off.
inline double least_speed(const SampledStates& reference, double duration) {
  // of the largest coordinate within the run: rounding errors of some thousand steps
  constexpr double rest = 1e-12;
  return rest * largest_of(reference.q) / std::abs(duration);
}

/// The larger one of the errors of q and v.
inline double motion_error(const SampledStates& found, const SampledStates& reference, double duration) {
  return std::max(error_of(found.q, reference.q),
                  error_of(found.v, reference.v, least_speed(reference, duration)));
}

}  // namespace dalembert
