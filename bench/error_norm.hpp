#pragma once
// The error of an end state (q, v) against a reference, the same for every contestant:
//     max( max_i |q_i - q*_i| / max(1, |q*_i|),   max_i |v_i - v*_i| / speed )
// Coordinates count relative to their size but never stricter than absolute. Velocities count relative to one
// speed per problem, since a slow velocity carries the error that the fast ones pass on: |v*|_inf where the
// reference moves, the largest speed of the motion where it rests. Multipliers, which follow from (q, v),
// have a figure of their own,
//     max_i |lambda_i - lambda*_i| / |lambda*|_inf.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace dalembert::bench {

// max_i |x_i|
template <class Vector>
double largest(const Vector& x) {
  double size = 0;
  for (std::size_t i = 0; i < std::size(x); ++i) size = std::max(size, std::abs(x[i]));
  return size;
}

// max_i |x_i - x*_i|; NaN where x has one.
template <class Vector, class Reference>
double largest_difference(const Vector& x, const Reference& reference) {
  double difference = 0;
  for (std::size_t i = 0; i < std::size(reference); ++i) {
    const double gap = std::abs(x[i] - reference[i]);
    if (std::isnan(gap)) return gap;
    difference = std::max(difference, gap);
  }
  return difference;
}

template <class Vector, class Reference>
double relative_error(const Vector& x, const Reference& reference) {
  return largest_difference(x, reference) / largest(reference);
}

template <class Vector, class Reference>
double state_error(const Vector& q, const Vector& v, const Reference& q_reference,
                   const Reference& v_reference, double speed) {
  double error = largest_difference(v, v_reference) / speed;
  for (std::size_t i = 0; i < std::size(q_reference); ++i) {
    const double gap = std::abs(q[i] - q_reference[i]) / std::max(1.0, std::abs(q_reference[i]));
    if (std::isnan(gap)) return gap;
    error = std::max(error, gap);
  }
  return error;
}

}  // namespace dalembert::bench
