#pragma once
// General 2x2 matrices and the saddle-point solve of the Newton step made of them.

#include "andrews/equations.hpp"

namespace dalembert::bench::andrews {

struct Matrix2 {
  double a, b, c, d;  // [ a b ; c d ]
};
constexpr Vector2 operator*(const Matrix2& m, Vector2 x) {
  return {m.a * x.x + m.b * x.y, m.c * x.x + m.d * x.y};
}
constexpr Matrix2 operator*(const Matrix2& m, const Matrix2& n) {
  return {m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c, m.c * n.b + m.d * n.d};
}
constexpr Matrix2 operator+(const Matrix2& m, const Matrix2& n) {
  return {m.a + n.a, m.b + n.b, m.c + n.c, m.d + n.d};
}
constexpr Matrix2 operator-(const Matrix2& m, const Matrix2& n) {
  return {m.a - n.a, m.b - n.b, m.c - n.c, m.d - n.d};
}
constexpr Matrix2 inverse(const Matrix2& m) {
  const double r = 1 / (m.a * m.d - m.b * m.c);
  return {r * m.d, -r * m.b, -r * m.c, r * m.a};
}
template <std::size_t Rows>
constexpr Matrix2 block(const Jacobian<Rows>& m, int row, int column) {
  return {m[row][column], m[row][column + 1], m[row + 1][column], m[row + 1][column + 1]};
}

struct BlockSolution {
  Vector7 v;
  Vector6 lambda;
};

// W v + G^T lambda = force, H v = defect, where W has the block pattern of M and H that of G.
inline BlockSolution solve_blocks(const Jacobian<7>& W, const Jacobian<6>& H, const Matrices& m,
                                  const Vector7& force, const Vector6& defect) {
  const auto rows = [](Vector2 left, Vector2 right) { return Matrix2{left.x, left.y, right.x, right.y}; };
  const Matrix2 w12 = inverse(block(W, 0, 0)), w45 = inverse(block(W, 3, 3)), w67 = inverse(block(W, 5, 5));
  const double w3 = 1 / W[2][2];
  const Matrix2 e = block(H, 0, 0), d = block(H, 2, 3), f = block(H, 4, 5);
  const Vector2 c = {H[0][2], H[1][2]};
  const Matrix2 e_t = rows(m.e1, m.e2), d_t = rows(m.d4, m.d5), f_t = rows(m.f6, m.f7);  // blocks of G^T
  const Vector2 force12 = {force[0], force[1]}, force45 = {force[3], force[4]},
                force67 = {force[5], force[6]};

  const Matrix2 p = e * (w12 * e_t);
  const Matrix2 inverse_d = inverse(p + d * (w45 * d_t));
  const Matrix2 p_next = p - p * (inverse_d * p);
  const Matrix2 inverse_f = inverse(p_next + f * (w67 * f_t));
  const Matrix2 b = {w3 * c.x * m.c.x, w3 * c.x * m.c.y, w3 * c.y * m.c.x, w3 * c.y * m.c.y};
  const Matrix2 inverse_b = inverse(p_next - p_next * (inverse_f * p_next) + b);

  const Vector2 shared = e * (w12 * force12);
  const Vector2 right_d = shared + d * (w45 * force45) - Vector2{defect[2], defect[3]};
  const Vector2 taken = p * (inverse_d * right_d);
  const Vector2 right_f = shared + f * (w67 * force67) - Vector2{defect[4], defect[5]} - taken;
  const Vector2 right_b =
      shared + (w3 * force[2]) * c - Vector2{defect[0], defect[1]} - taken - p_next * (inverse_f * right_f);
  const Vector2 lambda_b = inverse_b * right_b;
  const Vector2 lambda_f = inverse_f * (right_f - p_next * lambda_b);
  const Vector2 lambda_d = inverse_d * (right_d - p * (lambda_b + lambda_f));

  const Vector2 v12 = w12 * (force12 - e_t * (lambda_b + lambda_d + lambda_f));
  const Vector2 v45 = w45 * (force45 - d_t * lambda_d), v67 = w67 * (force67 - f_t * lambda_f);
  return {{v12.x, v12.y, w3 * (force[2] - dot(m.c, lambda_b)), v45.x, v45.y, v67.x, v67.y},
          {lambda_b.x, lambda_b.y, lambda_d.x, lambda_d.y, lambda_f.x, lambda_f.y}};
}

}  // namespace dalembert::bench::andrews
