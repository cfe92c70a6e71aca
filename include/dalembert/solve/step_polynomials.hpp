// The motion over one step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <dalembert/expr/lanes.hpp>

namespace dalembert {

/// Polynomials in τ = t − t0: q through degree order + 1, v through order, a and λ through order − 1.
template <class S>
class StepPolynomials {
 public:
  S t0;
  S h;
  int order = 0;

  StepPolynomials(std::size_t n, std::size_t m, int max_order, const S& zero)
      : t0(zero), h(zero), n_(n), m_(m) {
    coefficients_.assign((static_cast<std::size_t>(max_order) + 3) * width() + wide, zero);
  }

  /// Coefficients of degree k of q, v, a, λ, one after the other.
  std::size_t width() const { return 3 * n_ + m_; }
  std::span<S> row(int k) { return {coefficients_.data() + static_cast<std::size_t>(k) * width(), width()}; }
  /// Of all degrees, one after the other.
  std::span<S> rows() { return coefficients_; }
  const S* q(int k) const { return coefficients_.data() + static_cast<std::size_t>(k) * width(); }
  const S* v(int k) const { return q(k) + n_; }

  /// One order more, such that a and λ change by what is given at τ = h. Returns false, and changes nothing,
  /// where h^order is no number to divide by.
  bool add_term(const S& h, std::span<const S> a_change, std::span<const S> lambda_change) {
    const S power = raised(h, order);
    // its reciprocal times a change of up to 1e18 is still a double
    constexpr double smallest = 1e-290;
    if (!(LaneMath<S>::size(power) > smallest)) return false;
    const S reciprocal = LaneMath<S>::of(1) / power;
    const S over_next = LaneMath<S>::of(1) / LaneMath<S>::of(order + 1);
    const S over_both = over_next / LaneMath<S>::of(order + 2);
    for (std::size_t i = 0; i < n_; ++i) {
      const S a = a_change[i] * reciprocal;
      row(order)[2 * n_ + i] = a;
      row(order + 1)[n_ + i] = a * over_next;
      row(order + 2)[i] = a * over_both;
    }
    for (std::size_t j = 0; j < m_; ++j) row(order)[3 * n_ + j] = lambda_change[j] * reciprocal;
    ++order;
    return true;
  }

  /// What q, v, a and λ gain over τ; added to the values at t0 with care, it loses less than the sum.
  void eval_gain(const S& tau, std::span<S> out) const {
    std::size_t first = 0;
    for (; first + chunk < width(); first += wide) eval_gain_of<wide>(first, tau, out);
    for (; first < width(); first += chunk) eval_gain_of<chunk>(first, tau, out);
  }

  void eval_q(const S& tau, std::span<S> out) const { horner(0, 0, order + 1, tau, out); }
  void eval_v(const S& tau, std::span<S> out) const { horner(n_, 0, order, tau, out); }
  void eval_a(const S& tau, std::span<S> out) const { horner(2 * n_, 0, order - 1, tau, out); }
  void eval_lambda(const S& tau, std::span<S> out) const { horner(3 * n_, 0, order - 1, tau, out); }

 private:
  // Several components at a time, whose sums stay in registers.
  static constexpr std::size_t chunk = std::is_trivially_copyable_v<S> ? 8 : 1;
  static constexpr std::size_t wide = std::is_same_v<S, double> ? 4 * chunk : chunk;

  // Σ_{k=lowest..degree} c_k τ^(k − lowest) of the components from `first` on, as many as `out` takes
  void horner(std::size_t first, int lowest, int degree, const S& tau, std::span<S> out) const {
    for (std::size_t i = 0; i < out.size(); i += chunk) {
      const S* row = q(degree) + first + i;
      std::array<S, chunk> sum;
      for (std::size_t j = 0; j < chunk; ++j) sum[j] = row[j];
      for (int k = degree - 1; k >= lowest; --k) {
        row -= width();
        for (std::size_t j = 0; j < chunk; ++j) sum[j] = sum[j] * tau + row[j];
      }
      std::copy_n(sum.begin(), std::min(chunk, out.size() - i), out.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  // τ Σ_{k≥1} c_k τ^(k−1), even and odd degrees apart: the next addition need not wait for the last
  template <std::size_t count>
  void eval_gain_of(std::size_t first, const S& tau, std::span<S> out) const {
    const auto coefficient = [&](int k, std::size_t j) { return q(k)[first + j]; };
    const S square = tau * tau;
    std::array<S, count> sum, other;
    for (std::size_t j = 0; j < count; ++j) {  // the last rows are of q alone, and of q and v
      const S last = first + j < n_ ? S(coefficient(order + 1, j) * tau) : LaneMath<S>::of(0);
      sum[j] = first + j < 2 * n_ ? S(last + coefficient(order, j)) : LaneMath<S>::of(0);
      other[j] = coefficient(order - 1, j);
    }
    int k = order - 2;
    for (; k >= 2; k -= 2) {
      for (std::size_t j = 0; j < count; ++j) sum[j] = sum[j] * square + coefficient(k, j);
      for (std::size_t j = 0; j < count; ++j) other[j] = other[j] * square + coefficient(k - 1, j);
    }
    // what is left is of degrees k + 2 and k + 1
    for (std::size_t j = 0; j < count; ++j)
      sum[j] = k == 1 ? S((sum[j] * square + coefficient(1, j)) * tau + other[j] * square)
                      : S(sum[j] * square + other[j] * tau);
    std::copy_n(sum.begin(), std::min(count, out.size() - first),
                out.begin() + static_cast<std::ptrdiff_t>(first));
  }
  static S raised(const S& x, int exponent) {
    S power = LaneMath<S>::of(1);
    S square = x;
    for (int left = exponent; left > 0; left /= 2) {
      if (left % 2 == 1) power *= square;
      square *= square;
    }
    return power;
  }

  std::size_t n_;
  std::size_t m_;
  std::vector<S> coefficients_;  // [degree][component], and a chunk more
};

}  // namespace dalembert
