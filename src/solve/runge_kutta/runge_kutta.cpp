#include "runge_kutta/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <dalembert/expr/lanes.hpp>

namespace dalembert {
namespace {

// Of a step to the next: Hairer's DOP853 has 0.333 and 6, DOPRI5 0.2 and 10; between them, chosen, not
// measured.
constexpr double smallest_factor = 0.25;
constexpr double largest_factor = 6;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

bool all_finite(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * 0;
  return sum == 0;
}

}  // namespace

RungeKutta::RungeKutta(const RungeKuttaTable& table, Ode& ode, std::vector<std::size_t> groups,
                       const Settings& settings)
    : table_(table),
      ode_(ode),
      groups_(std::move(groups)),
      largest_(groups_.empty() ? 0 : *std::max_element(groups_.begin(), groups_.end()) + 1),
      settings_(settings),
      size_(groups_.size()),
      padded_((size_ + native_lanes - 1) / native_lanes * native_lanes),
      slopes_((static_cast<std::size_t>(table.stages) + 1 + table.extra_c.size()) * padded_),
      y_(padded_),
      y0_(padded_),
      y_next_(padded_),
      stage_(padded_),
      sizes_(padded_),
      trial_sizes_(padded_),
      dense_(table.dense.size() * padded_) {}

bool RungeKutta::start(double t, std::span<const double> y, double direction) {
  t_ = t0_ = origin_ = t;
  count_ = 0;
  direction_ = direction;
  replace(y);
  std::copy(y.begin(), y.end(), y0_.begin());
  return true;
}

void RungeKutta::replace(std::span<const double> y) {
  std::copy(y.begin(), y.end(), y_.begin());
  std::fill(sizes_.begin(), sizes_.end(), 0.0);
  measure(y_, sizes_);
  end_slope_known_ = false;
}

bool RungeKutta::fail(const std::string& why) {
  reason = why;
  return false;
}

bool RungeKutta::eval_slope(double t, std::span<const double> y, std::span<double> slope) {
  ++evaluations;
  return ode_.eval(t, y.first(size_), slope.first(size_));
}

// out += h Σ weight · slope, as many components at once as a register holds
void RungeKutta::add_slopes(const RungeKuttaTable::Row& row, double h, std::span<double> out) const {
  for (std::size_t i = 0; i < padded_; i += native_lanes) {
    Lanes<native_lanes> sum, slope;
    std::memcpy(&sum, &out[i], sizeof sum);
    for (const auto& [stage, weight] : row) {
      std::memcpy(&slope, &slopes_[static_cast<std::size_t>(stage) * padded_ + i], sizeof slope);
      sum += h * weight * slope;
    }
    std::memcpy(&out[i], &sum, sizeof sum);
  }
}

void RungeKutta::combine(const RungeKuttaTable::Row& row, double h, std::span<double> out) const {
  std::copy(y_.begin(), y_.end(), out.begin());
  add_slopes(row, h, out);
}

// All stages and y_next; false where a slope does not exist.
bool RungeKutta::eval_stages(double h) {
  for (int i = 1; i < table_.stages; ++i) {
    combine(table_.a[static_cast<std::size_t>(i)], h, stage_);
    if (!eval_slope(t_ + table_.c[static_cast<std::size_t>(i)] * h, stage_, k(i))) return false;
  }
  if (table_.last_is_next) {
    y_next_.swap(stage_);
  } else {
    combine(table_.b, h, y_next_);
  }
  return all_finite(y_next_);
}

// The largest values so far, of each component, but not less than a part of its group's.
void RungeKutta::measure(std::span<const double> y, std::span<double> sizes) {
  // chosen, not measured
  constexpr double least_part = 0.1;
  std::fill(largest_.begin(), largest_.end(), 0.0);
  for (std::size_t i = 0; i < size_; ++i) {
    sizes[i] = std::max(sizes[i], std::abs(y[i]));
    largest_[groups_[i]] = std::max(largest_[groups_[i]], sizes[i]);
  }
  for (std::size_t i = 0; i < size_; ++i) sizes[i] = std::max(sizes[i], least_part * largest_[groups_[i]]);
}

double RungeKutta::norm(const RungeKuttaTable::Row& row) {
  std::fill(stage_.begin(), stage_.end(), 0.0);
  add_slopes(row, 1, stage_);
  return scaled_norm(stage_);
}

// The estimated error relative to the tolerance.
double RungeKutta::error(double h) {
  std::copy(sizes_.begin(), sizes_.end(), trial_sizes_.begin());
  measure(y_next_, trial_sizes_);
  const std::span<double> sizes = std::span(trial_sizes_).first(size_);
  ode_.raise_sizes(h, sizes);
  const double result = error_norm(h);
  if (result <= 1) return result;
  ode_.look_again(t_, std::span(y_).first(size_));
  ode_.raise_sizes(h, sizes);
  return error_norm(h);
}

double RungeKutta::error_norm(double h) {
  const double first = norm(table_.error);
  const double scale = std::abs(h) / settings_.tolerance;
  if (table_.second_error.empty() || first == 0) return first * scale;
  const double second = norm(table_.second_error);
  return first * first / std::sqrt(first * first + 0.01 * second * second) * scale;
}

// What starts from zero is measured by what its slope makes of it in a thousandth of the run.
void RungeKutta::measure_growth(std::span<const double> slope, double span) {
  for (std::size_t i = 0; i < size_; ++i) stage_[i] = 1e-3 * span * std::abs(slope[i]);
  measure(stage_, trial_sizes_);
}

double RungeKutta::scaled_norm(std::span<const double> values) const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (values[i] == 0) continue;
    const double scaled = values[i] / std::max(trial_sizes_[i], std::numeric_limits<double>::min());
    sum += scaled * scaled;
  }
  return sum > 0 ? std::sqrt(sum / static_cast<double>(size_)) : sum;  // there may be no unknown at all
}

// Of the order of the step for which an Euler step changes the slope by the tolerance [hairer1993], II.4.
double RungeKutta::first_step(double end) {
  const double span = std::abs(end - t_);
  constexpr double part_without_unknowns = 1.0 / 256;  // positions are searched from those before
  if (size_ == 0) return part_without_unknowns * span;
  ode_.expect(t_, end, std::span(y_).first(size_));
  std::copy(sizes_.begin(), sizes_.end(), trial_sizes_.begin());
  measure_growth(k(0), span);
  ode_.raise_sizes(0, std::span(trial_sizes_).first(size_));
  const double slope = scaled_norm(k(0));
  const double h0 = std::min(slope > 0 ? 1e-3 / slope : span, 1e-3 * span);
  for (std::size_t i = 0; i < size_; ++i) stage_[i] = y_[i] + direction_ * h0 * k(0)[i];
  double bend = 0;
  const std::span<double> f1 = k(table_.stages);
  if (eval_slope(t_ + direction_ * h0, stage_, f1)) {
    measure_growth(f1, span);
    for (std::size_t i = 0; i < size_; ++i) stage_[i] = (f1[i] - k(0)[i]) / h0;
    bend = scaled_norm(stage_);
  }
  const double steepest = std::max(slope * slope, bend);  // both of the size 1 / time²
  const double exponent = 1.0 / (table_.error_order + 1);
  const double h1 =
      steepest > 0 ? std::pow(0.01 * settings_.tolerance, exponent) / std::sqrt(steepest) : span;
  return std::min({slope > 0 ? 1 / slope : span, h1, span});
}

bool RungeKutta::take_first_slope() {
  if (end_slope_known_) {
    const std::span<const double> end = k(table_.stages);
    std::copy(end.begin(), end.end(), k(0).begin());
    return true;
  }
  return eval_slope(t_, y_, k(0)) || fail(ode_.reason);
}

// The length of the next attempt; `last` where it ends at the limit.
double RungeKutta::next_length(double limit, bool& last) {
  const double remaining = direction_ * (limit - t_);
  double h = is_adaptive() ? proposed_ : settings_.step;
  if (settings_.max_step > 0) h = std::min(h, settings_.max_step);
  last = h * (is_adaptive() ? 1.01 : 1 + 1e-9) >= remaining;
  return last ? remaining : h;
}

// Steps that are rounding errors of this lead nowhere, at t = 0 too.
double RungeKutta::least_time() const {
  // times the rounding unit: steps of 1e-22 of the run; a motion that needs them has no end
  constexpr double share = 1e-6;
  return std::max(std::abs(t_), std::isnan(settings_.end) ? 0 : share * std::abs(settings_.end - t_));
}

bool RungeKutta::step(double limit) {
  if (!take_first_slope()) return false;
  if (is_adaptive() && proposed_ == 0)
    proposed_ = first_step(std::isnan(settings_.end) ? limit : settings_.end);
  end_slope_known_ = false;
  bool was_rejected = false;
  for (;;) {
    bool last = false;
    const double length = next_length(limit, last);
    if (!last && length <= 16 * epsilon * least_time()) {
      return fail("the step shrank to nothing: the solution is singular here" +
                  (ode_.reason.empty() ? "" : ", or " + ode_.reason));
    }
    const double h = direction_ * length;
    if (ode_.set_step(t_, std::span(y_).first(size_), length) && !eval_slope(t_, y_, k(0)))
      return fail(ode_.reason);
    Attempt attempt = try_step(h, was_rejected);
    if (attempt.good) {
      const double next = origin_ + direction_ * static_cast<double>(count_ + 1) * length;
      if (finish(h, last ? limit : is_adaptive() ? t_ + h : next)) {
        if (!last || attempt.factor < 1) proposed_ = length * attempt.factor;
        return true;
      }
      attempt.factor = smallest_factor;
    }
    if (!is_adaptive()) {
      return fail(ode_.reason.empty() ? "the motion grew beyond all numbers; a shorter step may help"
                                      : ode_.reason);
    }
    was_rejected = true;
    ++rejected;
    proposed_ = length * attempt.factor;
  }
}

// The stages and, where steps are adaptive, their error and what follows for the length of the next attempt.
auto RungeKutta::try_step(double h, bool was_rejected) -> Attempt {
  if (!eval_stages(h)) return {false, smallest_factor};
  if (!is_adaptive()) return {true, smallest_factor};
  const double now = error(h);
  const double raw = std::pow(now, 1.0 / (table_.error_order + 1) - 0.75 * table_.pi_gain);
  const bool good = now <= 1;
  const double damping = good ? std::pow(last_error_, table_.pi_gain) : 1;
  if (good) last_error_ = std::max(now, 1e-4);
  return {good, std::clamp(table_.safety * damping / raw, smallest_factor,
                           good && !was_rejected && size_ > 0 ? largest_factor : 1)};
}

bool RungeKutta::finish(double h, double t) {
  const Ode::Finish finish = ode_.finish_step(t, std::span(y_next_).first(size_));
  if (finish == Ode::Finish::failed || !all_finite(y_next_)) return false;
  if (table_.last_is_next && finish == Ode::Finish::kept) {
    const std::span<const double> end = k(table_.stages - 1);
    std::copy(end.begin(), end.end(), k(table_.stages).begin());
    end_slope_known_ = true;
  }
  t0_ = t_;
  t_ = t;
  h_ = h;
  ++count_;
  y0_.swap(y_);
  y_.swap(y_next_);
  measure(y_, sizes_);
  dense_known_ = false;
  ode_.reason.clear();
  return true;
}

bool RungeKutta::eval_end_slope() {
  if (!end_slope_known_) end_slope_known_ = eval_slope(t_, y_, k(table_.stages));
  return end_slope_known_;
}

// D_r = h Σ D_ri k_i, after the extra stages.
bool RungeKutta::eval_dense() {
  if (!eval_end_slope()) return false;
  y_.swap(y0_);  // combine starts from the beginning of the step
  bool good = true;
  for (std::size_t i = 0; good && i < table_.extra_c.size(); ++i) {
    combine(table_.extra_a[i], h_, stage_);
    good = eval_slope(t0_ + table_.extra_c[i] * h_, stage_, k(table_.stages + 1 + static_cast<int>(i)));
  }
  y_.swap(y0_);
  if (!good) return false;
  std::fill(dense_.begin(), dense_.end(), 0.0);
  for (std::size_t r = 0; r < table_.dense.size(); ++r) {
    add_slopes(table_.dense[r], h_, std::span(dense_).subspan(r * padded_, padded_));
  }
  dense_known_ = true;
  return true;
}

bool RungeKutta::eval(double t, std::span<double> y) {
  if (t == t_ || h_ == 0) {
    std::copy_n(y_.begin(), size_, y.begin());
    return true;
  }
  if (!dense_known_ && !eval_dense()) return false;
  const double theta = (t - t0_) / h_;
  const double rest = 1 - theta;
  const std::span<const double> f0 = k(0);
  const std::span<const double> f1 = k(table_.stages);
  for (std::size_t i = 0; i < size_; ++i) {
    double sum = 0;
    for (std::size_t r = table_.dense.size(); r-- > 0;) {
      sum = (sum + dense_[r * padded_ + i]) * (r % 2 == 0 ? rest : theta);
    }
    const double difference = y_[i] - y0_[i];
    sum = (sum + 2 * difference - h_ * (f0[i] + f1[i])) * theta;
    sum = (sum + h_ * f0[i] - difference) * rest;
    y[i] = y0_[i] + theta * (difference + sum);
  }
  return true;
}

}  // namespace dalembert
