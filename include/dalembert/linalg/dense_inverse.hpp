// The explicit inverse of a small matrix of doubles, by Gauss-Jordan elimination with pivoting.
//
// A triangular solve is a chain of 2 n dependent steps; a product with the inverse is n independent ones.
// Where one matrix serves many right-hand sides and is small, that is several times faster, and the error of
// the solution has the same bound, cond · ε.
#pragma once

#include <algorithm>
#include <array>
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

class DenseInverse {
 public:
  static constexpr std::size_t largest_size = policy::largest_inverse;

  explicit DenseInverse(std::size_t size)
      : size_(size),
        blocks_((size + lanes - 1) / lanes),
        columns_(size * blocks_),
        work_(size * blocks_),
        inverse_(size * blocks_),
        solution_(blocks_) {}

  /// Entry (row, column) of the matrix; fill all before factor().
  double& entry(std::size_t row, std::size_t column) {
    return reinterpret_cast<double*>(&columns_[column * blocks_])[row];
  }
  /// All columns, of whole blocks of eight numbers.
  double* matrix_columns() { return reinterpret_cast<double*>(columns_.data()); }
  void clear() { std::fill(columns_.begin(), columns_.end(), Block{}); }

  /// The next factor() searches its pivots, as the first one does.
  void forget_order() { knows_order_ = false; }

  /// Inverts; returns false when a pivot vanishes relative to the largest entry of its row or column: the
  /// matrix is singular to working precision.
  bool factor(double smallest_relative_pivot) {
    switch (blocks_) {
      case 1:
        return invert<1>(smallest_relative_pivot);
      case 2:
        return invert<2>(smallest_relative_pivot);
      case 3:
        return invert<3>(smallest_relative_pivot);
      default:
        return invert<4>(smallest_relative_pivot);
    }
  }

  /// After factor(): the smallest pivot relative to the largest entry of its row.
  double smallest_pivot() const { return smallest_pivot_; }

  /// After factor(): its columns, each of whole blocks of eight numbers.
  const double* columns() const { return reinterpret_cast<const double*>(inverse_.data()); }

  /// The solution of (matrix) solution = rhs; it stays until the next call.
  const double* solve(const double* rhs) {
    switch (blocks_) {
      case 1:
        return multiply<1>(rhs);
      case 2:
        return multiply<2>(rhs);
      case 3:
        return multiply<3>(rhs);
      default:
        return multiply<4>(rhs);
    }
  }

 private:
  static constexpr std::size_t lanes = 8;
  using Block [[gnu::vector_size(lanes * sizeof(double))]] = double;
  using Mask [[gnu::vector_size(lanes * sizeof(double))]] = std::int64_t;

  double& at(std::size_t column, std::size_t row) {
    return reinterpret_cast<double*>(&work_[column * blocks_])[row];
  }

  // Matrices that follow each other along a motion are alike: the last order of pivots serves again as long
  // as none of them has shrunk much, without a search.
  template <std::size_t blocks>
  bool invert(double smallest_relative_pivot) {
    if (!find_scales<blocks>()) return false;
    if (knows_order_ && size_ <= largest_in_registers) {
      if (invert_in_registers(smallest_relative_pivot)) return true;
      knows_order_ = false;
    }
    if (!knows_order_ || !eliminate_in_known_order<blocks>(smallest_relative_pivot)) {
      std::copy(columns_.begin(), columns_.end(), work_.begin());
      std::iota(order_.begin(), order_.end(), std::size_t{0});
      knows_order_ = false;
      for (std::size_t k = 0; k < size_; ++k) {
        if (!pivot<blocks>(k, smallest_relative_pivot)) return false;
        eliminate<blocks>(k);
      }
      knows_order_ = true;
      smallest_pivot_ = *std::min_element(relative_pivot_.begin(), relative_pivot_.begin() + size_);
      for (std::size_t k = 0; k < largest_size; ++k) place_[order_[k]] = static_cast<std::int64_t>(k);
    }
    undo_exchanges<blocks>();
    return true;
  }

  template <std::size_t blocks>
  bool eliminate_in_known_order(double smallest) {
    smallest_pivot_ = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < size_; ++k) {
      std::copy_n(&columns_[order_[k] * blocks], blocks, &work_[k * blocks]);
    }
    for (std::size_t k = 0; k < size_; ++k) {
      const double relative = std::abs(at(k, k)) * scale_[order_[k]];
      if (!(relative > std::max(smallest, policy::most_shrinking * relative_pivot_[k]))) return false;
      smallest_pivot_ = std::min(smallest_pivot_, relative);
      eliminate<blocks>(k);
    }
    return true;
  }

  // The same where all columns stay in registers: for each size a function of its own, without loops.
  static constexpr std::size_t largest_in_registers = 13;

  bool invert_in_registers(double smallest) {
    return invert_in_registers(smallest, std::make_index_sequence<largest_in_registers>());
  }
  template <std::size_t... k>
  bool invert_in_registers(double smallest, std::index_sequence<k...>) {
    using Invert = bool (DenseInverse::*)(double);
    static constexpr Invert functions[] = {&DenseInverse::invert_size<k + 1>...};
    return (this->*functions[size_ - 1])(smallest);
  }

  template <std::size_t size>
  bool invert_size(double smallest) {
    constexpr std::size_t blocks = (size + lanes - 1) / lanes;
    Block column[size * blocks];
#pragma GCC unroll 16
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t b = 0; b < blocks; ++b) column[k * blocks + b] = columns_[order_[k] * blocks + b];
    }
    double least = std::numeric_limits<double>::infinity();
    bool is_good = true;
#pragma GCC unroll 16
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t own = k / lanes, lane = k % lanes;
      const double pivot = column[k * blocks + own][lane];
      const double relative = std::abs(pivot) * scale_[order_[k]];
      is_good &= relative > std::max(smallest, policy::most_shrinking * relative_pivot_[k]);
      least = relative < least ? relative : least;
      column[k * blocks + own][lane] = 1;
      for (std::size_t b = 0; b < blocks; ++b) column[k * blocks + b] *= 1 / pivot;
#pragma GCC unroll 16
      for (std::size_t i = 0; i < size; ++i) {
        if (i == k) continue;
        const double factor = column[i * blocks + own][lane];
        column[i * blocks + own][lane] = 0;
        for (std::size_t b = 0; b < blocks; ++b) column[i * blocks + b] -= factor * column[k * blocks + b];
      }
    }
    if (!is_good) return false;
    smallest_pivot_ = least;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t b = 0; b < blocks; ++b)
        inverse_[i * blocks + b] = select<blocks>(&column[i * blocks], &place_[b * lanes]);
    }
    return true;
  }

  // 1 / largest entry of each row. The matrices here are symmetric, or nearly, so columns are alike.
  template <std::size_t blocks>
  bool find_scales() {
    for (std::size_t b = 0; b < blocks; ++b) {
      Block largest{};
      for (std::size_t i = 0; i < size_; ++i) {
        const Block x = columns_[i * blocks + b];
        const Block size = x < 0.0 ? -x : x;
        largest = size > largest ? size : largest;
      }
      const Block reciprocal = 1 / largest;
      std::copy_n(reinterpret_cast<const double*>(&reciprocal), lanes, &scale_[b * lanes]);
    }
    return std::all_of(&scale_[0], &scale_[0] + size_, [](double x) { return std::isfinite(x) && x > 0; });
  }

  // Brings the column with the relatively largest entry in row k to place k. Positive doubles compare like
  // their bits, whose last ones make room for the index: a maximum without branches.
  template <std::size_t blocks>
  bool pivot(std::size_t k, double smallest) {
    constexpr std::uint64_t index_bits = 63;
    std::uint64_t best = 0;
    for (std::size_t i = k; i < size_; ++i) {
      const auto bits = std::bit_cast<std::uint64_t>(std::abs(at(i, k)) * scale_[order_[i]]);
      best = std::max(best, (bits & ~index_bits) | (index_bits - i));
    }
    relative_pivot_[k] = std::bit_cast<double>(best & ~index_bits);
    if (!(relative_pivot_[k] > smallest)) return false;
    const std::size_t column = index_bits - (best & index_bits);
    if (column != k) {
      std::swap(order_[column], order_[k]);
      for (std::size_t b = 0; b < blocks; ++b) std::swap(work_[k * blocks + b], work_[column * blocks + b]);
    }
    return true;
  }

  // Column k is divided by its pivot and subtracted from the others so that their entry in row k vanishes;
  // where the zeros and the one would stand, the inverse grows.
  template <std::size_t blocks>
  void eliminate(std::size_t k) {
    Mask is_row_k[blocks];
    Block pivot_column[blocks];
    const double reciprocal = 1 / at(k, k);
    for (std::size_t b = 0; b < blocks; ++b) {
      is_row_k[b] = Mask{0, 1, 2, 3, 4, 5, 6, 7} == static_cast<std::int64_t>(k - b * lanes);
      pivot_column[b] = (is_row_k[b] ? Block{} + 1.0 : work_[k * blocks + b]) * reciprocal;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      const double factor = at(i, k);
      Block* column = &work_[i * blocks];
      for (std::size_t b = 0; b < blocks; ++b) {
        column[b] = (is_row_k[b] ? Block{} : column[b]) - factor * pivot_column[b];
      }
    }
    for (std::size_t b = 0; b < blocks; ++b) work_[k * blocks + b] = pivot_column[b];
  }

  // The entries of a column at eight places.
  template <std::size_t blocks>
  static Block select(const Block* column, const std::int64_t* from) {
#if defined(__AVX512F__) && !defined(__clang__)
    if constexpr (blocks <= 2) {
      Mask mask;
      std::copy_n(from, lanes, reinterpret_cast<std::int64_t*>(&mask));
      return __builtin_shuffle(column[0], column[blocks - 1], mask);
    }
#endif
    const double* x = reinterpret_cast<const double*>(column);
    return Block{x[from[0]], x[from[1]], x[from[2]], x[from[3]],
                 x[from[4]], x[from[5]], x[from[6]], x[from[7]]};
  }

  // Columns were exchanged on the way, so the rows of the inverse go back.
  template <std::size_t blocks>
  void undo_exchanges() {
    for (std::size_t i = 0; i < size_; ++i) {
      const Block* column = &work_[i * blocks];
      for (std::size_t b = 0; b < blocks; ++b) {
        inverse_[i * blocks + b] = select<blocks>(column, &place_[b * lanes]);
      }
    }
  }

  template <std::size_t blocks>
  const double* multiply(const double* rhs) {
    Block even[blocks] = {};  // two sums hide the latency of the additions
    Block odd[blocks] = {};
    const Block* column = inverse_.data();
    std::size_t i = 0;
    for (; i + 2 <= size_; i += 2, column += 2 * blocks) {
      for (std::size_t b = 0; b < blocks; ++b) even[b] += column[b] * rhs[i];
      for (std::size_t b = 0; b < blocks; ++b) odd[b] += column[blocks + b] * rhs[i + 1];
    }
    if (i < size_) {
      for (std::size_t b = 0; b < blocks; ++b) even[b] += column[b] * rhs[i];
    }
    for (std::size_t b = 0; b < blocks; ++b) solution_[b] = even[b] + odd[b];
    return reinterpret_cast<const double*>(solution_.data());
  }

  std::size_t size_;
  std::size_t blocks_;          // of a column
  std::vector<Block> columns_;  // padded to whole blocks
  std::vector<Block> work_;
  std::vector<Block> inverse_;
  std::vector<Block> solution_;
  std::array<double, largest_size> scale_{};
  double smallest_pivot_ = 0;
  bool knows_order_ = false;
  std::array<std::size_t, largest_size> order_{};      // the column that came to each place
  std::array<std::int64_t, largest_size> place_{};     // where each column came
  std::array<double, largest_size> relative_pivot_{};  // when the order was found
};

}  // namespace dalembert
