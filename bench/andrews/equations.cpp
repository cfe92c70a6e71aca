#include "andrews/equations.hpp"

namespace dalembert::bench::andrews {
namespace {

// Assembles the 6x7 pattern of G from the seven columns d/d(angle of p_k), k = 1..7: q1 turns p1 and p2, q2
// turns p2, q3 p3, q4 p4, q5 p4 and p5, q6 p6, q7 p6 and p7.
Jacobian<6> assemble(Vector2 k1, Vector2 k2, Vector2 k3, Vector2 k4, Vector2 k5, Vector2 k6, Vector2 k7) {
  const Vector2 k12 = k1 + k2, k45 = k4 + k5, k67 = k6 + k7;
  return {{{k12.x, k2.x, k3.x, 0, 0, 0, 0},
           {k12.y, k2.y, k3.y, 0, 0, 0, 0},
           {k12.x, k2.x, 0, k4.x, k45.x, 0, 0},
           {k12.y, k2.y, 0, k4.y, k45.y, 0, 0},
           {k12.x, k2.x, 0, 0, 0, k6.x, k67.x},
           {k12.y, k2.y, 0, 0, 0, k6.y, k67.y}}};
}

}  // namespace

Jacobian<6> make_G(const Matrices& m) {
  return assemble(m.e1 - m.e2, m.e2, m.c, m.d4, m.d5 - m.d4, m.f6, m.f7 - m.f6);
}

Jacobian<7> make_M(const Matrices& m) {
  Jacobian<7> dense{};
  const auto put = [&](int i, const Symmetric2& block) {
    dense[i][i] = block.a;
    dense[i][i + 1] = dense[i + 1][i] = block.b;
    dense[i + 1][i + 1] = block.c;
  };
  put(0, m.m12);
  dense[2][2] = m.m3;
  put(3, m.m45);
  put(5, m.m67);
  return dense;
}

// G w = sum of omega turned(p), so its derivative by the angle of p is -omega p.
Jacobian<6> eval_Gw_dq(const Configuration& at, const Vector7& w) {
  return assemble(-w[0] * at.p1, -(w[0] + w[1]) * at.p2, -w[2] * at.p3, -(w[3] + w[4]) * at.p4, -w[4] * at.p5,
                  -(w[5] + w[6]) * at.p6, -w[6] * at.p7);
}

// gamma = sum of omega^2 p.
Jacobian<6> eval_gamma_dq(const Configuration& at, const Vector7& v) {
  const auto by_angle = [](double omega, Vector2 p) { return (omega * omega) * turned(p); };
  return assemble(by_angle(v[0], at.p1), by_angle(v[0] + v[1], at.p2), by_angle(v[2], at.p3),
                  by_angle(v[3] + v[4], at.p4), by_angle(v[4], at.p5), by_angle(v[5] + v[6], at.p6),
                  by_angle(v[6], at.p7));
}

Jacobian<6> eval_gamma_dv(const Configuration& at, const Vector7& v) {
  const auto by_omega = [](double omega, Vector2 p) { return (2 * omega) * p; };
  return assemble(by_omega(v[0], at.p1), by_omega(v[0] + v[1], at.p2), by_omega(v[2], at.p3),
                  by_omega(v[3] + v[4], at.p4), by_omega(v[4], at.p5), by_omega(v[5] + v[6], at.p6),
                  by_omega(v[6], at.p7));
}

// G^T mu holds turned(p) . mu, so its derivative by the angle of p is -p . mu.
Jacobian<7> eval_Gt_mu_dq(const Configuration& at, const Vector6& mu) {
  const Vector2 b = {mu[0], mu[1]}, d = {mu[2], mu[3]}, f = {mu[4], mu[5]};
  const Vector2 all = b + d + f;
  const double k1 = -dot(at.p1, all), k2 = -dot(at.p2, all), k3 = -dot(at.p3, b);
  const double k4 = -dot(at.p4, d), k5 = -dot(at.p5, d), k6 = -dot(at.p6, f), k7 = -dot(at.p7, f);
  return {{{k1 + k2, k2, 0, 0, 0, 0, 0},
           {k2, k2, 0, 0, 0, 0, 0},
           {0, 0, k3, 0, 0, 0, 0},
           {0, 0, 0, k4, k4, 0, 0},
           {0, 0, 0, k4, k4 + k5, 0, 0},
           {0, 0, 0, 0, 0, k6, k6},
           {0, 0, 0, 0, 0, k6, k6 + k7}}};
}

Jacobian<7> eval_force_dq(const Configuration& at, const Vector7& v, const Vector7& a,
                          const Vector6& lambda) {
  using namespace fixed;
  Jacobian<7> dq = eval_Gt_mu_dq(at, lambda);
  // d/dq2, d/dq4, d/dq6 of M a - f; M and f depend on no other angle except f3 on q3.
  dq[0][1] += k2 * (at.sin2 * (2 * a[0] + a[1]) + at.cos2 * v[1] * (v[1] + 2 * v[0]));
  dq[1][1] += k2 * (at.sin2 * a[0] - at.cos2 * v[0] * v[0]);
  dq[3][3] += k4 * (at.cos4 * a[4] + at.sin4 * v[4] * v[4]);
  dq[4][3] += k4 * (at.cos4 * (a[3] + 2 * a[4]) - at.sin4 * v[3] * (v[3] + 2 * v[4]));
  dq[5][5] -= k6 * (at.cos6 * a[6] + at.sin6 * v[6] * v[6]);
  dq[6][5] -= k6 * (at.cos6 * (a[5] + 2 * a[6]) - at.sin6 * v[5] * (v[5] + 2 * v[6]));
  // f3 = -c0 (1 - l0/L) h with h = arm . turned(spring) = L dL/dq3 and dh/dq3 = -arm . spring.
  const double along = dot(spring_arm, at.spring), h = dot(spring_arm, turned(at.spring));
  const double square = spring_square + 2 * along, length = std::sqrt(square);
  dq[2][2] += c0 * (l0 * h * h / (square * length) - (1 - l0 / length) * along);
  return dq;
}

Jacobian<7> eval_f_dv(const Configuration& at, const Vector7& v) {
  using namespace fixed;
  const double c2 = 2 * k2 * at.sin2, c4 = 2 * k4 * at.cos4, c6 = 2 * k6 * at.cos6;
  return {{{-c2 * v[1], -c2 * (v[0] + v[1]), 0, 0, 0, 0, 0},
           {c2 * v[0], 0, 0, 0, 0, 0, 0},
           {},
           {0, 0, 0, 0, c4 * v[4], 0, 0},
           {0, 0, 0, -c4 * (v[3] + v[4]), -c4 * v[3], 0, 0},
           {0, 0, 0, 0, 0, 0, -c6 * v[6]},
           {0, 0, 0, 0, 0, c6 * (v[5] + v[6]), c6 * v[5]}}};
}

}  // namespace dalembert::bench::andrews
