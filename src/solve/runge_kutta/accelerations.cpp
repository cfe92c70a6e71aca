#include "runge_kutta/accelerations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dalembert {

Accelerations::Accelerations(const System& system, std::span<const std::size_t> active)
    : system_(&system),
      n_(system.n()),
      tape_(system, system.state().program),
      inertia_(system.n(), 0),
      shared_inertia_(system.n(), 0),
      q_(system.n(), 0),
      matrix_({system, system.state(), active}, tape_),
      rows_(system, active),
      solution_(system.n() + active.size(), 0),
      residual_(active.size(), 0),
      lambda_(system.m(), 0),
      sizes_(system) {
  const StateProgram& p = system.state();
  for (const Scaled& value : p.f) f_.push_back(source(value));
  const auto depends_on_v = [&](const MatrixEntry& entry) {
    return entry.value.x != no_register && p.program.register_stages[entry.value.x] == Stage::velocity;
  };
  matrix_depends_on_v_ = std::ranges::any_of(p.M, depends_on_v) || std::ranges::any_of(p.D, depends_on_v);
  place_rows();
}

void Accelerations::place_rows() {
  const StateProgram& p = system_->state();
  c_.clear();
  gamma_.clear();
  g_.clear();
  for (const std::size_t row : pattern().active()) {
    c_.push_back(source(p.c[row]));
    gamma_.push_back(source(p.gamma[row]));
    g_.push_back(row < system_->holonomic() ? source(p.g[row]) : Source{0, tape_.one()});
  }
  sizes_.place(pattern().active());
  columns_.resize(sizes_.count() * sizes_.width());
}

bool Accelerations::improve_rows(double t, std::span<const double> q, std::span<const double> v) {
  if (!rows_.improve_along(t, q, v)) return false;
  matrix_ = TapeSaddleSystem({*system_, system_->state(), rows_.active()}, tape_);
  place_rows();
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  factored_ = false;
  ++choices_;
  return true;
}

auto Accelerations::source(const Scaled& value) const -> Source {
  return {tape_.constant(value.coefficient), value.x == no_register ? tape_.one() : value.x};
}

void Accelerations::put_position(double t, std::span<const double> q) {
  t_ = t;
  std::copy(q.begin(), q.end(), q_.begin());
  tape_.set(System::input_t(), t);
  tape_.set(system_->input_q(0), q);
  factored_ = false;
}

void Accelerations::set_position(double t, std::span<const double> q) {
  put_position(t, q);
  tape_.run(Stage::position);
}

bool Accelerations::is_at(double t, std::span<const double> q) const {
  return t == t_ && std::equal(q.begin(), q.end(), q_.begin());
}

void Accelerations::set_velocity(std::span<const double> v) {
  tape_.set(system_->input_v(0), v);
  tape_.run(Stage::velocity);
}

bool Accelerations::factor() {
  factored_ = matrix_.factor(tape_);
  return factored_;
}

// C v + c of the active constraints.
void Accelerations::eval_constraint_residual(std::span<const double> v) {
  for (std::size_t row = 0; row < c_.size(); ++row) residual_[row] = c_[row].get(tape_);
  add_constraint_product(v, residual_);
}

bool Accelerations::place(double t, std::span<const double> q, std::span<const double> v) {
  if (factored_ && !matrix_depends_on_v_ && is_at(t, q)) return true;
  set_position(t, q);
  if (matrix_depends_on_v_) set_velocity(v);
  return factor();
}

void Accelerations::add_constraint_product(std::span<const double> x, std::span<double> sum) const {
  dalembert::add_constraint_product(pattern(), values(), x, sum);
}

double Accelerations::inertia_share(std::span<const double> x) const {
  return std::abs(dalembert::inertia_share(pattern(), values(), x));
}

void Accelerations::share_inertia() {
  eval_inertia(pattern(), values(), std::span<double>(inertia_));
  // of coordinates that inertia couples: one of a quaternion has hardly any where its rotation is small.
  // Chosen, not measured.
  constexpr double alike = 0.01;
  shared_inertia_ = inertia_;
  for (const MatrixEntry& entry : system_->state().M)
    shared_inertia_[entry.row] = std::max(shared_inertia_[entry.row], alike * inertia_[entry.column]);
}

void Accelerations::eval_force_scale(std::span<double> scale) {
  share_inertia();
  for (std::size_t i = 0; i < n_; ++i) scale[i] = f_[i].get(tape_);
  const std::span<const double> solution = solution_;
  dalembert::eval_force_scale(pattern(), values(), solution.first(n_), solution.subspan(n_),
                              std::span<const double>(shared_inertia_), scale);
}

void Accelerations::divide_by_inertia(std::span<double> forces) {
  share_inertia();
  for (std::size_t i = 0; i < n_; ++i)
    forces[i] = shared_inertia_[i] > 0 ? forces[i] / shared_inertia_[i] : 0;
}

bool Accelerations::eval(double t, std::span<const double> q, std::span<const double> v,
                         const BaumgarteTerms& terms) {
  // after a projection, position and factors are those of its end
  const bool ready = factored_ && !matrix_depends_on_v_ && is_at(t, q);
  if (ready) {
    set_velocity(v);
  } else {
    put_position(t, q);
    tape_.set(system_->input_v(0), v);
    tape_.run();
  }
  for (std::size_t i = 0; i < n_; ++i) solution_[i] = f_[i].get(tape_);
  for (std::size_t row = 0; row < gamma_.size(); ++row) solution_[n_ + row] = gamma_[row].get(tape_);
  if (terms.alpha != 0 || terms.beta != 0) {
    eval_constraint_residual(v);
    for (std::size_t row = 0; row < gamma_.size(); ++row) {
      solution_[n_ + row] -= 2 * terms.alpha * residual_[row] + terms.beta * terms.beta * g_[row].get(tape_);
    }
  }
  if (!terms.held.empty()) {
    for (std::size_t row = 0; row < gamma_.size(); ++row)
      solution_[n_ + row] -= terms.held[pattern().active()[row]];
  }
  factored_ = ready ? matrix_.solve(tape_, solution_) : matrix_.factor_and_solve(tape_, solution_);
  if (factored_ && sizes_.count() > 0 && !add_sizes()) return false;
  const std::vector<std::size_t>& active = pattern().active();
  for (std::size_t row = 0; row < active.size(); ++row) lambda_[active[row]] = solution_[n_ + row];
  return factored_;
}

bool Accelerations::add_sizes() {
  sizes_.fill_columns(system_->state().B, values(), columns_);
  for (std::size_t p = 0; p < sizes_.count(); ++p)
    matrix_.solve(std::span(columns_).subspan(p * sizes_.width(), sizes_.width()));
  return sizes_.solve(columns_, solution_);
}

// x −= the smallest change, in the norm of M, that takes the residual away; returns its size relative to x.
double Accelerations::correct(std::span<double> x) {
  std::fill_n(solution_.begin(), n_, 0.0);
  for (std::size_t row = 0; row < residual_.size(); ++row) solution_[n_ + row] = residual_[row];
  matrix_.solve(solution_);
  double size = 0;
  double change = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    x[i] -= solution_[i];
    size = std::max(size, std::abs(x[i]));
    change = std::max(change, std::abs(solution_[i]));
    if (!std::isfinite(x[i])) return std::numeric_limits<double>::infinity();
  }
  return size > 0 ? change / size : change;
}

// Newton's method: where a correction is below the root of the rounding unit, the next one is below the unit.
bool Accelerations::project(double t, std::span<double> q, std::span<double> v) {
  constexpr double enough = 1e-8;
  // Newton's method converges from a step's end in a few, or not
  constexpr int most_iterations = 10;
  if (pattern().rows() == 0) return true;
  for (int iteration = 0;; ++iteration) {
    set_position(t, q);
    if (matrix_depends_on_v_) set_velocity(v);
    if (!factor() || iteration == most_iterations) return false;
    for (std::size_t row = 0; row < g_.size(); ++row) residual_[row] = g_[row].get(tape_);
    if (correct(q) <= enough) break;
  }
  set_position(t, q);
  if (matrix_depends_on_v_) set_velocity(v);
  if (!factor()) return false;
  eval_constraint_residual(v);
  return std::isfinite(correct(v));
}

}  // namespace dalembert
