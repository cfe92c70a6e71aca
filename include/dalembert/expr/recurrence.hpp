// Taylor coefficients (Adomian polynomials) of elementary functions, one recurrence each.
//
// Coefficient k >= 1 of every result is linear in the coefficients k of its operands, with the partial
// derivatives at order 0 as factors, plus a sum over products of lower orders. Σ' stands for Σ_{j=1..k−1}. A
// recurrence gives the factors, which are the same for all orders, from the values at order 0. See
// [griewankwalther2008], chapter 13, and (19) in [benhammouda2022], with which they agree.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <dalembert/expr/lanes.hpp>

namespace dalembert::recurrence {

/// u_k = sum · Σ' + x · x_k + y · y_k
template <class T>
struct Factors {
  T sum;
  T x;
  T y;
};

template <class T>
Factors<T> opposite(const Factors<T>& f) {
  return {-f.sum, -f.x, -f.y};
}

/// Beyond the largest number: of such values only inverses are of use, and those are zero with all their
/// coefficients. Those of the value itself are taken as zero, since 0 · ∞ would not be a number.
template <class T>
Factors<T> unless_infinite(const T& value, const Factors<T>& f) {
  if constexpr (std::is_same_v<T, double>) {
    return std::isinf(value) ? Factors<T>{} : f;
  } else if constexpr (LaneMath<T>::lanes > 1) {
    const T largest = T{} + std::numeric_limits<double>::max();
    const T zero = LaneMath<T>::of(0);
    const T size = ScalarMath<T>::abs(value);
    const auto kept = [&](const T& factor) { return LaneMath<T>::of_lesser(size, largest, factor, zero); };
    return {kept(f.sum), kept(f.x), kept(f.y)};
  } else {
    return f;
  }
}

/// u = a b:  u_k = Σ' a_j b_{k−j} + b_0 a_k + a_0 b_k
template <class T>
Factors<T> product(const T& a, const T& b) {
  return {LaneMath<T>::of(1), b, a};
}

/// u = a²:  u_k = Σ' a_j a_{k−j} + 2 a_0 a_k
template <class T>
Factors<T> square(const T& a) {
  return {LaneMath<T>::of(1), a + a, LaneMath<T>::of(0)};
}

/// u = a / b:  u_k = (−Σ' b_j u_{k−j} + a_k − u_0 b_k) / b_0
template <class T>
Factors<T> quotient(const T& b, const T& u) {
  const T reciprocal = LaneMath<T>::divide(LaneMath<T>::of(1), b);
  return {-reciprocal, reciprocal, -u * reciprocal};
}

/// u = 1 / b:  u_k = −u_0 (Σ' b_j u_{k−j} + u_0 b_k)
template <class T>
Factors<T> inverse(const T& u) {
  return {-u, -u * u, LaneMath<T>::of(0)};
}

/// u = √a:  u_k = (−Σ' u_j u_{k−j} + a_k) / (2 u_0)
template <class T>
Factors<T> sqrt(const T& u) {
  const T half = LaneMath<T>::divide(LaneMath<T>::of(1), u + u);
  return {-half, half, LaneMath<T>::of(0)};
}

/// u = a^c:  u_k = (c Σ' j a_j u_{k−j} / k − Σ' j u_j a_{k−j} / k + c u_0 a_k) / a_0.
/// Factors of the first sum, of a_k, of the second sum.
template <class T>
Factors<T> power(const T& a, const T& u, const T& c) {
  const T reciprocal = LaneMath<T>::divide(LaneMath<T>::of(1), a);
  return {c * reciprocal, c * u * reciprocal, -reciprocal};
}

/// The same for one scalar T in lanes: coefficient j stands at a[j * stride]. Where a_0 = 0 and c is a
/// natural number n, a = τ^m b gives u = τ^(mn) b^n, with w = b^n:  w_i = Σ_{j=1..i} (n j − i + j) b_j
/// w_{i−j} / (i b_0)
template <class T>
T power_at_zero(const T* a, const T* u, std::size_t stride, int n, int k) {
  const T zero = LaneMath<T>::of(0);
  int m = 1;
  while (m <= k && a[static_cast<std::size_t>(m) * stride] == zero) ++m;
  if (n == 0 || n > k || m * n > k) return zero;
  const int i = k - m * n;
  const T* b = a + static_cast<std::size_t>(m) * stride;
  const T* w = u + static_cast<std::size_t>(m * n) * stride;
  T sum = i == 0 ? LaneMath<T>::of(1) : zero;
  if (i == 0) {
    for (int factor = 0; factor < n; ++factor) sum *= b[0];
    return sum;
  }
  for (int j = 1; j <= i; ++j) {
    const T weight = LaneMath<T>::of(n * j - i + j);
    sum += weight * b[static_cast<std::size_t>(j) * stride] * w[static_cast<std::size_t>(i - j) * stride];
  }
  return sum / (LaneMath<T>::of(i) * b[0]);
}

/// u' = a' w:  u_k = Σ' j a_j w_{k−j} / k + w_0 a_k.
template <class T>
Factors<T> integral_of_product(const T& w) {
  return {LaneMath<T>::of(1), w, LaneMath<T>::of(0)};
}

/// u' = a' / w:  u_k = (−Σ' j u_j w_{k−j} / k + a_k) / w_0.
template <class T>
Factors<T> integral_of_quotient(const T& w) {
  const T reciprocal = LaneMath<T>::divide(LaneMath<T>::of(1), w);
  return {-reciprocal, reciprocal, LaneMath<T>::of(0)};
}

}  // namespace dalembert::recurrence
