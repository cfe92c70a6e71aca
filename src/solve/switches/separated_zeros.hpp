// Zeros of a polynomial on [0, 1] that bounds on its coefficients tell apart.
//
// About the middle of a piece p = Σ d_k s^k, |s| <= 1. There is no zero where |d_0| > Σ_{k≥1} |d_k|. Where
// |d_1| > Σ_{k≥2} k |d_k| the slope keeps its sign: one zero if the ends have different signs, else none.
// Where neither holds the halves are looked at, whose coefficients are d_k and (−1)^k d_k, s = y and s = −y.
// Terms from the 16th on count by their sizes alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/expr/lanes.hpp>

namespace dalembert {

/// Σ |c_k|, four beside each other.
inline double sum_of_sizes(std::span<const double> c) {
  double sums[] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= c.size(); k += 4)
    for (std::size_t i = 0; i < 4; ++i) sums[i] += std::abs(c[k + i]);
  for (; k < c.size(); ++k) sums[0] += std::abs(c[k]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

class SeparatedZeros {
 public:
  /// Of Σ c_k x^k, which is positive at 0: all zeros, in order; each of them is simple, so that signs
  /// alternate. False: the bounds do not tell.
  bool find(std::span<const double> c);
  std::span<const double> found() const { return found_; }

 private:
  static constexpr std::size_t kept = 16, lanes = 8;  // two registers of 512 bits, or four of 256
  // Down to 1/1024 of a step: where that does not tell, another search does. Chosen, not measured.
  static constexpr int deepest = 10, most_pieces = 40;
  using Block = Lanes<lanes>;
  struct Piece {  // p(origin + scale y), 0 <= y <= 1
    alignas(sizeof(Block)) std::array<double, kept> c{};
    double origin = 0, scale = 1;
    int depth = 0;
  };
  struct Middle {  // the same about y = 1/2: d_0 .. d_7, d_8 .. d_15
    Block low, high;
  };

  // [k][j]: C(k, j)/2^k, of y^k = ((1 + s)/2)^k
  static constexpr auto shares = [] {
    std::array<std::array<double, kept>, kept> result{};
    result[0][0] = 1;
    for (std::size_t k = 1; k < kept; ++k)
      for (std::size_t j = 0; j <= k; ++j)
        result[k][j] = (result[k - 1][j] + (j > 0 ? result[k - 1][j - 1] : 0)) / 2;
    return result;
  }();
  static constexpr Block ones{1, 1, 1, 1, 1, 1, 1, 1}, signs{1, -1, 1, -1, 1, -1, 1, -1};
  static constexpr Block low_degrees{0, 0, 2, 3, 4, 5, 6, 7}, high_degrees{8, 9, 10, 11, 12, 13, 14, 15};

  static Block load(const double* from) {
    Block block;
    std::memcpy(&block, from, sizeof block);
    return block;
  }
  static double sum(const Block& x) {
    Lanes<4> halves[2];
    std::memcpy(halves, &x, sizeof x);
    const Lanes<4> half = halves[0] + halves[1];
    return (half[0] + half[1]) + (half[2] + half[3]);
  }
  static Block sizes(const Block& x) { return x < 0.0 ? -x : x; }

  static Middle middle_of(const Piece& piece);
  bool look(const Piece& piece);
  bool look_at_halves(const Piece& piece, const Middle& middle);
  double refine(double low, double high, double x) const;
  struct ValueAndSlope {
    double value, slope;
  };
  ValueAndSlope eval(double x) const;

  std::span<const double> c_;
  double margin_ = 0, slope_margin_ = 0;  // of what the pieces leave out, and of rounding errors
  double tail_slope_ = 0;
  int pieces_ = 0;
  std::vector<double> found_;
};

inline bool SeparatedZeros::find(std::span<const double> c) {
  found_.clear();
  c_ = c;
  const std::size_t count = std::min(kept, c.size());
  const double size = sum_of_sizes(c.first(count).subspan(1)), tail = sum_of_sizes(c.subspan(count));
  tail_slope_ = 0;
  for (std::size_t k = kept; k < c.size(); ++k) tail_slope_ += static_cast<double>(k) * std::abs(c[k]);
  constexpr double operations = 64;  // additions and multiplications of 32 orders
  const double noise = operations * std::numeric_limits<double>::epsilon() * (c[0] + size + tail);
  margin_ = tail + noise;
  slope_margin_ = kept * noise;
  if (c[0] > size + margin_) return true;
  if (!(c[0] > margin_)) return false;
  Piece all;
  std::copy_n(c.begin(), count, all.c.begin());
  pieces_ = 0;
  return look(all);
}

inline auto SeparatedZeros::middle_of(const Piece& piece) -> Middle {
  Block low{}, other{}, high{};
  for (std::size_t k = 0; k < lanes; ++k) {
    low += piece.c[k] * load(shares[k].data());
    other += piece.c[lanes + k] * load(shares[lanes + k].data());
    high += piece.c[lanes + k] * load(shares[lanes + k].data() + lanes);
  }
  return {low + other, high};
}

inline bool SeparatedZeros::look(const Piece& piece) {
  const Middle d = middle_of(piece);
  const Block low_sizes = sizes(d.low), high_sizes = sizes(d.high);
  const double value = std::abs(d.low[0]), slope = std::abs(d.low[1]);
  if (value > sum(low_sizes + high_sizes) - value + margin_) return true;
  const double slopes = sum(low_sizes * low_degrees + high_sizes * high_degrees);
  if (!(slope > slopes + slope_margin_ + std::abs(piece.scale) / 2 * tail_slope_))
    return look_at_halves(piece, d);
  const double begin = sum((d.low + d.high) * signs), end = sum(d.low + d.high);
  if (!(std::abs(begin) > margin_ && std::abs(end) > margin_)) return false;
  if ((begin > 0) == (end > 0)) return true;
  const double middle = piece.origin + piece.scale / 2, radius = std::abs(piece.scale) / 2;
  const double guess = middle - d.low[0] / d.low[1] * piece.scale / 2;
  found_.push_back(refine(middle - radius, middle + radius, guess));
  return true;
}

inline bool SeparatedZeros::look_at_halves(const Piece& piece, const Middle& middle) {
  if (piece.depth == deepest || ++pieces_ > most_pieces) return false;
  Piece half;
  half.depth = piece.depth + 1;
  half.origin = piece.origin + piece.scale / 2;
  for (const double side : {-1.0, 1.0}) {  // in the order of x
    half.scale = side * std::abs(piece.scale) / 2;
    const bool is_turned = (half.scale < 0) != (piece.scale < 0);
    const Block factors = is_turned ? signs : ones;
    const Block low = middle.low * factors, high = middle.high * factors;
    std::memcpy(half.c.data(), &low, sizeof low);
    std::memcpy(half.c.data() + lanes, &high, sizeof high);
    if (!look(half)) return false;
  }
  return true;
}

// Newton's iteration, kept between low and high. Behind a step δ the error is C δ²/radius: C is a half at
// most in the middle of what the bound above allows, and 64 only where the slope nearly vanishes at an end.
inline double SeparatedZeros::refine(double low, double high, double x) const {
  const double sign = found_.size() % 2 == 0 ? 1 : -1;  // at `low`
  const double enough = std::numeric_limits<double>::epsilon() / 64 * (high - low) / 2;
  constexpr int most_steps = 100;  // halving alone takes 53
  for (int i = 0; i < most_steps; ++i) {
    const auto [value, slope] = eval(x);
    (value * sign > 0 ? low : high) = x;
    const double newton = x - value / slope;
    const bool is_inside = newton >= low && newton <= high;
    const double next = is_inside ? newton : low + (high - low) / 2;
    const double step = next - x;
    if (is_inside ? step * step <= enough * x : next == x) return next;
    x = next;
  }
  return x;
}

// Even and odd powers apart, so that two sums go beside each other.
inline auto SeparatedZeros::eval(double x) const -> ValueAndSlope {
  const std::size_t degree = c_.size() - 1;
  std::size_t k = degree - degree % 2;
  const double square = x * x;
  double even = c_[k], odd = degree % 2 == 1 ? c_[degree] : 0, even_slope = 0, odd_slope = 0;
  while (k > 0) {
    k -= 2;
    even_slope = even_slope * square + even;
    odd_slope = odd_slope * square + odd;
    even = even * square + c_[k];
    odd = odd * square + c_[k + 1];
  }
  return {even + x * odd, 2 * x * even_slope + odd + 2 * square * odd_slope};
}

}  // namespace dalembert
