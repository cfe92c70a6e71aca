#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/size_math.hpp>

#include "series/enclosure_guard.hpp"
#include "series/step_choice.hpp"

namespace dalembert {
namespace {

// c_0 to c_3: the least by which terms that fall are told from terms that do not; chosen, not measured
constexpr int lowest_terms = 4;
// Newton's method takes one at tight tolerances and a few at loose ones.
constexpr int most_landing_steps = 12;
}  // namespace

int threads_for(const System& system, int wanted) {
  constexpr std::size_t large = 60000;  // instructions; docs/decisions.md, "Threads for one run"
  if (system.expansion_program().program.instructions.size() < large) return 1;
  return wanted > 0 ? wanted : hardware_threads();
}

template <class S>
AdomianStep<S>::AdomianStep(const System& system, std::span<const std::size_t> active,
                            const StepSettings& settings, std::span<const ParameterValues> parameters)
    : system_(&system),
      settings_(settings),
      highest_order_(highest_order(settings)),
      team_(std::is_same_v<S, double> && settings.threads > 1 ? std::make_unique<Team>(settings.threads)
                                                              : nullptr),
      expansion_(system, active, highest_order_, parameters, team_.get(),
                 highest_order_of_interpreter(settings)),
      n_(system.n()),
      convolutions_(static_cast<double>(expansion_.convolution_count())),
      polynomials_(system.n(), system.m(), highest_order_, LaneMath<S>::of(0)) {
  const S zero = LaneMath<S>::of(0);
  t_.value.assign(1, zero);
  t_.lost.assign(1, zero);
  lost_t_ = zero;
  for (Compensated* state : {&q_, &v_}) {
    state->value.assign(n_, zero);
    state->lost.assign(n_, zero);
  }
  lost_q_.assign(n_, zero);
  lost_v_.assign(n_, zero);
  g_.assign(active.size(), zero);
  gv_.assign(active.size(), zero);
  rhs_.assign(n_ + active.size(), zero);
  work_.assign(n_, zero);
  shift_.assign(n_, zero);
  lambda_change_.assign(system.m(), zero);
  size_q_.assign(n_, SizeMath<S>::one());
  size_v_.assign(n_, SizeMath<S>::one());
  weight_q_ = weight_v_ = size_v_;
  most_q_.assign(n_, SizeMath<S>::zero());
  most_v_.assign(n_, SizeMath<S>::zero());
  difference_.assign(n_, SizeMath<S>::zero());
  noise_.assign(n_, SizeMath<S>::zero());
  find_costs();
  expansion_.set_tolerance(settings.log_tolerance);
  gain_.assign(polynomials_.width(), zero);
  constexpr double log_share = -4.6;  // a hundredth of the tolerance
  const double log_rounding = SizeMath<S>::log(SizeMath<S>::rounding(SizeMath<S>::one()));
  largest_shift_ = SizeMath<S>::of_log(std::max(settings.log_tolerance + log_share, log_rounding + 1.4));
  // a hundredth of a rounding error, since constraints may be curved on a scale of a tenth of the coordinates
  nothing_ = SizeMath<S>::of_log(2 * SizeMath<S>::log_negligible_squared() - 5);
  tolerance_ = SizeMath<S>::of_log(settings.log_tolerance);
  restart();
}

template <class S>
AdomianStep<S>::~AdomianStep() = default;

// The guard knows ranges that follow from parameters.
template <class S>
void AdomianStep<S>::set_parameters(std::span<const ParameterValues> parameters) {
  expansion_.set_parameters(parameters);
  guard_.reset();
}

template <class S>
double AdomianStep<S>::proven_share(const S& h, double log_tolerance) {
  if (!guard_) guard_ = std::make_unique<EnclosureGuard<S>>(*system_, expansion_);
  return guard_->empty() ? 1 : guard_->proven_share(expanded_order_, h, std::exp(log_tolerance));
}

template <class S>
double AdomianStep<S>::proven_time_share(const S& h, double log_tolerance) {
  if (!guard_) guard_ = std::make_unique<EnclosureGuard<S>>(*system_, expansion_);
  guard_->count_time_only(true);
  const double share = proven_share(h, log_tolerance);
  guard_->count_time_only(false);
  return share;
}

template <class S>
void AdomianStep<S>::restart() {
  order_ = next_order_ =
      std::clamp(settings_.fixed_order > 0 ? settings_.fixed_order : cheapest_order(), 4, top_order_);
  last_step_ = 0;
  step_limit_ = std::numeric_limits<double>::infinity();
  std::fill(noise_.begin(), noise_.end(), SizeMath<S>::zero());
  std::fill(size_q_.begin(), size_q_.end(), SizeMath<S>::one());
  std::fill(size_v_.begin(), size_v_.end(), SizeMath<S>::one());
  std::fill(most_q_.begin(), most_q_.end(), SizeMath<S>::zero());
  std::fill(most_v_.begin(), most_v_.end(), SizeMath<S>::zero());
  counts_rest_ = false;
  expansion_.forget_order();
}

template <class S>
bool AdomianStep<S>::set_state(const S& t, std::span<const S> q, std::span<const S> v, int newton_steps) {
  return place(t, q, v) && land(settings_.project ? newton_steps : 0, true);
}

template <class S>
bool AdomianStep<S>::set_close_state(const S& t, std::span<const S> q, std::span<const S> v) {
  const auto measure = [&](std::span<const S> x, std::vector<Size>& sizes) {
    Size largest = SizeMath<S>::zero();
    for (const S& value : x) largest = SizeMath<S>::max(largest, SizeMath<S>::of(value));
    std::fill(sizes.begin(), sizes.end(), SizeMath<S>::or_one(largest));
  };
  measure(q, size_q_);
  measure(v, size_v_);
  return place(t, q, v) && land(settings_.project ? most_landing_steps : 0, false);
}

template <class S>
bool AdomianStep<S>::place(const S& t, std::span<const S> q, std::span<const S> v) {
  t_.value[0] = t;
  t_.lost[0] = LaneMath<S>::of(0);
  std::copy(q.begin(), q.end(), q_.value.begin());
  std::copy(v.begin(), v.end(), v_.value.begin());
  std::fill(q_.lost.begin(), q_.lost.end(), LaneMath<S>::of(0));
  std::fill(v_.lost.begin(), v_.lost.end(), LaneMath<S>::of(0));
  std::fill(shift_.begin(), shift_.end(), LaneMath<S>::of(0));
  has_shift_ = false;
  return evaluate();
}

template <class S>
bool AdomianStep<S>::set_smooth_state(const S& t, std::span<const S> q, std::span<const S> v,
                                      std::span<const S> a) {
  t_.value[0] = t;
  std::copy(q.begin(), q.end(), q_.value.begin());
  std::copy(v.begin(), v.end(), v_.value.begin());
  if (!evaluate()) return false;
  expansion_.eval_position_residual(g_);
  expansion_.eval_velocity_residual(gv_);
  expansion_.solve_multipliers(a);
  return true;
}

// M, f, C, c, g at the state, and the factor.
template <class S>
bool AdomianStep<S>::evaluate() {
  expansion_.set_position(t(), q_.value);
  expansion_.set_velocity(v_.value);
  return expansion_.factor();
}

template <class S>
bool AdomianStep<S>::evaluate_again() {
  if (!evaluate()) return false;
  expansion_.expand_start();
  return true;
}

// Moves q onto g = 0 and v onto C v + c = 0 in the mass metric, after evaluate() and a shift of q,
// [M Cᵀ; C 0] [δq; μ] = [0; −g],  [M Cᵀ; C 0] [δv; μ] = [0; −(C v + c)],
// and evaluates the accelerations there. Where q has hardly moved since evaluate(), its matrix still serves.
template <class S>
bool AdomianStep<S>::land(int newton_steps, bool factor_again) {
  const double none = SizeMath<S>::largest(SizeMath<S>::zero());
  correction_ = none;
  double shift = has_shift_ ? share_of_q(shift_) : none;  // of q since the matrix was factored
  if (!g_.empty() && newton_steps > 0 && system_->holonomic() > 0) {
    expansion_.eval_position_residual(g_);
    expansion_.add_constraint_product(shift_, g_);
    if (!land_position(newton_steps, factor_again, shift)) return false;
  } else {
    if (has_shift_) expansion_.set_position(t(), q_.value);
    if (!g_.empty()) expansion_.eval_position_residual(g_);
  }
  if (!factor_again && shift > largest_shift_) {
    if (!expansion_.factor()) return false;
    shift = none;
  }
  if (!g_.empty() && newton_steps > 0) land_velocity(newton_steps, shift);
  expansion_.set_velocity(v_.value);
  if (!g_.empty()) expansion_.eval_velocity_residual(gv_);
  expansion_.expand_start();
  return true;
}

template <class S>
double AdomianStep<S>::share_of_q(const std::vector<S>& x) const {
  using Math = SizeMath<S>;
  Size largest = Math::zero();
  for (std::size_t i = 0; i < n_; ++i) largest = Math::max(largest, Math::ratio(Math::of(x[i]), size_q_[i]));
  return Math::largest(largest);
}

// A matrix that q has left by δ leaves δ times a correction: iterated until this is nothing, with a new
// matrix where the old one takes long.
template <class S>
bool AdomianStep<S>::land_position(int newton_steps, bool factor_again, double& shift) {
  // each gains the digits by which q has kept near to the matrix; a factor costs several solves
  constexpr int with_old_matrix = 3;
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < newton_steps; ++i) {
    const double correction = project_position();
    shift = std::max(shift, correction);
    expansion_.set_position(t(), q_.value);
    expansion_.eval_position_residual(g_);
    if (factor_again && !expansion_.factor()) return false;
    const bool is_enough = SizeMath<S>::product_of(correction, factor_again ? correction : shift) < nothing_;
    if (is_enough || !(correction < before)) break;
    before = correction;
    if (factor_again || i + 1 >= with_old_matrix) {
      if (!factor_again && !expansion_.factor()) return false;
      factor_again = true;
      shift = SizeMath<S>::largest(SizeMath<S>::zero());
    }
  }
  return true;
}

// The residual is linear in v, but the matrix is that of another q.
template <class S>
void AdomianStep<S>::land_velocity(int newton_steps, double shift) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < newton_steps; ++i) {
    const double correction = project_velocity();
    if (SizeMath<S>::product_of(correction, shift) < nothing_) return;
    if (!(correction < before)) return;
    before = correction;
  }
}

// One Newton step from the residual g_; returns its relative size.
template <class S>
double AdomianStep<S>::project_position() {
  expansion_.add_constraint_product(q_.lost, g_);
  std::fill(rhs_.begin(), rhs_.end(), LaneMath<S>::of(0));
  for (std::size_t row = 0; row < g_.size(); ++row) rhs_[n_ + row] = -g_[row];
  expansion_.solve(rhs_);
  Size size = SizeMath<S>::zero();
  for (std::size_t i = 0; i < n_; ++i) {
    q_.add(i, rhs_[i]);
    size = SizeMath<S>::max(size, SizeMath<S>::ratio(SizeMath<S>::of(rhs_[i]), size_q_[i]));
  }
  if (checks_tangent_) note_correction(size_q_);
  return SizeMath<S>::largest(size);
}

// rhs_ moves the state.
template <class S>
void AdomianStep<S>::note_correction(const std::vector<Size>& sizes) {
  Size moved = SizeMath<S>::zero();
  Size largest = SizeMath<S>::zero();
  for (std::size_t i = 0; i < n_; ++i) {
    moved = SizeMath<S>::max(moved, SizeMath<S>::of(rhs_[i]));
    largest = SizeMath<S>::max(largest, sizes[i]);
  }
  correction_ = std::max(correction_, SizeMath<S>::largest(SizeMath<S>::ratio(moved, largest)));
}

template <class S>
double AdomianStep<S>::project_velocity() {
  expansion_.place_velocity(v_.value);
  expansion_.eval_velocity_residual(gv_);
  expansion_.add_constraint_product(v_.lost, gv_);
  std::fill(rhs_.begin(), rhs_.end(), LaneMath<S>::of(0));
  for (std::size_t row = 0; row < gv_.size(); ++row) rhs_[n_ + row] = -gv_[row];
  expansion_.solve(rhs_);
  Size size = SizeMath<S>::zero();
  for (std::size_t i = 0; i < n_; ++i) {
    v_.add(i, rhs_[i]);
    size = SizeMath<S>::max(size, SizeMath<S>::ratio(SizeMath<S>::of(rhs_[i]), size_v_[i]));
  }
  if (checks_tangent_) note_correction(size_v_);
  return SizeMath<S>::largest(size);
}

template <class S>
void AdomianStep<S>::expand() {
  // noise of ten steps ago counts a third; chosen, not measured
  constexpr double forgetting = 0.9;
  for (Size& noise : noise_) noise = SizeMath<S>::product(noise, forgetting);
  order_ = expanded_order_ = next_order_;
  expand_terms();
  if (!(proposed_step_ > 0)) expand_without_large_values();
}

template <class S>
void AdomianStep<S>::expand_terms() {
  expansion_.expand_rest(order_, polynomials_.rows());
  polynomials_.t0 = t();
  lost_t_ = t_.lost[0];
  lost_q_ = q_.lost;
  lost_v_ = v_.lost;
  polynomials_.order = order_;
  choose_step();
}

// Where coefficients overflow: far from its centre a pulse 1/cosh(t/w)² is zero, but cosh and, before it
// does, its coefficients are beyond the largest number. Fourth powers of what is left are numbers with
// theirs.
template <class S>
void AdomianStep<S>::expand_without_large_values() {
  if constexpr (!std::is_same_v<S, double>) return;
  // squares and cubes of it are still doubles; physical quantities are far below
  constexpr double large = 1e50;
  expansion_.set_largest(large);
  if (evaluate_again()) expand_terms();
  expansion_.set_largest(std::numeric_limits<double>::infinity());
}

// Terms fall like those of the motion until rounding errors rise. They rise across the constraints alone and
// go when the step lands, so more terms than those that fall may be kept, until rounding errors are too
// large.
template <class S>
bool AdomianStep<S>::keep_falling_terms(const S& h, int more) {
  constexpr double log_most_rounding = -16;  // 1e-7
  const double log_h = std::log(LaneMath<S>::size(h));
  const auto term = [&](int k) { return std::max(log_norm(k), log_norm(k - 1) - log_h) + k * log_h; };
  int least = std::min(lowest_terms, expanded_order_);
  for (int k = least + 1; k <= expanded_order_; ++k) {
    if (term(k) < term(least)) least = k;
  }
  order_ = std::min(least + more, expanded_order_);
  return more == 0 || (order_ == least + more && term(order_) < log_most_rounding);
}

template <class S>
auto AdomianStep<S>::advance(const S& h) -> Check {
  polynomials_.h = h;
  polynomials_.order = order_;
  last_step_ = LaneMath<S>::size(h);
  follow_polynomials(h);
  if (!evaluate()) return Check::singular;
  expansion_.expand_start();
  const Check check = compare_accelerations();
  std::fill(shift_.begin(), shift_.end(), LaneMath<S>::of(0));
  if (check == Check::not_finite) return check;
  has_shift_ = check == Check::good;
  if (has_shift_) add_next_term(h);
  return land(settings_.project ? most_landing_steps : 0, false) ? check : Check::singular;
}

template <class S>
void AdomianStep<S>::follow_polynomials(const S& h) {
  t_.value[0] = polynomials_.t0;
  t_.lost[0] = lost_t_;
  t_.add(0, h);
  polynomials_.eval_gain(h, gain_);
  const S* const q = polynomials_.q(0);
  for (std::size_t i = 0; i < n_; ++i) {
    q_.value[i] = q[i];
    q_.lost[i] = lost_q_[i];
    q_.add(i, gain_[i]);
  }
  for (std::size_t i = 0; i < n_; ++i) {
    v_.value[i] = q[n_ + i];
    v_.lost[i] = lost_v_[i];
    v_.add(i, gain_[n_ + i]);
  }
}

// An error in a of the size |a_p h^p| is one of |a_p h^(p+1)|/(p+1) in v.
template <class S>
auto AdomianStep<S>::compare_accelerations() -> Check {
  using Math = SizeMath<S>;
  // times the tolerance: the step length comes from the last two terms, whose estimate is right to such a
  // factor; chosen, not measured
  constexpr double allowed = 4;
  const S* const a = polynomials_.q(0) + 2 * n_;
  for (std::size_t i = 0; i < n_; ++i) work_[i] = expansion_.a(0)[i] - (a[i] + gain_[2 * n_ + i]);
  if (checks_tangent_) expansion_.keep_tangent_part(work_);
  Size largest = Math::zero();
  for (std::size_t i = 0; i < n_; ++i) {
    difference_[i] = Math::of(work_[i]);
    largest = LaneMath<Size>::of_greater(difference_[i], largest, difference_[i], largest);
  }
  if (!Math::is_number(largest)) return Check::not_finite;
  measure_defect();
  if (defect_ <= allowed) return Check::good;
  // forces that cancel leave their rounding errors in the accelerations, however small those are
  constexpr double operations = 8;
  expansion_.eval_force_scale(rhs_);
  for (std::size_t i = 0; i < n_; ++i) {
    noise_[i] = Math::max(noise_[i], Math::product(Math::rounding(Math::of(rhs_[i])), operations));
  }
  measure_defect();
  return defect_ <= allowed ? Check::good : Check::inaccurate;
}

template <class S>
void AdomianStep<S>::measure_defect() {
  using Math = SizeMath<S>;
  Size worst = Math::zero();
  for (std::size_t i = 0; i < n_; ++i) {
    const Size share = Math::ratio(difference_[i], size_v_[i]);
    worst = Math::max(worst, Math::if_greater(difference_[i], noise_[i], share));
  }
  const double error = Math::product_of(Math::largest(worst), Math::of_number(last_step_ / (order_ + 1)));
  defect_ = Math::number(Math::quotient_of(error, tolerance_));
}

// What the accelerations at the end differ by is the first term that the polynomials lack, and more like it:
// with a_p h^p = difference they have one order more.
template <class S>
void AdomianStep<S>::add_next_term(const S& h) {
  const S in_v = h / LaneMath<S>::of(order_ + 1);
  const S in_q = in_v * h / LaneMath<S>::of(order_ + 2);
  for (std::size_t i = 0; i < n_; ++i) {
    shift_[i] = in_q * work_[i];
    q_.add(i, shift_[i]);
    v_.add(i, in_v * work_[i]);
  }
  const S* const lambda = polynomials_.q(0) + 3 * n_;
  for (std::size_t j = 0; j < lambda_change_.size(); ++j) {
    lambda_change_[j] = expansion_.lambda(0)[j] - (lambda[j] + gain_[3 * n_ + j]);
  }
  polynomials_.add_term(h, work_, lambda_change_);
}

template <class S>
void AdomianStep<S>::accept_as_noise() {
  // the next steps' noise may be larger; chosen, not measured
  constexpr double margin = 2;
  for (std::size_t i = 0; i < n_; ++i) {
    noise_[i] = SizeMath<S>::max(noise_[i], SizeMath<S>::product(difference_[i], margin));
  }
}

template class AdomianStep<double>;
template class AdomianStep<Real>;
template class AdomianStep<Lanes<4>>;
template class AdomianStep<Lanes<8>>;

}  // namespace dalembert
