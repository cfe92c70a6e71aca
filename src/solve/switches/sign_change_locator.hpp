// Where a polynomial changes its sign first, over the length of a step.
//
// From a point x where p(x) > 0, with the Taylor coefficients d_k there, p has no zero nearer than the one
// positive zero r of d_0 − Σ_{d_k < 0} |d_k| r^k (Descartes). Going on by r nears a simple zero like Newton's
// iteration does, and passes none. Zeros where p does not become negative are passed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <dalembert/expr/lanes.hpp>

#include "switches/separated_zeros.hpp"

namespace dalembert {

/// Relative rounding error of a number.
template <class S>
double rounding_of() {
  if constexpr (std::is_same_v<S, double>) return std::numeric_limits<double>::epsilon();
  return std::pow(10.0, -static_cast<double>(Real::default_precision()));
}

template <class S>
class SignChangeLocator {
 public:
  struct Found {
    S reach;  ///< the sign is kept up to here
    bool crosses = false;
  };

  explicit SignChangeLocator(int max_degree)
      : c_(static_cast<std::size_t>(max_degree) + 1), d_(c_.size()), rounding_(rounding_of<S>()) {}

  /// Along Σ c_k τ^k with the sign `side` up to `length`. `leaves_zero`: τ = 0 is a zero that is left to that
  /// side.
  Found find(std::span<const S> c, const S& length, int side, bool leaves_zero) {
    load(c, length, side);
    S x = leaves_zero ? departure() : S(0);
    constexpr int most_rounds = 500;  // chosen, not measured
    for (int round = 0; round < most_rounds; ++round) {
      if (x >= 1) return {length};
      shift(x);
      if (d_[0] > noise(x)) {
        const S rest = S(1) - x;
        const S r = free_length(rest);
        if (r >= rest) return {length};
        x += r > rounding_ ? r : S(rounding_);
        continue;
      }
      const S beyond = end_of_noise(x);
      if (beyond > 1) return {length};
      if (value(beyond) < 0) return {bisect(x, beyond) * length, true};
      x = beyond;
    }
    return {x * length};
  }

  struct Zero {
    S at;
    int side;      ///< the sign behind it
    bool touches;  ///< which is that before it: as far as rounding errors tell, a zero of even order
  };
  /// All zeros up to `length`, in order, of a polynomial as for find(); returns the sign at the end.
  int find_all(std::span<const S> c, const S& length, int side, bool leaves_zero, std::vector<Zero>& zeros) {
    load(c, length, side);
    if (!leaves_zero && take_separated(length, side, zeros)) return side;
    S x = leaves_zero ? departure() : S(0);
    constexpr int most_rounds = 500;  // as above
    for (int round = 0; round < most_rounds && x < 1; ++round) {
      shift(x);
      if (d_[0] > noise(x)) {
        const S r = free_length(S(1) - x);
        x += r > rounding_ ? r : S(rounding_);
        continue;
      }
      const S beyond = end_of_noise(x);
      if (beyond > 1) break;
      const bool crosses = value(beyond) < 0;
      if (crosses) side = -side;
      zeros.push_back({(crosses ? bisect(x, beyond) : S((x + beyond) / 2)) * length, side, !crosses});
      if (crosses)
        for (S& coefficient : c_) coefficient = -coefficient;
      x = beyond;
    }
    return side;
  }
  /// The sign to which a polynomial leaves its zero at τ = 0; 0: it stays there.
  int side_ahead(std::span<const S> c, const S& length) {
    load(c, length, 1);
    const S x = departure();
    if (!(x < 1)) return 0;
    return value(x) < 0 ? -1 : 1;
  }

 private:
  static S size(const S& x) { return x < 0 ? S(-x) : x; }

  // in x = τ / length
  void load(std::span<const S> c, const S& length, int side) {
    degree_ = c.size() - 1;
    if (length == 1) {
      for (std::size_t k = 0; k <= degree_; ++k) c_[k] = c[k] * S(side);
      return;
    }
    S power = S(side);
    for (std::size_t k = 0; k <= degree_; ++k) {
      c_[k] = c[k] * power;
      power *= length;
    }
  }
  // Where bounds tell the zeros apart, which is far cheaper.
  bool take_separated(const S& length, int& side, std::vector<Zero>& zeros) {
    if constexpr (std::is_same_v<S, double>) {
      if (!separated_.find(std::span<const double>(c_).first(degree_ + 1))) return false;
      for (const double x : separated_.found()) {
        side = -side;
        zeros.push_back({x * length, side, false});
      }
      return true;
    }
    return false;
  }
  S value(const S& x) const {
    S sum = c_[degree_];
    for (std::size_t k = degree_; k-- > 0;) sum = sum * x + c_[k];
    return sum;
  }
  // of the value
  S noise(const S& x) const {
    S sum = size(c_[degree_]);
    for (std::size_t k = degree_; k-- > 0;) sum = sum * x + size(c_[k]);
    return sum * S(16 * rounding_);
  }
  // Within a sweep no entry needs one that the sweep has changed: several go at once.
  void shift(const S& by) {
    const S x = by;
    S* const d = d_.data();
    for (std::size_t k = 0; k <= degree_; ++k) d[k] = c_[k];
    for (std::size_t i = degree_; i-- > 0;) {
      for (std::size_t k = i; k < degree_; ++k) d[k] += x * d[k + 1];
    }
  }
  // Where the first coefficient that counts has outgrown those before it, rounding errors.
  S departure() const {
    S largest(0);
    for (std::size_t k = 1; k <= degree_; ++k) largest = size(c_[k]) > largest ? size(c_[k]) : largest;
    if (!(largest > 0)) return S(1);
    std::size_t first = 1;
    while (size(c_[first]) <= largest * S(std::pow(rounding_, 0.625))) ++first;
    S x(rounding_);
    for (; x < 1; x *= 2) {
      S before(0);
      for (std::size_t k = first; k-- > 0;) before = before * x + size(c_[k]);
      S term = size(c_[first]);
      for (std::size_t k = 0; k < first; ++k) term *= x;
      if (term > 4 * before) break;
    }
    return x;
  }
  // No term alone may outweigh d_0: r <= (d_0/|d_k|)^(1/k), by powers of two. From `rest` Newton's iteration
  // would come nearer by a share 1/degree at first.
  S bound_of_length(const S& rest) const {
    if constexpr (std::is_same_v<S, double>) {
      double least = 0;
      const double first = std::ilogb(d_[0]) + 1.0;
      for (std::size_t k = 1; k <= degree_; ++k)
        if (d_[k] < 0) least = std::min(least, (first - std::ilogb(d_[k])) / static_cast<double>(k));
      return std::min(rest, std::exp2(least));
    }
    return rest;
  }
  // The zero of d_0 − Σ_{d_k < 0} |d_k| r^k, or `rest` if it is not before that. Newton's iteration comes
  // from above.
  S free_length(const S& rest) const {
    S r = bound_of_length(rest);
    constexpr int most_steps = 300;  // far from the zero of degree k each divides r by k/(k − 1) alone
    constexpr double enough = 1e-6;  // the error behind it is its square, by which the length is cut
    for (int i = 0; i < most_steps; ++i) {
      S sum(0), slope(0);
      for (std::size_t k = degree_; k > 0; --k) {
        slope = slope * r + sum;
        sum = sum * r + (d_[k] < 0 ? d_[k] : S(0));
      }
      slope = slope * r + sum;
      sum = sum * r + d_[0];
      if (sum >= 0) return r;
      const S change = sum / slope;
      r -= change;
      if (change < S(enough) * r) return r * S(1 - enough * enough);
    }
    return S(0);
  }
  // The first of x + δ, x + 2δ, x + 4δ … where the value is more than noise.
  S end_of_noise(const S& x) const {
    S delta(rounding_);
    while (x + delta <= 1 && size(value(S(x + delta))) <= noise(S(x + delta))) delta *= 2;
    return x + delta;
  }
  S bisect(S before, S behind) const {
    while (behind - before > S(rounding_) * behind) {
      const S middle = (before + behind) / 2;
      if (middle <= before || middle >= behind) break;
      (value(middle) < 0 ? behind : before) = middle;
    }
    return behind;
  }

  std::vector<S> c_, d_;
  SeparatedZeros separated_;
  double rounding_;
  std::size_t degree_ = 0;
};

}  // namespace dalembert
