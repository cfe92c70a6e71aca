// Solves systems with matrices of a fixed pattern: small ones by the inverse, larger ones by dense LU, large
// sparse ones by sparse LU. Where a list of operations on entries that are not zero is shorter, by that: for
// lanes of matrices, and when each matrix serves few right-hand sides.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/linalg/dense_inverse.hpp>
#include <dalembert/linalg/dense_lu.hpp>
#include <dalembert/linalg/lanes_inverse.hpp>
#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/sparse_lu.hpp>
#include <dalembert/linalg/static_lu.hpp>
#include <dalembert/linalg/symmetric_scales.hpp>

namespace dalembert {

/// `Math` as for DenseLu.
template <class S, class Math>
class LinearSolver {
 public:
  /// The matrix is zero outside `places`; each place at most once. `solves`: for each matrix, about. A team
  /// shares the work where there is enough; it must outlive the solver.
  LinearSolver(std::size_t size, std::span<const MatrixPlace> places, int solves, Team* team = nullptr)
      : team_(team),
        solves_(solves),
        places_(places.begin(), places.end()),
        sparse_(make_sparse(size, places)),
        kind_(choose(size)),
        inverse_(kind_ == Kind::inverse ? size : 0),
        dense_(kind_ == Kind::dense ? size : 0),
        values_(kind_ == Kind::sparse ? 0 : places.size()),
        solution_(size),
        list_(make_list(size, places)),
        uses_list_(list_.has_value()) {}

  void clear() {  // an inverse keeps its matrix, whose other entries stay zero
    if (!uses_list_) std::fill(dense_.entries().begin(), dense_.entries().end(), Math::of(0));
  }
  /// The entry at places[k]; set all after clear(), before factor().
  void set(std::size_t k, const S& value) {
    if constexpr (has_list) {
      if (uses_list_) {
        list_->values()[k] = value;
        return;
      }
    }
    if (kind_ != Kind::sparse) values_[k] = value;
    set_entry(k, value);
  }
  /// DenseInverse::matrix_columns(), to be filled in place of set(), before factor_filled(); null where there
  /// are none.
  double* matrix_columns() {
    if constexpr (is_double) {
      if (kind_ == Kind::inverse && !uses_list_ && scales_.empty()) return inverse_.matrix_columns();
    }
    return nullptr;
  }
  /// False: set() and factor() may do better.
  bool factor_filled(double smallest_relative_pivot) {
    by_list_ = false;
    return factor_dense(smallest_relative_pivot);
  }
  /// The next factor() does not depend on earlier ones.
  void forget_order() {
    if constexpr (has_list) {
      inverse_.forget_order();
      if (list_) list_->forget_order();
      uses_list_ = list_.has_value();
    }
    scales_.clear();
    sparse_.forget_order();
  }
  /// Returns false when the matrix is singular to working precision, in any units of its unknowns.
  bool factor(double smallest_relative_pivot) {
    if constexpr (has_list) {
      if (uses_list_ && factor_list()) return true;
    }
    if (kind_ == Kind::sparse) return sparse_.factor(smallest_relative_pivot);
    return factor_dense(smallest_relative_pivot) ||
           (smallest_relative_pivot > 0 && factor_scaled(smallest_relative_pivot));
  }
  /// After factor(): how small its smallest pivot is beside others, to be compared with earlier factors only.
  double smallest_pivot() const {
    if constexpr (has_list) {
      if (by_list_) return list_->smallest_pivot();
      if (kind_ == Kind::inverse) return inverse_.smallest_pivot();
    }
    return kind_ == Kind::sparse ? sparse_.smallest_pivot() : dense_.smallest_pivot();
  }
  bool is_sparse() const { return kind_ == Kind::sparse; }
  bool is_list() const { return by_list_; }
  /// DenseInverse::columns(), where solutions are nothing but products with it; else null.
  const double* inverse_columns() const {
    if constexpr (is_double) {
      if (kind_ == Kind::inverse && !by_list_ && scales_.empty()) return inverse_.columns();
    }
    return nullptr;
  }
  /// The solution of (matrix) solution = rhs; it stays until the next call.
  const S* solve(const std::vector<S>& rhs) {
    if constexpr (has_list) {
      if (by_list_) {
        list_->solve(rhs, solution_);
        return solution_.data();
      }
      if (kind_ == Kind::inverse && scales_.empty()) return inverse_.solve(rhs.data());
    }
    if constexpr (is_double) {
      if (kind_ == Kind::sparse) {
        sparse_.solve(rhs, solution_, team_);
        return solution_.data();
      }
    }
    return solve_dense(rhs);
  }

 private:
  enum class Kind { inverse, dense, sparse };
  static constexpr bool is_double = std::is_same_v<S, double>;
  static constexpr bool has_list = std::is_trivially_copyable_v<S>;  // doubles, and lanes of them
  struct Nothing {
    explicit Nothing(std::size_t) {}
  };
  using Lanes = std::conditional_t<has_list, LanesInverse<S, Math>, Nothing>;
  using Inverse = std::conditional_t<is_double, DenseInverse, Lanes>;
  using List = std::conditional_t<has_list, StaticFactors<S, Math>, Nothing>;
  static SparseLu make_sparse(std::size_t size, std::span<const MatrixPlace> places) {
    const bool possible = is_double && size > policy::largest_inverse;
    return possible ? SparseLu(size, places) : SparseLu(0, {});
  }
  std::optional<List> make_list(std::size_t size, std::span<const MatrixPlace> places) const {
    if constexpr (has_list) {
      const bool may_be_shorter = is_shorter(0, places.size());
      if ((is_double && kind_ != Kind::inverse) || !may_be_shorter) return std::nullopt;
      return List(size, {places.begin(), places.end()});
    } else {
      return std::nullopt;
    }
  }
  Kind choose(std::size_t size) const {
    if (has_list && size <= policy::largest_inverse) return Kind::inverse;
    if (!is_double) return Kind::dense;
    const auto entries = static_cast<double>(size) * static_cast<double>(size);
    return policy::sparse_ratio * sparse_.expected_fill() < entries ? Kind::sparse : Kind::dense;
  }

  void set_entry(std::size_t k, const S& value) {
    const auto [row, column] = places_[k];
    if constexpr (is_double) {
      if (kind_ == Kind::sparse) return sparse_.set(k, value);
    }
    if constexpr (has_list) {
      if (kind_ == Kind::inverse) {
        inverse_.entry(row, column) = scales_.empty() ? value : multiply(value, scale_at(k));
        return;
      }
    }
    dense_.entry(row, column) = scales_.empty() ? value : multiply(value, scale_at(k));
  }
  double scale_at(std::size_t k) const { return scales_[places_[k].row] * scales_[places_[k].column]; }

  [[gnu::noinline]] const S* solve_dense(const std::vector<S>& rhs) {
    std::copy(rhs.begin(), rhs.end(), solution_.begin());
    scale_solution();
    if constexpr (has_list) {
      if (kind_ == Kind::inverse)
        std::copy_n(inverse_.solve(solution_.data()), rhs.size(), solution_.begin());
    }
    if (kind_ == Kind::dense) dense_.solve(solution_);
    scale_solution();
    return solution_.data();
  }
  bool factor_dense(double smallest_relative_pivot) {
    if constexpr (has_list) {
      if (kind_ == Kind::inverse) return inverse_.factor(smallest_relative_pivot);
    }
    return dense_.factor(smallest_relative_pivot);
  }
  // Pivots may be small because units are: masses of 1e100 beside constraints of size 1.
  bool factor_scaled(double smallest_relative_pivot) {
    std::vector<double> sizes;
    for (const S& value : values_) sizes.push_back(Math::largest(value));
    const bool finite = std::all_of(sizes.begin(), sizes.end(), [](double x) { return std::isfinite(x); });
    scales_ = find_symmetric_scales(solution_.size(), places_, sizes);
    if (finite && fill_and_factor(smallest_relative_pivot)) return true;
    scales_.clear();
    fill();
    return false;
  }
  bool fill_and_factor(double smallest_relative_pivot) {
    if constexpr (has_list) inverse_.forget_order();
    fill();
    return factor_dense(smallest_relative_pivot);
  }
  void fill() {
    std::fill(dense_.entries().begin(), dense_.entries().end(), Math::of(0));
    for (std::size_t k = 0; k < places_.size(); ++k) set_entry(k, values_[k]);
  }
  void scale_solution() {
    for (std::size_t i = 0; i < scales_.size(); ++i) solution_[i] = multiply(solution_[i], scales_[i]);
  }
  static S multiply(const S& x, double scale) {
    if constexpr (has_list) {
      return x * scale;
    } else {
      return S(x * S(scale));
    }
  }

  // False: the list is longer, which it stays, or its pivots are too small, which may end with
  // forget_order().
  bool factor_list() requires(has_list) {
    const bool factored = list_->factor();
    const bool shorter = is_shorter(list_->operations(), list_->fill());
    uses_list_ = by_list_ = factored && shorter;
    if (by_list_) return true;
    values_.assign(list_->values().begin(), list_->values().end());
    fill();
    if (!shorter) list_.reset();
    return false;
  }
  // Than dense factors.
  bool is_shorter(std::size_t operations, std::size_t fill) const {
    constexpr double lanes = sizeof(S) / sizeof(double);
    constexpr double list_cost = is_double ? policy::list_cost : policy::list_cost_in_lanes;
    constexpr double dense_cost = is_double ? policy::dense_cost : policy::dense_cost_in_lanes * lanes;
    const auto size = static_cast<double>(solution_.size());
    const double list = static_cast<double>(operations) + (solves_ + 1) * static_cast<double>(fill);
    const double per_entry = (kind_ == Kind::inverse ? 1.5 * size : size / 3) + solves_;
    return list_cost * list < dense_cost * per_entry * size * size;
  }

  Team* team_;
  int solves_;
  std::vector<MatrixPlace> places_;
  SparseLu sparse_;
  Kind kind_;
  Inverse inverse_;
  DenseLu<S, Math> dense_;
  std::vector<S> values_;       // at the places, of matrices that are not sparse
  std::vector<double> scales_;  // of rows and columns alike; empty: none are needed
  std::vector<S> solution_;
  std::optional<List> list_;
  bool uses_list_;        // for the next matrix
  bool by_list_ = false;  // the present one
};

}  // namespace dalembert
