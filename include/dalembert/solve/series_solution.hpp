// One Adomian expansion of a model at its start, as text: what the paper computes by hand.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <dalembert/system/system.hpp>

namespace dalembert {

struct SeriesVariable {
  std::string name;                       ///< x, x', lambda(name)
  std::vector<std::string> coefficients;  ///< by power of t − t0

  bool is_zero() const {
    return std::all_of(coefficients.begin(), coefficients.end(),
                       [](const std::string& c) { return c == "0"; });
  }
};

struct SeriesTable {
  std::string t0;
  int order = 0;
  std::vector<SeriesVariable>
      variables;  ///< all q through `order`, all v through order − 1, all λ through order − 2
  std::vector<std::string> on_switch;  ///< calls that switch at t0: the series is that of the time after it
};

/// In rationals. Throws NotRational naming the expression where a value is irrational, and Error where the
/// start does not satisfy the constraints exactly.
SeriesTable expand_exactly(const System& system, int order);

/// In doubles (digits = 0) or in so many digits, from the consistent start.
SeriesTable expand_numerically(const System& system, int order, int digits);

}  // namespace dalembert
