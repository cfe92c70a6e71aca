#include "accelerations.hpp"

#include <algorithm>

namespace dalembert {

Accelerations::Accelerations(const System& system, std::span<const std::size_t> active)
    : system_(&system),
      n_(system.n()),
      active_(active.begin(), active.end()),
      active_row_(system.m(), active.size()),
      series_(system.state().program,
              evaluate_constants<double>(system.state().program, system.parameter_values<double>()), 0),
      lu_(system.n() + active.size()),
      solution_(system.n() + active.size(), 0),
      lambda_(system.m(), 0) {
  for (std::size_t row = 0; row < active_.size(); ++row) active_row_[active_[row]] = row;
}

bool Accelerations::eval(double t, std::span<const double> q, std::span<const double> v) {
  const StateProgram& p = system_->state();
  series_.set(p.program.inputs[System::input_t()], 0, t);
  for (std::size_t i = 0; i < n_; ++i) {
    series_.set(p.program.inputs[system_->input_q(i)], 0, q[i]);
    series_.set(p.program.inputs[system_->input_v(i)], 0, v[i]);
  }
  series_.run(Stage::position, 0);
  series_.run(Stage::velocity, 0);
  std::fill(lu_.entries().begin(), lu_.entries().end(), 0.0);
  for (const MatrixEntry& entry : p.M) lu_.entry(entry.row, entry.column) = series_.output(entry.value, 0);
  for (const MatrixEntry& entry : p.C) {
    const std::size_t row = active_row_[entry.row];
    if (row == active_.size()) continue;
    const double value = series_.output(entry.value, 0);
    lu_.entry(n_ + row, entry.column) = value;
    lu_.entry(entry.column, n_ + row) = value;
  }
  constexpr double smallest_pivot = 1e-14;
  if (!lu_.factor(smallest_pivot)) return false;
  for (std::size_t i = 0; i < n_; ++i) solution_[i] = series_.output(p.f[i], 0);
  for (std::size_t row = 0; row < active_.size(); ++row) {
    solution_[n_ + row] = series_.output(p.gamma[active_[row]], 0);
  }
  lu_.solve(solution_);
  for (std::size_t row = 0; row < active_.size(); ++row) lambda_[active_[row]] = solution_[n_ + row];
  return true;
}

}  // namespace dalembert
