// The saddle-point matrix of a system with its factor, where each matrix serves many right-hand sides: the
// orders of an expansion, in every scalar.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/expr/lanes.hpp>
#include <dalembert/linalg/linear_solver.hpp>
#include <dalembert/linalg/policy.hpp>
#include <dalembert/system/kkt/saddle_pattern.hpp>

namespace dalembert {

/// Relative to its row, a pivot of so little means a singular matrix.
template <class S>
constexpr double singular_pivot() {
  if constexpr (std::is_same_v<S, Rational>) {
    return 0;  // exact arithmetic knows zero
  } else {
    return std::is_same_v<S, Real> ? policy::singular_pivot_of_digits : policy::singular_pivot;
  }
}

template <class S>
class SaddleSystem {
 public:
  /// `solves`: right-hand sides for each matrix, about. A team shares the work of large systems; it must
  /// outlive this.
  SaddleSystem(SaddlePattern pattern, int solves, Team* team = nullptr)
      : pattern_(std::move(pattern)),
        solver_(pattern_.size(), pattern_.places(), solves, team),
        rhs_(pattern_.size()) {}

  const SaddlePattern& pattern() const { return pattern_; }

  /// Reads the values and factors; false when the matrix is singular to working precision.
  template <class Value>
  bool factor(Value value) {
    solver_.clear();
    std::size_t k = 0;
    for (const MatrixEntry& entry : pattern_.M()) solver_.set(k++, value(entry.value));
    const bool symmetric = pattern_.is_symmetric();
    for (const MatrixEntry& entry : pattern_.C()) {
      const S x = value(entry.value);
      solver_.set(k++, x);
      if (symmetric) solver_.set(k++, x);
    }
    if (!symmetric)
      for (const MatrixEntry& entry : pattern_.D()) solver_.set(k++, value(entry.value));
    return solver_.factor(singular_pivot<S>());
  }

  /// Where fill(columns) may put the values for factor_filled(): LinearSolver::matrix_columns().
  double* matrix_columns() { return solver_.matrix_columns(); }
  bool factor_filled() { return solver_.factor_filled(singular_pivot<S>()); }

  /// The solution of [M Dᵀ; C 0] solution = rhs; it stays until the next call.
  const S* solve(const std::vector<S>& rhs) { return solver_.solve(rhs); }

  /// Several right-hand sides at once, one after the other in `columns`: each becomes its solution.
  void solve_columns(std::span<S> columns) {
    for (std::size_t first = 0; first < columns.size(); first += rhs_.size()) {
      const std::span<S> column = columns.subspan(first, rhs_.size());
      std::copy(column.begin(), column.end(), rhs_.begin());
      std::copy_n(solver_.solve(rhs_), rhs_.size(), column.begin());
    }
  }

  /// Of the present factor, to be compared with those at other points.
  double smallest_pivot() const { return solver_.smallest_pivot(); }
  bool is_sparse() const { return solver_.is_sparse(); }
  bool is_list() const { return solver_.is_list(); }
  /// LinearSolver::inverse_columns().
  const double* inverse_columns() const { return solver_.inverse_columns(); }
  /// The next factor() does not depend on earlier ones.
  void forget_order() { solver_.forget_order(); }

 private:
  SaddlePattern pattern_;
  LinearSolver<S, LaneMath<S>> solver_;
  std::vector<S> rhs_;
};

}  // namespace dalembert
