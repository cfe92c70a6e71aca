// L U of a sparse matrix whose pattern is fixed, for a right-hand side or a few: by a list of operations
// where its pivots are chosen in time, else by KLU (policy.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/sparse_lu.hpp>
#include <dalembert/linalg/static_lu.hpp>

namespace dalembert {

class PatternLu {
 public:
  /// As for StaticLu; a matrix that is left to KLU is singular below `smallest_pivot`.
  PatternLu(std::size_t size, std::vector<StaticLu::Place> pattern, std::vector<StaticLu::Source> sources,
            double smallest_pivot = policy::singular_pivot);

  bool is_list() const { return list_.has_value(); }

  /// False when the matrix is singular to working precision.
  bool factor(std::span<const double> numbers) {
    return list_ ? list_->factor(numbers) : factor_sparse(numbers);
  }
  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<double> x) { list_ ? list_->solve(x) : sparse_->solve(x); }
  /// x stays where the matrix is singular.
  bool factor_and_solve(std::span<const double> numbers, std::span<double> x) {
    if (list_) return list_->factor_and_solve(numbers, x);
    if (!factor_sparse(numbers)) return false;
    sparse_->solve(x);
    return true;
  }

 private:
  bool factor_sparse(std::span<const double> numbers);

  double smallest_pivot_;
  std::vector<StaticLu::Source> sources_;  // for KLU
  std::optional<StaticLu> list_;
  std::optional<SparseLu> sparse_;
};

}  // namespace dalembert
