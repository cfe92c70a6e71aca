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
#include <limits>
#include <vector>

#include <dalembert/expr/lanes.hpp>
#include <dalembert/linalg/policy.hpp>

namespace dalembert {

template <class S>
class RankLossDetector {
 public:
  /// Of n coordinates and so many independent constraints.
  RankLossDetector(std::size_t n, std::size_t rows)
      : n_(n),
        r_(rows, LaneMath<S>::of(1)),
        product_(r_),
        next_(n + rows, LaneMath<S>::of(0)),
        square_(LaneMath<S>::of(1)),
        kept_square_(square_) {}

  bool empty() const { return r_.empty(); }
  /// Forgets the state that was kept.
  void restart() {
    std::fill(r_.begin(), r_.end(), LaneMath<S>::of(1));
    x_.clear();
  }

  /// Other rows, as many, stand for the constraints: x of the state that was kept is the same motion.
  void forget_rows() { std::fill(r_.begin(), r_.end(), LaneMath<S>::of(1)); }

  /// `at` has the factored matrix of a state (solve) and its C (add_constraint_product). The cosine between x
  /// there and x of the state that was kept: negative where it has turned round since; 1 when none was kept.
  /// Of lanes, the least.
  template <class At>
  double look(At& at, int iterations = 2) {
    std::copy(r_.begin(), r_.end(), y());
    for (int i = 0; i < iterations; ++i) {
      if (i > 0) take_direction(y());
      std::copy(y(), next_.end(), product_.begin());
      std::fill_n(next_.begin(), n_, LaneMath<S>::of(0));
      at.solve(next_);
    }
    has_inertia_ = at.inertia_share({next_.data(), n_}) > policy::least_inertia_share;
    square_ = -dot_y(product_);  // xᵀ M x = −r·y
    if (x_.empty() || !has_inertia_) return 1;
    std::fill(product_.begin(), product_.end(), LaneMath<S>::of(0));
    at.add_constraint_product(x_, product_);
    const S along = -dot_y(product_);
    double least = 1;
    for (std::size_t i = 0; i < LaneMath<S>::lanes; ++i) {
      least = std::min(least, lane(along, i) / std::sqrt(lane(kept_square_, i) * lane(square_, i)));
    }
    return least;
  }
  /// 1/|y| for an r of size one, after look(): σ², to be compared with other states.
  double independence() const {
    return has_inertia_ ? 1 / LaneMath<S>::largest(size()) : std::numeric_limits<double>::infinity();
  }
  /// The state that was looked at last is the one that the next are compared with.
  void keep() {
    if (!has_inertia_) return x_.clear();
    x_.assign(next_.begin(), y());
    kept_square_ = square_;
    take_direction(r_.begin());
  }

 private:
  using Iterator = typename std::vector<S>::iterator;
  Iterator y() { return next_.begin() + static_cast<std::ptrdiff_t>(n_); }

  static double lane(const S& x, std::size_t i) {
    if constexpr (LaneMath<S>::lanes > 1) {
      return x[i];
    } else {
      return LaneMath<S>::largest(x) * (x < 0 ? -1 : 1);
    }
  }
  S dot_y(const std::vector<S>& a) const {
    S sum = LaneMath<S>::of(0);
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * next_[n_ + j];
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
    std::transform(y(), next_.end(), r, [&](const S& x) { return S(-x / largest); });
  }

  std::size_t n_;
  std::vector<S> r_;        // of size one
  std::vector<S> x_;        // of the state that was kept; empty: none
  std::vector<S> product_;  // r; C x
  std::vector<S> next_;     // x, y of the state that was looked at
  S square_;                // xᵀ M x there
  S kept_square_;
  bool has_inertia_ = true;  // x there
};

}  // namespace dalembert
