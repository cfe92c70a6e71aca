// The explicit inverses of several small matrices, one in each lane, by Gauss-Jordan elimination with one
// order of pivots for all lanes. Why inverses: see dense_inverse.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <dalembert/linalg/policy.hpp>

namespace dalembert {

/// S: lanes of doubles. `Math::size(x)`: the smallest absolute value of all lanes. Entries that are never set
/// are zero, and what they keep zero is left out. At most 64 rows.
template <class S, class Math>
class LanesInverse {
 public:
  explicit LanesInverse(std::size_t size)
      : size_(size),
        columns_(size * size),
        work_(size * size),
        scale_(size),
        solution_(size),
        order_(size),
        relative_pivot_(size),
        pattern_(size),
        users_(size),
        rows_(size) {}

  /// Entry (row, column) of the matrix; fill all before factor().
  S& entry(std::size_t row, std::size_t column) {
    const Bits known = pattern_[column];
    pattern_[column] |= bit(row);
    if (pattern_[column] != known) knows_order_ = false;
    return columns_[column * size_ + row];
  }
  void clear() { std::fill(columns_.begin(), columns_.end(), Math::of(0)); }

  /// The next factor() searches its pivots, as the first one does.
  void forget_order() { knows_order_ = false; }

  /// Inverts; returns false when in some lane a pivot vanishes relative to the largest entry of its row.
  bool factor(double smallest_relative_pivot) {
    if (!find_scales()) return false;
    if (!knows_order_ || !eliminate_in_known_order(smallest_relative_pivot)) {
      work_ = columns_;
      std::iota(order_.begin(), order_.end(), std::size_t{0});
      knows_order_ = false;
      for (std::size_t k = 0; k < size_; ++k) {
        if (!pivot(k, smallest_relative_pivot)) return false;
        eliminate(k);
      }
      knows_order_ = true;
      find_users();
      smallest_pivot_ = *std::min_element(relative_pivot_.begin(), relative_pivot_.end());
    }
    return true;
  }

  /// After factor(): the smallest pivot of any lane relative to the largest entry of its row.
  double smallest_pivot() const { return smallest_pivot_; }

  /// The solution of (matrix) solution = rhs; it stays until the next call.
  const S* solve(const S* rhs) {
    std::size_t row = 0;
    for (; row + 8 <= size_; row += 8) multiply_rows<8>(row, rhs);
    if (size_ - row >= 4) multiply_rows<4>(row, rhs), row += 4;
    if (size_ - row >= 2) multiply_rows<2>(row, rhs), row += 2;
    if (size_ - row >= 1) multiply_rows<1>(row, rhs);
    return solution_.data();
  }

 private:
  using Bits = std::uint64_t;  // a set of rows, or of columns
  static Bits bit(std::size_t i) { return Bits{1} << i; }
  template <class F>
  static void for_each(Bits set, F f) {
    for (; set != 0; set &= set - 1) f(static_cast<std::size_t>(std::countr_zero(set)));
  }

  S& at(std::size_t column, std::size_t row) { return work_[column * size_ + row]; }

  // 1 / largest entry of each row, in each lane.
  bool find_scales() {
    std::fill(scale_.begin(), scale_.end(), Math::of(0));
    for (std::size_t column = 0; column < size_; ++column) {
      const S* x = &columns_[column * size_];
      for_each(pattern_[column], [&](std::size_t row) {
        const S size = x[row] < 0.0 ? -x[row] : x[row];
        scale_[row] = size > scale_[row] ? size : scale_[row];
      });
    }
    bool usable = true;
    for (S& scale : scale_) {
      scale = Math::of(1) / scale;
      usable = usable && Math::size(scale) > 0 && std::isfinite(Math::largest(scale));
    }
    return usable;
  }

  // Matrices that follow each other along a motion are alike: the last order of pivots serves again as long
  // as none of them has shrunk much, without a search. Two pivots at a time: half as many passes over the
  // matrix.
  bool eliminate_in_known_order(double smallest) {
    for (std::size_t k = 0; k < size_; ++k) {
      std::copy_n(&columns_[order_[k] * size_], size_, &work_[k * size_]);
    }
    smallest_pivot_ = std::numeric_limits<double>::infinity();
    const auto is_usable = [&](std::size_t k) {
      const double relative = Math::size(at(k, k) * scale_[order_[k]]);
      smallest_pivot_ = std::min(smallest_pivot_, relative);
      return relative > std::max(smallest, policy::most_shrinking * relative_pivot_[k]);
    };
    std::size_t k = 0;
    for (; k + 2 <= size_; k += 2) {
      if (!is_usable(k)) return false;
      divide_by_pivot(k);
      if (users_[k] & bit(k + 1)) subtract(k, k + 1);
      if (!is_usable(k + 1)) return false;
      divide_by_pivot(k + 1);
      subtract_two(k);
      if (users_[k + 1] & bit(k)) subtract(k + 1, k);
    }
    if (k == size_) return true;
    if (!is_usable(k)) return false;
    eliminate(k);
    return true;
  }

  // From which columns each pivot column has to be subtracted, and in which rows: by the pattern of the
  // matrix and what the elimination adds to it.
  void find_users() {
    std::vector<Bits> rows(size_);
    for (std::size_t i = 0; i < size_; ++i) rows[i] = pattern_[order_[i]];
    for (std::size_t k = 0; k < size_; ++k) {
      rows_[k] = rows[k];
      users_[k] = 0;
      for (std::size_t i = 0; i < size_; ++i) {
        if (i == k || (rows[i] & bit(k)) == 0) continue;
        users_[k] |= bit(i);
        rows[i] |= rows[k];
      }
    }
  }

  // Brings the column with the relatively largest entry in row k to place k.
  bool pivot(std::size_t k, double smallest) {
    std::size_t best = k;
    relative_pivot_[k] = 0;
    for (std::size_t i = k; i < size_; ++i) {
      const double relative = Math::size(at(i, k) * scale_[order_[i]]);
      if (!(relative > relative_pivot_[k])) continue;
      relative_pivot_[k] = relative;
      best = i;
    }
    if (!(relative_pivot_[k] > smallest)) return false;
    if (best != k) {
      std::swap(order_[best], order_[k]);
      std::swap_ranges(&work_[k * size_], &work_[k * size_] + size_, &work_[best * size_]);
    }
    return true;
  }

  // Column k is divided by its pivot and subtracted from the others so that their entry in row k vanishes;
  // where the zeros and the one would stand, the inverse grows.
  void eliminate(std::size_t k) {
    divide_by_pivot(k);
    for (std::size_t i = 0; i < size_; ++i) {
      if (i != k) subtract(k, i);
    }
  }

  void divide_by_pivot(std::size_t k) {
    const S reciprocal = Math::of(1) / at(k, k);
    at(k, k) = Math::of(1);
    for (std::size_t row = 0; row < size_; ++row) at(k, row) *= reciprocal;
  }

  // Pivot column k from column i.
  void subtract(std::size_t k, std::size_t i) {
    const std::size_t size = size_;
    const S* pivot_column = &work_[k * size];
    S* column = &work_[i * size];
    const S factor = column[k];
    column[k] = Math::of(0);
#pragma GCC unroll 4
    for (std::size_t row = 0; row < size; ++row) column[row] -= factor * pivot_column[row];
  }

  // Pivot columns k and k + 1, one after the other, from their users but these two.
  void subtract_two(std::size_t k) {
    const S* first = &work_[k * size_];
    const S* second = first + size_;
    const Bits rows = rows_[k] | rows_[k + 1];
    const bool is_sparse = 2 * static_cast<std::size_t>(std::popcount(rows)) < size_;
    for_each((users_[k] | users_[k + 1]) & ~(bit(k) | bit(k + 1)), [&](std::size_t i) {
      S* column = &work_[i * size_];
      const S of_first = column[k];
      const S of_second = column[k + 1] - of_first * first[k + 1];
      column[k] = Math::of(0);
      column[k + 1] = of_first * first[k + 1];
      const auto subtract_row = [=](std::size_t row) {
        column[row] = (column[row] - of_first * first[row]) - of_second * second[row];
      };
      if (is_sparse) return for_each(rows, subtract_row);
      const std::size_t size = size_;
#pragma GCC unroll 4
      for (std::size_t row = 0; row < size; ++row) subtract_row(row);
    });
  }

  template <std::size_t count>
  void multiply_rows(std::size_t first, const S* rhs) {
    S sum[count];
    for (std::size_t row = 0; row < count; ++row) sum[row] = work_[first + row] * rhs[0];
    for (std::size_t i = 1; i < size_; ++i) {
      const S* column = &work_[i * size_ + first];
      const S x = rhs[i];
      for (std::size_t row = 0; row < count; ++row) sum[row] += column[row] * x;
    }
    for (std::size_t row = 0; row < count; ++row) solution_[order_[first + row]] = sum[row];
  }

  std::size_t size_;
  std::vector<S> columns_, work_;  // the matrix; the inverse, its rows in the order of the pivots
  std::vector<S> scale_;
  std::vector<S> solution_;
  double smallest_pivot_ = 0;
  bool knows_order_ = false;
  std::vector<std::size_t> order_;      // the column that came to each place
  std::vector<double> relative_pivot_;  // when the order was found
  std::vector<Bits> pattern_;           // the rows of each column where an entry was set
  std::vector<Bits> users_, rows_;  // of each pivot column when its turn comes, in the order that is known
};

}  // namespace dalembert
