// What an axis spans and where it has its numbers.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dalembert {

struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;

  /// 0 at the low end, 1 at the high end.
  double part(double value) const;
  /// Round numbers, about `wanted` of them; powers of ten on a logarithmic axis.
  std::vector<double> ticks(int wanted) const;
  /// As they are written, in at most six digits; where these do not tell ticks apart, the first one and what
  /// the others are more.
  std::vector<std::string> texts(std::span<const double> ticks) const;
};

/// Around all finite values of the curves, positive ones on a logarithmic axis.
Axis make_axis(std::span<const std::vector<double>> curves, bool logarithmic);

}  // namespace dalembert
