// A scalar of any precision as a double, for reports and decisions; numbers in lanes.
#pragma once

#include <cstddef>

#include <dalembert/expr/lanes.hpp>
#include <dalembert/expr/scalar.hpp>

namespace dalembert {

inline double as_double(double x) { return x; }
inline double as_double(const Real& x) { return static_cast<double>(x); }
/// Of lanes the first: times are common to all.
inline double as_double(const Lanes<4>& x) { return x[0]; }
inline double as_double(const Lanes<8>& x) { return x[0]; }

/// The same number in every lane.
template <class S>
S in_all_lanes(const typename LaneMath<S>::Scalar& x) {
  if constexpr (LaneMath<S>::lanes > 1) {
    return LaneMath<S>::of(0) + x;
  } else {
    return x;
  }
}
template <class S>
double lane(const S& x, std::size_t i) {
  return reinterpret_cast<const double*>(&x)[i];
}

}  // namespace dalembert
