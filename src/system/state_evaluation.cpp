#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/state_evaluation.hpp>

namespace dalembert {
namespace {

using Values = Series<double, native_lanes>;

void fill(Eigen::VectorXd& vector, const std::vector<Scaled>& outputs, const Values& values) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    vector[static_cast<Eigen::Index>(i)] = values.output(outputs[i], 0);
}

void fill(Eigen::MatrixXd& matrix, const std::vector<MatrixEntry>& entries, const Values& values) {
  for (const MatrixEntry& entry : entries) matrix(entry.row, entry.column) = values.output(entry.value, 0);
}

}  // namespace

StateEvaluation::StateEvaluation(const System& system)
    : system_(&system), series_(system.state().program, system.constants<double>(system.state().program), 0) {
  const auto n = static_cast<Eigen::Index>(system.n());
  const auto m = static_cast<Eigen::Index>(system.m());
  M.setZero(n, n);
  f.setZero(n);
  g.setZero(static_cast<Eigen::Index>(system.holonomic()));
  C.setZero(m, n);
  c.setZero(m);
  gamma.setZero(m);
}

void StateEvaluation::eval(double t, std::span<const double> q, std::span<const double> v) {
  const StateProgram& p = system_->state();
  series_.set(p.program.inputs[System::input_t()], 0, t);
  for (std::size_t i = 0; i < system_->n(); ++i) {
    series_.set(p.program.inputs[system_->input_q(i)], 0, q[i]);
    series_.set(p.program.inputs[system_->input_v(i)], 0, v[i]);
  }
  series_.run(Stage::position, 0);
  series_.run(Stage::velocity, 0);
  fill(M, p.M, series_);
  fill(f, p.f, series_);
  fill(C, p.C, series_);
  fill(c, p.c, series_);
  fill(g, p.g, series_);
  fill(gamma, p.gamma, series_);
}

}  // namespace dalembert
