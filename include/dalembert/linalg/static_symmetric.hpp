// Factorization L D Lᵀ of a small sparse symmetric matrix whose pattern is fixed and whose values change
// often: the saddle-point matrix [M Cᵀ; C 0] above all, where it needs half the operations of StaticLu and is
// more accurate, since M and C M⁻¹ Cᵀ are definite.
//
// The order of elimination, along the diagonal, is chosen once and replayed like that of StaticLu. L U takes
// a matrix that is not symmetric or whose diagonal has not enough to divide by: M singular, constraints
// nearly dependent. So is a right-hand side where forces are large beside what constraints leave of them, for
// accelerations are the difference here; and then some matrices more, so that vain attempts cost little.
// Nothing is allocated while a list is replayed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dalembert/linalg/pattern_lu.hpp>

namespace dalembert {

class StaticSymmetric {
 public:
  /// As for StaticLu: all places, on both sides of the diagonal. It counts as symmetric where sources are.
  StaticSymmetric(std::size_t size, std::vector<StaticLu::Place> pattern,
                  std::vector<StaticLu::Source> sources);

  /// False when the matrix is singular to working precision.
  bool factor(std::span<const double> numbers);
  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<double> x);
  /// The same, and as accurate as factor_and_solve(); with the numbers that factor() had.
  bool solve(std::span<const double> numbers, std::span<double> x);
  /// Both at once, which is faster than one after the other. x stays where the matrix is singular.
  bool factor_and_solve(std::span<const double> numbers, std::span<double> x);

  /// Whether the last matrix was left to L U.
  bool by_lu() const { return by_lu_; }

 private:
  struct Entry {  // of the lower triangle, diagonal included
    std::uint32_t row, column;
    double coefficient;
    std::uint32_t index;
  };
  struct Load {  // entry = coefficient · numbers[index]
    double coefficient;
    std::uint32_t index;
    std::uint32_t entry;
  };
  struct Upper {  // of Lᵀ
    std::uint32_t entry;
    std::uint32_t row;       // position in the order of pivots
    std::uint32_t position;  // of the unknown, likewise; decreasing
  };

  template <bool with_right>
  bool replay(std::span<const double> numbers);
  bool replay_or_analyse(std::span<const double> numbers);
  bool is_due();
  void note(bool success);
  bool analyse(std::span<const double> numbers);
  /// The unknowns in the order of their elimination, and what each is then coupled with.
  void write_down(const std::vector<std::uint32_t>& order,
                  const std::vector<std::vector<std::uint32_t>>& columns);
  std::vector<double> find_scales(std::span<const double> numbers);
  void load_right(std::span<const double> x);
  void eliminate();
  void substitute_back();
  bool finish(std::span<const double> numbers, std::span<double> x);
  bool is_accurate() const;
  void take_solution(std::span<double> x) const;

  std::size_t size_;
  PatternLu lu_;
  bool is_symmetric_;
  bool by_lu_ = false;
  std::size_t failures_ = 0;    // of replays
  std::size_t left_to_lu_ = 0;  // that many matrices more
  std::size_t patience_ = 1;    // matrices that are left to it after the next failure
  std::vector<Entry> lower_;
  std::vector<bool> has_diagonal_;  // by unknown, when pivots were chosen
  std::vector<double> scale_;       // of rows and columns alike
  std::vector<Load> loads_;
  std::vector<std::uint32_t> order_;   // unknown of each pivot
  std::vector<std::uint32_t> last_;    // end of each pivot's column in L
  std::vector<std::uint32_t> row_;     // of each entry of L: position in the order of pivots
  std::vector<std::uint32_t> target_;  // of each update
  std::vector<Upper> uppers_;
  std::vector<double> entries_;  // L column by column, then the reciprocals of D
  std::vector<double> work_;
  std::vector<double> own_;  // has_diagonal_ by position, as numbers
  double forward_ = 0;       // Σ y² of D Lᵀ solution = D y
};

}  // namespace dalembert
