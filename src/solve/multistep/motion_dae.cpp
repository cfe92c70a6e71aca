#include "multistep/motion_dae.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

ConstraintLevel level_of(IndexForm form) {
  return form == IndexForm::index1 ? ConstraintLevel::acceleration : ConstraintLevel::velocity;
}

}  // namespace

IndexForm find_index_form(std::string_view name, IndexForm otherwise) {
  if (name.empty()) return otherwise;
  const Option& option = *find_option("index_form");  // its choices are in the order of IndexForm
  const auto found = std::ranges::find(option.choices, name);
  if (found == option.choices.end()) throw Error(fault_of(option, std::string(name), option.key));
  return static_cast<IndexForm>(found - option.choices.begin());
}

MotionDae::MotionDae(const Problem& problem, IndexForm form)
    : form_(form),
      problem_(&problem),
      n_(problem.system.n()),
      rows_(problem.system, problem.active),
      active_(problem.active),
      residual_program_(problem.system.implicit_programs().residual(problem.system, level_of(form))),
      jacobian_program_(problem.system.implicit_programs().jacobian(problem.system, level_of(form))),
      residual_(problem.system, residual_program_.program),
      jacobian_(problem.system, jacobian_program_.program),
      lambda_(problem.system.m(), 0),
      matrix_(0) {
  const System& system = problem.system;
  if (form == IndexForm::ggl) {
    mu_ = static_cast<std::size_t>(
        std::count_if(active_.begin(), active_.end(), [&](std::size_t j) { return j < system.holonomic(); }));
    dynamics_ = std::make_unique<ValueTape>(system, system.dynamics().program);
  }
  filtered_.resize(size());
  row_forces_.resize(n_);
  row_inertia_.resize(n_);
  place_rows();
}

void MotionDae::place_rows() {
  active_row_.assign(problem_->system.m(), active_.size());
  for (std::size_t row = 0; row < active_.size(); ++row) active_row_[active_[row]] = row;
  matrix_ = NewtonMatrix(size());
  for (std::vector<std::size_t>* places : {&diagonal_, &minus_one_}) places->clear();
  for (std::vector<Contribution>* contributions : {&plain_, &with_alpha_}) contributions->clear();
  add_contributions();
  matrix_.close();
}

bool MotionDae::improve_rows(double t, std::span<double> y) {
  if (!rows_.has_choice() || !rows_.improve_along(t, y.first(n_), y.subspan(n_, n_))) return false;
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (std::size_t row = 0; row < active_.size(); ++row) lambda_[active_[row]] = y[2 * n_ + row];
  rows_.convert(lambda_);
  active_ = rows_.active();
  for (std::size_t row = 0; row < active_.size(); ++row) y[2 * n_ + row] = lambda_[active_[row]];
  place_rows();
  return true;
}

void MotionDae::add_contributions() {
  const JacobianProgram& p = jacobian_program_;
  for (std::size_t i = 0; i < n_; ++i) {
    diagonal_.push_back(matrix_.at(i, i));
    minus_one_.push_back(matrix_.at(i, n_ + i));
  }
  for (const MatrixEntry& e : p.r_q) plain_.push_back({matrix_.at(n_ + e.row, e.column), e.value});
  for (const MatrixEntry& e : p.r_v) plain_.push_back({matrix_.at(n_ + e.row, n_ + e.column), e.value});
  for (const MatrixEntry& e : p.M) with_alpha_.push_back({matrix_.at(n_ + e.row, n_ + e.column), e.value});
  const std::size_t first = 2 * n_;
  const std::size_t first_mu = first + active_.size();
  const auto each = [&](const std::vector<MatrixEntry>& entries, const auto& take) {
    for (const MatrixEntry& e : entries)
      if (active_row_[e.row] < active_.size()) take(active_row_[e.row], e.column, e.value);
  };
  each(p.s_q, [&](std::size_t row, std::size_t column, const Scaled& value) {
    plain_.push_back({matrix_.at(first + row, column), value});
  });
  each(p.s_v, [&](std::size_t row, std::size_t column, const Scaled& value) {
    plain_.push_back({matrix_.at(first + row, n_ + column), value});
  });
  each(p.D, [&](std::size_t row, std::size_t column, const Scaled& value) {
    plain_.push_back({matrix_.at(n_ + column, first + row), value});
  });
  each(p.C, [&](std::size_t row, std::size_t column, const Scaled& value) {
    if (form_ == IndexForm::index1) with_alpha_.push_back({matrix_.at(first + row, n_ + column), value});
    if (row >= mu_) return;
    plain_.push_back({matrix_.at(column, first_mu + row), value});
    plain_.push_back({matrix_.at(first_mu + row, column), value});
  });
}

void MotionDae::eval_start(std::span<double> y, std::span<double> dydt) const {
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(dydt.begin(), dydt.end(), 0.0);
  const Start& start = problem_->start;
  for (std::size_t i = 0; i < n_; ++i) {
    y[i] = start.q[i];
    dydt[i] = y[n_ + i] = start.v[i];
    dydt[n_ + i] = start.a[i];
  }
  for (std::size_t row = 0; row < active_.size(); ++row) y[2 * n_ + row] = start.lambda[active_[row]];
}

void MotionDae::set_inputs(ValueTape& tape, double t, std::span<const double> y,
                           std::span<const double> dydt) {
  for (std::size_t row = 0; row < active_.size(); ++row) lambda_[active_[row]] = y[2 * n_ + row];
  tape.set(System::input_t(), t);
  tape.set(problem_->system.input_q(0), y.first(2 * n_));  // q and v stand together
  tape.set(problem_->system.input_a(0), dydt.subspan(n_, n_));
  tape.set(problem_->system.input_lambda(0), lambda_);
}

void MotionDae::eval_residual(double t, std::span<const double> y, std::span<const double> dydt,
                              std::span<double> F) {
  set_inputs(residual_, t, y, dydt);
  residual_.run();
  for (std::size_t i = 0; i < n_; ++i) {
    F[i] = dydt[i] - y[n_ + i];
    F[n_ + i] = residual_.value(residual_program_.r[i]);
  }
  for (std::size_t row = 0; row < active_.size(); ++row)
    F[2 * n_ + row] = residual_.value(residual_program_.s[active_[row]]);
  if (mu_ == 0) return;
  dynamics_->set(System::input_t(), t);
  add_correction(y, F);
}

// q' = v − Gᵀ μ and g = 0
void MotionDae::add_correction(std::span<const double> y, std::span<double> F) {
  const System& system = problem_->system;
  const std::size_t first_mu = 2 * n_ + active_.size();
  dynamics_->set(system.input_q(0), y.first(n_));
  dynamics_->run(Stage::position);  // g and G depend on t and q alone
  for (const MatrixEntry& e : system.dynamics().C) {
    const std::size_t row = active_row_[e.row];
    if (row < mu_) F[e.column] += dynamics_->value(e.value) * y[first_mu + row];
  }
  for (std::size_t row = 0; row < mu_; ++row)
    F[first_mu + row] = dynamics_->value(system.dynamics().g[active_[row]]);
}

bool MotionDae::factor(double t, std::span<const double> y, std::span<const double> dydt, double alpha) {
  set_inputs(jacobian_, t, y, dydt);
  jacobian_.run();
  matrix_.clear();
  for (const std::size_t place : diagonal_) matrix_.add(place, alpha);
  for (const std::size_t place : minus_one_) matrix_.add(place, -1);
  add(matrix_, plain_, jacobian_);
  add(matrix_, with_alpha_, jacobian_, alpha);
  alpha_ = alpha;
  stiffness_ = eval_stiffness();
  return matrix_.factor();
}

double MotionDae::eval_stiffness() {
  std::fill(row_forces_.begin(), row_forces_.end(), 0.0);
  std::fill(row_inertia_.begin(), row_inertia_.end(), 0.0);
  const auto add_sizes = [&](const std::vector<MatrixEntry>& entries, double factor,
                             std::vector<double>& sums) {
    for (const MatrixEntry& e : entries) sums[e.row] += factor * std::abs(jacobian_.value(e.value));
  };
  add_sizes(jacobian_program_.r_q, 1, row_forces_);
  add_sizes(jacobian_program_.r_v, std::abs(alpha_), row_forces_);
  add_sizes(jacobian_program_.M, alpha_ * alpha_, row_inertia_);
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    if (row_inertia_[i] > 0) largest = std::max(largest, row_forces_[i] / row_inertia_[i]);
  }
  return largest;
}

void MotionDae::filter(std::span<double> e) {
  std::fill(filtered_.begin(), filtered_.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i) filtered_[i] = alpha_ * e[i];
  for (const MatrixEntry& entry : jacobian_program_.M)
    filtered_[n_ + entry.row] += alpha_ * jacobian_.value(entry.value) * e[n_ + entry.column];
  filter_constraint_rows(e);
  matrix_.solve(filtered_);
  std::copy_n(filtered_.begin(), 2 * n_, e.begin());
}

// What e changes of the constraints it keeps: they are no springs that damp it, and the curve between the
// ends of steps would be off them.
void MotionDae::filter_constraint_rows(std::span<const double> e) {
  const std::size_t first = 2 * n_, first_mu = first + active_.size();
  const auto multiply = [&](const std::vector<MatrixEntry>& entries, std::span<const double> part,
                            double factor) {
    for (const MatrixEntry& entry : entries) {
      const std::size_t row = active_row_[entry.row];
      if (row < active_.size())
        filtered_[first + row] += factor * jacobian_.value(entry.value) * part[entry.column];
    }
  };
  const auto of_q = e.first(n_), of_v = e.subspan(n_, n_);
  if (form_ == IndexForm::index1) {
    multiply(jacobian_program_.C, of_v, alpha_);
    return;
  }
  multiply(jacobian_program_.s_q, of_q, 1);
  multiply(jacobian_program_.s_v, of_v, 1);
  for (const MatrixEntry& entry : jacobian_program_.C) {
    const std::size_t row = active_row_[entry.row];
    if (row < mu_) filtered_[first_mu + row] += jacobian_.value(entry.value) * of_q[entry.column];
  }
}

}  // namespace dalembert
