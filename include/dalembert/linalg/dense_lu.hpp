// LU factorization with row pivoting of small dense matrices, for every scalar; no allocation after
// construction.
//
// Columns are contiguous, so that all inner loops are axpy on neighbours. With lanes of trajectories as
// scalar, one row order serves all lanes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace dalembert {

/// `Math::size(x)` tells how large a pivot is: its absolute value, or the smallest over all lanes.
template <class S, class Math>
class DenseLu {
 public:
  explicit DenseLu(std::size_t size)
      : size_(size), matrix_(size * size), scale_(size), rows_(size), work_(size) {}

  std::size_t size() const { return size_; }
  /// Entry (row, column) of the matrix to factor; fill all before factor().
  S& entry(std::size_t row, std::size_t column) { return matrix_[column * size_ + row]; }
  std::span<S> entries() { return matrix_; }

  /// Returns false when a pivot vanishes relative to its row: the matrix is singular to working precision.
  bool factor(double smallest_relative_pivot) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    smallest_pivot_ = std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < size_; ++row) {
      double largest = 0;
      for (std::size_t column = 0; column < size_; ++column)
        largest = std::max(largest, Math::size(entry(row, column)));
      if (!(largest > 0) || !std::isfinite(largest)) return false;
      scale_[row] = 1 / largest;
    }
    for (std::size_t k = 0; k < size_; ++k) {
      if (!pivot(k, smallest_relative_pivot)) return false;
      eliminate(k);
    }
    return true;
  }

  /// After factor(): the smallest pivot relative to the largest entry of its row.
  double smallest_pivot() const { return smallest_pivot_; }

  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<S> x) {
    for (std::size_t i = 0; i < size_; ++i) work_[i] = x[rows_[i]];
    for (std::size_t k = 0; k < size_; ++k) {
      const S* column = &matrix_[k * size_];
      const S value = work_[k];
      for (std::size_t i = k + 1; i < size_; ++i) work_[i] -= column[i] * value;
    }
    for (std::size_t k = size_; k-- > 0;) {
      const S* column = &matrix_[k * size_];
      work_[k] *= column[k];  // the diagonal holds reciprocals
      const S value = work_[k];
      for (std::size_t i = 0; i < k; ++i) work_[i] -= column[i] * value;
    }
    std::copy(work_.begin(), work_.end(), x.begin());
  }

 private:
  // Brings the row with the relatively largest entry of column k to place k.
  bool pivot(std::size_t k, double smallest) {
    std::size_t best = k;
    double best_size = -1;
    for (std::size_t i = k; i < size_; ++i) {
      const double relative = Math::size(entry(i, k)) * scale_[rows_[i]];
      if (relative > best_size) std::tie(best_size, best) = std::make_pair(relative, i);
    }
    smallest_pivot_ = std::min(smallest_pivot_, best_size);
    if (!(best_size > smallest)) return false;
    if (best != k) {
      std::swap(rows_[best], rows_[k]);
      for (std::size_t column = 0; column < size_; ++column) std::swap(entry(best, column), entry(k, column));
    }
    return true;
  }

  void eliminate(std::size_t k) {
    S* pivot_column = &matrix_[k * size_];
    const S reciprocal = Math::of(1) / pivot_column[k];
    for (std::size_t i = k + 1; i < size_; ++i) pivot_column[i] *= reciprocal;
    for (std::size_t j = k + 1; j < size_; ++j) {
      S* column = &matrix_[j * size_];
      const S value = column[k];
      for (std::size_t i = k + 1; i < size_; ++i) column[i] -= pivot_column[i] * value;
    }
    pivot_column[k] = reciprocal;
  }

  std::size_t size_;
  std::vector<S> matrix_;
  std::vector<double> scale_;
  std::vector<std::size_t> rows_;
  std::vector<S> work_;
  double smallest_pivot_ = 0;
};

}  // namespace dalembert
