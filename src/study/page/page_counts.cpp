#include "page/page_counts.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace dalembert::study {

Histogram::Histogram(std::size_t of, Binning into)
    : column(of), bins(std::move(into)), reached(bins.count()), failed(bins.count()) {}

void Histogram::add(std::span<const double> values, bool is_reached) {
  const double x = values[column];
  const std::size_t bin = bins.bin(x);
  if (bin != Binning::none) {
    ++(is_reached ? reached : failed)[bin];
  } else if (is_reached) {
    if (x < bins.edges.front()) ++below;
    if (x > bins.edges.back()) ++above;
  }
}

Density::Density(std::size_t across, Binning across_bins, std::size_t up, Binning up_bins)
    : x(across),
      y(up),
      x_bins(std::move(across_bins)),
      y_bins(std::move(up_bins)),
      counts(x_bins.count() * y_bins.count()) {}

void Density::add(std::span<const double> values) {
  const std::size_t i = x_bins.bin(values[x]), j = y_bins.bin(values[y]);
  if (i != Binning::none && j != Binning::none) ++counts[j * x_bins.count() + i];
}

HeatMap::HeatMap(std::size_t across, Binning across_bins, std::size_t up, Binning up_bins,
                 std::vector<std::size_t> columns)
    : x(across), y(up), x_bins(std::move(across_bins)), y_bins(std::move(up_bins)), of(std::move(columns)) {
  const std::size_t cells = x_bins.count() * y_bins.count();
  rows.resize(cells);
  failed.resize(cells);
  first_row.resize(cells);
  means.assign(of.size(), std::vector<double>(cells, std::numeric_limits<double>::quiet_NaN()));
  counts_.assign(of.size(), std::vector<std::uint64_t>(cells));
}

void HeatMap::add(std::uint64_t row, std::span<const double> values, bool is_reached) {
  const std::size_t i = x_bins.bin(values[x]), j = y_bins.bin(values[y]);
  if (i == Binning::none || j == Binning::none) return;
  const std::size_t cell = j * x_bins.count() + i;
  if (rows[cell]++ == 0) first_row[cell] = row;
  if (!is_reached) ++failed[cell];
  for (std::size_t k = 0; k < of.size() && is_reached; ++k) {
    const double value = values[of[k]];
    if (!std::isfinite(value)) continue;
    double& mean = means[k][cell];
    const auto count = static_cast<double>(++counts_[k][cell]);
    mean = count == 1 ? value : mean + (value - mean) / count;
  }
}

}  // namespace dalembert::study
