#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include <dalembert/session/motion_curve.hpp>

namespace dalembert::session {
namespace {

constexpr std::array<std::size_t, 3> node_counts{12, 18, 26};
// A fit costs as much as so many times by at().
constexpr std::size_t worthwhile = 3 * node_counts.back();

// x in [−1, 1] of a time within a step.
double place(double t, double first, double last) {
  return std::clamp(((t - first) - (last - t)) / (last - first), -1.0, 1.0);
}

double node_angle(std::size_t j, std::size_t nodes) {
  return std::numbers::pi * (static_cast<double>(j) + 0.5) / static_cast<double>(nodes);
}

}  // namespace

MotionCurve::MotionCurve(DenseOutput& motion, std::size_t coordinates)
    : motion_(&motion), width_(2 * coordinates), b1_(width_), b2_(width_) {
  if (motion.empty()) return;
  direction_ = motion.end() < motion.start() ? -1 : 1;
  for (std::size_t i = 0; i < motion.steps(); ++i)
    steps_.push_back(
        {motion.step_start(i), i + 1 < motion.steps() ? motion.step_start(i + 1) : motion.end(), {}, {}});
}

void MotionCurve::eval(std::span<const double> times, std::span<double> rows) {
  std::size_t i = 0;
  while (i < times.size()) {
    if (steps_.empty() || !(direction_ * (times[i] - steps_.front().first) >= 0) ||
        !(direction_ * (steps_.back().last - times[i]) >= 0)) {
      motion_->at(times[i]);  // throws
    }
    Step& step = steps_[find(times[i])];
    std::size_t end = i + 1;
    const bool is_last = &step == &steps_.back();
    const auto is_inside = [&](double t) {
      return direction_ * (t - step.first) >= 0 &&
             (direction_ * (step.last - t) > 0 || (is_last && t == step.last));
    };
    while (end < times.size() && is_inside(times[end])) ++end;
    eval_step(step, times.subspan(i, end - i), rows.subspan(i * width_, (end - i) * width_));
    i = end;
  }
}

std::size_t MotionCurve::find(double t) const {
  const auto is_later = [&](double time, const Step& step) { return direction_ * (time - step.first) < 0; };
  const auto next = std::upper_bound(steps_.begin(), steps_.end(), t, is_later);
  return static_cast<std::size_t>(next - steps_.begin()) - 1;
}

void MotionCurve::eval_step(Step& step, std::span<const double> times, std::span<double> rows) {
  if (step.fit == Fit::untried && times.size() >= worthwhile) {
    step.fit = Fit::bad;
    for (const std::size_t nodes : node_counts) {
      fit(step, nodes);
      if (!is_good(step)) continue;
      step.fit = Fit::good;
      break;
    }
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::span<double> row = rows.subspan(i * width_, width_);
    if (step.fit == Fit::good) {
      eval_fit(step, times[i], row);
    } else {
      eval_exactly(times[i], row);
    }
  }
}

void MotionCurve::eval_exactly(double t, std::span<double> row) {
  const DenseOutput::State state = motion_->at(t);
  std::ranges::copy(state.v, std::ranges::copy(state.q, row.begin()).out);
}

void MotionCurve::fit(Step& step, std::size_t nodes) {
  const double count = static_cast<double>(nodes);
  step.coefficients.assign(nodes * width_, 0.0);
  std::vector<double> row(width_);
  for (std::size_t j = 0; j < nodes; ++j) {
    const double x = std::cos(node_angle(j, nodes));
    eval_exactly(step.first + (step.last - step.first) * (1 + x) / 2, row);
    for (std::size_t k = 0; k < nodes; ++k) {
      const double weight = 2 / count * std::cos(static_cast<double>(k) * node_angle(j, nodes));
      for (std::size_t i = 0; i < width_; ++i) step.coefficients[k * width_ + i] += weight * row[i];
    }
  }
}

// Between the nodes and at the ends, where interpolation is worst. at() itself has the round-off of all
// coordinates that constraints couple with one, which shows between neighbouring times.
bool MotionCurve::is_good(const Step& step) {
  // of a fit's coefficients from values with errors of their own; `often` the noise that neighbouring times
  // show, as the largest of four samples is less than the largest of all. Chosen, not measured.
  constexpr double round_off = 32 * std::numeric_limits<double>::epsilon(), often = 8;
  std::vector<double> exact(width_), other(width_), size(width_, 0.0), noise(width_, 0.0), error(width_, 0.0);
  for (std::size_t k = 0; k < step.coefficients.size(); ++k)
    size[k % width_] += std::abs(step.coefficients[k]);
  for (const double share : {0.0, 0.31, 0.62, 0.97}) {
    const double t = step.first + share * (step.last - step.first);
    eval_exactly(t, exact);
    eval_fit(step, t, other);
    for (std::size_t i = 0; i < width_; ++i) error[i] = std::max(error[i], std::abs(exact[i] - other[i]));
    eval_exactly(std::nextafter(t, step.last), other);
    for (std::size_t i = 0; i < width_; ++i) noise[i] = std::max(noise[i], std::abs(exact[i] - other[i]));
  }
  for (std::size_t i = 0; i < width_; ++i)
    if (!(error[i] <= round_off * size[i] + often * noise[i])) return false;
  return true;
}

// Clenshaw: b_k = 2 x b_{k+1} − b_{k+2} + c_k,  y = x b_1 − b_2 + c_0/2
void MotionCurve::eval_fit(const Step& step, double t, std::span<double> row) {
  const double x = place(t, step.first, step.last);
  std::ranges::fill(b1_, 0.0);
  std::ranges::fill(b2_, 0.0);
  double* b1 = b1_.data();
  double* b2 = b2_.data();
  const double* c = step.coefficients.data() + step.coefficients.size();
  for (std::size_t k = step.coefficients.size() / width_; k-- > 1;) {
    c -= width_;
    for (std::size_t i = 0; i < width_; ++i) b2[i] = 2 * x * b1[i] - b2[i] + c[i];
    std::swap(b1, b2);
  }
  c -= width_;
  for (std::size_t i = 0; i < width_; ++i) row[i] = x * b1[i] - b2[i] + c[i] / 2;
}

}  // namespace dalembert::session
