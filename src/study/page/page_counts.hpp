// What a page shows of all rows together: histograms, densities of pairs of columns, means over two of what
// varies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "page/binning.hpp"

namespace dalembert::study {

/// Of one column: of runs that reached their end, and of the others.
struct Histogram {
  std::size_t column;
  Binning bins;
  std::vector<std::uint64_t> reached, failed;
  std::uint64_t below = 0, above = 0;  ///< of those that reached it, out of the axis

  Histogram(std::size_t of, Binning into);
  void add(std::span<const double> values, bool is_reached);
};

/// How many runs are where, over two columns; [y][x].
struct Density {
  std::size_t x, y;
  Binning x_bins, y_bins;
  std::vector<std::uint64_t> counts;

  Density(std::size_t across, Binning across_bins, std::size_t up, Binning up_bins);
  void add(std::span<const double> values);
};

/// Means over two columns that vary; [y][x].
struct HeatMap {
  std::size_t x, y;
  Binning x_bins, y_bins;
  std::vector<std::size_t> of;           ///< the columns of which there are means
  std::vector<std::uint64_t> rows;       ///< how many there are
  std::vector<std::uint64_t> failed;     ///< that did not reach their end
  std::vector<std::uint64_t> first_row;  ///< where there is one
  std::vector<std::vector<double>>
      means;  ///< by `of`; of finite values of runs that reached their end, NaN: none

  HeatMap(std::size_t across, Binning across_bins, std::size_t up, Binning up_bins,
          std::vector<std::size_t> columns);
  void add(std::uint64_t row, std::span<const double> values, bool is_reached);

 private:
  std::vector<std::vector<std::uint64_t>> counts_;  // behind the means
};

}  // namespace dalembert::study
