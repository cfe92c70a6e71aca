#include "andrews/dae.hpp"

#include <algorithm>

#include "andrews/newton_blocks.hpp"

namespace dalembert::bench::andrews {

void Dae::eval_start(double* y, double* dydt) const {
  std::fill_n(y, size(), 0.0);
  std::fill_n(dydt, size(), 0.0);
  std::copy_n(initial_q.begin(), 7, y);
  std::copy_n(initial_v.begin(), 7, y + 7);
  std::copy_n(initial_lambda.begin(), 6, y + 14);
  std::copy_n(initial_v.begin(), 7, dydt);
  std::copy_n(initial_a.begin(), 7, dydt + 7);
}

Dae::Point Dae::make_point(const double* y, const double* dydt) {
  Point at;
  std::copy_n(y, 7, at.q.begin());
  std::copy_n(y + 7, 7, at.v.begin());
  std::copy_n(y + 14, 6, at.lambda.begin());
  std::copy_n(dydt + 7, 7, at.a.begin());
  at.configuration = make_configuration(at.q);
  at.matrices = make_matrices(at.configuration);
  return at;
}

void Dae::eval_residual(const double* y, const double* dydt, double* residual) {
  last_ = make_point(y, dydt);
  const Point& at = last_;
  const Vector7 inertia = multiply_M(at.matrices, at.a), f = eval_f(at.configuration, at.v);
  const Vector7 reaction = multiply_G_transposed(at.matrices, at.lambda);
  for (int i = 0; i < 7; ++i) residual[i] = dydt[i] - at.v[i];
  for (int i = 0; i < 7; ++i) residual[7 + i] = inertia[i] - f[i] + reaction[i];
  if (formulation_ == Formulation::index_1) {
    const Vector6 left = multiply_G(at.matrices, at.a), gamma = eval_gamma(at.configuration, at.v);
    for (int i = 0; i < 6; ++i) residual[14 + i] = left[i] - gamma[i];
    return;
  }
  const Vector6 velocity_defect = multiply_G(at.matrices, at.v);
  std::copy_n(velocity_defect.begin(), 6, residual + 14);
  if (formulation_ != Formulation::stabilized) return;
  Vector6 mu;
  std::copy_n(y + 20, 6, mu.begin());
  const Vector7 correction = multiply_G_transposed(at.matrices, mu);
  for (int i = 0; i < 7; ++i) residual[i] += correction[i];
  const Vector6 g = eval_g(at.configuration);
  std::copy_n(g.begin(), 6, residual + 20);
}

Jacobian<6> Dae::constraint_dq(const Point& at) const {
  if (formulation_ != Formulation::index_1) return eval_Gw_dq(at.configuration, at.v);
  Jacobian<6> dq = eval_Gw_dq(at.configuration, at.a);
  const Jacobian<6> gamma_dq = eval_gamma_dq(at.configuration, at.v);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 7; ++j) dq[i][j] -= gamma_dq[i][j];
  return dq;
}

Jacobian<6> Dae::constraint_dv(const Point& at, double alpha) const {
  Jacobian<6> dv = make_G(at.matrices);
  if (formulation_ != Formulation::index_1) return dv;
  const Jacobian<6> gamma_dv = eval_gamma_dv(at.configuration, at.v);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 7; ++j) dv[i][j] = alpha * dv[i][j] - gamma_dv[i][j];
  return dv;
}

void Dae::eval_jacobian(double alpha, const double* y, const double* dydt, double* columns) const {
  const Point at = make_point(y, dydt);
  const int n = size();
  const auto entry = [&](int row, int column) -> double& { return columns[column * n + row]; };
  const Jacobian<6> G = make_G(at.matrices), last_dq = constraint_dq(at), last_dv = constraint_dv(at, alpha);
  const Jacobian<7> M = make_M(at.matrices), f_dv = eval_f_dv(at.configuration, at.v);
  const Jacobian<7> force_dq = eval_force_dq(at.configuration, at.v, at.a, at.lambda);
  for (int i = 0; i < 7; ++i) {
    entry(i, i) = alpha;
    entry(i, 7 + i) = -1;
    for (int j = 0; j < 7; ++j) entry(7 + i, j) = force_dq[i][j];
    for (int j = 0; j < 7; ++j) entry(7 + i, 7 + j) = alpha * M[i][j] - f_dv[i][j];
    for (int j = 0; j < 6; ++j) {
      entry(7 + i, 14 + j) = G[j][i];
      entry(14 + j, i) = last_dq[j][i];
      entry(14 + j, 7 + i) = last_dv[j][i];
    }
  }
  if (formulation_ != Formulation::stabilized) return;
  Vector6 mu;
  std::copy_n(y + 20, 6, mu.begin());
  const Jacobian<7> correction_dq = eval_Gt_mu_dq(at.configuration, mu);
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) entry(i, j) = (i == j ? alpha : 0) + correction_dq[i][j];
    for (int j = 0; j < 6; ++j) entry(i, 20 + j) = entry(20 + j, i) = G[j][i];
  }
}

// With K = d(M a - f + G^T lambda)/dq and the first equation alpha x_q - x_v = r_q eliminated, what remains
// is
//     [ W  G^T ] [ x_v ]      W = alpha M - df/dv + K / alpha          (block diagonal as M)
//     [ H  0   ] [ x_l ]      H = d(last)/dv + d(last)/dq / alpha      (block pattern of G)
// solved through its Schur complement H W^-1 G^T as in kkt.hpp, with general 2x2 blocks.
void Dae::solve_newton(double alpha, const double* right, double* x) const {
  const Point& at = last_;
  const double h = 1 / alpha;
  const Jacobian<7> M = make_M(at.matrices), f_dv = eval_f_dv(at.configuration, at.v);
  const Jacobian<7> K = eval_force_dq(at.configuration, at.v, at.a, at.lambda);
  const Jacobian<6> last_dq = constraint_dq(at), last_dv = constraint_dv(at, alpha);
  Jacobian<7> W;
  Jacobian<6> H;
  Vector7 force;
  Vector6 defect;
  for (int i = 0; i < 7; ++i) {
    double sum = 0;
    for (int j = 0; j < 7; ++j) {
      W[i][j] = alpha * M[i][j] - f_dv[i][j] + h * K[i][j];
      sum += K[i][j] * right[j];
    }
    force[i] = right[7 + i] - h * sum;
  }
  for (int i = 0; i < 6; ++i) {
    double sum = 0;
    for (int j = 0; j < 7; ++j) {
      H[i][j] = last_dv[i][j] + h * last_dq[i][j];
      sum += last_dq[i][j] * right[j];
    }
    defect[i] = right[14 + i] - h * sum;
  }
  const BlockSolution found = solve_blocks(W, H, at.matrices, force, defect);
  for (int i = 0; i < 7; ++i) {
    x[7 + i] = found.v[i];
    x[i] = h * (right[i] + found.v[i]);
  }
  std::copy_n(found.lambda.begin(), 6, x + 14);
}

}  // namespace dalembert::bench::andrews
