#include "methods/ndf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

#include "control/expected_forces.hpp"
#include "multistep/backward_differences.hpp"
#include "multistep/balanced_state.hpp"
#include "multistep/motion_dae.hpp"
#include "run/state_stepper.hpp"
#include "runge_kutta/accelerations.hpp"

namespace dalembert {
namespace {

constexpr int max_order = BackwardDifferences::max_order;

// By order 1 .. 5: γ_k = Σ 1/j, κ_k of the NDFs (zero: BDF), and the constant of the truncation error.
struct Formulas {
  std::array<double, max_order + 1> gamma{}, kappa{}, error{};

  explicit Formulas(bool bdf) {
    constexpr std::array<double, max_order + 1> ndf{0, -0.1850, -1.0 / 9, -0.0823, -0.0415, 0};
    for (std::size_t k = 1; k <= max_order; ++k) {
      gamma[k] = gamma[k - 1] + 1.0 / static_cast<double>(k);
      kappa[k] = bdf ? 0 : ndf[k];
      error[k] = kappa[k] * gamma[k] + 1.0 / static_cast<double>(k + 1);
    }
  }
};

bool find_formula(const std::string& name) {
  if (name.empty() || name == "ndf") return false;
  if (name == "bdf") return true;
  const Option& option = *find_option("formula");
  throw Error(fault_of(option, name, option.key));
}

class NdfStepper : public StateStepper {
 public:
  NdfStepper(const Problem& problem, const SolveOptions& options)
      : problem_(problem),
        dae_(problem, find_index_form(options.index_form)),
        options_(options),
        formulas_(find_formula(options.formula)),
        scale_(make_error_scale(problem, options)),
        differences_(dae_.size()),
        y_(dae_.size()),
        predicted_(dae_.size()),
        new_y_(dae_.size()),
        psi_(dae_.size()),
        correction_(dae_.size()),
        dydt_(dae_.size()),
        residual_(dae_.size()),
        filtered_(dae_.size()) {}

  Result start(double t, std::span<const double>, std::span<const double>, double direction) override {
    dae_.eval_start(y_, dydt_);
    t_ = t;
    scale_.expect(problem_.start.a);
    const double rate = 1.25 * std::max(ErrorScale::largest(problem_.start.v) / scale_.size_q(),
                                        ErrorScale::largest(problem_.start.a) / scale_.size_v());
    const double longest = 1e-2 * std::abs(options_.duration);
    h_ = direction * std::min(longest, rate > 0 ? std::sqrt(options_.tolerance) / rate : longest);
    if (options_.max_step > 0) h_ = direction * std::min(std::abs(h_), options_.max_step);
    for (std::size_t i = 0; i < dae_.size(); ++i) differences_[1][i] = h_ * dydt_[i];
    next_h_ = h_;
    return Result::done;
  }

  Result step(double limit) override {
    improve_rows();
    prepare(limit);
    bool failed_before = false;
    for (;;) {
      const double least_time = std::max(std::abs(t_), 1e-6 * std::abs(options_.duration));
      if (std::abs(h_) <= 16 * std::numeric_limits<double>::epsilon() * least_time) return give_up();
      const bool last = (t_ + h_ * (1 + 1e-12) - limit) * h_ >= 0;
      const double t_new = last ? limit : t_ + h_;
      if (!solve_newton(t_new)) {
        ++counters.rejected;
        change_step(0.3 * h_);
        failed_before = true;
        continue;
      }
      const double error = error_norm(correction_) * formulas_.error[index(order_)];
      if (error <= options_.tolerance) {
        accept(t_new, error);
        return Result::done;
      }
      ++counters.rejected;
      reject(error, failed_before);
      failed_before = true;
    }
  }

  double t() const override { return t_; }
  std::span<const double> q() const override { return std::span(y_).first(dae_.n()); }
  std::span<const double> v() const override { return std::span(y_).subspan(dae_.n(), dae_.n()); }
  void eval(double t, std::span<double> q, std::span<double> v) override {
    differences_.interpolate(last_order_, y_, (t - t_) / h_, std::span(new_y_).first(2 * dae_.n()));
    std::copy_n(new_y_.begin(), dae_.n(), q.begin());
    std::copy_n(new_y_.begin() + static_cast<std::ptrdiff_t>(dae_.n()), dae_.n(), v.begin());
  }
  const BalancedState* balance(double t) override {
    if (!stiff_step_.reaches(t)) return nullptr;
    if (!balanced_) balanced_.emplace(problem_);
    const double s = (t - t_) / h_;
    differences_.interpolate(last_order_, y_, s, new_y_);
    differences_.differentiate(last_order_, s, dydt_);
    for (double& slope : dydt_) slope /= h_;
    return balanced_->eval(t, stiff_step_.rate(scale_.rate()), new_y_, dydt_) ? &*balanced_ : nullptr;
  }

 private:
  static std::size_t index(int order) { return static_cast<std::size_t>(order); }
  // Goes over to the step and order that the last step chose, and not beyond the limit.
  void prepare(double limit) {
    if (order_ != next_order_) {
      factored_ = false;
      constant_steps_ = 0;
    }
    order_ = next_order_;
    // stiff forces turn with the constraints: an old matrix would leave errors across them
    if (dae_.stiff()) factored_ = false;
    double h = next_h_;
    if (options_.max_step > 0) h = std::copysign(std::min(std::abs(h), options_.max_step), h);
    if (std::abs(limit - t_) <= 1.1 * std::abs(h)) h = limit - t_;
    if (h != h_) change_step(h);
  }

  // Multipliers of other rows have another history, of which nothing but their value is known. What the state
  // has drifted off these rows goes at once: in a step it would count as an error that no shorter step mends.
  void improve_rows() {
    if (!dae_.improve_rows(t_, y_)) return;
    factored_ = false;
    const std::span<double> q = std::span(y_).first(dae_.n()), v = std::span(y_).subspan(dae_.n(), dae_.n());
    if (!projection_) projection_.emplace(problem_.system, problem_.active);
    projection_->improve_rows(t_, q, v);
    projection_->project(t_, q, v);
    for (int j = 1; j <= max_order + 1; ++j) {
      const std::span<double> multipliers = std::span(differences_[j]).subspan(2 * dae_.n());
      std::fill(multipliers.begin(), multipliers.end(), 0.0);
    }
  }

  void change_step(double h) {
    differences_.rescale(order_, h / h_);
    h_ = h;
    next_h_ = h;
    constant_steps_ = 0;
    factored_ = false;
  }

  Result give_up() {
    next_order_ = order_;
    reason = fmt::format(
        "the step became smaller than rounding errors of the time ({:.2g}): the motion is not smooth "
        "here, or constraints become dependent",
        std::abs(h_));
    return Result::failed;
  }

  // Newton's method for F(t, y⁽⁰⁾ + d, α (ψ + d)) = 0, with an old matrix as long as it converges.
  bool solve_newton(double t) {
    const double gamma = 1 / (formulas_.gamma[index(order_)] * (1 - formulas_.kappa[index(order_)]));
    const double alpha = 1 / (h_ * gamma);
    differences_.predict(order_, y_, predicted_);
    for (std::size_t i = 0; i < dae_.size(); ++i) {
      double sum = 0;
      for (int j = 1; j <= order_; ++j) sum += formulas_.gamma[index(j)] * gamma * differences_[j][i];
      psi_[i] = sum;
    }
    for (bool fresh = false;; fresh = true) {
      if (fresh || !factored_) {
        eval_iterate(alpha, true);
        if (!dae_.factor(t, new_y_, dydt_, alpha)) return false;
        ++counters.factorizations;
        factored_ = fresh = true;
        contraction_ = -1;
      }
      if (iterate(t, alpha)) return true;
      if (fresh) {
        factored_ = false;
        return false;
      }
    }
  }

  void eval_iterate(double alpha, bool from_prediction) {
    if (from_prediction) std::fill(correction_.begin(), correction_.end(), 0.0);
    for (std::size_t i = 0; i < dae_.size(); ++i) {
      new_y_[i] = predicted_[i] + correction_[i];
      dydt_[i] = alpha * (psi_[i] + correction_[i]);
    }
  }

  bool iterate(double t, double alpha) {
    // as ode15s [shampinereichelt1997]: slower convergence is cured by a new matrix or a shorter step
    constexpr int most = 4;
    const double goal = 0.05 * options_.tolerance;
    const double round_off = 100 * std::numeric_limits<double>::epsilon();
    double before = 0;
    eval_iterate(alpha, true);
    for (int iteration = 1; iteration <= most; ++iteration) {
      dae_.eval_residual(t, new_y_, dydt_, residual_);
      ++counters.evaluations;
      ++counters.iterations;
      dae_.solve(residual_);
      const double size = norm(residual_);
      if (!std::isfinite(size)) return false;
      for (std::size_t i = 0; i < dae_.size(); ++i) correction_[i] -= residual_[i];
      eval_iterate(alpha, false);
      if (size <= round_off) return true;
      if (iteration > 1) {
        if (size > 0.9 * before) return false;
        contraction_ = std::max(0.9 * contraction_, size / before);
      }
      if (contraction_ >= 0) {
        const double left = size * contraction_ / (1 - contraction_);
        if (left <= goal) return true;
        if (goal < left * std::pow(contraction_, most - iteration)) return false;
      }
      before = size;
    }
    return false;
  }

  void accept(double t_new, double error) {
    differences_.advance(order_, correction_);
    std::copy(new_y_.begin(), new_y_.end(), y_.begin());
    t_ = t_new;
    last_order_ = counters.order = order_;
    scale_.include(y_, std::abs(t_ - options_.start));
    stiff_step_.note(t_, dae_);
    ++constant_steps_;
    next_h_ = h_;
    next_order_ = order_;
    if (constant_steps_ >= order_ + 2) choose_next(error);
  }

  // The step that an error of `order` allows, made shorter by `safety`.
  double allowed_step(double error, int order, double safety, double most) const {
    const double ratio = safety * std::pow(error / options_.tolerance, 1.0 / (order + 1));
    return ratio > 1 / most ? h_ / ratio : most * h_;
  }

  // Of the orders k − 1, k, k + 1 the one with the longest step.
  void choose_next(double error) {
    double best = allowed_step(error, order_, 1.2, 10);
    int order = order_;
    const auto consider = [&](int candidate, double safety) {
      const double estimate = error_norm(differences_[candidate + 1]) * formulas_.error[index(candidate)];
      const double h = allowed_step(estimate, candidate, safety, 10);
      if (std::abs(h) > std::abs(best)) best = h, order = candidate;
    };
    if (order_ > 1) consider(order_ - 1, 1.3);
    const bool may_rise = order_ < (options_.order > 0 ? options_.order : max_order);
    if (may_rise) consider(order_ + 1, 1.4);
    if (std::abs(best) <= std::abs(h_)) {
      // springs damp errors of one order more than those of the next, beyond which better ones may lie
      if (may_rise && dae_.stiff() && constant_steps_ >= 8 * (order_ + 2)) next_order_ = order_ + 1;
      return;
    }
    next_h_ = best;
    next_order_ = order;
  }

  void reject(double error, bool failed_before) {
    if (failed_before) return change_step(0.5 * h_);
    double h = h_ * std::max(0.1, 0.833 * std::pow(options_.tolerance / error, 1.0 / (order_ + 1)));
    if (order_ > 1) {
      for (std::size_t i = 0; i < dae_.size(); ++i) residual_[i] = differences_[order_][i] + correction_[i];
      const double lower = error_norm(residual_) * formulas_.error[index(order_ - 1)];
      const double lower_h = h_ * std::max(0.1, 0.769 * std::pow(options_.tolerance / lower, 1.0 / order_));
      if (std::abs(lower_h) > std::abs(h)) {
        h = std::abs(lower_h) < std::abs(h_) ? lower_h : h_;
        --order_;
      }
    }
    change_step(h);
  }

  // Multipliers do not count: Newton's method leaves errors of α times those of v in them, which do not
  // shrink with the step.
  double norm(std::span<const double> x) const { return scale_.norm(x); }
  // Of an error of the step: stiff springs damp it.
  double error_norm(std::span<const double> x) {
    if (!dae_.filters()) return norm(x);
    std::copy(x.begin(), x.end(), filtered_.begin());
    dae_.filter(filtered_);
    return norm(filtered_);
  }

  const Problem& problem_;
  MotionDae dae_;
  std::optional<Accelerations> projection_;  // made when rows change first
  std::optional<BalancedState> balanced_;    // made when first asked for
  StiffStep stiff_step_;
  const SolveOptions& options_;
  Formulas formulas_;
  ErrorScale scale_;
  BackwardDifferences differences_;
  std::vector<double> y_, predicted_, new_y_, psi_, correction_, dydt_, residual_, filtered_;
  double t_ = 0;
  double h_ = 0;  // of the differences
  double next_h_ = 0;
  int order_ = 1;
  int next_order_ = 1;
  int last_order_ = 1;
  int constant_steps_ = 0;
  bool factored_ = false;
  double contraction_ = -1;  // rate of convergence of Newton's method; negative: not known
};

}  // namespace

RunReport run_ndf(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  NdfStepper stepper(problem, options);
  return run_steps(problem, options, sink, stepper);
}

std::string refuse_ndf(const Problem&, const SolveOptions& options) {
  find_index_form(options.index_form);
  find_formula(options.formula);
  return options.order <= max_order ? "" : "has orders from 1 to 5";
}

}  // namespace dalembert
