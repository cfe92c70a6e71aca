#include <algorithm>
#include <cstddef>

#include <dalembert/base/error.hpp>
#include <dalembert/session/state_matrices.hpp>

namespace dalembert::session {
namespace {

const System& mechanical_system(const LoadedModel& model) {
  if (model.is_kinematic()) throw Error("a kinematic model has no mass matrix and no forces");
  return model.system();
}

}  // namespace

StateMatrices::StateMatrices(const LoadedModel& model)
    : model_(model), values_(mechanical_system(model), mechanical_system(model).state().program) {
  const System& system = model_.system();
  M.resize(system.n() * system.n());
  f.resize(system.n());
  C.resize(system.m() * system.n());
  c.resize(system.m());
  g.resize(system.holonomic());
  gamma.resize(system.m());
}

void StateMatrices::eval(double t, std::span<const double> q, std::span<const double> v) {
  const System& system = model_.system();
  const StateProgram& state = system.state();
  values_.set(System::input_t(), t);
  values_.set(system.input_q(0), q);
  values_.set(system.input_v(0), v);
  values_.run();
  fill(M, state.M);
  fill(f, state.f);
  fill(C, state.C);
  fill(c, state.c);
  fill(g, state.g);
  fill(gamma, state.gamma);
}

void StateMatrices::fill(std::vector<double>& matrix, std::span<const MatrixEntry> entries) const {
  const std::size_t columns = model_.system().n();
  std::ranges::fill(matrix, 0.0);
  for (const MatrixEntry& entry : entries)
    matrix[entry.row * columns + entry.column] = values_.value(entry.value);
}

void StateMatrices::fill(std::vector<double>& column, std::span<const Scaled> entries) const {
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = values_.value(entries[i]);
}

}  // namespace dalembert::session
