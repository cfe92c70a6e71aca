// Zeros of a function that can be evaluated anywhere in [0, 1], in order.
//
// On an interval the function is interpolated at five Chebyshev-Lobatto points, p = Σ c_k T_k. The last two
// |c_k| and the difference at a point between them bound how far it may be from p; where |c_0| > Σ_{k≥1}
// |c_k|
// + that bound it has no zero, else the interval is halved until the bound is small beside the function, and
// the zeros of p are taken, each found again on the function itself. What a double zero between two points
// may hide is below the bound. Where it has no value it has no zero, and no sign.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "switches/sign_change_locator.hpp"

namespace dalembert {

class SampledZeros {
 public:
  using Zero = SignChangeLocator<double>::Zero;

  SampledZeros() : locator_(degree) {}

  /// From `begin` on, with the sign `side` there; returns the sign at 1.
  template <class F>
  int find(const F& f, double begin, int side, std::vector<Zero>& zeros) {
    side_ = side;
    scale_ = 0;
    Piece all{begin, 1, {}, 0, 0};
    for (std::size_t i = 0; i < points; ++i) all.f[i] = f(place(all, i));
    look(f, all, zeros);
    return side_;
  }
  /// The largest value that two zeros close to each other may have had between them unseen.
  double hidden() const { return hidden_; }

 private:
  static constexpr int degree = 4;
  static constexpr std::size_t points = degree + 1;
  static constexpr int deepest = 12;
  static constexpr int deepest_border = 50;
  struct Piece {
    double begin, end;
    std::array<double, points> f;
    int depth;   // of halvings for the sake of the bound
    int border;  // for that of the end of a domain
  };

  static double place(const Piece& piece, std::size_t i) {
    constexpr std::array<double, points> nodes{0, 0.14644660940672624, 0.5, 0.85355339059327376, 1};
    return i + 1 == points ? piece.end : piece.begin + nodes[i] * (piece.end - piece.begin);
  }
  // c_k = (2 − δ_k0 − δ_k4)/4 Σ'' f_i cos(k i π/4), the first and last terms halved
  static std::array<double, points> chebyshev(const std::array<double, points>& f) {
    constexpr double r = 0.70710678118654752;
    // as nodes run from −1 to 1
    const double ends = (f[4] + f[0]) / 2, difference = (f[4] - f[0]) / 2;
    return {(ends + f[1] + f[2] + f[3]) / 4, (difference + r * (f[3] - f[1])) / 2, (ends - f[2]) / 2,
            (difference - r * (f[3] - f[1])) / 2, (ends - f[1] + f[2] - f[3]) / 4};
  }
  // of x in [0, 1], s = 2 x − 1
  static std::array<double, points> powers(const std::array<double, points>& c) {
    const std::array<double, points> in_s{c[0] - c[2] + c[4], c[1] - 3 * c[3], 2 * c[2] - 8 * c[4], 4 * c[3],
                                          8 * c[4]};
    std::array<double, points> result{};
    for (std::size_t k = points; k-- > 0;) {  // result = result (2 x − 1) + in_s[k]
      for (std::size_t j = points; j-- > 1;) result[j] = 2 * result[j - 1] - result[j];
      result[0] = in_s[k] - result[0];
    }
    return result;
  }

  template <class F>
  void look(const F& f, const Piece& piece, std::vector<Zero>& zeros) {
    const auto count = std::ranges::count_if(piece.f, [](double x) { return std::isfinite(x); });
    if (count < static_cast<std::ptrdiff_t>(points)) return look_at_border(f, piece, count == 0, zeros);
    const std::array<double, points> c = chebyshev(piece.f);
    const double bound = std::max(std::abs(c[3]) + std::abs(c[4]), difference_between(f, piece, c));
    const double others = std::abs(c[1]) + std::abs(c[2]) + std::abs(c[3]) + std::abs(c[4]);
    for (const double value : piece.f) scale_ = std::max(scale_, std::abs(value));
    if (std::abs(c[0]) > others + bound) return follow(piece, c[0] > 0 ? 1 : -1, zeros);
    constexpr double enough = 1e-8;
    const bool is_rough = !(bound <= enough * scale_);
    if (is_rough && piece.depth < deepest) return halve(f, piece, piece.depth + 1, piece.border, zeros);
    met_pole_ = false;
    take_zeros(f, piece, powers(c), zeros);
    if (is_rough && !met_pole_) hidden_ = std::max(hidden_, bound);
  }
  // Where the function has no value, in all points or in some.
  template <class F>
  void look_at_border(const F& f, const Piece& piece, bool nowhere, std::vector<Zero>& zeros) {
    constexpr int enough_without = 4;
    if (piece.border < (nowhere ? enough_without : deepest_border))
      return halve(f, piece, piece.depth, piece.border + 1, zeros);
    const double end = piece.f.back();
    side_ = end > 0 ? 1 : end < 0 ? -1 : 0;
  }
  // Of the function from the interpolation, where the nodes of neither are.
  template <class F>
  static double difference_between(const F& f, const Piece& piece, const std::array<double, points>& c) {
    constexpr double x = 0.3217, s = 2 * x - 1;
    double before = 0, sum = 0;  // Clenshaw
    for (std::size_t k = points; k-- > 1;) before = std::exchange(sum, 2 * s * sum - before + c[k]);
    return std::abs(f(piece.begin + x * (piece.end - piece.begin)) - (s * sum - before + c[0]));
  }
  // Without a zero inside: one lies at the border where the sign is another.
  void follow(const Piece& piece, int side, std::vector<Zero>& zeros) {
    if (side_ != 0 && side != side_) zeros.push_back({piece.begin, side, false});
    side_ = side;
  }
  template <class F>
  void halve(const F& f, const Piece& piece, int depth, int border, std::vector<Zero>& zeros) {
    const double middle = piece.begin + (piece.end - piece.begin) / 2;
    for (const bool first : {true, false}) {
      Piece half{first ? piece.begin : middle, first ? middle : piece.end, {}, depth, border};
      half.f.front() = first ? piece.f.front() : piece.f[2];
      half.f.back() = first ? piece.f[2] : piece.f.back();
      for (std::size_t i = 1; i + 1 < points; ++i) half.f[i] = f(place(half, i));
      look(f, half, zeros);
    }
  }
  template <class F>
  void take_zeros(const F& f, const Piece& piece, const std::array<double, points>& p,
                  std::vector<Zero>& zeros) {
    const double start = piece.f.front();
    if (side_ == 0) side_ = start > 0 ? 1 : start < 0 ? -1 : locator_.side_ahead(p, 1.0);
    if ((start > 0 && side_ < 0) || (start < 0 && side_ > 0)) {
      side_ = -side_;
      zeros.push_back({piece.begin, side_, false});
    }
    found_.clear();
    locator_.find_all(p, 1.0, side_, false, found_);
    const double length = piece.end - piece.begin;
    double last = piece.begin;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      Zero zero = found_[i];
      const double before = i > 0 ? found_[i - 1].at : 0;
      const double behind = i + 1 < found_.size() ? found_[i + 1].at : 1;
      const double low = piece.begin + length * (zero.at + before) / 2;
      const double high = piece.begin + length * (zero.at + behind) / 2;
      zero.at = piece.begin + length * zero.at;
      const Change change = zero.touches ? Change::zero : refine(f, low, high, zero);
      if (change == Change::none) continue;  // of the interpolation alone
      if (change == Change::zero) zeros.push_back(zero);
      side_ = zero.side;
      last = high;
    }
    take_end(f, piece, last, zeros);
  }
  enum class Change { none, zero, pole };
  // Bisection, started near the zero of the interpolation, of the function itself.
  template <class F>
  Change refine(const F& f, double low, double high, Zero& zero) {
    const auto is_behind = [&](double x) { return f(x) * zero.side > 0; };
    for (double width = 1e-12 * (high - low); width < high - low; width *= 16) {
      const double a = std::max(low, zero.at - width), b = std::min(high, zero.at + width);
      if (!is_behind(a) && is_behind(b))
        return bisect(f, a, b, std::max(std::abs(f(low)), std::abs(f(high))), zero);
    }
    return Change::none;
  }
  // Between a and b, where it has the sign behind the zero. Towards a pole it grows beyond what is usual.
  template <class F>
  Change bisect(const F& f, double a, double b, double usual, Zero& zero) {
    while (true) {
      zero.at = b;
      const double middle = a + (b - a) / 2;
      if (middle <= a || middle >= b) break;
      (f(middle) * zero.side > 0 ? b : a) = middle;
    }
    // beside a jump values are those at the ends of so short a piece; beside a pole they grow like 1/distance
    constexpr double much = 8;
    const bool is_pole = std::min(std::abs(f(a)), std::abs(f(b))) > much * usual;
    met_pole_ = met_pole_ || is_pole;
    return is_pole ? Change::pole : Change::zero;
  }
  // A change that the interpolation does not show.
  template <class F>
  void take_end(const F& f, const Piece& piece, double from, std::vector<Zero>& zeros) {
    const double end = piece.f.back();
    if (!(end * side_ < 0) || !(f(from) * side_ > 0)) return;
    Zero zero{piece.end, -side_, false};
    if (bisect(f, from, piece.end, std::max(std::abs(f(from)), std::abs(end)), zero) == Change::zero)
      zeros.push_back(zero);
    side_ = zero.side;
  }

  SignChangeLocator<double> locator_;
  std::vector<Zero> found_;
  int side_ = 0;
  double scale_ = 0;
  double hidden_ = 0;
  bool met_pole_ = false;  // in the last piece
};

}  // namespace dalembert
