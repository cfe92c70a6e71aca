// LU factorization of a small sparse matrix whose pattern is fixed and whose values change often.
//
// The order of pivots is chosen once, by Markowitz' count among entries that are large enough, and written
// down as a list of operations; later matrices of the pattern replay the list. When a replayed pivot turns
// out small beside the entries that it eliminates, pivots are chosen anew. Nothing is allocated while a list
// is replayed.
#pragma once

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
  struct Source {  // coefficient · numbers[index]
    double coefficient;
    std::uint32_t index;
  };
  /// `pattern` lists the places that may be other than zero, each once; their values come from values().
  StaticLu(std::size_t size, std::vector<Place> pattern);
  /// The values come from the numbers that factor() is given.
  StaticLu(std::size_t size, std::vector<Place> pattern, std::vector<Source> sources);

  std::size_t size() const { return size_; }
  /// The values at the places of the pattern, in its order; fill all before factor().
  std::span<double> values() { return values_; }

  /// False when the matrix is singular to working precision.
  bool factor() { return factor(values_); }
  bool factor(std::span<const double> numbers);
  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<double> x);
  /// Both at once, which is faster than one after the other. x stays where the matrix is singular.
  bool factor_and_solve(std::span<const double> numbers, std::span<double> x);

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
    std::uint32_t row;  // position in the order of pivots
    std::uint32_t last_update;
  };
  struct Pivot {
    std::uint32_t entry;
    std::uint32_t row, column;
    std::uint32_t last_elimination;
  };
  struct Load {  // entry = coefficient · numbers[index]
    double coefficient;
    std::uint32_t index;
    std::uint32_t entry;
  };
  struct Upper {  // divided by the pivot of its row
    std::uint32_t entry;
    std::uint32_t row;       // position in the order of pivots
    std::uint32_t position;  // of the unknown, likewise; decreasing
  };

  void choose_scales();
  double scale(std::size_t e) const {
    return row_scale_[pattern_[e].row] * column_scale_[pattern_[e].column];
  }
  bool load(std::span<const double> numbers);
  template <bool with_right>
  bool replay_list();
  bool factor_anew(std::span<const double> numbers);
  bool analyse();
  void load_right(std::span<const double> x);
  void substitute_back(std::span<double> x);
  void number_by_use(std::size_t entry_count);

  std::size_t size_;
  std::vector<Place> pattern_;
  std::vector<Source> sources_;  // of the pattern's places
  std::vector<double> values_;
  std::vector<double> row_scale_, column_scale_;  // powers of two
  std::vector<double> entries_;                   // scaled: multipliers, upper factor, pivots
  std::vector<Load> loads_;                       // with the scale
  std::vector<Pivot> pivots_;
  std::vector<Elimination> eliminations_;
  std::vector<Update> updates_;
  std::vector<Upper> uppers_;
  std::vector<double> work_;
  std::size_t analyses_ = 0;
};

}  // namespace dalembert
