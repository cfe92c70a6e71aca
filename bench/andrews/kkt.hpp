#pragma once
// The saddle-point system of the mechanism by its Schur complement S = G M^-1 G^T.
//
// With P = E M12^-1 E^T, B = c M3^-1 c^T, D := D M45^-1 D^T, F := F M67^-1 F^T (all 2x2)
//         [ P+D  P    P   ]
//     S = [ P    P+F  P   ]    for (lambda3,4; lambda5,6; lambda1,2).
//         [ P    P    P+B ]
// Block Cholesky keeps this shape: behind the pivot P+D stand P' = P - P (P+D)^-1 P in the place of P. For
// 2x2 matrices that parallel sum is P' = (det P D + det D P) / det(P+D), free of cancellation.

#include "andrews/equations.hpp"

namespace dalembert::bench::andrews {

constexpr double det(const Symmetric2& m) { return m.a * m.c - m.b * m.b; }
constexpr Symmetric2 operator+(const Symmetric2& m, const Symmetric2& n) {
  return {m.a + n.a, m.b + n.b, m.c + n.c};
}
constexpr Vector2 operator*(const Symmetric2& m, Vector2 x) {
  return {m.a * x.x + m.b * x.y, m.b * x.x + m.c * x.y};
}
constexpr Symmetric2 scaled_adjugate(const Symmetric2& m, double factor) {
  return {factor * m.c, -factor * m.b, factor * m.a};
}
constexpr Symmetric2 inverse(const Symmetric2& m) { return scaled_adjugate(m, 1 / det(m)); }

// [left right] m [left right]^T
constexpr Symmetric2 congruent(const Symmetric2& m, Vector2 left, Vector2 right) {
  const Vector2 x = {m.a * left.x + m.b * right.x, m.b * left.x + m.c * right.x};
  const Vector2 y = {m.a * left.y + m.b * right.y, m.b * left.y + m.c * right.y};
  return {left.x * x.x + right.x * x.y, left.x * y.x + right.x * y.y, left.y * y.x + right.y * y.y};
}

struct KktFactor {
  Symmetric2 inverse_m12, inverse_m45, inverse_m67;  // of the blocks of M; M3 is constant
  Symmetric2 p, p_next;                              // P and P'
  Symmetric2 inverse_d, inverse_f, inverse_b;        // of the three pivots
};

inline KktFactor factorize(const Matrices& m) {
  KktFactor k;
  k.inverse_m12 = inverse(m.m12);
  k.inverse_m45 = inverse(m.m45);
  k.inverse_m67 = inverse(m.m67);
  k.p = congruent(k.inverse_m12, m.e1, m.e2);
  const Symmetric2 d = congruent(k.inverse_m45, m.d4, m.d5), f = congruent(k.inverse_m67, m.f6, m.f7);
  const double w = 1 / fixed::m33;
  const Symmetric2 b = {w * m.c.x * m.c.x, w * m.c.x * m.c.y, w * m.c.y * m.c.y};
  const auto parallel = [](const Symmetric2& p, const Symmetric2& t, double inverse_det) {
    const double x = det(p) * inverse_det, y = det(t) * inverse_det;
    return Symmetric2{x * t.a + y * p.a, x * t.b + y * p.b, x * t.c + y * p.c};
  };
  const Symmetric2 pivot_d = k.p + d;
  const double inverse_det_d = 1 / det(pivot_d);
  k.inverse_d = scaled_adjugate(pivot_d, inverse_det_d);
  k.p_next = parallel(k.p, d, inverse_det_d);
  const Symmetric2 pivot_f = k.p_next + f;
  const double inverse_det_f = 1 / det(pivot_f);
  k.inverse_f = scaled_adjugate(pivot_f, inverse_det_f);
  k.inverse_b = inverse(parallel(k.p_next, f, inverse_det_f) + b);
  return k;
}

inline Vector7 solve_M(const KktFactor& k, const Vector7& x) {
  const Vector2 a = k.inverse_m12 * Vector2{x[0], x[1]}, d = k.inverse_m45 * Vector2{x[3], x[4]},
                f = k.inverse_m67 * Vector2{x[5], x[6]};
  return {a.x, a.y, (1 / fixed::m33) * x[2], d.x, d.y, f.x, f.y};
}

inline Vector6 solve_schur(const KktFactor& k, const Vector6& right) {
  const Vector2 d = {right[2], right[3]};
  const Vector2 taken = k.p * (k.inverse_d * d);
  const Vector2 f = Vector2{right[4], right[5]} - taken;
  const Vector2 b = Vector2{right[0], right[1]} - taken - k.p_next * (k.inverse_f * f);
  const Vector2 lambda_b = k.inverse_b * b;
  const Vector2 lambda_f = k.inverse_f * (f - k.p_next * lambda_b);
  const Vector2 lambda_d = k.inverse_d * (d - k.p * (lambda_b + lambda_f));
  return {lambda_b.x, lambda_b.y, lambda_d.x, lambda_d.y, lambda_f.x, lambda_f.y};
}

// M a + G^T lambda = f, G a = gamma.
inline void solve_kkt(const Matrices& m, const KktFactor& k, const Vector7& f, const Vector6& gamma,
                      Vector7& a, Vector6& lambda) {
  Vector6 right = multiply_G(m, solve_M(k, f));
  for (int i = 0; i < 6; ++i) right[i] -= gamma[i];
  lambda = solve_schur(k, right);
  Vector7 rest = multiply_G_transposed(m, lambda);
  for (int i = 0; i < 7; ++i) rest[i] = f[i] - rest[i];
  a = solve_M(k, rest);
}

// The smallest change of x in the mass metric with G (x + change) = G x - defect.
inline void project(const Matrices& m, const KktFactor& k, const Vector6& defect, Vector7& x) {
  const Vector7 change = solve_M(k, multiply_G_transposed(m, solve_schur(k, defect)));
  for (int i = 0; i < 7; ++i) x[i] -= change[i];
}

}  // namespace dalembert::bench::andrews
