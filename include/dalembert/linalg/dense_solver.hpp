// Solves many systems with one small dense matrix: by its inverse where that is fast, else by LU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <dalembert/linalg/dense_inverse.hpp>
#include <dalembert/linalg/dense_lu.hpp>

namespace dalembert {

/// `Math` as for DenseLu.
template <class S, class Math>
class DenseSolver {
 public:
  explicit DenseSolver(std::size_t size)
      : invert_(can_invert && size <= DenseInverse::largest_size),
        inverse_(invert_ ? size : 0),
        lu_(invert_ ? 0 : size),
        solution_(lu_.size()) {}

  void clear() {
    inverse_.clear();
    std::fill(lu_.entries().begin(), lu_.entries().end(), Math::of(0));
  }
  /// Fill entries after clear(), before factor().
  S& entry(std::size_t row, std::size_t column) {
    if constexpr (can_invert) {
      if (invert_) return inverse_.entry(row, column);
    }
    return lu_.entry(row, column);
  }
  /// The next factor() does not depend on earlier ones.
  void forget_order() { inverse_.forget_order(); }
  /// Returns false when the matrix is singular to working precision.
  bool factor(double smallest_relative_pivot) {
    return invert_ ? inverse_.factor(smallest_relative_pivot) : lu_.factor(smallest_relative_pivot);
  }
  /// The solution of (matrix) solution = rhs; it stays until the next call.
  const S* solve(const std::vector<S>& rhs) {
    if constexpr (can_invert) {
      if (invert_) return inverse_.solve(rhs.data());
    }
    std::copy(rhs.begin(), rhs.end(), solution_.begin());
    lu_.solve(solution_);
    return solution_.data();
  }

 private:
  static constexpr bool can_invert = std::is_same_v<S, double>;
  bool invert_;
  DenseInverse inverse_;
  DenseLu<S, Math> lu_;
  std::vector<S> solution_;
};

}  // namespace dalembert
