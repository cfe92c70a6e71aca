#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>

namespace dalembert {
namespace {

// p = ⌈1 − ½ ln tol⌉, the order of least cost when a step of order p costs p² [jorbazou2005].
int jorba_zou_order(double log_tolerance) { return static_cast<int>(std::ceil(1 - 0.5 * log_tolerance)); }

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// Truncation errors have a sign of their own and add up: steps are chosen for a tenth of the tolerance.
constexpr double log_safety = 2.3;

}  // namespace

template <class S, int W>
AdomianStep<S, W>::AdomianStep(const System& system, std::span<const std::size_t> active,
                               const StepSettings& settings)
    : system_(&system), settings_(settings), expansion_(system, active, settings.max_order), n_(system.n()) {
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
  log_scale_q_.assign(n_, 0);
  log_scale_v_.assign(n_, 0);
  log_difference_.assign(n_, minus_infinity);
  log_noise_.assign(n_, minus_infinity);
  const std::size_t rows = static_cast<std::size_t>(settings.max_order) + 2;
  polynomials_.n = n_;
  polynomials_.m = system.m();
  polynomials_.q.assign(rows * n_, zero);
  polynomials_.v.assign(rows * n_, zero);
  polynomials_.a.assign(rows * n_, zero);
  polynomials_.lambda.assign(rows * system.m(), zero);
  order_ = settings.fixed_order > 0 ? settings.fixed_order : jorba_zou_order(settings.log_tolerance);
  order_ = std::clamp(order_, 4, settings.max_order);
  next_order_ = order_;
}

template <class S, int W>
bool AdomianStep<S, W>::set_state(const S& t, std::span<const S> q, std::span<const S> v, int newton_steps) {
  t_.value[0] = t;
  t_.lost[0] = LaneMath<S>::of(0);
  std::copy(q.begin(), q.end(), q_.value.begin());
  std::copy(v.begin(), v.end(), v_.value.begin());
  std::fill(q_.lost.begin(), q_.lost.end(), LaneMath<S>::of(0));
  std::fill(v_.lost.begin(), v_.lost.end(), LaneMath<S>::of(0));
  return land(settings_.project ? newton_steps : 0);
}

// Evaluates at (t, q, v) and moves q onto g = 0 and v onto C v + c = 0 in the mass metric:
// [M Cᵀ; C 0] [δq; μ] = [0; −g],  [M Cᵀ; C 0] [δv; μ] = [0; −(C v + c)].
template <class S, int W>
bool AdomianStep<S, W>::land(int newton_steps) {
  const S zero = LaneMath<S>::of(0);
  expansion_.set_position(t(), q_.value);
  expansion_.set_velocity(v_.value);
  if (!expansion_.factor()) return false;
  const bool constrained = !g_.empty();
  if (constrained) expansion_.eval_position_residual(g_);
  for (int i = 0; constrained && i < newton_steps && system_->holonomic() > 0; ++i) {
    expansion_.add_constraint_product(q_.lost, g_);
    std::fill(rhs_.begin(), rhs_.end(), zero);
    for (std::size_t row = 0; row < g_.size(); ++row) rhs_[n_ + row] = -g_[row];
    expansion_.solve(rhs_);
    for (std::size_t j = 0; j < n_; ++j) q_.add(j, rhs_[j]);
    expansion_.set_position(t(), q_.value);
    if (newton_steps > 1) {
      expansion_.set_velocity(v_.value);
      if (!expansion_.factor()) return false;
    }
    expansion_.eval_position_residual(g_);
  }
  if (constrained && newton_steps > 0) {
    expansion_.eval_velocity_residual(gv_);
    expansion_.add_constraint_product(v_.lost, gv_);
    std::fill(rhs_.begin(), rhs_.end(), zero);
    for (std::size_t row = 0; row < gv_.size(); ++row) rhs_[n_ + row] = -gv_[row];
    expansion_.solve(rhs_);
    for (std::size_t j = 0; j < n_; ++j) v_.add(j, rhs_[j]);
    expansion_.set_velocity(v_.value);
  }
  if (constrained) expansion_.eval_velocity_residual(gv_);
  expansion_.expand_start();
  return true;
}

template <class S, int W>
void AdomianStep<S, W>::expand() {
  constexpr double forgetting = 0.1;
  for (double& noise : log_noise_) noise -= forgetting;
  order_ = next_order_;
  expansion_.expand_rest(order_);
  polynomials_.t0 = t();
  lost_t_ = t_.lost[0];
  lost_q_ = q_.lost;
  lost_v_ = v_.lost;
  polynomials_.order = order_;
  for (int k = 0; k <= order_ + 1; ++k) {
    const auto copy = [k](std::span<const S> from, std::vector<S>& to) {
      std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(from.size()) * k);
    };
    copy(expansion_.q(k), polynomials_.q);
    if (k <= order_) copy(expansion_.v(k), polynomials_.v);
    if (k < order_) copy(expansion_.a(k), polynomials_.a);
    if (k < order_) copy(expansion_.lambda(k), polynomials_.lambda);
  }
  choose_step();
}

// ln max |coefficient k of v| and |coefficient k + 1 of q|, each relative to its component's size over the
// step.
template <class S, int W>
double AdomianStep<S, W>::log_norm(int k) const {
  const S* q = polynomials_.q.data() + static_cast<std::size_t>(k) * n_;
  const S* v = polynomials_.v.data() + static_cast<std::size_t>(k) * n_;
  double largest = minus_infinity;
  for (std::size_t i = 0; i < n_; ++i) {
    const double size_q = LaneMath<S>::log_size(q[i]) - log_scale_q_[i];
    const double size_v = LaneMath<S>::log_size(v[i]) - log_scale_v_[i];
    if (std::isnan(size_q) || std::isnan(size_v)) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max({largest, size_q, size_v});
  }
  return largest;
}

// The last two terms of the series decide [jorbazou2005]: |v_k| h^k ≤ tol, with the last but one allowed the
// ratio of two terms more.
template <class S, int W>
void AdomianStep<S, W>::choose_step() {
  constexpr double smallest_share = -9.2;  // a component below 1e-4 of the largest counts as that
  constexpr double log_term_ratio = 1.9;
  const double log_h = last_step_ > 0 ? std::log(last_step_) : minus_infinity;
  const auto scales = [&](const std::vector<S>& c, std::vector<double>& log_scale) {
    double largest = minus_infinity;
    for (std::size_t i = 0; i < n_; ++i) {
      log_scale[i] = std::max(LaneMath<S>::log_size(c[i]), LaneMath<S>::log_size(c[n_ + i]) + log_h);
      largest = std::max(largest, log_scale[i]);
    }
    if (!(largest > minus_infinity)) largest = 0;
    for (double& scale : log_scale) scale = std::max(scale, largest + smallest_share);
  };
  scales(polynomials_.q, log_scale_q_);
  scales(polynomials_.v, log_scale_v_);
  if (last_step_ > 0) {  // a velocity that moves nothing is not worth its own relative accuracy
    constexpr double log_share = -4.6;
    for (std::size_t i = 0; i < n_; ++i) {
      log_scale_v_[i] = std::max(log_scale_v_[i], log_scale_q_[i] - log_h + log_share);
    }
  }
  const int p = order_;
  const double last = log_norm(p);
  const double before = log_norm(p - 1);
  const double tolerance = settings_.log_tolerance - log_safety;
  const double log_step = std::min((tolerance - last) / p, (tolerance + log_term_ratio - before) / (p - 1));
  proposed_step_ = std::isnan(log_step) ? log_step : std::min(std::exp(log_step), step_limit_);
  if (settings_.fixed_order == 0 && std::isfinite(log_step)) {
    // |c_k| ≈ A ρ^(−k) through the step's own order and one half as high
    const int half = p / 2;
    const double low = std::max(log_norm(half), log_norm(half - 1) - 0.0);
    const double log_rho = (low - std::max(last, before)) / (p - half);
    choose_next_order(std::max(last, before) + p * log_rho, log_rho);
  }
}

// The order within two of the present one that goes furthest per cost.
template <class S, int W>
void AdomianStep<S, W>::choose_next_order(double log_a, double log_rho) {
  const double log_limit = std::log(step_limit_);
  double best = minus_infinity;
  // high orders allow steps so long that rounding errors grow (docs/adomian.md); low ones are never the
  // cheapest
  const int middle = jorba_zou_order(settings_.log_tolerance);
  const int lowest = std::min(std::max(6, middle / 2), settings_.max_order);
  const int highest = std::min(middle + 2 * middle / 3, settings_.max_order);
  for (int p = std::max(lowest, order_ - 2); p <= std::min(highest, order_ + 2); ++p) {
    const double log_h = std::min(log_rho + (settings_.log_tolerance - log_safety - log_a) / p, log_limit);
    const double gain = log_h - std::log(cost(p));
    if (gain > best) {
      best = gain;
      next_order_ = p;
    }
  }
}

// Operations of one step: a fixed part, a part per order, a part per order squared (the convolutions).
template <class S, int W>
double AdomianStep<S, W>::cost(int order) const {
  const auto size = static_cast<double>(rhs_.size());
  const Program& program = system_->dynamics().program;
  const auto convolutions = static_cast<double>(expansion_.convolution_count());
  const double fixed =
      size * size * size / 2 + 8 * size * size + 6.0 * static_cast<double>(program.register_count());
  const double per_order =
      2 * size * size + 2.0 * static_cast<double>(program.terms.size()) + 4 * convolutions;
  return fixed + order * per_order + order * order * convolutions / (2.0 * W);
}

template <class S, int W>
auto AdomianStep<S, W>::advance(const S& h) -> Check {
  polynomials_.h = h;
  t_.value[0] = polynomials_.t0;
  t_.lost[0] = lost_t_;
  t_.add(0, h);
  polynomials_.eval_gain_q(h, work_);
  for (std::size_t i = 0; i < n_; ++i) {
    q_.value[i] = polynomials_.q[i];
    q_.lost[i] = lost_q_[i];
    q_.add(i, work_[i]);
  }
  polynomials_.eval_gain_v(h, work_);
  for (std::size_t i = 0; i < n_; ++i) {
    v_.value[i] = polynomials_.v[i];
    v_.lost[i] = lost_v_[i];
    v_.add(i, work_[i]);
  }
  if (!land(settings_.project ? 1 : 0)) return Check::singular;
  last_step_ = LaneMath<S>::size(h);

  // an error in a of the size |a_p h^p| is one of |a_p h^(p+1)|/(p+1) in v
  polynomials_.eval_a(h, work_);
  double worst = minus_infinity;
  for (std::size_t i = 0; i < n_; ++i) {
    const double size = LaneMath<S>::log_size(expansion_.a(0)[i] - work_[i]);
    if (std::isnan(size)) return Check::singular;
    log_difference_[i] = size;
    if (size > log_noise_[i]) worst = std::max(worst, size - log_scale_v_[i]);
  }
  defect_ = std::exp(worst + std::log(last_step_ / (order_ + 1)) - settings_.log_tolerance);
  constexpr double allowed = 4;
  return defect_ <= allowed ? Check::good : Check::inaccurate;
}

template <class S, int W>
void AdomianStep<S, W>::accept_as_noise() {
  constexpr double margin = 0.7;  // a factor 2
  for (std::size_t i = 0; i < n_; ++i) log_noise_[i] = std::max(log_noise_[i], log_difference_[i] + margin);
}

template class AdomianStep<double, 1>;
template class AdomianStep<double, native_lanes>;
template class AdomianStep<Real, 1>;
template class AdomianStep<Lanes<4>, 1>;
template class AdomianStep<Lanes<8>, 1>;

}  // namespace dalembert
