#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/state_evaluation.hpp>

namespace dalembert {
namespace {

void fill(Eigen::VectorXd& vector, const std::vector<Scaled>& outputs, const ValueTape& tape) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    vector[static_cast<Eigen::Index>(i)] = tape.value(outputs[i]);
}

void fill(Eigen::MatrixXd& matrix, const std::vector<MatrixEntry>& entries, const ValueTape& tape) {
  for (const MatrixEntry& entry : entries) matrix(entry.row, entry.column) = tape.value(entry.value);
}

}  // namespace

Eigen::MatrixXd with_slopes_of_sizes(const Eigen::MatrixXd& D, const Eigen::MatrixXd& B,
                                     const std::vector<std::vector<std::uint32_t>>& sizes,
                                     const Eigen::VectorXd& lambda) {
  Eigen::MatrixXd rows = D;
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    double square = 0;
    for (const std::uint32_t i : sizes[p]) square += lambda[i] * lambda[i];
    if (square == 0) continue;
    for (const std::uint32_t i : sizes[p])
      rows.row(i) += lambda[i] / std::sqrt(square) * B.row(static_cast<Eigen::Index>(p));
  }
  return rows;
}

StateEvaluation::StateEvaluation(const System& system)
    : system_(&system), tape_(system, system.state().program) {
  const auto n = static_cast<Eigen::Index>(system.n());
  const auto m = static_cast<Eigen::Index>(system.m());
  M.setZero(n, n);
  f.setZero(n);
  g.setZero(static_cast<Eigen::Index>(system.holonomic()));
  C.setZero(m, n);
  D.setZero(m, n);
  B.setZero(static_cast<Eigen::Index>(system.sizes().size()), n);
  c.setZero(m);
  gamma.setZero(m);
}

void StateEvaluation::eval(double t, std::span<const double> q, std::span<const double> v) {
  const StateProgram& p = system_->state();
  tape_.set(System::input_t(), t);
  tape_.set(system_->input_q(0), q.first(system_->n()));
  tape_.set(system_->input_v(0), v.first(system_->n()));
  tape_.run();
  fill(M, p.M, tape_);
  fill(f, p.f, tape_);
  fill(C, p.C, tape_);
  fill(D, system_->is_symmetric() ? p.C : p.D, tape_);
  fill(B, p.B, tape_);
  fill(c, p.c, tape_);
  fill(g, p.g, tape_);
  fill(gamma, p.gamma, tape_);
}

}  // namespace dalembert
