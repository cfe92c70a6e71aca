#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/static_symmetric.hpp>

#include "sparse_front.hpp"

namespace dalembert {
namespace {

using Places = std::map<std::pair<std::uint32_t, std::uint32_t>, StaticLu::Source>;

bool is_symmetric(const Places& places) {
  return std::all_of(places.begin(), places.end(), [&](const auto& place) {
    const auto& [at, source] = place;
    const auto mirror = places.find({at.second, at.first});
    return mirror != places.end() && mirror->second.coefficient == source.coefficient &&
           mirror->second.index == source.index;
  });
}

// The matrix during the choice of pivots, both triangles.
class SymmetricFront : public SparseFront {
 public:
  explicit SymmetricFront(std::size_t size) : SparseFront(size), ranks_(size) {}

  void add(std::uint32_t i, std::uint32_t j, double x) {
    at(i, j).value += x;
    if (i != j) at(j, i).value += x;
  }
  /// When all entries are there.
  void rank_all() {
    for (const std::uint32_t i : rest) rank(i);
  }
  std::vector<std::uint32_t> neighbours(std::uint32_t i) const {
    std::vector<std::uint32_t> result;
    for (const Item& item : items[i])
      if (item.column != i) result.push_back(item.column);
    return result;
  }
  /// The unknown with fewest neighbours whose diagonal is large enough; absent: none is.
  std::uint32_t choose() const {
    return candidates_.empty() ? SparseFront::absent : candidates_.begin()->unknown;
  }
  /// Takes the pivot out; what its neighbours have changes.
  void eliminate(std::uint32_t pivot, const std::vector<std::uint32_t>& column) {
    candidates_.erase(*ranks_[pivot]);
    const double diagonal = find(pivot, pivot)->value;
    for (const std::uint32_t i : column) erase(i, pivot);
    for (std::size_t a = 0; a < column.size(); ++a) {
      const double multiplier = find(pivot, column[a])->value / diagonal;
      for (std::size_t b = a; b < column.size(); ++b)
        add(column[a], column[b], -multiplier * find(pivot, column[b])->value);
    }
    for (const std::uint32_t i : column) rank(i);
  }

 private:
  struct Rank {
    std::size_t neighbours;
    double share;  // of the largest entry, and of what a pivot must have: the diagonal
    std::uint32_t unknown;
    bool operator<(const Rank& other) const {
      return std::tuple(neighbours, -share, unknown) <
             std::tuple(other.neighbours, -other.share, other.unknown);
    }
  };

  void rank(std::uint32_t i) {
    if (ranks_[i]) candidates_.erase(*ranks_[i]);
    ranks_[i].reset();
    std::size_t count = 0;
    double largest = policy::smallest_diagonal_pivot / policy::pivot_threshold;
    double pivot = 0;
    for (const Item& item : items[i]) {
      if (item.column == i) {
        pivot = std::abs(item.value);
      } else {
        ++count;
        largest = std::max(largest, std::abs(item.value));
      }
    }
    if (pivot >= policy::pivot_threshold * largest)
      candidates_.insert(*(ranks_[i] = Rank{count, pivot / largest, i}));
  }

  std::vector<std::optional<Rank>> ranks_;  // of unknowns that may be pivots
  std::set<Rank> candidates_;
};

}  // namespace

StaticSymmetric::StaticSymmetric(std::size_t size, std::vector<StaticLu::Place> pattern,
                                 std::vector<StaticLu::Source> sources)
    : size_(size), lu_(size, pattern, sources), has_diagonal_(size, false), scale_(size, 1), work_(size) {
  Places places;
  for (std::size_t e = 0; e < pattern.size(); ++e) places[{pattern[e].row, pattern[e].column}] = sources[e];
  is_symmetric_ = is_symmetric(places);
  for (const auto& [at, source] : places) {
    if (at.first >= at.second) lower_.push_back({at.first, at.second, source.coefficient, source.index});
  }
}

// 1/√|diagonal|; where there is none, what its column then makes of the diagonal is scaled to 1.
std::vector<double> StaticSymmetric::find_scales(std::span<const double> numbers) {
  std::vector<double> scales(size_, 0.0), square(size_, 0.0);
  for (const Entry& e : lower_)
    if (e.row == e.column) scales[e.row] = std::abs(e.coefficient * numbers[e.index]);
  for (std::size_t i = 0; i < size_; ++i) {
    has_diagonal_[i] = scales[i] > 0;
    scales[i] = has_diagonal_[i] ? 1 / std::sqrt(scales[i]) : 0;
  }
  for (const Entry& e : lower_) {
    const double value = e.coefficient * numbers[e.index];
    if (!has_diagonal_[e.row]) square[e.row] += std::pow(value * scales[e.column], 2);
    if (!has_diagonal_[e.column]) square[e.column] += std::pow(value * scales[e.row], 2);
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (!has_diagonal_[i]) scales[i] = square[i] > 0 ? 1 / std::sqrt(square[i]) : 1;
    scales[i] = std::exp2(std::round(std::log2(scales[i])));  // free of rounding
  }
  return scales;
}

bool StaticSymmetric::analyse(std::span<const double> numbers) {
  const std::vector<double> scales = find_scales(numbers);
  SymmetricFront front(size_);
  for (const Entry& e : lower_)
    front.add(e.row, e.column, e.coefficient * numbers[e.index] * scales[e.row] * scales[e.column]);
  front.rank_all();
  std::vector<std::uint32_t> order;
  std::vector<std::vector<std::uint32_t>> columns;
  while (order.size() < size_) {
    const std::uint32_t pivot = front.choose();
    if (pivot == SparseFront::absent) return false;
    columns.push_back(front.neighbours(pivot));
    front.eliminate(pivot, columns.back());
    order.push_back(pivot);
  }
  scale_ = scales;
  write_down(order, columns);
  return true;
}

void StaticSymmetric::write_down(const std::vector<std::uint32_t>& order,
                                 const std::vector<std::vector<std::uint32_t>>& columns) {
  order_ = order;
  last_.clear();
  row_.clear();
  target_.clear();
  uppers_.clear();
  loads_.clear();
  std::vector<std::uint32_t> position(size_);
  for (std::uint32_t k = 0; k < size_; ++k) position[order[k]] = k;
  std::unordered_map<std::uint64_t, std::uint32_t> number;  // of an entry, by positions
  const auto key = [](std::uint64_t i, std::uint64_t j) { return std::max(i, j) << 32U | std::min(i, j); };
  for (std::uint32_t k = 0; k < size_; ++k) {
    for (const std::uint32_t unknown : columns[k]) {
      const auto entry = static_cast<std::uint32_t>(row_.size());
      number[key(position[unknown], k)] = entry;
      uppers_.push_back({entry, k, position[unknown]});
      row_.push_back(position[unknown]);
    }
    last_.push_back(static_cast<std::uint32_t>(row_.size()));
  }
  for (std::uint32_t k = 0; k < size_; ++k) number[key(k, k)] = static_cast<std::uint32_t>(row_.size()) + k;
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return number.at(key(i, j)); };
  for (std::uint32_t k = 0; k < size_; ++k) {
    for (std::uint32_t a = k == 0 ? 0 : last_[k - 1]; a < last_[k]; ++a)
      for (std::uint32_t b = a; b < last_[k]; ++b) target_.push_back(at(row_[a], row_[b]));
  }
  for (const Entry& e : lower_) {
    loads_.push_back(
        {e.coefficient * scale_[e.row] * scale_[e.column], e.index, at(position[e.row], position[e.column])});
  }
  std::stable_sort(uppers_.begin(), uppers_.end(),
                   [](const Upper& a, const Upper& b) { return a.position > b.position; });
  entries_.assign(row_.size() + size_, 0.0);
  own_.clear();
  for (const std::uint32_t unknown : order) own_.push_back(has_diagonal_[unknown] ? 1 : 0);
}

// With the right-hand side as one more column, which costs little while the factorization waits for itself.
template <bool with_right>
bool StaticSymmetric::replay(std::span<const double> numbers) {
  if (order_.size() != size_) return false;
  std::fill(entries_.begin(), entries_.end(), 0.0);
  for (const Load& place : loads_) entries_[place.entry] = place.coefficient * numbers[place.index];
  double* const entry = entries_.data();
  double* diagonal = entry + row_.size();
  double* const work = work_.data();
  const std::uint32_t* const row = row_.data();
  const std::uint32_t* target = target_.data();
  bool good = true;
  double forward = 0;
  std::uint32_t first = 0;
  for (std::size_t k = 0; k < size_; ++k, ++diagonal) {
    good = good && std::abs(*diagonal) >= policy::smallest_diagonal_pivot;
    const double reciprocal = 1 / *diagonal;
    *diagonal = reciprocal;
    const double right = with_right ? work[k] : 0;
    for (const std::uint32_t last = last_[k]; first < last; ++first) {
      const double multiplier = entry[first] * reciprocal;
      if constexpr (with_right) work[row[first]] -= multiplier * right;
      for (std::uint32_t e = first; e < last; ++e) entry[*target++] -= multiplier * entry[e];
      entry[first] = multiplier;
    }
    if constexpr (with_right) {
      work[k] = right * reciprocal;
      forward += work[k] * work[k];
    }
  }
  forward_ = forward;
  return good;
}

// New pivots where the old ones have become too small; seldom where they do so again and again.
bool StaticSymmetric::replay_or_analyse(std::span<const double> numbers) {
  return replay<false>(numbers) ||
         (std::has_single_bit(++failures_) && analyse(numbers) && replay<false>(numbers));
}

bool StaticSymmetric::is_due() {
  if (left_to_lu_ > 0) {
    --left_to_lu_;
    return false;
  }
  return is_symmetric_;
}

void StaticSymmetric::note(bool success) {
  by_lu_ = !success;
  left_to_lu_ = success ? 0 : patience_;
  patience_ = success ? 1 : std::min(2 * patience_, policy::longest_patience);
}

bool StaticSymmetric::factor(std::span<const double> numbers) {
  by_lu_ = !is_due();
  if (!by_lu_) note(replay_or_analyse(numbers));
  return !by_lu_ || lu_.factor(numbers);
}

bool StaticSymmetric::factor_and_solve(std::span<const double> numbers, std::span<double> x) {
  by_lu_ = !is_due();
  if (by_lu_) return lu_.factor_and_solve(numbers, x);
  load_right(x);
  if (replay<true>(numbers)) return finish(numbers, x);
  note(replay_or_analyse(numbers));
  return by_lu_ ? lu_.factor_and_solve(numbers, x) : solve(numbers, x);
}

void StaticSymmetric::solve(std::span<double> x) {
  if (by_lu_) return lu_.solve(x);
  load_right(x);
  eliminate();
  substitute_back();
  take_solution(x);
}

bool StaticSymmetric::solve(std::span<const double> numbers, std::span<double> x) {
  if (by_lu_) {
    lu_.solve(x);
    return true;
  }
  load_right(x);
  eliminate();
  return finish(numbers, x);
}

bool StaticSymmetric::finish(std::span<const double> numbers, std::span<double> x) {
  substitute_back();
  note(is_accurate());
  if (by_lu_) return lu_.factor_and_solve(numbers, x);
  take_solution(x);
  return true;
}

void StaticSymmetric::load_right(std::span<const double> x) {
  for (std::size_t k = 0; k < order_.size(); ++k) work_[k] = x[order_[k]] * scale_[order_[k]];
}

void StaticSymmetric::eliminate() {
  double* const work = work_.data();
  const double* const entry = entries_.data();
  double forward = 0;
  std::uint32_t e = 0;
  for (std::size_t k = 0; k < size_; ++k) {
    const double right = work[k];
    for (const std::uint32_t last = last_[k]; e < last; ++e) work[row_[e]] -= entry[e] * right;
    work[k] = right * entry[row_.size() + k];
    forward += work[k] * work[k];
  }
  forward_ = forward;
}

// Column by column, so that neighbouring operations do not wait for each other.
void StaticSymmetric::substitute_back() {
  double* const work = work_.data();
  for (const Upper& upper : uppers_) work[upper.row] -= entries_[upper.entry] * work[upper.position];
}

// Whether the unknowns with a diagonal, scaled, are of the size of what they are the difference of.
bool StaticSymmetric::is_accurate() const {
  double sum = 0;
  for (std::size_t k = 0; k < size_; ++k) sum += own_[k] * work_[k] * work_[k];
  return forward_ <= policy::most_cancellation * policy::most_cancellation * sum;
}

void StaticSymmetric::take_solution(std::span<double> x) const {
  for (std::size_t k = 0; k < size_; ++k) x[order_[k]] = work_[k] * scale_[order_[k]];
}

}  // namespace dalembert
