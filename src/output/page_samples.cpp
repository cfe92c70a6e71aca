#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/output/page_samples.hpp>

namespace dalembert {
namespace {

constexpr std::size_t short_run = 4096;  // beyond it, room is made for as many samples as there may be

}  // namespace

// A run that was thinned out has at most limit/2 samples and as many envelopes of two values.
std::size_t PageSamples::limit_for(std::size_t columns) {
  constexpr std::size_t least = 384;
  constexpr std::size_t most = 131'072;
  return std::clamp(2 * most_values / (3 * std::max<std::size_t>(columns, 1)), least, most);
}

PageSamples::PageSamples(std::vector<Column> columns) {
  const std::size_t limit = limit_for(columns.size());
  *this = PageSamples(std::move(columns), limit);
}

PageSamples::PageSamples(std::vector<Column> columns, std::size_t limit)
    : columns_(std::move(columns)),
      limit_(std::max<std::size_t>(limit / 4, 1) * 4),
      kept_(columns_.size()),
      extremes_(columns_.size()) {}

void PageSamples::add(std::span<const double> row) {
  const bool keep = added_ % every_ == 0;
  if (keep && size() == (every_ > 1 ? limit_ / 2 : limit_)) {  // an even number, so that samples pair up
    halve();
    return add(row);
  }
  if (size() == short_run && keep) {
    for (std::vector<double>& column : kept_) column.reserve(limit_);
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (keep) kept_[i].push_back(row[i]);
    if (every_ == 1) continue;
    if (keep) {
      extremes_[i].push_back({row[i], row[i], true});
      continue;
    }
    Extremes& bucket = extremes_[i].back();
    if (row[i] < bucket.least || std::isnan(bucket.least)) {
      bucket.least = row[i];
      bucket.rising = false;
    }
    if (row[i] > bucket.greatest || std::isnan(bucket.greatest)) {
      bucket.greatest = row[i];
      bucket.rising = true;
    }
  }
  ++added_;
}

std::vector<double> PageSamples::envelope(std::size_t column) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < extremes_[column].size(); ++i) {
    const auto [least, greatest, rising] = extremes_[column][i];
    if (columns_[column].group == ColumnGroup::time) {
      values.insert(values.end(), {kept_[column][i], kept_[column][i]});
    } else {
      values.insert(values.end(), {rising ? least : greatest, rising ? greatest : least});
    }
  }
  return values;
}

// Two neighbours become one.
void PageSamples::halve() {
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    std::vector<double>& kept = kept_[column];
    std::vector<Extremes>& extremes = extremes_[column];
    if (every_ == 1) {
      for (const double value : kept) extremes.push_back({value, value, true});
    }
    const std::size_t half = kept.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      kept[i] = kept[2 * i];
      const Extremes first = extremes[2 * i];
      const Extremes second = extremes[2 * i + 1];
      const bool lower = second.least < first.least || std::isnan(first.least);
      const bool higher = second.greatest > first.greatest || std::isnan(first.greatest);
      extremes[i] = {lower ? second.least : first.least, higher ? second.greatest : first.greatest,
                     lower == higher ? (lower ? second.rising : first.rising) : higher};
    }
    kept.resize(half);
    extremes.resize(half);
  }
  every_ *= 2;
}

}  // namespace dalembert
