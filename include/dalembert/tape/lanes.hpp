// Several numbers in one SIMD register: W instructions, or W trajectories, at once.
#pragma once

#include <cstddef>

#include <dalembert/expr/scalar.hpp>

namespace dalembert {

/// How many doubles the widest register of this machine holds.
#if defined(__AVX512F__)
inline constexpr int native_lanes = 8;
#else
inline constexpr int native_lanes = 4;
#endif

/// W doubles; arithmetic works lane by lane. GCC and Clang lower it to what the machine has.
template <int W>
struct LanesOf {
  using type = double __attribute__((vector_size(W * sizeof(double))));
};
template <>
struct LanesOf<1> {
  using type = double;
};
template <int W>
using Lanes = typename LanesOf<W>::type;

/// What a recurrence needs of its number type beyond + − * /.
template <class T>
struct LaneMath {
  static T of(int k) { return T(k); }
  /// sum += a b
  static void add_product(T& sum, const T& a, const T& b) { sum += a * b; }
  static void subtract_product(T& sum, const T& a, const T& b) { sum -= a * b; }
};

template <>
struct LaneMath<Real> {
  static Real of(int k) { return Real(k); }
  static void add_product(Real& sum, const Real& a, const Real& b) {
    mpfr_fma(sum.backend().data(), a.backend().data(), b.backend().data(), sum.backend().data(), MPFR_RNDN);
  }
  static void subtract_product(Real& sum, const Real& a, const Real& b) {  // a b − sum, with the sign turned
    mpfr_fms(sum.backend().data(), a.backend().data(), b.backend().data(), sum.backend().data(), MPFR_RNDN);
    mpfr_neg(sum.backend().data(), sum.backend().data(), MPFR_RNDN);
  }
};

template <>
struct LaneMath<Lanes<2>> {
  static Lanes<2> of(int k) { return Lanes<2>{} + static_cast<double>(k); }
  static void add_product(Lanes<2>& sum, const Lanes<2>& a, const Lanes<2>& b) { sum += a * b; }
  static void subtract_product(Lanes<2>& sum, const Lanes<2>& a, const Lanes<2>& b) { sum -= a * b; }
};
template <>
struct LaneMath<Lanes<4>> {
  static Lanes<4> of(int k) { return Lanes<4>{} + static_cast<double>(k); }
  static void add_product(Lanes<4>& sum, const Lanes<4>& a, const Lanes<4>& b) { sum += a * b; }
  static void subtract_product(Lanes<4>& sum, const Lanes<4>& a, const Lanes<4>& b) { sum -= a * b; }
};
template <>
struct LaneMath<Lanes<8>> {
  static Lanes<8> of(int k) { return Lanes<8>{} + static_cast<double>(k); }
  static void add_product(Lanes<8>& sum, const Lanes<8>& a, const Lanes<8>& b) { sum += a * b; }
  static void subtract_product(Lanes<8>& sum, const Lanes<8>& a, const Lanes<8>& b) { sum -= a * b; }
};

}  // namespace dalembert
