// The explicit inverses of several small matrices, one in each lane, by Gauss-Jordan elimination with one
// order of pivots for all lanes. Why inverses: see dense_inverse.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace dalembert {

/// S: lanes of doubles. `Math::size(x)`: the smallest absolute value of all lanes.
template <class S, class Math>
class LanesInverse {
 public:
  explicit LanesInverse(std::size_t size)
      : size_(size),
        columns_(size * size),
        work_(size * size),
        inverse_(size * size),
        scale_(size),
        solution_(size),
        order_(size),
        relative_pivot_(size) {}

  /// Entry (row, column) of the matrix; fill all before factor().
  S& entry(std::size_t row, std::size_t column) { return columns_[column * size_ + row]; }
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
      smallest_pivot_ = *std::min_element(relative_pivot_.begin(), relative_pivot_.end());
    }
    // columns were exchanged on the way, so the rows of the inverse go back
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < size_; ++k) inverse_[i * size_ + order_[k]] = at(i, k);
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
  S& at(std::size_t column, std::size_t row) { return work_[column * size_ + row]; }

  // 1 / largest entry of each row, in each lane.
  bool find_scales() {
    std::fill(scale_.begin(), scale_.end(), Math::of(0));
    S* largest = scale_.data();
    const S* x = columns_.data();
    for (std::size_t column = 0; column < size_; ++column, x += size_) {
#pragma GCC unroll 4
      for (std::size_t row = 0; row < size_; ++row) {
        const S size = x[row] < 0.0 ? -x[row] : x[row];
        largest[row] = size > largest[row] ? size : largest[row];
      }
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
      constexpr double shrinking = 1.0 / 16;
      const double relative = Math::size(at(k, k) * scale_[order_[k]]);
      smallest_pivot_ = std::min(smallest_pivot_, relative);
      return relative > std::max(smallest, shrinking * relative_pivot_[k]);
    };
    std::size_t k = 0;
    for (; k + 2 <= size_; k += 2) {
      if (!is_usable(k)) return false;
      divide_by_pivot(k);
      subtract(k, k + 1);
      if (!is_usable(k + 1)) return false;
      divide_by_pivot(k + 1);
      subtract_two(k);
      subtract(k + 1, k);
    }
    if (k == size_) return true;
    if (!is_usable(k)) return false;
    eliminate(k);
    return true;
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

  // Pivot columns k and k + 1, one after the other, from all columns but these two.
  void subtract_two(std::size_t k) {
    const std::size_t size = size_;
    const S* first = &work_[k * size];
    const S* second = first + size;
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k || i == k + 1) continue;
      S* column = &work_[i * size];
      const S of_first = column[k];
      const S of_second = column[k + 1] - of_first * first[k + 1];
      column[k] = Math::of(0);
      column[k + 1] = of_first * first[k + 1];
#pragma GCC unroll 4
      for (std::size_t row = 0; row < size; ++row) {
        column[row] = (column[row] - of_first * first[row]) - of_second * second[row];
      }
    }
  }

  template <std::size_t count>
  void multiply_rows(std::size_t first, const S* rhs) {
    S sum[count];
    for (std::size_t row = 0; row < count; ++row) sum[row] = inverse_[first + row] * rhs[0];
    for (std::size_t i = 1; i < size_; ++i) {
      const S* column = &inverse_[i * size_ + first];
      const S x = rhs[i];
      for (std::size_t row = 0; row < count; ++row) sum[row] += column[row] * x;
    }
    std::copy_n(sum, count, &solution_[first]);
  }

  std::size_t size_;
  std::vector<S> columns_, work_, inverse_;
  std::vector<S> scale_;
  std::vector<S> solution_;
  double smallest_pivot_ = 0;
  bool knows_order_ = false;
  std::vector<std::size_t> order_;      // the column that came to each place
  std::vector<double> relative_pivot_;  // when the order was found
};

}  // namespace dalembert
