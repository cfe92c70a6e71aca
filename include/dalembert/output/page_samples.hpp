// The samples of a run that a page holds: all of a short run; of a long one every 2^k-th, and for the curves
// the least and the greatest value of each 2^k, so that no peak is lost.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/output/columns.hpp>

namespace dalembert {

class PageSamples {
 public:
  /// Of a page: 3 MB as text.
  static constexpr std::size_t most_values = 290'000;
  /// So many samples per column that a page of all columns holds `most_values`; at least 384, which is what
  /// a curve on a screen needs, and at most 131,072.
  static std::size_t limit_for(std::size_t columns);

  /// The first column is the time. Never holds more than `limit` samples and `limit` values per curve.
  PageSamples(std::vector<Column> columns, std::size_t limit);
  explicit PageSamples(std::vector<Column> columns);

  void add(std::span<const double> row);

  const std::vector<Column>& columns() const { return columns_; }
  std::size_t added() const { return added_; }
  std::size_t every() const { return every_; }
  std::size_t size() const { return kept_.front().size(); }
  /// Every every()-th sample.
  std::span<const double> values(std::size_t column) const { return kept_[column]; }
  /// Two values per every() samples: least and greatest, in the order they came; for the time the first of
  /// them, twice.
  std::vector<double> envelope(std::size_t column) const;

 private:
  struct Extremes {
    double least, greatest;
    bool rising;  // the least came first
  };
  void halve();

  std::vector<Column> columns_;
  std::size_t limit_ = 0;
  std::size_t added_ = 0;
  std::size_t every_ = 1;
  std::vector<std::vector<double>> kept_;
  std::vector<std::vector<Extremes>> extremes_;  // one per every_ samples; empty while every_ is 1
};

}  // namespace dalembert
