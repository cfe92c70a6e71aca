// Solves many systems with one matrix of a fixed pattern: small ones by the inverse, larger ones by dense LU,
// large sparse ones by sparse LU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <dalembert/linalg/dense_inverse.hpp>
#include <dalembert/linalg/dense_lu.hpp>
#include <dalembert/linalg/lanes_inverse.hpp>
#include <dalembert/linalg/sparse_lu.hpp>

namespace dalembert {

/// `Math` as for DenseLu.
template <class S, class Math>
class LinearSolver {
 public:
  /// The matrix is zero outside `places`; each place at most once. A team shares the work where there is
  /// enough; it must outlive the solver.
  LinearSolver(std::size_t size, std::span<const MatrixPlace> places, Team* team = nullptr)
      : team_(team),
        places_(places.begin(), places.end()),
        sparse_(make_sparse(size, places)),
        kind_(choose(size)),
        inverse_(kind_ == Kind::inverse ? size : 0),
        dense_(kind_ == Kind::dense ? size : 0),
        solution_(kind_ == Kind::inverse ? 0 : size) {}

  void clear() {  // an inverse keeps its matrix, whose other entries stay zero
    std::fill(dense_.entries().begin(), dense_.entries().end(), Math::of(0));
  }
  /// The entry at places[k]; set all after clear(), before factor().
  void set(std::size_t k, const S& value) {
    if constexpr (has_inverse) {
      if (kind_ == Kind::inverse) {
        inverse_.entry(places_[k].row, places_[k].column) = value;
        return;
      }
    }
    if constexpr (is_double) {
      if (kind_ == Kind::sparse) return sparse_.set(k, value);
    }
    dense_.entry(places_[k].row, places_[k].column) = value;
  }
  /// The next factor() does not depend on earlier ones.
  void forget_order() {
    if constexpr (has_inverse) inverse_.forget_order();
    sparse_.forget_order();
  }
  /// Returns false when the matrix is singular to working precision.
  bool factor(double smallest_relative_pivot) {
    if constexpr (has_inverse) {
      if (kind_ == Kind::inverse) return inverse_.factor(smallest_relative_pivot);
    }
    if (kind_ == Kind::sparse) return sparse_.factor(smallest_relative_pivot);
    return dense_.factor(smallest_relative_pivot);
  }
  /// After factor(): how small its smallest pivot is beside others, to be compared with earlier factors only.
  double smallest_pivot() const {
    if constexpr (has_inverse) {
      if (kind_ == Kind::inverse) return inverse_.smallest_pivot();
    }
    return kind_ == Kind::sparse ? sparse_.smallest_pivot() : dense_.smallest_pivot();
  }
  bool is_sparse() const { return kind_ == Kind::sparse; }
  /// The solution of (matrix) solution = rhs; it stays until the next call.
  const S* solve(const std::vector<S>& rhs) {
    if constexpr (has_inverse) {
      if (kind_ == Kind::inverse) return inverse_.solve(rhs.data());
    }
    if constexpr (is_double) {
      if (kind_ == Kind::sparse) {
        sparse_.solve(rhs, solution_, team_);
        return solution_.data();
      }
    }
    std::copy(rhs.begin(), rhs.end(), solution_.begin());
    dense_.solve(solution_);
    return solution_.data();
  }

 private:
  enum class Kind { inverse, dense, sparse };
  static constexpr bool is_double = std::is_same_v<S, double>;
  static constexpr bool has_inverse = std::is_trivially_copyable_v<S>;  // doubles, and lanes of them
  struct NoInverse {
    explicit NoInverse(std::size_t) {}
  };
  using Lanes = std::conditional_t<has_inverse, LanesInverse<S, Math>, NoInverse>;
  using Inverse = std::conditional_t<is_double, DenseInverse, Lanes>;
  // An operation on a sparse entry takes about as long as this many on dense ones.
  static constexpr double sparse_cost = 8;

  static SparseLu make_sparse(std::size_t size, std::span<const MatrixPlace> places) {
    const bool possible = is_double && size > DenseInverse::largest_size;
    return possible ? SparseLu(size, places) : SparseLu(0, {});
  }
  Kind choose(std::size_t size) const {
    if (has_inverse && size <= DenseInverse::largest_size) return Kind::inverse;
    if (!is_double) return Kind::dense;
    const auto entries = static_cast<double>(size) * static_cast<double>(size);
    return sparse_cost * sparse_.expected_fill() < entries ? Kind::sparse : Kind::dense;
  }

  Team* team_;
  std::vector<MatrixPlace> places_;
  SparseLu sparse_;
  Kind kind_;
  Inverse inverse_;
  DenseLu<S, Math> dense_;
  std::vector<S> solution_;
};

}  // namespace dalembert
