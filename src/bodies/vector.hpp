// Vectors and matrices of expressions. In the plane the third component is zero.
#pragma once

#include <array>
#include <cstddef>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

struct Vector {
  Expr x, y, z;

  Expr operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }
};

/// By its columns: the axes of a body, written in space.
struct Matrix {
  Vector c1, c2, c3;

  const Vector& column(std::size_t i) const { return i == 0 ? c1 : i == 1 ? c2 : c3; }
};

inline Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
inline Vector operator*(Expr s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Expr dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Vector operator*(const Matrix& R, const Vector& a) { return a.x * R.c1 + a.y * R.c2 + a.z * R.c3; }
/// Rᵀ a
inline Vector transposed(const Matrix& R, const Vector& a) {
  return {dot(R.c1, a), dot(R.c2, a), dot(R.c3, a)};
}
inline Matrix operator*(const Matrix& A, const Matrix& B) { return {A * B.c1, A * B.c2, A * B.c3}; }

inline Vector make_vector(Graph& graph, const std::array<long, 3>& v) {
  return {graph.number(v[0]), graph.number(v[1]), graph.number(v[2])};
}
inline Matrix make_identity(Graph& graph) {
  return {make_vector(graph, {1, 0, 0}), make_vector(graph, {0, 1, 0}), make_vector(graph, {0, 0, 1})};
}
inline bool is_zero(const Vector& a) { return a.x.is_zero() && a.y.is_zero() && a.z.is_zero(); }

}  // namespace dalembert
