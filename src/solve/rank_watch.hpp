// Tells from states before and behind whether a motion has passed a configuration where constraints lose
// rank.
//
// [M Cᵀ; C 0] [x; y] = [0; r] gives the smallest x with C x = r. For r along w, in which the rows of C are
// nearest to dependence, x = u/σ and y = −w/σ² with the smallest singular value σ of C in the metric of M.
// Along a smooth motion σ changes its sign at such a configuration: x turns round. The iteration r ← −y finds
// w.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <dalembert/tape/lanes.hpp>

namespace dalembert {

template <class S>
class RankWatch {
 public:
  /// Of n coordinates and so many independent constraints.
  RankWatch(std::size_t n, std::size_t rows)
      : n_(n), r_(rows, LaneMath<S>::of(1)), product_(r_), next_(n + rows, LaneMath<S>::of(0)) {}

  bool empty() const { return r_.empty(); }

  /// `at` has the factored matrix of a state (solve) and its C (add_constraint_product). xᵀ M x of that state
  /// and of the one that was kept: negative where x has turned round since; 1 when none was kept. Of lanes,
  /// the least.
  template <class At>
  double look(At& at, std::size_t most_iterations = 2) {
    const std::size_t iterations = std::min(most_iterations, r_.size());
    std::copy(r_.begin(), r_.end(), y());
    for (std::size_t i = 0; i < iterations; ++i) {
      if (i > 0) take_direction(y());
      std::fill_n(next_.begin(), n_, LaneMath<S>::of(0));
      at.solve(next_);
    }
    along_ = x_.empty() ? 1 : least(product(at, x_));
    return along_;
  }
  /// The cosine between both x, in the metric of M, after look() with the same `at`, when it was asked for at
  /// the state that was kept too.
  template <class At>
  double cosine(At& at) {
    work_.assign(next_.begin(), y());
    square_ = least(product(at, work_));
    return x_.empty() ? 1 : along_ / std::sqrt(kept_square_ * square_);
  }
  /// 1/|y| for an r of size one, after look(): σ², to be compared with other states.
  double independence() const { return 1 / LaneMath<S>::largest(size()); }
  /// The state that was looked at last is the one that the next are compared with.
  void keep() {
    x_.assign(next_.begin(), y());
    kept_square_ = square_;
    take_direction(r_.begin());
  }

 private:
  using Iterator = typename std::vector<S>::iterator;
  Iterator y() { return next_.begin() + static_cast<std::ptrdiff_t>(n_); }

  static double least(const S& x) {
    if constexpr (LaneMath<S>::lanes > 1) {
      double result = x[0];
      for (std::size_t i = 1; i < LaneMath<S>::lanes; ++i) result = std::min(result, x[i]);
      return result;
    } else {
      return static_cast<double>(x);
    }
  }
  // −(C x)·y = xᵀ M x with the x that belongs to y
  template <class At>
  S product(At& at, const std::vector<S>& x) {
    std::fill(product_.begin(), product_.end(), LaneMath<S>::of(0));
    at.add_constraint_product(x, product_);
    S sum = LaneMath<S>::of(0);
    for (std::size_t j = 0; j < product_.size(); ++j) sum -= product_[j] * next_[n_ + j];
    return sum;
  }
  S size() const {
    S largest = LaneMath<S>::of(0);
    for (std::size_t j = n_; j < next_.size(); ++j) {
      const S size = next_[j] < 0 ? S(-next_[j]) : next_[j];
      largest = size > largest ? size : largest;
    }
    return largest;
  }
  // r = −y/|y|, in place too
  void take_direction(Iterator r) {
    const S largest = size();
    if (!(LaneMath<S>::size(largest) > 0) || !std::isfinite(LaneMath<S>::largest(largest))) return;
    const S factor = LaneMath<S>::of(-1) / largest;
    std::transform(y(), next_.end(), r, [&](const S& x) { return S(factor * x); });
  }

  std::size_t n_;
  std::vector<S> r_;        // of size one
  std::vector<S> x_;        // of the state that was kept; empty: none
  std::vector<S> product_;  // C x
  std::vector<S> next_;     // x, y of the state that was looked at
  std::vector<S> work_;
  double along_ = 1;
  double square_ = 0;  // xᵀ M x there
  double kept_square_ = 0;
};

}  // namespace dalembert
