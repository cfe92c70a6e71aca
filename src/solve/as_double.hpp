// A scalar of any precision as a double, for reports and decisions.
#pragma once

#include <dalembert/expr/scalar.hpp>

namespace dalembert {

inline double as_double(double x) { return x; }
inline double as_double(const Real& x) { return static_cast<double>(x); }

}  // namespace dalembert
