#include <algorithm>
#include <cmath>

#include <dalembert/model/input.hpp>

namespace dalembert {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The slopes s at the times of the curve with two continuous derivatives whose third one is continuous at the
// second time and at the one before the last, too. With h_i = t_{i+1} − t_i, d_i = (y_{i+1} − y_i)/h_i:
//   h_i s_{i−1} + 2 (h_{i−1} + h_i) s_i + h_{i−1} s_{i+1} = 3 (h_i d_{i−1} + h_{i−1} d_i)
//   h_1 s_0 + (h_0 + h_1) s_1 = ((3 h_0 + 2 h_1) h_1 d_0 + h_0² d_1)/(h_0 + h_1), likewise at the end
std::vector<double> smooth_slopes(std::span<const double> h, std::span<const double> d) {
  const std::size_t last = h.size();  // times − 1
  if (last == 1) return {d[0], d[0]};
  if (last == 2) {  // a parabola
    const double bend = (d[1] - d[0]) / (h[0] + h[1]);
    return {d[0] - bend * h[0], d[0] + bend * h[0], d[1] + bend * h[1]};
  }
  std::vector<double> below(last + 1, 0), middle(last + 1), above(last + 1, 0), s(last + 1);
  const auto end_slope = [](double h0, double h1, double d0, double d1) {
    return ((3 * h0 + 2 * h1) * h1 * d0 + h0 * h0 * d1) / (h0 + h1);
  };
  middle[0] = h[1];
  above[0] = h[0] + h[1];
  s[0] = end_slope(h[0], h[1], d[0], d[1]);
  for (std::size_t i = 1; i < last; ++i) {
    below[i] = h[i];
    middle[i] = 2 * (h[i - 1] + h[i]);
    above[i] = h[i - 1];
    s[i] = 3 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
  }
  below[last] = h[last - 1] + h[last - 2];
  middle[last] = h[last - 2];
  s[last] = end_slope(h[last - 1], h[last - 2], d[last - 1], d[last - 2]);
  for (std::size_t i = 1; i <= last; ++i) {
    const double factor = below[i] / middle[i - 1];
    middle[i] -= factor * above[i - 1];
    s[i] -= factor * s[i - 1];
  }
  s[last] /= middle[last];
  for (std::size_t i = last; i-- > 0;) s[i] = (s[i] - above[i] * s[i + 1]) / middle[i];
  return s;
}

}  // namespace

PiecewiseCubic::PiecewiseCubic(std::span<const double> times, std::span<const double> values,
                               Interpolation interpolation, bool holds)
    : first_(times.front()), last_(times.back()), holds_(holds) {
  const std::size_t count = times.size() - 1;
  std::vector<double> h(count), d(count);
  for (std::size_t i = 0; i < count; ++i) {
    h[i] = times[i + 1] - times[i];
    d[i] = (values[i + 1] - values[i]) / h[i];
  }
  if (holds) pieces_.push_back({-infinity, times.front(), {values.front(), 0, 0, 0}});
  const bool is_linear = interpolation == Interpolation::linear;
  const std::vector<double> s = is_linear ? std::vector<double>() : smooth_slopes(h, d);
  for (std::size_t i = 0; i < count; ++i) {
    Piece piece{pieces_.empty() ? -infinity : times[i], times[i], {values[i], d[i], 0, 0}};
    if (!is_linear)
      piece.c = {values[i], s[i], (3 * d[i] - 2 * s[i] - s[i + 1]) / h[i],
                 (s[i] + s[i + 1] - 2 * d[i]) / (h[i] * h[i])};
    pieces_.push_back(piece);
  }
  if (holds) pieces_.push_back({times.back(), times.back(), {values.back(), 0, 0, 0}});
}

bool PiecewiseCubic::covers(double begin, double end) const {
  // a run that ends at the last time of a table may reach it after thousands of roundings of t
  constexpr double rounding = 1e-12;
  const double slack = rounding * std::max({std::abs(first_), std::abs(last_), last_ - first_});
  return holds_ || (std::min(begin, end) >= first_ - slack && std::max(begin, end) <= last_ + slack);
}

std::size_t PiecewiseCubic::find(double t, bool before) const {
  const auto begins_behind = [](double time, const Piece& piece) { return time < piece.begin; };
  const auto begins_before = [](const Piece& piece, double time) { return piece.begin < time; };
  const auto next = before ? std::lower_bound(pieces_.begin() + 1, pieces_.end(), t, begins_before)
                           : std::upper_bound(pieces_.begin() + 1, pieces_.end(), t, begins_behind);
  return static_cast<std::size_t>(next - pieces_.begin()) - 1;
}

double PiecewiseCubic::next_knot(double t, bool before) const {
  const std::size_t i = find(t, before);
  if (before) return pieces_[i].begin;
  return i + 1 < pieces_.size() ? pieces_[i + 1].begin : infinity;
}

double PiecewiseCubic::eval(double t, int derivative) const {
  const Piece& piece = pieces_[find(t)];
  const double x = t - piece.origin;
  double value = 0;
  for (int k = 3; k >= derivative; --k) {
    double factor = 1;
    for (int j = 0; j < derivative; ++j) factor *= k - j;
    value = value * x + factor * piece.c[static_cast<std::size_t>(k)];
  }
  return value;
}

}  // namespace dalembert
