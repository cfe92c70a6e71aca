#include "state_ode.hpp"

#include <algorithm>

namespace dalembert {

StateOde::StateOde(const Problem& problem, const SolveOptions& options)
    : n_(problem.system.n()),
      stabilization_(options.stabilization.value_or(Stabilization::projection)),
      alpha_(options.alpha),
      beta_(options.beta),
      constrained_(!problem.active.empty()),
      accelerations_(problem.system, problem.active) {}

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
  if (eval_motion({t, y.first(n_), v}, gains_, slope.subspan(n_))) return true;
  if (reason.empty()) reason = Accelerations::singular_reason();
  return false;
}

// Both roots of z² + 2 α z + β² at −1/h, which every method here follows; h is the longest step so far: a
// gain that grew with shorter steps would shorten them further.
bool StateOde::set_step(double h) {
  if (stabilization_ != Stabilization::baumgarte || !constrained_) return false;
  attempted_ = h;
  const double gain = 1 / (longest_ > 0 ? longest_ : h);
  const BaumgarteGains before = gains_;
  gains_ = {alpha_.value_or(gain), beta_.value_or(gain)};
  return gains_.alpha != before.alpha || gains_.beta != before.beta;
}

bool StateOde::eval_accelerations(double t, std::span<const double> q, std::span<const double> v,
                                  std::span<double> a, std::span<double> lambda) {
  if (!accelerations_.eval(t, q, v)) return false;
  std::copy(accelerations_.a().begin(), accelerations_.a().end(), a.begin());
  std::copy(accelerations_.lambda().begin(), accelerations_.lambda().end(), lambda.begin());
  return true;
}

Ode::Finish StateOde::finish_step(double t, std::span<double> y) {
  longest_ = std::max(longest_, attempted_);
  if (stabilization_ != Stabilization::projection || !constrained_) return Finish::kept;
  if (project(t, y.first(n_), y.subspan(n_))) return Finish::moved;
  reason = Accelerations::projection_reason();
  return Finish::failed;
}

bool StateOde::project(double t, std::span<double> q, std::span<double> v) {
  return accelerations_.project(t, q, v);
}

}  // namespace dalembert
