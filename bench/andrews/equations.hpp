#pragma once
// Andrews' squeezing mechanism by hand: M a = f - G^T lambda, g = 0, G v = 0, G a = gamma.
//
// Every joint equation is a sum of plane vectors that rotate with one angle each, p(theta)' = turned(p), p''
// = -p:
//     g1,2 = p1(q1) + p2(q1+q2) + p3(q3)             - b      b = (xb, yb)
//     g3,4 = p1(q1) + p2(q1+q2) + p4(q4+q5) + p5(q5) - a      a = (xa, ya)
//     g5,6 = p1(q1) + p2(q1+q2) + p6(q6+q7) + p7(q7) - a
// so G, gamma and all their derivatives come from the seven vectors without further sines or cosines. With
// the plane blocks E = dp/d(q1,q2), c = dp3/dq3, D = d(p4+p5)/d(q4,q5), F = d(p6+p7)/d(q6,q7):
//         [ E c     ]
//     G = [ E   D   ]        M = diag( M12 (2x2), M3, M45 (2x2), M67 (2x2) )
//         [ E     F ]

#include <cmath>

#include "andrews/data.hpp"
#include "sincos_lanes.hpp"

namespace dalembert::bench::andrews {

struct Vector2 {
  double x, y;
};
constexpr Vector2 operator+(Vector2 a, Vector2 b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vector2 operator-(Vector2 a, Vector2 b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vector2 operator-(Vector2 a) { return {-a.x, -a.y}; }
constexpr Vector2 operator*(double s, Vector2 a) { return {s * a.x, s * a.y}; }
constexpr double dot(Vector2 a, Vector2 b) { return a.x * b.x + a.y * b.y; }
constexpr Vector2 turned(Vector2 a) { return {-a.y, a.x}; }

struct Symmetric2 {
  double a, b, c;  // [ a b ; b c ]
};

// Parts of M and f that do not change.
namespace fixed {
using namespace parameter;
inline constexpr double k2 = m2 * da * rr, k4 = m4 * zt * (e - ea), k6 = m6 * u * (zf - fa);
inline constexpr double m11 = m1 * ra * ra + m2 * (rr * rr + da * da) + i1 + i2, m22 = m2 * da * da + i2;
inline constexpr double m33 = m3 * (sa * sa + sb * sb) + i3;
inline constexpr double m44 = m4 * (e - ea) * (e - ea) + i4;
inline constexpr double m55 = m44 + m4 * zt * zt + m5 * (ta * ta + tb * tb) + i5;
inline constexpr double m66 = m6 * (zf - fa) * (zf - fa) + i6;
inline constexpr double m77 = m66 + m6 * u * u + m7 * (ua * ua + ub * ub) + i7;
// Spring from C to the point D that turns about B with radius |(sd, sc)|.
inline constexpr Vector2 spring_arm = {xb - xc, yb - yc};
inline constexpr double spring_square = sd * sd + sc * sc + dot(spring_arm, spring_arm);
}  // namespace fixed

// All that depends on q alone and needs sines and cosines.
struct Configuration {
  double sin2, cos2, sin4, cos4, sin6, cos6;
  Vector2 p1, p2, p3, p4, p5, p6, p7;
  Vector2 spring;  // from B to D
};

// Sines and cosines of q one by one from the C library, or all at once in vector lanes.
struct LibraryTrigonometry {
  explicit LibraryTrigonometry(const Vector7& q) {
    for (int i = 0; i < 7; ++i) {
      s[i] = std::sin(q[i]);
      c[i] = std::cos(q[i]);
    }
  }
  double s[7], c[7];
};
struct LaneTrigonometry {
  explicit LaneTrigonometry(const Vector7& q) {
    sincos(Lanes{q[0], q[1], q[2], q[3], q[4], q[5], q[6], 0}, s, c);
  }
  Lanes s, c;
};

template <class Trigonometry = LaneTrigonometry>
Configuration make_configuration(const Vector7& q) {
  using namespace parameter;
  const Trigonometry of(q);
  const auto direction = [&](int i) { return Vector2{of.c[i], of.s[i]}; };
  const auto sum = [&](int i, int j) {
    return Vector2{of.c[i] * of.c[j] - of.s[i] * of.s[j], of.s[i] * of.c[j] + of.c[i] * of.s[j]};
  };
  return {.sin2 = of.s[1],
          .cos2 = of.c[1],
          .sin4 = of.s[3],
          .cos4 = of.c[3],
          .sin6 = of.s[5],
          .cos6 = of.c[5],
          .p1 = rr * direction(0),
          .p2 = -d * sum(0, 1),
          .p3 = ss * turned(direction(2)),
          .p4 = e * turned(sum(3, 4)),
          .p5 = -zt * direction(4),
          .p6 = -zf * sum(5, 6),
          .p7 = u * turned(direction(6)),
          .spring = sd * direction(2) - sc * turned(direction(2))};
}

// The blocks of M and of G.
struct Matrices {
  Symmetric2 m12, m45, m67;
  double m3;
  Vector2 e1, e2, c, d4, d5, f6, f7;  // columns of E, c, D, F
};

inline Matrices make_matrices(const Configuration& at) {
  using namespace fixed;
  return {{m11 - 2 * k2 * at.cos2, m22 - k2 * at.cos2, m22},
          {m44, m44 + k4 * at.sin4, m55 + 2 * k4 * at.sin4},
          {m66, m66 - k6 * at.sin6, m77 - 2 * k6 * at.sin6},
          m33,
          turned(at.p1 + at.p2),
          turned(at.p2),
          turned(at.p3),
          turned(at.p4),
          turned(at.p4 + at.p5),
          turned(at.p6),
          turned(at.p6 + at.p7)};
}

inline Vector7 eval_f(const Configuration& at, const Vector7& v) {
  using namespace fixed;
  const double length = std::sqrt(spring_square + 2 * dot(spring_arm, at.spring));
  return {mom - k2 * at.sin2 * v[1] * (v[1] + 2 * v[0]),
          k2 * at.sin2 * v[0] * v[0],
          -c0 * (1 - l0 / length) * dot(spring_arm, turned(at.spring)),
          k4 * at.cos4 * v[4] * v[4],
          -k4 * at.cos4 * v[3] * (v[3] + 2 * v[4]),
          -k6 * at.cos6 * v[6] * v[6],
          k6 * at.cos6 * v[5] * (v[5] + 2 * v[6])};
}

inline Vector6 eval_g(const Configuration& at) {
  using namespace parameter;
  const Vector2 p = at.p1 + at.p2;
  const Vector2 gb = p + at.p3, gd = p + at.p4 + at.p5, gf = p + at.p6 + at.p7;
  return {gb.x - xb, gb.y - yb, gd.x - xa, gd.y - ya, gf.x - xa, gf.y - ya};
}

// gamma = sum of omega^2 p over the rotating vectors.
inline Vector6 eval_gamma(const Configuration& at, const Vector7& v) {
  const auto pull = [](double omega, Vector2 p) { return (omega * omega) * p; };
  const Vector2 p = pull(v[0], at.p1) + pull(v[0] + v[1], at.p2);
  const Vector2 b = p + pull(v[2], at.p3);
  const Vector2 d = p + pull(v[3] + v[4], at.p4) + pull(v[4], at.p5);
  const Vector2 f = p + pull(v[5] + v[6], at.p6) + pull(v[6], at.p7);
  return {b.x, b.y, d.x, d.y, f.x, f.y};
}

inline Vector6 multiply_G(const Matrices& m, const Vector7& v) {
  const Vector2 p = v[0] * m.e1 + v[1] * m.e2;
  const Vector2 b = p + v[2] * m.c, d = p + v[3] * m.d4 + v[4] * m.d5, f = p + v[5] * m.f6 + v[6] * m.f7;
  return {b.x, b.y, d.x, d.y, f.x, f.y};
}

inline Vector7 multiply_G_transposed(const Matrices& m, const Vector6& lambda) {
  const Vector2 b = {lambda[0], lambda[1]}, d = {lambda[2], lambda[3]}, f = {lambda[4], lambda[5]};
  const Vector2 all = b + d + f;
  return {dot(m.e1, all), dot(m.e2, all), dot(m.c, b), dot(m.d4, d),
          dot(m.d5, d),   dot(m.f6, f),   dot(m.f7, f)};
}

inline Vector7 multiply_M(const Matrices& m, const Vector7& a) {
  return {m.m12.a * a[0] + m.m12.b * a[1], m.m12.b * a[0] + m.m12.c * a[1], m.m3 * a[2],
          m.m45.a * a[3] + m.m45.b * a[4], m.m45.b * a[3] + m.m45.c * a[4], m.m67.a * a[5] + m.m67.b * a[6],
          m.m67.b * a[5] + m.m67.c * a[6]};
}

// Derivatives for implicit methods; matrices are dense, entry (row, column) at [row][column].
template <std::size_t Rows>
using Jacobian = std::array<Vector7, Rows>;

// d/dq of M a - f + G^T lambda with a, v, lambda held.
Jacobian<7> eval_force_dq(const Configuration& at, const Vector7& v, const Vector7& a, const Vector6& lambda);
// d/dv of f.
Jacobian<7> eval_f_dv(const Configuration& at, const Vector7& v);
// d/dq of G w with w held.
Jacobian<6> eval_Gw_dq(const Configuration& at, const Vector7& w);
// d/dq of G^T mu with mu held.
Jacobian<7> eval_Gt_mu_dq(const Configuration& at, const Vector6& mu);
// d/dq and d/dv of gamma.
Jacobian<6> eval_gamma_dq(const Configuration& at, const Vector7& v);
Jacobian<6> eval_gamma_dv(const Configuration& at, const Vector7& v);
// G itself, dense.
Jacobian<6> make_G(const Matrices& m);
Jacobian<7> make_M(const Matrices& m);

}  // namespace dalembert::bench::andrews
