#pragma once
// Sines and cosines of eight angles at once, within about one unit in the last place for |x| < 1e5.

namespace dalembert::bench {

using Lanes = double __attribute__((vector_size(64)));
using LaneBits = long long __attribute__((vector_size(64)));

inline void sincos(const Lanes& x, Lanes& sine, Lanes& cosine) {
  // x = k pi/2 + r with |r| <= pi/4; pi/2 in three parts of 33 bits, so that k times a part is exact.
  constexpr double magic = 0x1.8p52;
  const Lanes shifted = x * 0x1.45f306dc9c883p-1 + magic;
  const Lanes k = shifted - magic;
  const LaneBits quadrant = reinterpret_cast<LaneBits>(shifted);
  const Lanes r = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
  const Lanes z = r * r;
  // Minimax polynomials on [-pi/4, pi/4], coefficients of fdlibm's __kernel_sin and __kernel_cos.
  const Lanes s =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 +
                              z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const Lanes c =
      1 -
      (0.5 * z - z * z *
                     (4.16666666666666019037e-02 +
                      z * (-1.38888888888741095749e-03 +
                           z * (2.48015872894767294178e-05 +
                                z * (-2.75573143513906633035e-07 +
                                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));
  const LaneBits odd = (quadrant & 1) != 0;
  const LaneBits sin_sign = (quadrant & 2) << 62, cos_sign = ((quadrant + 1) & 2) << 62;
  sine = reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(odd ? c : s) ^ sin_sign);
  cosine = reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(odd ? s : c) ^ cos_sign);
}

}  // namespace dalembert::bench
