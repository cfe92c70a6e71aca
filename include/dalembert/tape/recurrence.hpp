// Taylor coefficients (Adomian polynomials) of elementary functions, one recurrence each.
//
// Arrays hold coefficients by order: a[j] is the coefficient of τ^j. A recurrence returns coefficient k >= 1
// of its result from the operands through order k and the result through order k − 1. Order 0 is the
// function's value. `da` stands for the derivative series with da[j] = j a[j]. See [griewankwalther2008],
// chapter 13, and (19) in [benhammouda2022], with which they agree.
#pragma once

#include <cstddef>

#include <dalembert/tape/lanes.hpp>

namespace dalembert::recurrence {

/// Σ_{j=first..last} a_j b_{k−j}
template <class T>
inline T convolution(const T* a, const T* b, int k, int first, int last) {
  T even = LaneMath<T>::of(0);  // two sums hide the latency of the additions
  T odd = LaneMath<T>::of(0);
  int j = first;
  for (; j + 1 <= last; j += 2) {
    LaneMath<T>::add_product(even, a[j], b[k - j]);
    LaneMath<T>::add_product(odd, a[j + 1], b[k - j - 1]);
  }
  if (j <= last) LaneMath<T>::add_product(even, a[j], b[k - j]);
  return even + odd;
}

/// u = a b:  u_k = Σ_{j=0..k} a_j b_{k−j}
template <class T>
T product(const T* a, const T* b, int k) {
  return convolution(a, b, k, 0, k);
}

/// u = a²:  u_k = 2 Σ_{j<k/2} a_j a_{k−j} (+ a_{k/2}² for even k)
template <class T>
T square(const T* a, int k) {
  const T half = convolution(a, a, k, 0, (k - 1) / 2);
  const T u = half + half;
  return k % 2 == 0 ? T(u + a[k / 2] * a[k / 2]) : u;
}

/// u = a / b:  u_k = (a_k − Σ_{j=1..k} b_j u_{k−j}) / b_0
template <class T>
T quotient(const T* a, const T* b, const T* u, int k) {
  return LaneMath<T>::divide(a[k] - convolution(b, u, k, 1, k), b[0]);
}

/// u = 1 / b:  u_k = −u_0 Σ_{j=1..k} b_j u_{k−j}
template <class T>
T inverse(const T* b, const T* u, int k) {
  return -(u[0] * convolution(b, u, k, 1, k));
}

/// u = √a:  u_k = (a_k − 2 Σ_{0<j<k/2} u_j u_{k−j} (− u_{k/2}² for even k)) / (2 u_0)
template <class T>
T sqrt(const T* a, const T* u, int k) {
  const T half = convolution(u, u, k, 1, (k - 1) / 2);
  T rest = a[k] - (half + half);
  if (k % 2 == 0) rest -= u[k / 2] * u[k / 2];
  return LaneMath<T>::divide(rest, u[0] + u[0]);
}

/// u = a^c:  u_k = (c Σ_{j=1..k} j a_j u_{k−j} − Σ_{j=1..k−1} j u_j a_{k−j}) / (k a_0)
template <class T>
T power(const T* a, const T* da, const T* u, const T* du, const T& c, int k) {
  const T sum = c * convolution(da, u, k, 1, k) - convolution(du, a, k, 1, k - 1);
  return LaneMath<T>::divide(sum, LaneMath<T>::of(k) * a[0]);
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

/// u' = a' w:  u_k = (1/k) Σ_{j=1..k} j a_j w_{k−j}.
/// exp: w = u; sin: w = cos; sinh: w = cosh; cosh: w = sinh; tan: w = 1 + u²; tanh: w = 1 − u²; cos: w =
/// −sin.
template <class T>
T integral_of_product(const T* da, const T* w, int k) {
  return convolution(da, w, k, 1, k) / LaneMath<T>::of(k);
}

/// u' = a' / w:  u_k = (a_k − (1/k) Σ_{j=1..k−1} j u_j w_{k−j}) / w_0.
/// log: w = a; asin: w = √(1 − a²); acos: w = −√(1 − a²); atan: w = 1 + a².
template <class T>
T integral_of_quotient(const T* a, const T* w, const T* du, int k) {
  return LaneMath<T>::divide(a[k] - convolution(du, w, k, 1, k - 1) / LaneMath<T>::of(k), w[0]);
}

/// u = atan2(y, x), u' = (x y' − y x') / r with r = x² + y²:
/// u_k = (Σ_{j=1..k} j (y_j x_{k−j} − x_j y_{k−j}) − Σ_{j=1..k−1} j u_j r_{k−j}) / (k r_0)
template <class T>
T atan2(const T* y, const T* dy, const T* x, const T* dx, const T* r, const T* du, int k) {
  const T sum = convolution(dy, x, k, 1, k) - convolution(dx, y, k, 1, k) - convolution(du, r, k, 1, k - 1);
  return LaneMath<T>::divide(sum, LaneMath<T>::of(k) * r[0]);
}

}  // namespace dalembert::recurrence
