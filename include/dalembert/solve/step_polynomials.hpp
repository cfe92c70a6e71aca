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
    coefficients_.assign((static_cast<std::size_t>(max_order) + 3) * width() + chunk, zero);
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
    S power = LaneMath<S>::of(1);
    for (int k = 0; k < order; ++k) power *= h;
    constexpr double smallest = 1e-290;
    if (!(LaneMath<S>::size(power) > smallest)) return false;
    const S reciprocal = LaneMath<S>::of(1) / power;
    const S next = LaneMath<S>::of(order + 1);
    const S after_next = LaneMath<S>::of(order + 2);
    for (std::size_t i = 0; i < n_; ++i) {
      const S a = a_change[i] * reciprocal;
      row(order)[2 * n_ + i] = a;
      row(order + 1)[n_ + i] = a / next;
      row(order + 2)[i] = a / next / after_next;
    }
    for (std::size_t j = 0; j < m_; ++j) row(order)[3 * n_ + j] = lambda_change[j] * reciprocal;
    ++order;
    return true;
  }

  /// What q and v gain over τ; added to the values at t0 with care, it loses less than the sum.
  void eval_gain_q(const S& tau, std::span<S> out) const { gain(0, order + 1, tau, out); }
  void eval_gain_v(const S& tau, std::span<S> out) const { gain(n_, order, tau, out); }

  void eval_q(const S& tau, std::span<S> out) const { horner(0, 0, order + 1, tau, out); }
  void eval_v(const S& tau, std::span<S> out) const { horner(n_, 0, order, tau, out); }
  void eval_a(const S& tau, std::span<S> out) const { horner(2 * n_, 0, order - 1, tau, out); }
  void eval_lambda(const S& tau, std::span<S> out) const { horner(3 * n_, 0, order - 1, tau, out); }

 private:
  // Several components at a time, whose sums stay in registers.
  static constexpr std::size_t chunk = std::is_trivially_copyable_v<S> ? 8 : 1;

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
  void gain(std::size_t first, int degree, const S& tau, std::span<S> out) const {
    horner(first, 1, degree, tau, out);
    for (S& x : out) x *= tau;
  }

  std::size_t n_;
  std::size_t m_;
  std::vector<S> coefficients_;  // [degree][component], and a chunk more
};

}  // namespace dalembert
