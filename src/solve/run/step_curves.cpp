#include "run/step_curves.hpp"

#include <cstddef>
#include <optional>

#include "run/open_dense_output.hpp"

namespace dalembert {
namespace {

constexpr int degree = 5;  // through q and v at both ends and in the middle

}  // namespace

StepCurves::StepCurves(const Problem& problem, DenseOutput& curves)
    : curves_(curves), n_(problem.system.n()), middle_q_(n_), middle_v_(n_), step_(n_, 0, degree - 1, 0.0) {
  step_.order = degree - 1;
  open_dense_output(curves_, problem, true);
}

void StepCurves::start(double t, std::span<const double> q, std::span<const double> v) {
  t_ = t;
  q_.assign(q.begin(), q.end());
  v_.assign(v.begin(), v.end());
}

// With d = q − q₀ − h v₀ s and its derivative by s, A and B in the middle, C and D at the end.
void StepCurves::end_step(double t, std::span<const double> q, std::span<const double> v,
                          const std::function<void(double, std::span<double>, std::span<double>)>& eval) {
  const double h = t - t_;
  if (h == 0) return;
  eval(t_ + h / 2, middle_q_, middle_v_);
  for (std::size_t i = 0; i < n_; ++i) {
    const double slope = h * v_[i];
    const double A = middle_q_[i] - q_[i] - slope / 2, B = h * middle_v_[i] - slope;
    const double C = q[i] - q_[i] - slope, D = h * v[i] - slope;
    const double h2 = h * h;
    step_.row(0)[i] = q_[i];
    step_.row(1)[i] = v_[i];
    step_.row(2)[i] = (16 * A - 8 * B + 7 * C - D) / h2;
    step_.row(3)[i] = (-32 * A + 32 * B - 34 * C + 5 * D) / (h2 * h);
    step_.row(4)[i] = (16 * A - 40 * B + 52 * C - 8 * D) / (h2 * h2);
    step_.row(5)[i] = (16 * B - 24 * C + 4 * D) / (h2 * h2 * h);
  }
  step_.h = h;
  curves_.append(step_, t_, 0, std::nullopt);
  start(t, q, v);
}

}  // namespace dalembert
