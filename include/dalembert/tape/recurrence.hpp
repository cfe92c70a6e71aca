// Taylor coefficients (Adomian polynomials) of elementary functions, one recurrence each.
//
// Coefficient k >= 1 of every result is linear in the coefficients k of its operands, with the partial
// derivatives at order 0 as factors, plus a sum over products of lower orders. Σ' stands for Σ_{j=1..k−1}. A
// recurrence gives the factors, which are the same for all orders, from the values at order 0. See
// [griewankwalther2008], chapter 13, and (19) in [benhammouda2022], with which they agree.
#pragma once

#include <cstddef>

#include <dalembert/tape/lanes.hpp>

namespace dalembert::recurrence {

/// u_k = sum · Σ' + x · x_k + y · y_k
template <class T>
struct Factors {
  T sum;
  T x;
  T y;
};

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
/// exp: w = u; sin: w = cos; cos: w = −sin; sinh: w = cosh; cosh: w = sinh; tan: w = 1 + u²; tanh: w = 1 −
/// u².
template <class T>
Factors<T> integral_of_product(const T& w) {
  return {LaneMath<T>::of(1), w, LaneMath<T>::of(0)};
}

/// u' = a' / w:  u_k = (−Σ' j u_j w_{k−j} / k + a_k) / w_0.
/// log: w = a; asin: w = √(1 − a²); acos: w = −√(1 − a²); atan: w = 1 + a².
template <class T>
Factors<T> integral_of_quotient(const T& w) {
  const T reciprocal = LaneMath<T>::divide(LaneMath<T>::of(1), w);
  return {-reciprocal, reciprocal, LaneMath<T>::of(0)};
}

/// u = atan2(y, x), u' = (x y' − y x') / r with r = x² + y²:
/// u_k = (Σ' j (y_j x_{k−j} − x_j y_{k−j} − u_j r_{k−j}) / k + x_0 y_k − y_0 x_k) / r_0.
/// Factors of the first sum (that of the others is its opposite), of y_k, of x_k.
template <class T>
Factors<T> atan2(const T& y, const T& x, const T& r) {
  const T reciprocal = LaneMath<T>::divide(LaneMath<T>::of(1), r);
  return {reciprocal, x * reciprocal, -y * reciprocal};
}

}  // namespace dalembert::recurrence
