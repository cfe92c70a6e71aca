#pragma once
// The error of an end state (q, v) against a reference, the same for every contestant:
//     max( max_i |q_i - q*_i| / max(1, |q*_i|),   max_i |v_i - v*_i| / |v*|_inf )
// Coordinates count relative to their size but never stricter than absolute; velocities count relative to the
// fastest one, since a slow velocity carries the error that the fast ones pass on. Multipliers have their own
// figure,
//     max_i |lambda_i - lambda*_i| / |lambda*|_inf,
// which is not part of the error: they follow from (q, v).

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dalembert::bench {

// max_i |x_i - x*_i| / |x*|_inf
template <class Vector, class Reference>
double relative_error(const Vector& x, const Reference& reference) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < std::size(reference); ++i) {
    const double gap = std::abs(x[i] - reference[i]);
    difference = std::isnan(gap) ? gap : std::max(difference, gap);
    if (std::isnan(gap)) return gap;
    size = std::max(size, std::abs(static_cast<double>(reference[i])));
  }
  return difference / size;
}

template <class Vector, class Reference>
double state_error(const Vector& q, const Vector& v, const Reference& q_reference,
                   const Reference& v_reference) {
  double error = relative_error(v, v_reference);
  for (std::size_t i = 0; i < std::size(q_reference); ++i) {
    const double gap =
        std::abs(q[i] - q_reference[i]) / std::max(1.0, std::abs(static_cast<double>(q_reference[i])));
    if (std::isnan(gap)) return gap;
    error = std::max(error, gap);
  }
  return error;
}

}  // namespace dalembert::bench
