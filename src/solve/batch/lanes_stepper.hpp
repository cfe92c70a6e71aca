// Steps of trajectories in the lanes of SIMD registers: they share their lengths, each as long as the lane
// that needs the shortest allows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/observer.hpp>

#include "batch/lanes_step.hpp"
#include "methods/adomian.hpp"
#include "run/clock.hpp"
#include "run/stepper.hpp"
#include "series/as_double.hpp"
#include "switches/domain_detector.hpp"

namespace dalembert {

/// For systems without branches and redundant constraints. A step that one lane cannot take fails: from the
/// state before it, each goes on alone.
template <class S>
class LanesStepper : public Stepper<double> {
 public:
  using State = typename Observer<S>::State;
  static constexpr std::size_t lanes = LaneMath<S>::lanes;

  /// `parameters` as for Expansion; `code` of so many trajectories at once, or none.
  LanesStepper(const Problem& problem, const SolveOptions& options,
               std::span<const ParameterValues> parameters, std::shared_ptr<const LanesCode> code)
      : problem_(problem),
        options_(options),
        parameters_(parameters.begin(), parameters.end()),
        steps_(problem, options, parameters, code != nullptr),
        step_(steps_.step()),
        direction_(options.duration < 0 ? -1 : 1),
        domains_(problem.system, step_.max_order(), direction_),
        q_(problem.system.n()),
        v_(problem.system.n()),
        a_(problem.system.n()),
        lambda_(problem.system.m()),
        code_(std::move(code)) {
    if (code_) step_.use_code(code_);
  }

  /// Other values of the parameters, for the next restart.
  void set_parameters(std::span<const ParameterValues> parameters) {
    parameters_.assign(parameters.begin(), parameters.end());
    step_.set_parameters(parameters);
    if (sampler_) sampler_->set_parameters(parameters);
  }

  /// Onto the constraints near a state. False: `reason` tells why not.
  bool restart(double t, std::span<const S> q, std::span<const S> v) {
    steps_.restart();
    clock_ = begin_ = {t, 0};
    h_ = 0;
    last_q_.assign(q.begin(), q.end());
    last_v_.assign(v.begin(), v.end());
    constexpr int newton_steps = 8;
    if (!step_.set_state(in_all_lanes<S>(t), q, v, newton_steps)) return fail(singular_reason);
    keep();
    return true;
  }

  bool step(const double& limit) override {
    step_.expand();
    double h = step_.proposed_step();
    if (std::isnan(h)) return fail(not_finite_reason);
    if (options_.max_step > 0) h = std::min(h, options_.max_step);
    const double remaining = direction_ * (limit - clock_.high);
    h = domains_.limit(step_, std::min(steps_.prepare(clock_.high, h), remaining));
    if (domains_.has_end()) return fail(domains_.reason());
    const double rest = (limit - clock_.high) - clock_.low;
    double wanted = h >= remaining * (1 - 1e-12) ? rest : direction_ * h;
    wanted *= step_.proven_share(in_all_lanes<S>(wanted));
    const TakenStep<S> attempt =
        steps_.take({clock_.high, remaining, in_all_lanes<S>(rest)}, in_all_lanes<S>(wanted));
    if (attempt.failure != StepFailure::none) return fail(reason_of(attempt.failure));
    h_ = lane(attempt.h, 0);
    work_tau_ = 0;
    begin_ = clock_;
    if (h_ == rest) {
      clock_ = {limit, 0};
    } else {
      clock_.add(h_);
    }
    keep();
    return true;
  }
  double t() const override { return clock_.high; }

  /// Within the last step or at its end. Where the matrix is singular the curve itself is the best that is
  /// known.
  State at(double t) {
    if (t == clock_.high) return {in_all_lanes<S>(t), step_.q(), step_.v(), step_.a(), step_.lambda()};
    const S tau = in_all_lanes<S>(tau_of(t));
    step_.polynomials().eval_q(tau, q_);
    step_.polynomials().eval_v(tau, v_);
    if (!sampler_) {
      sampler_.emplace(problem_.system, problem_.active, sampler_settings(options_), parameters_);
      if (code_) sampler_->use_code(code_);
    }
    if (sampler_->set_close_state(in_all_lanes<S>(t), q_, v_))
      return {in_all_lanes<S>(t), sampler_->q(), sampler_->v(), sampler_->a(), sampler_->lambda()};
    step_.polynomials().eval_a(tau, a_);
    step_.polynomials().eval_lambda(tau, lambda_);
    return {in_all_lanes<S>(t), q_, v_, a_, lambda_};
  }
  /// g and C v + c where at() was asked for last.
  std::span<const S> position_residual(double t) const {
    return t == clock_.high ? step_.position_residual() : sampler_->position_residual();
  }
  std::span<const S> velocity_residual(double t) const {
    return t == clock_.high ? step_.velocity_residual() : sampler_->velocity_residual();
  }

  S work_to(double to, Observer<S>& observer) {
    const double from = work_tau_;
    work_tau_ = tau_of(to);
    return observer.work(step_.polynomials(), in_all_lanes<S>(from), in_all_lanes<S>(work_tau_));
  }

  double step_begin() const { return begin_.high; }  ///< of the last step, in time
  const StepPolynomials<S>& polynomials() const { return step_.polynomials(); }
  double length() const { return std::abs(h_); }  ///< of the last step
  int order() const { return step_.order(); }
  const std::shared_ptr<const LanesCode>& code() const { return code_; }
  std::size_t rejected() const { return steps_.rejected(); }
  /// At the end of the last step that all lanes could take.
  std::span<const S> last_q() const { return last_q_; }
  std::span<const S> last_v() const { return last_v_; }

 private:
  bool fail(const std::string& why) {
    reason = why;
    return false;
  }
  double tau_of(double t) const { return t == clock_.high ? h_ : (t - begin_.high) - begin_.low; }
  void keep() {
    last_q_.assign(step_.q().begin(), step_.q().end());
    last_v_.assign(step_.v().begin(), step_.v().end());
  }

  const Problem& problem_;
  const SolveOptions& options_;
  std::vector<ParameterValues> parameters_;
  LanesStep<S> steps_;
  AdomianStep<S>& step_;
  double direction_;
  DomainDetector<S> domains_;
  std::optional<AdomianStep<S>> sampler_;  // made when it is needed first
  std::vector<S> q_, v_, a_, lambda_, last_q_, last_v_;
  std::shared_ptr<const LanesCode> code_;
  Clock<double> clock_{0, 0}, begin_{0, 0};  // the end of the last step, and its beginning
  double h_ = 0;                             // the last step
  double work_tau_ = 0;                      // how far in it the work was counted
};

}  // namespace dalembert
