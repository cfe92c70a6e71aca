// LU factorization of a large sparse matrix whose pattern never changes (KLU): analysed once, and pivots are
// searched again only where those of the last factorization have become bad. The factors are packed for many
// solves, and those of very large ones fall into parts that threads can share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/linalg/symmetric_scales.hpp>

namespace dalembert {

class Team;

class SparseLu {
 public:
  /// Each place at most once. A size of 0 is allowed, for who has no use for it.
  SparseLu(std::size_t size, std::span<const MatrixPlace> places);
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;
  ~SparseLu();

  std::size_t size() const { return size_; }
  /// About how many entries the factors will have.
  double expected_fill() const;
  /// The entry at places[k]; set all before factor().
  void set(std::size_t k, double value) { values_[position_[k]] = value; }

  /// Returns false when a pivot vanishes relative to the largest one: the matrix is singular to working
  /// precision.
  bool factor(double smallest_relative_pivot);
  /// The next factor() searches pivots, so that it does not depend on earlier ones.
  void forget_order();
  /// After factor(): the smallest pivot relative to the largest one.
  double smallest_pivot() const { return smallest_pivot_; }

  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<double> x) { solve(x, x, nullptr); }
  /// The solution of (matrix) solution = rhs, the same numbers with and without a team.
  void solve(std::span<const double> rhs, std::span<double> solution, Team* team);

 private:
  struct Klu;
  void analyse();
  bool is_symmetric() const;
  void pack();
  void extract();
  using FindScales = std::vector<double> (*)(std::size_t, std::span<const MatrixPlace>,
                                             std::span<const double>);
  void choose_scales(FindScales find);
  void scale_values();
  bool factor_with_search(FindScales find);
  bool is_regular(double smallest_relative_pivot);
  bool is_accurate();
  std::vector<MatrixPlace> places() const;
  bool factor_with_last_pivots();
  void solve_scaled(std::span<const double> rhs, std::span<double> solution, Team* team);
  /// Calls f(row, column, number).
  template <class F>
  void for_each_entry(F f) const {
    for (std::size_t j = 0; j < size_; ++j) {
      for (auto e = static_cast<std::size_t>(column_starts_[j]);
           e < static_cast<std::size_t>(column_starts_[j + 1]); ++e)
        f(static_cast<std::size_t>(rows_[e]), j, e);
    }
  }

  std::size_t size_;
  std::vector<std::int32_t> column_starts_, rows_;  // compressed columns
  std::vector<double> values_;
  std::vector<std::size_t> position_;  // of places[k] in values_
  std::vector<double> scales_;         // powers of two, chosen with the pivots
  bool is_scaled_ = false;             // some of them are not 1
  std::vector<double> scaled_values_, scaled_rhs_;
  double smallest_pivot_ = 0;
  std::unique_ptr<Klu> klu_;
};

}  // namespace dalembert
