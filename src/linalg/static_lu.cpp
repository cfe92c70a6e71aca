#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <dalembert/linalg/static_lu.hpp>

#include "sparse_front.hpp"

namespace dalembert {
namespace {

// After scaling entries are of size 1, so that these are relative sizes.
constexpr double singular_pivot = 1e-14;
constexpr double largest_multiplier = 1e3;  // when replayed

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
        if (!(magnitude > singular_pivot) || magnitude < SparseFront::pivot_threshold * column_largest_[j])
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

StaticLu::StaticLu(std::size_t size, std::vector<Place> pattern)
    : StaticLu(size, std::move(pattern), std::vector<Source>()) {
  for (std::uint32_t e = 0; e < pattern_.size(); ++e) sources_.push_back({1, e});
}

StaticLu::StaticLu(std::size_t size, std::vector<Place> pattern, std::vector<Source> sources)
    : size_(size),
      pattern_(std::move(pattern)),
      sources_(std::move(sources)),
      values_(pattern_.size(), 0),
      row_scale_(size, 1),
      column_scale_(size, 1),
      work_(size) {}

// Rows and columns of size 1, by some rounds of dividing by the roots of their largest entries.
void StaticLu::choose_scales() {
  std::fill(row_scale_.begin(), row_scale_.end(), 1.0);
  std::fill(column_scale_.begin(), column_scale_.end(), 1.0);
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> row_largest(size_, 0), column_largest(size_, 0);
    for (std::size_t e = 0; e < pattern_.size(); ++e) {
      const auto [row, column] = pattern_[e];
      const double size = std::abs(values_[e]) * row_scale_[row] * column_scale_[column];
      row_largest[row] = std::max(row_largest[row], size);
      column_largest[column] = std::max(column_largest[column], size);
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (row_largest[i] > 0) row_scale_[i] /= std::sqrt(row_largest[i]);
      if (column_largest[i] > 0) column_scale_[i] /= std::sqrt(column_largest[i]);
    }
  }
  for (double& scale : row_scale_) scale = power_of_two_near(scale);
  for (double& scale : column_scale_) scale = power_of_two_near(scale);
}

// False: there are no pivots yet.
bool StaticLu::load(std::span<const double> numbers) {
  if (pivots_.empty() && size_ > 0) return false;
  std::fill(entries_.begin(), entries_.end(), 0.0);
  for (const Load& place : loads_) entries_[place.entry] = place.coefficient * numbers[place.index];
  return true;
}

bool StaticLu::factor(std::span<const double> numbers) {
  return (load(numbers) && replay_list<false>()) || factor_anew(numbers);
}

bool StaticLu::factor_and_solve(std::span<const double> numbers, std::span<double> x) {
  if (load(numbers)) {
    load_right(x);
    if (replay_list<true>()) {
      substitute_back(x);
      return true;
    }
  }
  if (!factor_anew(numbers)) return false;
  solve(x);
  return true;
}

bool StaticLu::factor_anew(std::span<const double> numbers) {
  for (std::size_t e = 0; e < pattern_.size(); ++e) {
    values_[e] = sources_[e].coefficient * numbers[sources_[e].index];
    if (!std::isfinite(values_[e])) return false;
  }
  choose_scales();
  if (!analyse()) {
    pivots_.clear();
    return false;
  }
  return load(numbers) && replay_list<false>();
}

// With the right-hand side as one more column, which costs little while the factorization waits for itself.
template <bool with_right>
bool StaticLu::replay_list() {
  const Elimination* elimination = eliminations_.data();
  const Elimination* const eliminations = eliminations_.data();
  const Update* update = updates_.data();
  const Update* const updates = updates_.data();
  double* const entry = entries_.data();
  double* work = work_.data();
  bool good = true;
  for (const Pivot& pivot : pivots_) {
    good = good && std::abs(entry[pivot.entry]) > singular_pivot;
    const double reciprocal = 1 / entry[pivot.entry];
    entry[pivot.entry] = reciprocal;
    const double right = with_right ? *work : 0;
    for (const Elimination* const end = eliminations + pivot.last_elimination; elimination != end;
         ++elimination) {
      const double multiplier = entry[elimination->multiplier] * reciprocal;
      entry[elimination->multiplier] = multiplier;
      good = good && std::abs(multiplier) < largest_multiplier;
      if constexpr (with_right) work_[elimination->row] -= multiplier * right;
      for (const Update* const last = updates + elimination->last_update; update != last; ++update) {
        entry[update->target] -= multiplier * entry[update->source];
      }
    }
    if constexpr (with_right) *work++ = right * reciprocal;
  }
  const double* const reciprocal = entry + eliminations_.size() + uppers_.size();
  double* upper_entry = entry + eliminations_.size();
  for (const Upper& upper : uppers_) *upper_entry++ *= reciprocal[upper.row];
  return good;
}

bool StaticLu::analyse() {
  ++analyses_;
  pivots_.clear();
  eliminations_.clear();
  updates_.clear();
  uppers_.clear();
  SparseFront front(size_);
  for (std::uint32_t e = 0; e < pattern_.size(); ++e) {
    SparseFront::Item& item = front.at(pattern_[e].row, pattern_[e].column);
    item.entry = e;
    item.value = values_[e] * scale(e);
  }
  auto entry_count = static_cast<std::uint32_t>(pattern_.size());
  std::vector<std::uint32_t> row_position(size_), column_position(size_);
  PivotChoice choice(size_);
  for (std::uint32_t k = 0; k < size_; ++k) {
    const auto [pivot_row, pivot_column] = choice.choose(front);
    if (pivot_row == size_) return false;
    const auto row = static_cast<std::uint32_t>(pivot_row), column = static_cast<std::uint32_t>(pivot_column);
    row_position[row] = k;
    column_position[column] = k;
    front.remove_row(row);
    const SparseFront::Item pivot = *front.find(row, column);
    front.erase(row, column);
    const std::vector<SparseFront::Item>& upper = front.items[row];
    for (const SparseFront::Item& item : upper) uppers_.push_back({item.entry, k, item.column});
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
        updates_.push_back({target.entry, item.entry});
      }
      eliminations_.push_back({multiplier_entry, i, static_cast<std::uint32_t>(updates_.size())});
    }
    pivots_.push_back({pivot.entry, row, column, static_cast<std::uint32_t>(eliminations_.size())});
  }
  for (Elimination& elimination : eliminations_) elimination.row = row_position[elimination.row];
  for (Upper& upper : uppers_) upper.position = column_position[upper.position];
  std::stable_sort(uppers_.begin(), uppers_.end(),
                   [](const Upper& a, const Upper& b) { return a.position > b.position; });
  number_by_use(entry_count);
  return true;
}

// Multipliers first, then the upper factor, both in the order in which solve() reads them, then the pivots.
void StaticLu::number_by_use(std::size_t entry_count) {
  std::vector<std::uint32_t> number(entry_count, SparseFront::absent);
  std::uint32_t next = 0;
  for (const Elimination& elimination : eliminations_) number[elimination.multiplier] = next++;
  for (const Upper& upper : uppers_) number[upper.entry] = next++;
  for (const Pivot& pivot : pivots_) number[pivot.entry] = next++;
  for (Elimination& elimination : eliminations_) elimination.multiplier = number[elimination.multiplier];
  for (Upper& upper : uppers_) upper.entry = number[upper.entry];
  for (Pivot& pivot : pivots_) pivot.entry = number[pivot.entry];
  for (Update& update : updates_) update = {number[update.target], number[update.source]};
  loads_.clear();
  for (std::size_t e = 0; e < pattern_.size(); ++e) {
    loads_.push_back({sources_[e].coefficient * scale(e), sources_[e].index, number[e]});
  }
  entries_.assign(next, 0.0);
}

void StaticLu::load_right(std::span<const double> x) {
  for (std::size_t k = 0; k < size_; ++k) work_[k] = x[pivots_[k].row] * row_scale_[pivots_[k].row];
}

// Column by column, so that neighbouring operations do not wait for each other; likewise below.
void StaticLu::solve(std::span<double> x) {
  load_right(x);
  double* const work = work_.data();
  const double* entry = entries_.data();
  const Elimination* elimination = eliminations_.data();
  for (std::size_t k = 0; k < size_; ++k) {
    const double right = work[k];
    for (const Elimination* const end = eliminations_.data() + pivots_[k].last_elimination;
         elimination != end; ++elimination) {
      work[elimination->row] -= *entry++ * right;
    }
    work[k] = right * entries_[pivots_[k].entry];
  }
  substitute_back(x);
}

void StaticLu::substitute_back(std::span<double> x) {
  double* const work = work_.data();
  const double* entry = entries_.data() + eliminations_.size();
  for (const Upper& upper : uppers_) work[upper.row] -= *entry++ * work[upper.position];
  for (std::size_t k = 0; k < size_; ++k) x[pivots_[k].column] = work[k] * column_scale_[pivots_[k].column];
}

}  // namespace dalembert
