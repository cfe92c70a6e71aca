// Four numbers at once, without the machinery of programs.
#pragma once

#include <algorithm>
#include <cmath>

namespace dalembert {

typedef double Four __attribute__((vector_size(32)));
struct FourMath {
  static Four of(int k) { return Four{} + static_cast<double>(k); }
  static double size(const Four& x) {
    double smallest = std::abs(x[0]);
    for (int i = 1; i < 4; ++i) smallest = std::min(smallest, std::abs(x[i]));
    return smallest;
  }
  static double largest(const Four& x) {
    double result = 0;
    for (int i = 0; i < 4; ++i) result = std::abs(x[i]) > result || x[i] != x[i] ? std::abs(x[i]) : result;
    return result;
  }
};

}  // namespace dalembert
