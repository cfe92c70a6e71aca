// Sine and cosine of several numbers at once.
#pragma once

#include <cmath>

#include <dalembert/expr/lanes.hpp>

namespace dalembert {

/// The C library's, in the lanes where |x| is beyond the limit.
template <int W>
[[gnu::noinline]] void sincos_of_large(const Lanes<W>& x, double limit, Lanes<W>& sine, Lanes<W>& cosine) {
  for (int i = 0; i < W; ++i) {
    if (std::abs(x[i]) <= limit) continue;
    sine[i] = std::sin(x[i]);
    cosine[i] = std::cos(x[i]);
  }
}

/// Errors stay below one unit in the last place, like the C library's.
template <int W>
void sincos(const Lanes<W>& x, Lanes<W>& sine, Lanes<W>& cosine) {
  using Bits = decltype(Lanes<W>{} < Lanes<W>{});
  // x = k π/2 + r with |r| ≤ π/4, π/2 in three parts of which the first two have 33 bits [cody1980]: their
  // products with k are exact for all k that the limit lets through
  constexpr double limit = 1e5;
  const Bits is_large = (x > limit) | (x < -limit) | (x != x);
  Lanes<W> k = x * 0.63661977236758134308;
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, which the last bits then hold
  const Lanes<W> shifted = k + shift;
  k = shifted - shift;
  const Bits quadrant = reinterpret_cast<Bits>(shifted);
  const Lanes<W> high = x - k * 0x1.921fb544p+0;
  const Lanes<W> low = k * 0x1.0b4611a6p-34;
  const Lanes<W> r = high - low;
  const Lanes<W> rest = ((high - r) - low) - k * 0x1.3198a2e037073p-69;  // r + rest is the argument

  // minimax polynomials of fdlibm's __kernel_sin and __kernel_cos
  const Lanes<W> z = r * r;
  const Lanes<W> s = 8.33333333332248946124e-03 +
                     z * (-1.98412698298579493134e-04 +
                          z * (2.75573137070700676789e-06 +
                               z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const Lanes<W> c =
      z * (4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 +
                z * (2.48015872894767294178e-05 +
                     z * (-2.75573143513906633035e-07 +
                          z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const Lanes<W> cube = z * r;
  const Lanes<W> sine_r = r - ((z * (0.5 * rest - cube * s) - rest) - cube * -1.66666666666666324348e-01);
  const Lanes<W> half = 0.5 * z;
  const Lanes<W> one_less = 1.0 - half;
  const Lanes<W> cosine_r = one_less + (((1.0 - one_less) - half) + (z * c - r * rest));

  const Bits odd = (quadrant & 1) != 0;
  const Bits sine_sign = (quadrant & 2) << 62;
  const Bits cosine_sign = ((quadrant + 1) & 2) << 62;
  sine = reinterpret_cast<Lanes<W>>(reinterpret_cast<Bits>(odd ? cosine_r : sine_r) ^ sine_sign);
  cosine = reinterpret_cast<Lanes<W>>(reinterpret_cast<Bits>(odd ? sine_r : cosine_r) ^ cosine_sign);
  long long any_is_large = 0;
  for (int i = 0; i < W; ++i) any_is_large |= is_large[i];
  if (any_is_large != 0) {
    const Lanes<W> argument = x;  // copies: what has an address is kept in memory, on the other way too
    Lanes<W> s_large = sine, c_large = cosine;
    sincos_of_large<W>(argument, limit, s_large, c_large);
    sine = s_large;
    cosine = c_large;
  }
}

}  // namespace dalembert
