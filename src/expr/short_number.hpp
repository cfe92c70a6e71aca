#pragma once

#include <dalembert/base/error.hpp>
#include <dalembert/expr/number.hpp>

namespace dalembert {

// Checked in every loop that adds up or multiplies numbers, so that no input makes them grow without end.
inline void require_short(const Rational& value) {
  if (bit_size(value) > longest_number_bits)
    throw Error("a number here has more digits than any computation can use");
}

}  // namespace dalembert
