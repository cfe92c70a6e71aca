// The operations of an LU factorization of a small sparse matrix whose pattern is fixed, with the order of
// pivots chosen by Markowitz' count among entries that are large enough. static_lu.hpp replays the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dalembert/linalg/symmetric_scales.hpp>

namespace dalembert {

struct EliminationList {
  using Place = MatrixPlace;
  struct Source {  // coefficient · numbers[index]
    double coefficient;
    std::uint32_t index;
  };
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
  struct Factor {  // an entry of a triangular factor, off its diagonal
    std::uint32_t entry;
    std::uint32_t row, column;  // positions in the order of pivots
  };

  /// `pattern` lists the places that may be other than zero, each once; the values come from the sources.
  EliminationList(std::size_t size, std::vector<Place> pattern, std::vector<Source> sources);

  /// Chooses scales and pivots for a matrix, with its values in the order of the pattern; false where it is
  /// singular to working precision. Then there is no list.
  bool choose(std::span<const double> values);
  bool empty() const { return pivots.empty() && size > 0; }
  void clear() { pivots.clear(); }
  /// Entries of both factors: multiplications of a solution.
  std::size_t fill() const { return lowers.size() + uppers.size() + pivots.size(); }

  std::size_t size;
  std::vector<Place> pattern;
  std::vector<Source> sources;                  // of the pattern's places
  std::vector<double> row_scale, column_scale;  // powers of two
  std::vector<Load> loads;                      // with the scale
  std::vector<Pivot> pivots;
  std::vector<Elimination> eliminations;
  std::vector<Update> updates;
  std::vector<Factor> lowers;  // multipliers, row by row
  std::vector<Factor> uppers;  // from the last row to the first; divided by the pivots of their rows
  std::size_t choices = 0;     // how often pivots were chosen

 private:
  void choose_scales(std::span<const double> values);
  double scale(std::size_t e) const { return row_scale[pattern[e].row] * column_scale[pattern[e].column]; }
  bool choose_pivots(std::span<const double> values);
  void number_by_use(std::size_t entry_count);
};

}  // namespace dalembert
