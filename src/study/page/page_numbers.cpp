#include "page/page_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/study/row_summary.hpp>

namespace dalembert::study {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class PageCounter {
 public:
  PageCounter(const Study& study, const PageLimits& limits)
      : study_(study), limits_(limits), varied_(study.plan().names().size()), shown_(study.outcome_column()) {
    numbers_.spans.assign(varied_, {infinity, -infinity});
  }

  PageNumbers count(const EachRow& each_row) {
    find_ranges(each_row);
    choose_bins();
    std::set<std::uint64_t> examples;
    for (const FailureSummary& one : numbers_.summary.failures) examples.insert(one.first_row);
    each_row([&](std::uint64_t row, std::span<const double> values, const std::string& reason) {
      const bool reached = has_reached(values);
      if (examples.contains(row)) numbers_.examples.push_back({row, {values.begin(), values.end()}, reason});
      for (Histogram& one : numbers_.histograms) one.add(values, reached);
      for (HeatMap& one : numbers_.maps) one.add(row, values, reached);
      if (!reached) return;
      for (Density& one : numbers_.densities) one.add(values);
    });
    return std::move(numbers_);
  }

 private:
  bool has_reached(std::span<const double> values) const {
    return reached_end(static_cast<Outcome>(static_cast<int>(values[study_.outcome_column()])));
  }

  void find_ranges(const EachRow& each_row) {
    RowSummary summary(study_);
    const std::size_t fits = limits_.sample_values / study_.columns().size();
    RowSample reached(std::min(limits_.rows, fits)), failed(std::min(limits_.failed_rows, fits / 8 + 1));
    for (std::size_t i = varied_; i < shown_; ++i) numbers_.extremes.emplace_back(i, limits_.extremes);
    each_row([&](std::uint64_t row, std::span<const double> values, const std::string& reason) {
      summary.add(row, values, reason);
      ++numbers_.summary.rows;
      for (std::size_t i = 0; i < varied_; ++i) {
        numbers_.spans[i].first = std::min(numbers_.spans[i].first, values[i]);
        numbers_.spans[i].second = std::max(numbers_.spans[i].second, values[i]);
      }
      const bool is_reached = has_reached(values);
      (is_reached ? reached : failed).add(row, values, reason);
      if (!is_reached) return;
      for (ExtremeRows& one : numbers_.extremes) one.add(row, values, reason);
    });
    summary.put(numbers_.summary);
    numbers_.summary.all_rows = study_.plan().rows();
    has_all_ = reached.added() <= std::min(limits_.rows, fits);
    numbers_.reached = reached.take();
    numbers_.failed = failed.take();
  }

  // What varies does so in failed runs, too.
  std::vector<double> sample_of(std::size_t column) const {
    std::vector<double> values;
    for (const KeptRow& one : numbers_.reached) values.push_back(one.values[column]);
    if (column >= varied_) return values;
    for (const KeptRow& one : numbers_.failed) values.push_back(one.values[column]);
    return values;
  }

  AxisRange range_of_column(std::size_t column) const {
    const ColumnSummary& all = numbers_.summary.columns[column];
    double least = all.min, greatest = all.max;
    if (column < varied_) std::tie(least, greatest) = numbers_.spans[column];
    if (!(least <= greatest) || (column >= varied_ && all.count == 0)) return {};
    return range_of(sample_of(column), least, greatest);
  }

  void choose_bins() {
    const std::size_t count = histogram_count();
    for (std::size_t i = 0; i < shown_; ++i) {
      std::vector<double>& values = grid_.emplace_back();
      if (i < varied_) values = study_.plan().values_of(i);
      std::ranges::sort(values);
      values.erase(std::unique(values.begin(), values.end()), values.end());
      numbers_.ranges.push_back(range_of_column(i));
      if (values.size() > 1 && bins_of(values).log) numbers_.ranges[i].log = true;
      const bool few = !values.empty() && values.size() <= most_bars;
      numbers_.histograms.emplace_back(
          i, few ? bins_of(values) : histogram_bins(numbers_.ranges[i], sample_of(i), count));
    }
    choose_maps();
    if (!has_all_) choose_densities();
  }

  // Rice's rule.
  std::size_t histogram_count() const {
    const double rows = static_cast<double>(std::max<std::uint64_t>(1, numbers_.summary.rows));
    return std::clamp(static_cast<std::size_t>(std::ceil(2 * std::cbrt(rows))), std::size_t{6}, most_bars);
  }

  std::size_t varied_pairs() const { return std::min(varied_, limits_.columns); }
  std::size_t collected_pairs() const { return std::min(shown_ - varied_, limits_.columns); }

  Binning map_bins(std::size_t column, std::size_t most) const {
    if (!grid_[column].empty() && grid_[column].size() <= most) return bins_of(grid_[column]);
    // about twelve rows for each cell of samples
    constexpr double rows_per_cell = 12;
    const double side = std::sqrt(static_cast<double>(numbers_.summary.rows) / rows_per_cell);
    const std::size_t drawn = std::clamp(static_cast<std::size_t>(side), std::size_t{4}, std::size_t{32});
    return even_bins(numbers_.ranges[column], grid_[column].empty() ? std::min(drawn, most) : most);
  }

  // As fine as there is room for.
  void choose_maps() {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < collected_pairs(); ++i) columns.push_back(varied_ + i);
    for (std::size_t most = 256; most >= 4; most /= 2) {
      numbers_.maps.clear();
      std::size_t cells = 0;
      for (std::size_t y = 1; y < varied_pairs(); ++y) {
        for (std::size_t x = 0; x < y; ++x) {
          numbers_.maps.emplace_back(x, map_bins(x, most), y, map_bins(y, most), columns);
          cells += numbers_.maps.back().rows.size();
        }
      }
      if (cells * (columns.size() + 3) <= limits_.map_values) return;
    }
  }

  void choose_densities() {
    constexpr std::size_t side = 40;
    for (std::size_t x = 0; x < varied_pairs(); ++x) {
      for (std::size_t y = varied_; y < varied_ + collected_pairs(); ++y)
        numbers_.densities.emplace_back(x, density_bins(x, side), y, density_bins(y, side));
    }
  }

  Binning density_bins(std::size_t column, std::size_t side) const {
    const bool few = !grid_[column].empty() && grid_[column].size() <= most_bars;
    return few ? bins_of(grid_[column]) : even_bins(numbers_.ranges[column], side);
  }

  static constexpr std::size_t most_bars = 60;
  const Study& study_;
  const PageLimits& limits_;
  std::size_t varied_, shown_;             // the first columns vary, those before `shown_` are on the page
  std::vector<std::vector<double>> grid_;  // by column, rising; none: drawn at random or collected
  bool has_all_ = true;                    // that reached their end, one by one
  PageNumbers numbers_;
};

}  // namespace

PageNumbers count_rows(const Study& study, const EachRow& each_row, const PageLimits& limits) {
  return PageCounter(study, limits).count(each_row);
}

}  // namespace dalembert::study
