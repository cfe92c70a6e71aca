#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
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

// Constants of the program are those of the pieces that the inputs follow at t.
void StateMatrices::follow_inputs(double t) {
  if (t >= piece_begin_ && t < piece_end_) return;
  const System& system = model_.system();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  piece_begin_ = -infinity;
  piece_end_ = infinity;
  for (const Input& input : system.model().inputs) {
    if (!input.curve.covers(t, t))
      throw Error(fmt::format("there are no data of the input '{}' at t = {}", input.name, shortest(t)),
                  input.where);
    piece_begin_ = std::max(piece_begin_, input.curve[input.curve.find(t)].begin);
    piece_end_ = std::min(piece_end_, input.curve.next_knot(t));
  }
  values_ = ValueTape(system.with_inputs_at(t), system.state().program);
}

void StateMatrices::eval(double t, std::span<const double> q, std::span<const double> v) {
  const System& system = model_.system();
  if (system.has_inputs()) follow_inputs(t);
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
