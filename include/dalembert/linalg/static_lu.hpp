// LU factorization of a small sparse matrix whose pattern is fixed and whose values change often; or of
// several at once, one in each lane.
//
// The operations are chosen once and replayed for later matrices of the pattern. When a replayed pivot turns
// out small beside the entries that it eliminates, pivots are chosen anew. Nothing is allocated while a list
// is replayed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/linalg/elimination_list.hpp>
#include <dalembert/linalg/policy.hpp>

namespace dalembert {

/// What StaticLu needs to know of doubles.
struct DoubleMath {
  static double of(int k) { return k; }
  static double size(double x) { return std::abs(x); }
  static double largest(double x) { return std::abs(x); }
};

/// S: double, or lanes of doubles. `Math::size(x)` and `Math::largest(x)`: the smallest and the largest
/// absolute value of all lanes. Pivots are chosen for the first lane.
template <class S, class Math>
class StaticFactors {
 public:
  using Place = EliminationList::Place;
  using Source = EliminationList::Source;

  /// `pattern` lists the places that may be other than zero, each once; their values come from values().
  StaticFactors(std::size_t size, std::vector<Place> pattern)
      : StaticFactors(size, pattern, own_values(pattern.size())) {}
  /// The values come from the numbers that factor() is given.
  StaticFactors(std::size_t size, std::vector<Place> pattern, std::vector<Source> sources)
      : list_(size, std::move(pattern), std::move(sources)),
        values_(list_.pattern.size(), Math::of(0)),
        work_(size) {}

  std::size_t size() const { return list_.size; }
  /// The values at the places of the pattern, in its order; fill all before factor().
  std::span<S> values() { return values_; }
  /// The next factor() chooses its pivots, as the first one does.
  void forget_order() { list_.clear(); }

  /// False when the matrix is singular to working precision; with lanes, where pivots of the first do not
  /// suit all.
  bool factor() { return factor(values_); }
  bool factor(std::span<const S> numbers) {
    return (load(numbers) && replay<false>()) || factor_anew(numbers);
  }
  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<S> x) { solve(x, x); }
  void solve(std::span<const S> right, std::span<S> x) {
    load_right(right);
    eliminate();
    substitute_back(x);
  }
  /// Both at once, which is faster than one after the other. x stays where the matrix is singular.
  bool factor_and_solve(std::span<const S> numbers, std::span<S> x) {
    if (load(numbers)) {
      load_right(x);
      if (replay<true>()) {
        substitute_back(x);
        return true;
      }
    }
    if (!factor_anew(numbers)) return false;
    solve(x);
    return true;
  }

  /// After factor(): the smallest pivot of any lane, scaled as the matrix was when pivots were chosen.
  double smallest_pivot() const { return smallest_pivot_; }
  /// Multiplications and subtractions of one replayed factorization, and of a solution.
  std::size_t operations() const { return list_.updates.size(); }
  std::size_t fill() const { return list_.fill(); }
  /// How often pivots were chosen.
  std::size_t analyses() const { return list_.choices; }

 private:
  static std::vector<Source> own_values(std::size_t count) {
    std::vector<Source> sources;
    for (std::uint32_t e = 0; e < count; ++e) sources.push_back({1, e});
    return sources;
  }
  static S absolute(const S& x) { return x < 0.0 ? -x : x; }

  // False: there are no pivots yet.
  bool load(std::span<const S> numbers) {
    if (list_.empty()) return false;
    std::fill(entries_.begin(), entries_.end(), Math::of(0));
    for (const EliminationList::Load& place : list_.loads)
      entries_[place.entry] = place.coefficient * numbers[place.index];
    return true;
  }

  bool factor_anew(std::span<const S> numbers) {
    std::vector<double> values;
    for (const Source& source : list_.sources) {
      const S value = source.coefficient * numbers[source.index];
      if (!std::isfinite(Math::largest(value))) return false;
      values.push_back(*reinterpret_cast<const double*>(&value));
    }
    if (!list_.choose(values)) return false;
    entries_.assign(list_.fill(), Math::of(0));
    return load(numbers) && replay<false>();
  }

  // With the right-hand side as one more column, which costs little while the factorization waits for itself.
  template <bool with_right>
  bool replay() {
    const EliminationList::Elimination* elimination = list_.eliminations.data();
    const EliminationList::Elimination* const eliminations = elimination;
    const EliminationList::Update* update = list_.updates.data();
    const EliminationList::Update* const updates = update;
    S* const entry = entries_.data();
    S* work = work_.data();
    S least = Math::of(0) + std::numeric_limits<double>::infinity();
    S most = Math::of(0);
    S sum = Math::of(0);  // of what must be numbers
    for (const EliminationList::Pivot& pivot : list_.pivots) {
      const S size = absolute(entry[pivot.entry]);
      least = size < least ? size : least;
      const S reciprocal = 1.0 / entry[pivot.entry];
      sum += reciprocal;
      entry[pivot.entry] = reciprocal;
      const S right = with_right ? *work : Math::of(0);
      for (const EliminationList::Elimination* const end = eliminations + pivot.last_elimination;
           elimination != end; ++elimination) {
        const S multiplier = entry[elimination->multiplier] * reciprocal;
        entry[elimination->multiplier] = multiplier;
        const S multiplier_size = absolute(multiplier);
        most = multiplier_size > most ? multiplier_size : most;
        if constexpr (with_right) work_[elimination->row] -= multiplier * right;
        for (const EliminationList::Update* const last = updates + elimination->last_update; update != last;
             ++update) {
          entry[update->target] -= multiplier * entry[update->source];
        }
      }
      if constexpr (with_right) ++work;
    }
    const S* const reciprocal = entry + list_.lowers.size() + list_.uppers.size();
    S* upper_entry = entry + list_.lowers.size();
    for (const EliminationList::Factor& upper : list_.uppers) *upper_entry++ *= reciprocal[upper.row];
    smallest_pivot_ = Math::size(least);
    return smallest_pivot_ > policy::singular_pivot && Math::largest(most) < policy::largest_multiplier &&
           std::isfinite(Math::largest(sum));
  }

  void load_right(std::span<const S> x) {
    for (std::size_t k = 0; k < list_.pivots.size(); ++k) {
      const std::uint32_t row = list_.pivots[k].row;
      work_[k] = x[row] * list_.row_scale[row];
    }
  }

  // Row by row: a sum stays in a register, and rows that do not need each other overlap.
  void eliminate() {
    S* const work = work_.data();
    const S* entry = entries_.data();
    const EliminationList::Factor* lower = list_.lowers.data();
    const EliminationList::Factor* const end = lower + list_.lowers.size();
    while (lower != end) {
      const std::uint32_t row = lower->row;
      S sum = work[row];
      for (; lower != end && lower->row == row; ++lower) sum -= *entry++ * work[lower->column];
      work[row] = sum;
    }
  }

  void substitute_back(std::span<S> x) {
    S* const work = work_.data();
    const S* entry = entries_.data() + list_.lowers.size();
    const S* const reciprocal = entry + list_.uppers.size();
    const EliminationList::Factor* upper = list_.uppers.data();
    const EliminationList::Factor* const end = upper + list_.uppers.size();
    for (std::size_t k = list_.pivots.size(); k-- > 0;) {
      S sum = work[k] * reciprocal[k];
      for (; upper != end && upper->row == k; ++upper) sum -= *entry++ * work[upper->column];
      work[k] = sum;
      const std::uint32_t column = list_.pivots[k].column;
      x[column] = sum * list_.column_scale[column];
    }
  }

  EliminationList list_;
  std::vector<S> values_;
  std::vector<S> entries_;  // scaled: multipliers, upper factor, reciprocals of pivots
  std::vector<S> work_;
  double smallest_pivot_ = 0;
};

using StaticLu = StaticFactors<double, DoubleMath>;

}  // namespace dalembert
