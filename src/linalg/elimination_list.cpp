#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <dalembert/linalg/elimination_list.hpp>
#include <dalembert/linalg/policy.hpp>

#include "sparse_front.hpp"

namespace dalembert {
namespace {

double power_of_two_near(double x) { return std::exp2(std::round(std::log2(x))); }

// After Markowitz: the pivot whose elimination changes least, among those that are large enough.
class PivotChoice {
 public:
  explicit PivotChoice(std::size_t size) : size_(size), column_count_(size), column_largest_(size) {}

  /// Row and column; the size of the matrix where none is left.
  std::pair<std::size_t, std::size_t> choose(const SparseFront& front) {
    count(front);
    std::pair<std::size_t, std::size_t> best{size_, size_};
    std::size_t best_cost = SIZE_MAX;
    double best_size = 0;
    for (const std::uint32_t i : front.rest) {
      const std::size_t row_count = front.items[i].size();
      for (const SparseFront::Item& item : front.items[i]) {
        const std::uint32_t j = item.column;
        const double magnitude = std::abs(item.value);
        if (!(magnitude > policy::singular_pivot) || magnitude < policy::pivot_threshold * column_largest_[j])
          continue;
        const std::size_t cost = (row_count - 1) * (column_count_[j] - 1);
        if (cost < best_cost || (cost == best_cost && magnitude > best_size)) {
          best = {i, j};
          best_cost = cost;
          best_size = magnitude;
        }
      }
    }
    return best;
  }

 private:
  void count(const SparseFront& front) {
    std::fill(column_count_.begin(), column_count_.end(), 0);
    std::fill(column_largest_.begin(), column_largest_.end(), 0.0);
    for (const std::uint32_t i : front.rest) {
      for (const SparseFront::Item& item : front.items[i]) {
        ++column_count_[item.column];
        double& largest = column_largest_[item.column];
        largest = std::max(largest, std::abs(item.value));
      }
    }
  }

  std::size_t size_;
  std::vector<std::size_t> column_count_;
  std::vector<double> column_largest_;
};

}  // namespace

EliminationList::EliminationList(std::size_t size, std::vector<Place> pattern, std::vector<Source> sources)
    : size(size),
      pattern(std::move(pattern)),
      sources(std::move(sources)),
      row_scale(size, 1),
      column_scale(size, 1) {}

bool EliminationList::choose(std::span<const double> values) {
  ++choices;
  choose_scales(values);
  if (choose_pivots(values)) return true;
  clear();
  return false;
}

// Rows and columns of size 1, by some rounds of dividing by the roots of their largest entries.
void EliminationList::choose_scales(std::span<const double> values) {
  std::fill(row_scale.begin(), row_scale.end(), 1.0);
  std::fill(column_scale.begin(), column_scale.end(), 1.0);
  constexpr int rounds = 4;  // each halves the exponents that are left
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> row_largest(size, 0), column_largest(size, 0);
    for (std::size_t e = 0; e < pattern.size(); ++e) {
      const auto [row, column] = pattern[e];
      const double magnitude = std::abs(values[e]) * row_scale[row] * column_scale[column];
      row_largest[row] = std::max(row_largest[row], magnitude);
      column_largest[column] = std::max(column_largest[column], magnitude);
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (row_largest[i] > 0) row_scale[i] /= std::sqrt(row_largest[i]);
      if (column_largest[i] > 0) column_scale[i] /= std::sqrt(column_largest[i]);
    }
  }
  for (double& scale : row_scale) scale = power_of_two_near(scale);
  for (double& scale : column_scale) scale = power_of_two_near(scale);
}

bool EliminationList::choose_pivots(std::span<const double> values) {
  pivots.clear();
  eliminations.clear();
  updates.clear();
  lowers.clear();
  uppers.clear();
  SparseFront front(size);
  for (std::uint32_t e = 0; e < pattern.size(); ++e) {
    SparseFront::Item& item = front.at(pattern[e].row, pattern[e].column);
    item.entry = e;
    item.value = values[e] * scale(e);
  }
  auto entry_count = static_cast<std::uint32_t>(pattern.size());
  std::vector<std::uint32_t> row_position(size), column_position(size);
  PivotChoice choice(size);
  for (std::uint32_t k = 0; k < size; ++k) {
    const auto [pivot_row, pivot_column] = choice.choose(front);
    if (pivot_row == size) return false;
    const auto row = static_cast<std::uint32_t>(pivot_row), column = static_cast<std::uint32_t>(pivot_column);
    row_position[row] = k;
    column_position[column] = k;
    front.remove_row(row);
    const SparseFront::Item pivot = *front.find(row, column);
    front.erase(row, column);
    const std::vector<SparseFront::Item>& upper = front.items[row];
    for (const SparseFront::Item& item : upper) uppers.push_back({item.entry, k, item.column});
    for (const std::uint32_t i : front.rest) {
      const SparseFront::Item* const below = front.find(i, column);
      if (below == nullptr) continue;
      const double multiplier = below->value / pivot.value;
      const std::uint32_t multiplier_entry = below->entry;
      front.erase(i, column);
      for (const SparseFront::Item& item : upper) {
        SparseFront::Item& target = front.at(i, item.column);
        if (target.entry == SparseFront::absent) target.entry = entry_count++;
        target.value -= multiplier * item.value;
        updates.push_back({target.entry, item.entry});
      }
      eliminations.push_back({multiplier_entry, i, static_cast<std::uint32_t>(updates.size())});
      lowers.push_back({multiplier_entry, i, k});
    }
    pivots.push_back({pivot.entry, row, column, static_cast<std::uint32_t>(eliminations.size())});
  }
  for (Elimination& elimination : eliminations) elimination.row = row_position[elimination.row];
  for (Factor& lower : lowers) lower.row = row_position[lower.row];
  for (Factor& upper : uppers) upper.column = column_position[upper.column];
  std::stable_sort(lowers.begin(), lowers.end(),
                   [](const Factor& a, const Factor& b) { return a.row < b.row; });
  std::stable_sort(uppers.begin(), uppers.end(),
                   [](const Factor& a, const Factor& b) { return a.row > b.row; });
  number_by_use(entry_count);
  return true;
}

// Multipliers first, then the upper factor, both in the order in which solve() reads them, then the pivots.
void EliminationList::number_by_use(std::size_t entry_count) {
  std::vector<std::uint32_t> number(entry_count, SparseFront::absent);
  std::uint32_t next = 0;
  for (const Factor& lower : lowers) number[lower.entry] = next++;
  for (const Factor& upper : uppers) number[upper.entry] = next++;
  for (const Pivot& pivot : pivots) number[pivot.entry] = next++;
  for (Elimination& elimination : eliminations) elimination.multiplier = number[elimination.multiplier];
  for (Factor& lower : lowers) lower.entry = number[lower.entry];
  for (Factor& upper : uppers) upper.entry = number[upper.entry];
  for (Pivot& pivot : pivots) pivot.entry = number[pivot.entry];
  for (Update& update : updates) update = {number[update.target], number[update.source]};
  loads.clear();
  for (std::size_t e = 0; e < pattern.size(); ++e) {
    loads.push_back({sources[e].coefficient * scale(e), sources[e].index, number[e]});
  }
}

}  // namespace dalembert
