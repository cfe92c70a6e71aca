#include "page/kept_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/study/random.hpp>

namespace dalembert::study {

void RowSample::add(std::uint64_t row, std::span<const double> values, const std::string& reason) {
  constexpr std::uint64_t seed = 0x70616765;  // of pages alone: no study's numbers are drawn by it
  ++added_;
  if (most_ == 0) return;
  const double number = uniform_number(seed, row, 0);
  if (heap_.size() == most_) {
    if (number >= heap_.front().number) return;
    std::ranges::pop_heap(heap_, {}, &Drawn::number);
    heap_.pop_back();
  }
  heap_.push_back({number, {row, {values.begin(), values.end()}, reason}});
  std::ranges::push_heap(heap_, {}, &Drawn::number);
}

std::vector<KeptRow> RowSample::take() {
  std::vector<KeptRow> rows;
  for (Drawn& one : heap_) rows.push_back(std::move(one.kept));
  heap_.clear();
  std::ranges::sort(rows, {}, &KeptRow::row);
  return rows;
}

void ExtremeRows::add(std::uint64_t row, std::span<const double> values, const std::string& reason) {
  if (!std::isfinite(values[column_])) return;
  insert(least_, 1, row, values, reason);
  insert(greatest_, -1, row, values, reason);
}

void ExtremeRows::insert(std::vector<KeptRow>& list, double sign, std::uint64_t row,
                         std::span<const double> values, const std::string& reason) const {
  const double x = sign * values[column_];
  if (list.size() == most_ && x >= sign * list.back().values[column_]) return;
  const auto place =
      std::ranges::find_if(list, [&](const KeptRow& one) { return x < sign * one.values[column_]; });
  list.insert(place, {row, {values.begin(), values.end()}, reason});
  if (list.size() > most_) list.pop_back();
}

}  // namespace dalembert::study
