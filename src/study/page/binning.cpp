#include "page/binning.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace dalembert::study {
namespace {

constexpr double many_decades = 1000;  // greatest / least, from which on an axis is logarithmic

// The value below which a share of sorted values is.
double quantile_of(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

bool is_even_in_logarithm(const std::vector<double>& values) {
  if (values.size() < 3 || !(values.front() > 0)) return false;
  const double step = values[1] - values[0], factor = values[1] / values[0];
  bool even = true, even_in_log = true;
  for (std::size_t i = 2; i < values.size(); ++i) {
    constexpr double slack = 1e-6;
    even = even && std::abs(values[i] - values[i - 1] - step) <= slack * step;
    even_in_log = even_in_log && std::abs(values[i] / values[i - 1] - factor) <= slack * factor;
  }
  return even_in_log && !even;
}

double middle(double a, double b, bool log) { return log ? std::sqrt(a) * std::sqrt(b) : a / 2 + b / 2; }

}  // namespace

std::size_t Binning::bin(double x) const {
  if (!(x >= edges.front() && x <= edges.back())) return none;
  const auto above = std::upper_bound(edges.begin(), edges.end(), x) - edges.begin();
  return std::min(static_cast<std::size_t>(above - 1), count() - 1);
}

// Values are far where they are further from the inner 98 % than twice what these span; then the axis ends
// where half of that is left.
AxisRange range_of(std::vector<double> sample, double least, double greatest) {
  AxisRange range{least, greatest, least > 0 && greatest / least >= many_decades};
  std::erase_if(sample, [](double x) { return !std::isfinite(x); });
  if (sample.empty() || range.log) return range;
  std::ranges::sort(sample);
  const double low = quantile_of(sample, 0.01), high = quantile_of(sample, 0.99), inner = high - low;
  if (!(inner > 0)) return range;
  if (greatest > high + 2 * inner) range.high = high + inner / 2;
  if (least < low - 2 * inner) range.low = low - inner / 2;
  return range;
}

Binning even_bins(const AxisRange& range, std::size_t count) {
  const auto& [low, high, log] = range;
  constexpr double flatness = 1e-9;  // less than this beside its size is a constant
  const double size = std::max(std::abs(low), std::abs(high));
  if (!(high - low > flatness * size)) {
    const double room = size > 0 ? 0.1 * size : 1;
    return {{low - room, high + room}};
  }
  Binning bins{std::vector<double>(count + 1), {}, log};
  for (std::size_t i = 0; i <= count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count);
    bins.edges[i] = log ? low * std::pow(high / low, part) : low + (high - low) * part;
  }
  bins.edges.back() = high;
  return bins;
}

Binning bins_of(std::vector<double> values) {
  if (values.size() == 1) {
    Binning bins = even_bins({values[0], values[0]}, 1);
    bins.values = std::move(values);
    return bins;
  }
  const bool log = is_even_in_logarithm(values);
  const auto beyond = [&](double end, double next) {
    return log ? end * std::sqrt(end / next) : end - (next - end) / 2;
  };
  std::vector<double> edges{beyond(values[0], values[1])};
  for (std::size_t i = 1; i < values.size(); ++i) edges.push_back(middle(values[i - 1], values[i], log));
  edges.push_back(beyond(values.back(), values[values.size() - 2]));
  return {std::move(edges), std::move(values), log};
}

Binning histogram_bins(const AxisRange& range, std::span<const double> sample, std::size_t count) {
  constexpr double most = 60;
  const auto is_whole = [](double x) { return !std::isfinite(x) || x == std::floor(x); };
  const bool whole = is_whole(range.low) && is_whole(range.high) && std::ranges::all_of(sample, is_whole);
  if (!whole || range.high - range.low >= most || range.high == range.low) return even_bins(range, count);
  std::vector<double> values;
  for (double x = range.low; x <= range.high; ++x) values.push_back(x);
  Binning bins = bins_of(std::move(values));
  return bins;
}

}  // namespace dalembert::study
