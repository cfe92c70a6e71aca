// The history of a multistep method in quasi-constant steps: backward differences ∇ʲ y_n at the present step
// length.
//
//   prediction            y⁽⁰⁾ = Σ_{j=0..k} ∇ʲ y_n
//   derivative at n + 1   h γ y' = Σ_{j=1..k} γ_j γ ∇ʲ y_n + (y − y⁽⁰⁾),   γ_j = Σ_{i=1..j} 1/i,  γ = 1/(γ_k
//   (1 − κ_k)) interpolation         y(t_n + s h) = y_n + Σ_{j=1..k} ∇ʲ y_n Π_{i=0..j−1} (s + i)/(i + 1)
//   another step h'       D ← D R U, with R_ij = Π_{l=1..i} (l − 1 − j h'/h)/l and U = R for h' = h
//
// [shampinereichelt1997], section 2.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace dalembert {

class BackwardDifferences {
 public:
  // The formula of order 6 is stable in a narrow wedge (18°) alone, those beyond not at all
  // [hairerwanner1996].
  static constexpr int max_order = 5;

  explicit BackwardDifferences(std::size_t size) : size_(size), data_((max_order + 3) * size, 0.0) {}

  /// ∇ʲ y, j = 1 .. max_order + 2.
  std::span<double> operator[](int j) { return {&data_[static_cast<std::size_t>(j) * size_], size_}; }
  std::span<const double> operator[](int j) const {
    return {&data_[static_cast<std::size_t>(j) * size_], size_};
  }

  /// y⁽⁰⁾ from y.
  void predict(int order, std::span<const double> y, std::span<double> predicted) const {
    for (std::size_t i = 0; i < size_; ++i) {
      double sum = y[i];
      for (int j = 1; j <= order; ++j) sum += (*this)[j][i];
      predicted[i] = sum;
    }
  }
  /// After an accepted step with y − y⁽⁰⁾ = correction = ∇ᵏ⁺¹ y.
  void advance(int order, std::span<const double> correction) {
    for (std::size_t i = 0; i < size_; ++i) {
      (*this)[order + 2][i] = correction[i] - (*this)[order + 1][i];
      (*this)[order + 1][i] = correction[i];
      for (int j = order; j >= 1; --j) (*this)[j][i] += (*this)[j + 1][i];
    }
  }
  void rescale(int order, double ratio);
  /// s = (t − t_n)/h.
  void interpolate(int order, std::span<const double> y, double s, std::span<double> result) const {
    std::array<double, max_order + 1> factor{1};
    for (int j = 1; j <= order; ++j)
      factor[static_cast<std::size_t>(j)] = factor[static_cast<std::size_t>(j - 1)] * (s + j - 1) / j;
    for (std::size_t i = 0; i < result.size(); ++i) {
      double sum = y[i];
      for (int j = 1; j <= order; ++j) sum += factor[static_cast<std::size_t>(j)] * (*this)[j][i];
      result[i] = sum;
    }
  }
  /// h times the derivative of that.
  void differentiate(int order, double s, std::span<double> result) const {
    std::array<double, max_order + 1> derivative{};
    double factor = 1;
    for (int j = 1; j <= order; ++j) {
      const auto at = static_cast<std::size_t>(j);
      derivative[at] = (derivative[at - 1] * (s + j - 1) + factor) / j;
      factor *= (s + j - 1) / j;
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      double sum = 0;
      for (int j = 1; j <= order; ++j) sum += derivative[static_cast<std::size_t>(j)] * (*this)[j][i];
      result[i] = sum;
    }
  }

 private:
  std::size_t size_;
  std::vector<double> data_;  // row 0 is not used
};

}  // namespace dalembert
