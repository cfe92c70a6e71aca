// LU factorization of a small sparse matrix whose pattern is fixed and whose values change often.
//
// The order of pivots is chosen once, by Markowitz' count among entries that are large enough, and written
// down as a list of operations; later matrices of the pattern replay the list. When a replayed pivot turns
// out small beside the entries that it eliminates, pivots are chosen anew. Nothing is allocated while a list
// is replayed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dalembert {

class StaticLu {
 public:
  struct Place {
    std::uint32_t row;
    std::uint32_t column;
  };
  /// `pattern` lists the places that may be other than zero, each once.
  StaticLu(std::size_t size, std::vector<Place> pattern);

  std::size_t size() const { return size_; }
  /// The values at the places of the pattern, in its order; fill all before factor().
  std::span<double> values() { return values_; }

  /// False when the matrix is singular to working precision.
  bool factor();
  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<double> x);
  /// The values come from each(put), which calls put(place, value) for every place of the pattern: without
  /// the detour of values().
  template <class Each>
  bool factor(const Each& each) {
    return (load(each) && replay()) || factor_anew(each);
  }
  /// Both at once, which is faster than one after the other. x stays where the matrix is singular.
  template <class Each>
  bool factor_and_solve(const Each& each, std::span<double> x) {
    if (load(each) && replay_and_solve(x)) return true;
    if (!factor_anew(each)) return false;
    solve(x);
    return true;
  }

  /// Multiplications and subtractions of one replayed factorization.
  std::size_t operations() const { return updates_.size(); }
  /// How often pivots were chosen.
  std::size_t analyses() const { return analyses_; }

 private:
  struct Update {  // entry target −= multiplier · entry source
    std::uint32_t target;
    std::uint32_t source;
  };
  struct Elimination {  // of one entry below a pivot
    std::uint32_t multiplier;
    std::uint32_t row;    // position in the order of pivots
    std::uint32_t pivot;  // likewise
    std::uint32_t last_update;
  };
  struct Pivot {
    std::uint32_t entry;
    std::uint32_t row, column;
    std::uint32_t last_elimination;
  };
  struct Upper {  // divided by the pivot of its row
    std::uint32_t entry;
    std::uint32_t row;       // position in the order of pivots
    std::uint32_t position;  // of the unknown, likewise; decreasing
  };

  void choose_scales();
  // False: there are no pivots yet.
  template <class Each>
  bool load(const Each& each) {
    if (pivots_.empty() && size_ > 0) return false;
    std::fill(entries_.begin(), entries_.end(), 0.0);
    each([this](std::size_t place, double value) { entries_[place_[place]] = value * scale_[place]; });
    return true;
  }
  bool load_values();
  template <bool with_right>
  bool replay_list();
  bool replay();
  bool replay_and_solve(std::span<double> x);
  template <class Each>
  bool factor_anew(const Each& each) {
    each([this](std::size_t place, double value) { values_[place] = value; });
    return factor_anew();
  }
  bool factor_anew();
  bool analyse();
  void load_right(std::span<const double> x);
  void substitute_back(std::span<double> x);
  void number_by_use(std::size_t entry_count);

  std::size_t size_;
  std::vector<Place> pattern_;
  std::vector<double> values_;
  std::vector<double> row_scale_, column_scale_, scale_;  // powers of two; scale_ by place
  std::vector<double> entries_;                           // scaled: multipliers, upper factor, pivots
  std::vector<std::uint32_t> place_;                      // of the pattern's places among them
  std::vector<Pivot> pivots_;
  std::vector<Elimination> eliminations_;
  std::vector<Update> updates_;
  std::vector<Upper> uppers_;
  std::vector<double> work_;
  std::size_t analyses_ = 0;
};

}  // namespace dalembert
