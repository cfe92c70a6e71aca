// How the values of a column fall into bins.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dalembert::study {

struct Binning {
  std::vector<double> edges;        ///< rising; bin i is [edges[i], edges[i + 1])
  std::vector<double> values = {};  ///< where each bin stands for one of them
  bool log = false;                 ///< even in the logarithm

  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t count() const { return edges.size() - 1; }
  /// The last edge belongs to the last bin. `none`: x is beyond, or no number.
  std::size_t bin(double x) const;
};

/// What an axis shows: all values, but of few that are far from the others only that there are such.
struct AxisRange {
  double low = 0, high = 1;
  bool log = false;
};

/// Of values between `least` and `greatest`, of which `sample` is a part.
AxisRange range_of(std::vector<double> sample, double least, double greatest);

Binning even_bins(const AxisRange& range, std::size_t count);
/// One bin for each of the values, which are rising; edges in the middle between them.
Binning bins_of(std::vector<double> values);
/// One bin for each where the values are few whole numbers, else even ones.
Binning histogram_bins(const AxisRange& range, std::span<const double> sample, std::size_t count);

}  // namespace dalembert::study
