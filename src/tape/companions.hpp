// Which derivative series a recurrence wants beside the coefficients of its operands.
#pragma once

#include <dalembert/tape/program.hpp>

namespace dalembert {

inline bool wants_dx(Op op) {
  return op == Op::power || op == Op::exp || op == Op::sincos || op == Op::sinhcosh || op == Op::tan ||
         op == Op::tanh || op == Op::atan2;
}
inline bool wants_dy(Op op) { return op == Op::atan2; }
inline bool wants_du(Op op) {
  return op == Op::power || op == Op::log || op == Op::asin || op == Op::acos || op == Op::atan ||
         op == Op::atan2;
}

}  // namespace dalembert
