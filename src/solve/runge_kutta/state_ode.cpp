#include "runge_kutta/state_ode.hpp"

#include <algorithm>

namespace dalembert {

StateOde::StateOde(const Problem& problem, const SolveOptions& options, const Subsystems& subsystems)
    : n_(problem.system.n()),
      stabilization_(options.stabilization.value_or(Stabilization::projection)),
      constrained_(!problem.active.empty()),
      direction_(options.duration < 0 ? -1 : 1),
      accelerations_(problem.system, problem.active),
      expected_(problem.system, options.tolerance),
      rest_(subsystems, options),
      least_q_(1e-3 * problem.least_q),
      least_v_(1e-3 * problem.least_v) {
  groups_ = subsystems.of_coordinate();
  for (std::size_t i = 0; i < n_; ++i) groups_.push_back(subsystems.count() + groups_[i]);
  if (stabilization_ != Stabilization::baumgarte || !constrained_) return;
  if (options.alpha || options.beta) {  // one alone: both roots at −α
    terms_.alpha = direction_ * options.alpha.value_or(*options.beta);
    terms_.beta = options.beta.value_or(*options.alpha);
  } else {
    held_.assign(problem.system.m(), 0.0);
    terms_.held = held_;
    residuals_.emplace(problem.system);
  }
}

void StateOde::write(double, std::span<const double> q, std::span<const double> v, std::span<double> y) {
  std::copy(q.begin(), q.end(), y.begin());
  std::copy(v.begin(), v.end(), y.begin() + static_cast<std::ptrdiff_t>(n_));
}

bool StateOde::read(double, std::span<const double> y, std::span<double> q, std::span<double> v) {
  std::copy_n(y.begin(), n_, q.begin());
  std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(n_), n_, v.begin());
  return true;
}

bool StateOde::eval(double t, std::span<const double> y, std::span<double> slope) {
  const std::span<const double> v = y.subspan(n_);
  std::copy(v.begin(), v.end(), slope.begin());
  if (eval_motion({t, y.first(n_), v}, terms_, slope.subspan(n_))) return true;
  if (reason.empty()) reason = Accelerations::singular_reason();
  return false;
}

// α = β = 1/(2h), with the residuals at the start of the step all along it. Gains like 1/h on the residuals
// of the stages, which are O(h²), would be an error of order zero in a.
bool StateOde::set_step(double t, std::span<const double> y, double h) {
  if (!residuals_) return false;
  residuals_->eval(t, y.first(n_), y.subspan(n_));
  const std::vector<double>& g = residuals_->g;
  for (std::size_t j = 0; j < held_.size(); ++j) {
    held_[j] = direction_ * residuals_->gv[j] / h + (j < g.size() ? g[j] / (4 * h * h) : 0);
  }
  return true;
}

bool StateOde::eval_accelerations(double t, std::span<const double> q, std::span<const double> v,
                                  std::span<double> a, std::span<double> lambda) {
  if (!accelerations_.eval(t, q, v)) return false;
  std::copy(accelerations_.a().begin(), accelerations_.a().end(), a.begin());
  std::copy(accelerations_.lambda().begin(), accelerations_.lambda().end(), lambda.begin());
  return true;
}

Ode::Finish StateOde::finish_step(double t, std::span<double> y) {
  if (stabilization_ != Stabilization::projection || !constrained_) return Finish::kept;
  if (project(t, y.first(n_), y.subspan(n_))) return Finish::moved;
  reason = Accelerations::projection_reason();
  return Finish::failed;
}

void StateOde::expect(double t, double end, std::span<const double> y) {
  expected_.look(accelerations_, t, end, y.first(n_), y.subspan(n_));
  if (std::ranges::all_of(y, [](double x) { return x == 0; }))
    expected_.count_rounding(accelerations_, t, end, y.first(n_), y.subspan(n_));
  look_again(t, y);
}

// A motion that an event leaves at rest begins with rounding errors of its forces, as the body that a contact
// lets go: these are measured beside the motion that was.
void StateOde::raise_sizes(double h, std::span<double> sizes) const {
  for (std::size_t i = 0; i < n_; ++i) {
    sizes[i] = std::max({sizes[i], least_q_, expected_.least_q(i, h), rest_.least_q(i, h)});
    sizes[n_ + i] = std::max({sizes[n_ + i], least_v_, expected_.least_v(i, h), rest_.least_v(i, h)});
  }
}

void StateOde::look_again(double t, std::span<const double> y) {
  if (accelerations_.eval(t, y.first(n_), y.subspan(n_))) rest_.look(accelerations_, y.first(n_));
}

bool StateOde::project(double t, std::span<double> q, std::span<double> v) {
  return accelerations_.project(t, q, v);
}

}  // namespace dalembert
