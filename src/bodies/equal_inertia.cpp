#include "equal_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace dalembert {
namespace {

// One rotation of Jacobi's method makes A(p, q) zero: A ← Gᵀ A G, V ← V G.
void rotate(Numbers33& A, Numbers33& V, std::size_t p, std::size_t q) {
  if (A[p][q] == 0) return;
  const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  for (std::size_t k = 0; k < 3; ++k) {
    const double row_p = A[p][k], row_q = A[q][k];
    A[p][k] = c * row_p - s * row_q;
    A[q][k] = s * row_p + c * row_q;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (Numbers33* const M : {&A, &V}) {
      const double column_p = (*M)[k][p], column_q = (*M)[k][q];
      (*M)[k][p] = c * column_p - s * column_q;
      (*M)[k][q] = s * column_p + c * column_q;
    }
  }
}

// Of a rotation matrix, from its largest component.
std::array<double, 4> to_quaternion(const Numbers33& R) {
  const double trace = R[0][0] + R[1][1] + R[2][2];
  std::size_t i = 0;
  for (const std::size_t k : {1U, 2U}) {
    if (R[k][k] > R[i][i]) i = k;
  }
  if (trace > R[i][i]) {
    const double e0 = std::sqrt(1 + trace) / 2;
    return {e0, (R[2][1] - R[1][2]) / (4 * e0), (R[0][2] - R[2][0]) / (4 * e0),
            (R[1][0] - R[0][1]) / (4 * e0)};
  }
  const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
  std::array<double, 4> e{};
  const double largest = std::sqrt(1 + R[i][i] - R[j][j] - R[k][k]) / 2;
  e[0] = (R[k][j] - R[j][k]) / (4 * largest);
  e[i + 1] = largest;
  e[j + 1] = (R[i][j] + R[j][i]) / (4 * largest);
  e[k + 1] = (R[i][k] + R[k][i]) / (4 * largest);
  return e;
}

}  // namespace

EqualBox make_equal_box(double mass, const Numbers33& J) {
  if (!(mass > 0)) return {};
  Numbers33 A = J;
  Numbers33 V{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  constexpr int sweeps = 12;  // the off-diagonal falls quadratically: five suffice for doubles
  for (int i = 0; i < sweeps; ++i) {
    for (const auto& [p, q] : {std::pair{0U, 1U}, std::pair{0U, 2U}, std::pair{1U, 2U}}) rotate(A, V, p, q);
  }
  EqualBox box;
  const double half_trace = (A[0][0] + A[1][1] + A[2][2]) / 2;
  for (std::size_t i = 0; i < 3; ++i)
    box.edges[i] = std::sqrt(12 * std::max(0.0, half_trace - A[i][i]) / mass);
  box.turn = to_quaternion(V);  // products of rotations: never a reflection
  return box;
}

}  // namespace dalembert
