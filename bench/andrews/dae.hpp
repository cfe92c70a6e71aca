#pragma once
// The mechanism as an implicit system F(y, y') = 0, written for BDF solvers. y = (q, v, lambda) or (q, v,
// lambda, mu):
//     index 1:     q' = v            M v' = f - G^T lambda   G v' = gamma
//     index 2:     q' = v            M v' = f - G^T lambda   G v = 0
//     stabilized:  q' = v - G^T mu   M v' = f - G^T lambda   G v = 0       g = 0     (Gear, Gupta &
//     Leimkuhler)

#include "andrews/equations.hpp"

namespace dalembert::bench::andrews {

enum class Formulation { index_1, index_2, stabilized };

class Dae {
 public:
  static constexpr int max_size = 26;

  explicit Dae(Formulation formulation) : formulation_(formulation) {}

  int size() const { return formulation_ == Formulation::stabilized ? 26 : 20; }

  // Consistent y and y' at the start. The mechanism starts from rest, so its motion is even in time and
  // lambda' = 0.
  void eval_start(double* y, double* dydt) const;

  void eval_residual(const double* y, const double* dydt, double* residual);

  // dF/dy + alpha dF/dy', by columns, size() x size(). Entries outside the sparsity pattern are left alone.
  void eval_jacobian(double alpha, const double* y, const double* dydt, double* columns) const;

  // Solves that matrix at the point of the last residual by elimination of q and 2x2 blocks; index 1 and 2
  // only.
  void solve_newton(double alpha, const double* right, double* x) const;

 private:
  struct Point {
    Vector7 q, v, a;
    Vector6 lambda;
    Configuration configuration;
    Matrices matrices;
  };
  static Point make_point(const double* y, const double* dydt);

  // Derivatives of the last equation of index 1 or 2: by q, and by v with alpha times that by v'.
  Jacobian<6> constraint_dq(const Point& at) const;
  Jacobian<6> constraint_dv(const Point& at, double alpha) const;

  Formulation formulation_;
  Point last_;
};

}  // namespace dalembert::bench::andrews
