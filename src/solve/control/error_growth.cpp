#include "control/error_growth.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "control/error_scale.hpp"
#include "run/constraint_residuals.hpp"
#include "runge_kutta/accelerations.hpp"

namespace dalembert {

class ErrorGrowth::Impl {
 public:
  Impl(const Problem& problem, const SolveOptions& options)
      : n_(problem.system.n()),
        active_(problem.active),
        holonomic_(static_cast<std::size_t>(
            std::count_if(problem.active.begin(), problem.active.end(),
                          [&](std::size_t j) { return j < problem.system.holonomic(); }))),
        at_(problem.system, problem.active),
        residuals_(problem.system),
        least_error_(smallest_error(options)),
        largest_error_(largest_error(options)),
        error_(2 * n_, 0.0),
        scale_(2 * n_, 0.0),
        rhs_(n_ + problem.active.size()) {
    for (Vector* y : {&added_, &stage_, &shifted_, &begin_, &end_, &first_, &second_, &third_, &fourth_})
      y->resize(2 * n_);
    for (Vector* a : {&begin_a_, &end_a_}) a->resize(n_);
    for (Base* base : {&here_, &middle_, &there_}) {
      base->y.resize(2 * n_);
      base->a.resize(n_);
    }
  }

  void start(double t, std::span<const double> q, std::span<const double> v) {
    end_t_ = t;
    place_end(q, v);
    begin_ = end_;
    t_ = begin_t_ = t;
    failed_ = !eval_base(t, begin_, begin_a_);
  }

  Memory memory() const { return {error_, scale_, begin_a_, sum_, failed_, signs_.state(), 0}; }

  // Of what the event changes e keeps what the constraints behind it allow.
  void go_on(double t, std::span<const double> q, std::span<const double> v, const Memory& before) {
    scale_ = before.scale;
    start(t, q, v);
    error_ = before.error;
    sum_ = before.sum;
    signs_ = Signs(before.signs);
    failed_ = failed_ || before.failed;
    for (std::size_t i = 0; i < n_; ++i) {  // from its own event to the time of this one
      error_[i] -= before.delay * v[i];
      error_[n_ + i] -= before.delay * begin_a_[i];
    }
    if (!failed_ && !active_.empty()) return_to_constraints();
    here_ = {t, begin_, begin_a_};
    is_placed_ = true;
  }

  void end_step(const StepEnd& end) {
    if (failed_) return;
    end_t_ = end.t;
    place_end(end.q, end.v);
    const double energy_error = std::clamp(end.energy_error, -largest_error_, largest_error_);
    const double size = std::max(std::abs(energy_error) / 2, least_error_);
    squares_ += size * size;
    sum_ += size;
    ++steps_;
    energy_error_ += energy_error;
    kinetic_ = end.kinetic;
    curve_ = steps_ == 1 ? &end.curve : nullptr;
    if (rate_ == 0 || std::abs(end_t_ - t_) * rate_ >= radians || has_moved()) follow();
  }

  void finish() {
    curve_ = nullptr;
    if (!failed_ && end_t_ != t_) follow();
  }

  double error() const { return failed_ ? not_a_number : std::min(1.0, size_of(error_)); }
  double growth() const { return sum_ > 0 ? error() / sum_ : not_a_number; }

 private:
  using Vector = std::vector<double>;
  struct Base {  // a state of the motion
    double t = 0;
    Vector y, a;
  };

  // Signs without a pattern, the same in every run (Marsaglia's xorshift).
  class Signs {
   public:
    Signs() = default;
    explicit Signs(std::uint64_t state) : state_(state) {}
    std::uint64_t state() const { return state_; }
    double next() {
      state_ ^= state_ << 13U;
      state_ ^= state_ >> 7U;
      state_ ^= state_ << 17U;
      return (state_ >> 40U & 1U) != 0 ? 1.0 : -1.0;
    }

   private:
    std::uint64_t state_ = 0x9E3779B97F4A7C15U;
  };

  // A step is at least so long, in radians of the fastest part of e or in parts of the motion, and at most
  // twice that: the amplitude of an oscillation is then kept to 0.6 % in a radian.
  static constexpr double radians = 0.5;
  static constexpr double part_of_motion = 0.2;
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

  // Half a unit of rounding; of a method with a tolerance a tenth of that, where its energy shows
  // nothing.
  static double smallest_error(const SolveOptions& options) {
    // a lower bound: methods may be better than their tolerance. Chosen, not measured.
    constexpr double share = 0.1;
    if (options.digits > 0) return std::pow(10.0, -options.digits);
    return has_constant_step(options) ? round_off : std::max(round_off, share * options.tolerance);
  }
  // Before the motion has exchanged much energy, errors beside it mean little; the error test bounds them.
  static double largest_error(const SolveOptions& options) {
    // without an error test nothing bounds an error but the motion itself; with one the tolerance does, with
    // the `safety` of verdict.cpp. Chosen, not measured.
    constexpr double of_constant_steps = 0.1;
    constexpr double factor = 30;
    return has_constant_step(options) ? of_constant_steps : factor * std::max(options.tolerance, round_off);
  }
  static constexpr double round_off = std::numeric_limits<double>::epsilon() / 2;

  std::span<double> q_of(Vector& y) const { return std::span(y).first(n_); }
  std::span<double> v_of(Vector& y) const { return std::span(y).last(n_); }

  void place_end(std::span<const double> q, std::span<const double> v) {
    std::copy(q.begin(), q.end(), end_.begin());
    std::copy(v.begin(), v.end(), end_.begin() + static_cast<std::ptrdiff_t>(n_));
    for (std::size_t i = 0; i < 2 * n_; ++i) scale_[i] = std::max(scale_[i], std::abs(end_[i]));
    size_q_ = ErrorScale::largest(std::span(scale_).first(n_));
    size_v_ = ErrorScale::largest(std::span(scale_).last(n_));
  }
  double size_of(std::span<const double> y) const {
    const double q = size_q_ > 0 ? ErrorScale::largest(y.first(n_)) / size_q_ : 0;
    const double v = size_v_ > 0 ? ErrorScale::largest(y.last(n_)) / size_v_ : 0;
    return std::max(q, v);
  }
  bool has_moved() {
    for (std::size_t i = 0; i < 2 * n_; ++i) shifted_[i] = end_[i] - begin_[i];
    return size_of(shifted_) >= part_of_motion;
  }

  // From t_ to the end of the last step. Singular configurations and stiff modes are too fast for it.
  void follow() {
    // a step that takes more is of a mode too fast to follow, which then ends the estimate; the rate is that
    // of the step before at first, which may have met a singularity. Chosen, not measured.
    constexpr int most_parts = 128;
    const double h = std::abs(end_t_ - begin_t_);
    bool can = eval_base(end_t_, end_, end_a_);
    for (int tries = 0; can && t_ != end_t_; ++tries) {
      const double length = end_t_ - t_;
      const double parts = std::max(1.0, std::ceil(std::abs(length) * rate_ / (2 * radians)));
      can = tries <= most_parts && advance(parts > 1 ? t_ + length / parts : end_t_);
    }
    failed_ = !can;
    find_added(can, h);
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      error_[i] += added_[i];
      failed_ = failed_ || !std::isfinite(error_[i]);
    }
    begin_ = end_;
    begin_a_ = end_a_;
    begin_t_ = end_t_;
    squares_ = energy_error_ = 0;
    steps_ = 0;
  }

  // Hermite's polynomial of degree 5 through q, v and a at the ends of the step, and its derivative.
  void interpolate(Base& base, double s) const {
    const double h = end_t_ - begin_t_;
    const double s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
    const double far = 10 * s3 - 15 * s4 + 6 * s5, far_slope = 30 * (s2 - 2 * s3 + s4);
    for (std::size_t i = 0; i < n_; ++i) {
      const double q0 = begin_[i], q1 = end_[i], v0 = h * begin_[n_ + i], v1 = h * end_[n_ + i];
      const double a0 = h * h / 2 * begin_a_[i], a1 = h * h / 2 * end_a_[i];
      base.y[i] = q0 + far * (q1 - q0) + (s - 6 * s3 + 8 * s4 - 3 * s5) * v0 +
                  (-4 * s3 + 7 * s4 - 3 * s5) * v1 + (s2 - 3 * s3 + 3 * s4 - s5) * a0 +
                  (s3 - 2 * s4 + s5) * a1;
      base.y[n_ + i] = (far_slope * (q1 - q0) + (1 - 18 * s2 + 32 * s3 - 15 * s4) * v0 +
                        (-12 * s2 + 28 * s3 - 15 * s4) * v1 + (2 * s - 9 * s2 + 12 * s3 - 5 * s4) * a0 +
                        (3 * s2 - 8 * s3 + 5 * s4) * a1) /
                       h;
    }
  }
  bool place(Base& base, double t) {
    base.t = t;
    if (t == end_t_) {
      base.y = end_;
      base.a = end_a_;
      return true;
    }
    if (curve_ != nullptr) {
      (*curve_)(t, q_of(base.y), v_of(base.y));
    } else {
      interpolate(base, (t - begin_t_) / (end_t_ - begin_t_));
    }
    return eval_base(base.t, base.y, base.a);
  }
  bool eval_base(double t, Vector& y, Vector& a) {
    if (!at_.eval(t, q_of(y), v_of(y))) return false;
    std::copy(at_.a().begin(), at_.a().end(), a.begin());
    return true;
  }

  // Stays where it is when the rate turns out to be larger than thought. False: there is no way on.
  bool advance(double t) {
    const double h = t - t_;
    if (!place(middle_, t_ + h / 2) || !place(there_, t)) return false;
    if (is_placed_ && size_of(error_) > 0) {
      if (!is_short_enough(h)) return std::isfinite(rate_);
      if (!apply(h)) return false;
    }
    is_placed_ = true;
    std::swap(here_, there_);
    t_ = t;
    return true;
  }

  // The first two stages tell the rate.
  bool is_short_enough(double h) {
    if (!eval_product(here_, error_, first_)) return false;
    stage_from(first_, h / 2);
    if (!eval_product(middle_, stage_, second_)) return false;
    measure_rate(h / 2);
    return std::abs(h) * rate_ <= 3 * radians;
  }
  // The others of the classical Runge-Kutta method for e' = J e.
  bool apply(double h) {
    stage_from(second_, h / 2);
    if (!eval_product(middle_, stage_, third_)) return false;
    stage_from(third_, h);
    if (!eval_product(there_, stage_, fourth_)) return false;
    for (std::size_t i = 0; i < 2 * n_; ++i)
      stage_[i] = error_[i] + h / 6 * (first_[i] + 2 * (second_[i] + third_[i]) + fourth_[i]);
    if (!std::isfinite(size_of(stage_))) return false;
    error_.swap(stage_);
    return true;
  }

  void stage_from(const Vector& slope, double h) {
    for (std::size_t i = 0; i < 2 * n_; ++i) stage_[i] = error_[i] + h * slope[i];
  }

  // √(|J² e|/|e|): of an oscillation its frequency, in any norm.
  void measure_rate(double h) {
    for (std::size_t i = 0; i < 2 * n_; ++i) shifted_[i] = (second_[i] - first_[i]) / h;
    const double rate = std::sqrt(size_of(shifted_) / size_of(error_));
    if (std::isfinite(rate) && rate > 0) rate_ = rate;
  }

  // shifted_ = y + δ w, a ten-millionth of the motion away, about the root of the rounding unit. Returns δ.
  double shift(const Vector& y, std::span<const double> w) {
    constexpr double part = 1e-7;
    const double size = size_of(w);
    const double delta = size > 0 ? part / size : 1;
    for (std::size_t i = 0; i < 2 * n_; ++i) shifted_[i] = y[i] + delta * w[i];
    return delta;
  }

  // J w by a difference.
  bool eval_product(Base& base, std::span<const double> w, Vector& product) {
    const double delta = shift(base.y, w);
    if (!at_.eval(base.t, q_of(shifted_), v_of(shifted_))) {
      rate_ = std::numeric_limits<double>::infinity();
      return false;
    }
    for (std::size_t i = 0; i < n_; ++i) {
      product[i] = w[n_ + i];
      product[n_ + i] = (at_.a()[i] - base.a[i]) / delta;
    }
    return true;
  }

  // What the steps since the last time added: their root mean square in any direction that the constraints
  // allow, and what changes the kinetic energy as they did.
  void find_added(bool is_regular, double h) {
    const double size = std::sqrt(squares_);
    const double rounding = std::min(size, round_off * std::sqrt(static_cast<double>(steps_)));
    for (std::size_t i = 0; i < n_; ++i) {
      added_[i] = std::max(size * scale_[n_ + i] * h, rounding * scale_[i]) * signs_.next();
      added_[n_ + i] = size * scale_[n_ + i] * signs_.next();
    }
    // the matrix is that of the last stage, within 1e-7 of the end
    if (is_regular && !active_.empty()) {
      keep_allowed(q_of(added_), holonomic_);
      keep_allowed(v_of(added_), active_.size());
      return_to_constraints();
    }
    // the change of v that accounts for an error e of the energy is e/(2 K) v, which means nothing where K
    // is nearly zero. Chosen, not measured.
    constexpr double least_kinetic = 0.01;
    if (kinetic_ < least_kinetic) return;
    for (std::size_t i = n_; i < 2 * n_; ++i) added_[i] += energy_error_ / (2 * kinetic_) * end_[i];
  }
  // With the matrix at the present state: x −= the least motion that changes the first constraints as x does.
  void keep_allowed(std::span<double> x, std::size_t rows) {
    std::fill(rhs_.begin(), rhs_.end(), 0.0);
    at_.add_constraint_product(x, std::span(rhs_).subspan(n_));
    std::fill(rhs_.begin() + static_cast<std::ptrdiff_t>(n_ + rows), rhs_.end(), 0.0);
    at_.solve(rhs_);
    for (std::size_t i = 0; i < n_; ++i) x[i] -= rhs_[i];
  }

  // Rounding and the Runge-Kutta method leave e a little off the states that constraints allow, where errors
  // grow that no method has: first e_q, then e_v, which is allowed or not at the state moved by e_q.
  void return_to_constraints() {
    if (size_of(error_) == 0) return;
    residuals_.eval(end_t_, q_of(end_), v_of(end_));
    g_ = residuals_.g;
    gv_ = residuals_.gv;
    correct(q_of(error_), residuals_.g, g_);
    correct(v_of(error_), residuals_.gv, gv_);
  }
  void correct(std::span<double> part, const Vector& there, const Vector& here) {
    const double delta = shift(end_, error_);
    residuals_.eval(end_t_, q_of(shifted_), v_of(shifted_));
    std::fill(rhs_.begin(), rhs_.end(), 0.0);
    for (std::size_t row = 0; row < active_.size(); ++row) {
      const std::size_t j = active_[row];
      if (j < here.size()) rhs_[n_ + row] = (there[j] - here[j]) / delta;
    }
    at_.solve(rhs_);
    for (std::size_t i = 0; i < n_; ++i) part[i] -= rhs_[i];
  }

  const std::size_t n_;
  const std::vector<std::size_t> active_;
  const std::size_t holonomic_;  // constraints, of the active ones
  Accelerations at_;
  ConstraintResiduals<double> residuals_;
  Vector g_, gv_;
  const double least_error_, largest_error_;  // of a step
  Signs signs_;
  Vector error_, added_;  // e, and what is added next
  Vector stage_, shifted_, first_, second_, third_, fourth_;
  Vector begin_, end_;      // states at begin_t_ and end_t_
  Vector begin_a_, end_a_;  // and accelerations
  Vector scale_;            // the largest |q_i| and |v_i| so far
  Vector rhs_;
  Base here_, middle_, there_;
  bool is_placed_ = false;  // here_ is
  double size_q_ = 0, size_v_ = 0;
  double t_ = 0;  // where e is, between begin_t_ and end_t_
  double begin_t_ = 0, end_t_ = 0;
  const StepCurve* curve_ = nullptr;                     // of the only step since begin_t_
  double rate_ = 0;                                      // of the fastest part of e; 0: not known yet
  double squares_ = 0, energy_error_ = 0, kinetic_ = 0;  // of the steps since begin_t_
  std::size_t steps_ = 0;
  double sum_ = 0;  // of what all steps added
  bool failed_ = false;
};

ErrorGrowth::ErrorGrowth(const Problem& problem, const SolveOptions& options)
    : impl_(std::make_unique<Impl>(problem, options)) {}
ErrorGrowth::~ErrorGrowth() = default;

void ErrorGrowth::start(double t, std::span<const double> q, std::span<const double> v) {
  impl_->start(t, q, v);
}
ErrorGrowth::Memory ErrorGrowth::memory() const { return impl_->memory(); }
void ErrorGrowth::go_on(double t, std::span<const double> q, std::span<const double> v,
                        const Memory& before) {
  impl_->go_on(t, q, v, before);
}
void ErrorGrowth::end_step(const StepEnd& end) { impl_->end_step(end); }
void ErrorGrowth::finish() { impl_->finish(); }
double ErrorGrowth::error() const { return impl_->error(); }
double ErrorGrowth::growth() const { return impl_->growth(); }

}  // namespace dalembert
