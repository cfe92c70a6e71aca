#include "runge_kutta/ode_stepper.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace dalembert {
namespace {

RungeKutta::Settings settings_of(const RungeKuttaTable& table, const SolveOptions& options) {
  RungeKutta::Settings settings;
  if (table.error_order > 0) {
    settings.tolerance = options.tolerance;
  } else {
    settings.step = options.step;
  }
  settings.max_step = options.max_step;
  settings.end = options.start + options.duration;
  return settings;
}

}  // namespace

const RungeKuttaTable& table_of(const SolveOptions& options) {
  return find_runge_kutta(options.runge_kutta.empty() ? "dop853" : std::string_view(options.runge_kutta));
}

OdeStepper::OdeStepper(MotionOde& ode, const RungeKuttaTable& table, const SolveOptions& options,
                       std::size_t n)
    : ode_(ode),
      solver_(table, ode, ode.groups(), settings_of(table, options)),
      q_(n),
      v_(n),
      begin_q_(n),
      begin_v_(n),
      near_q_(n),
      inner_q_(n),
      inner_v_(n) {
  y_.resize(solver_.y().size());
  counters.order = table.order;
}

StateStepper::Result OdeStepper::start(double t, std::span<const double> q, std::span<const double> v,
                                       double direction) {
  ode_.choose_unknowns(t, q, v);
  ode_.write(t, q, v, y_);
  solver_.start(t, y_, direction);
  q_.assign(q.begin(), q.end());
  v_.assign(v.begin(), v.end());
  return Result::done;
}

StateStepper::Result OdeStepper::step(double limit) {
  if (ode_.choose_unknowns(t(), q_, v_)) {
    ode_.write(t(), q_, v_, y_);
    solver_.replace(y_);
  }
  begin_t_ = t();
  std::copy(q_.begin(), q_.end(), begin_q_.begin());
  std::copy(v_.begin(), v_.end(), begin_v_.begin());
  const bool good = solver_.step(limit);
  counters.rejected = solver_.rejected;
  counters.evaluations = solver_.evaluations;
  counters.iterations = ode_.iterations;
  if (!good) {
    reason = solver_.reason;
    return Result::failed;
  }
  return take_state();
}

StateStepper::Result OdeStepper::take_state() {
  if (ode_.read(t(), solver_.y(), q_, v_)) return Result::done;
  reason = ode_.reason;
  return Result::failed;
}

void OdeStepper::eval(double t, std::span<double> q, std::span<double> v) {
  expect_inside(t);
  bool good = solver_.eval(t, y_);  // may evaluate at other times of the step
  expect_inside(t);
  good = good && ode_.finish_step(t, y_) != Ode::Finish::failed && ode_.read(t, y_, q, v);
  if (!good) {
    std::fill(q.begin(), q.end(), std::numeric_limits<double>::quiet_NaN());
    std::fill(v.begin(), v.end(), std::numeric_limits<double>::quiet_NaN());
  }
  inner_t_ = t;
  inner_q_.assign(q.begin(), q.end());
  inner_v_.assign(v.begin(), v.end());
}

// The cubic through the ends of the step.
void OdeStepper::expect_inside(double t) {
  const double h = solver_.t() - begin_t_;
  const double s = (t - begin_t_) / h, r = 1 - s;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    near_q_[i] = r * r * ((1 + 2 * s) * begin_q_[i] + s * h * begin_v_[i]) +
                 s * s * ((1 + 2 * r) * q_[i] - r * h * v_[i]);
  }
  ode_.expect_near(near_q_);
}

bool OdeStepper::eval_accelerations(double t, std::span<double> a, std::span<double> lambda) {
  if (t == solver_.t()) return ode_.eval_accelerations(t, q_, v_, a, lambda);
  return t == inner_t_ && ode_.eval_accelerations(t, inner_q_, inner_v_, a, lambda);
}

}  // namespace dalembert
