// The multistage Adomian method as steps of a run: each step is one expansion, summed as far as its terms,
// singular configurations, branches of the forces, domains of their functions and enclosures of what may hide
// within it allow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/dense_output.hpp>
#include <dalembert/system/row_choice.hpp>
#include <dalembert/system/state_evaluation.hpp>

#include "control/expected_forces.hpp"
#include "events/event_watch.hpp"
#include "methods/adomian.hpp"
#include "run/clock.hpp"
#include "run/open_dense_output.hpp"
#include "run/stepper.hpp"
#include "runge_kutta/accelerations.hpp"
#include "series/as_double.hpp"
#include "series/native_build.hpp"
#include "series/step_sampler.hpp"
#include "series/stiffness_detector.hpp"
#include "singular/crossing_step.hpp"
#include "switches/domain_detector.hpp"
#include "switches/switching_step.hpp"

namespace dalembert {

template <class S>
class AdomianStepper : public MotionStepper<S> {
 public:
  using typename MotionStepper<S>::State;
  using typename MotionStepper<S>::Detail;
  using typename MotionStepper<S>::Residuals;
  using typename MotionStepper<S>::Size;

  AdomianStepper(const Problem& problem, const SolveOptions& options)
      : problem_(problem),
        options_(options),
        passing_(problem, options),
        step_(passing_.step()),
        rows_(problem.system, problem.active),
        direction_(options.duration < 0 ? -1 : 1),
        switching_(problem.system, options, step_, direction_),
        domains_(problem.system, step_.max_order(), direction_),
        native_(problem.system, problem.active, options, std::is_same_v<S, double> && step_.threads() == 1),
        q_(problem.system.n()),
        v_(problem.system.n()) {
    if (auto code = native_.first()) step_.use_code(std::move(code));
    if (options.dense_output != nullptr) open_dense_output(*options.dense_output, problem, options.project);
  }

  // The start is consistent in doubles already; more digits need Newton's iteration.
  bool restart(const S& t, std::span<const S> q, std::span<const S> v) override {
    return std::is_same_v<S, double> ? set_start(t, q, v, 0) : restart_near(t, q, v);
  }
  /// The same from a state that is not on the constraints yet.
  bool restart_near(const S& t, std::span<const S> q, std::span<const S> v) {
    // from positions right to a digit four double it to sixteen; the others are for less
    constexpr int newton_steps = 8;
    return set_start(t, q, v, newton_steps);
  }

  bool step(const S& limit) override {
    if (!has_branch_) return fail(switching_.reason());
    if (auto code = native_.poll(share_done(), time())) step_.use_code(std::move(code));
    limit_ = limit;
    std::optional<S> taken;
    while (!taken) {
      if (!try_to_step(taken)) {
        is_at_end_ = false;
        return false;
      }
    }
    finish_step(*taken);
    return true;
  }

  bool leave_step() override {
    if (remaining() > 0 && domains_.ends_at(std::abs(as_double(h_)))) return fail(domains_.reason());
    return switching_.empty() || switching_.end_step() || fail(switching_.reason());
  }

  S t() const override { return clock_.high; }

  std::optional<State> at(const S& t, Detail detail) override {
    // without constraints there is nothing to land on
    const bool is_on_curve =
        detail == Detail::motion && step_.position_residual().empty() && !singular_tau_ && t != clock_.high;
    if (is_on_curve) {
      const S tau = tau_of(t);
      step_.polynomials().eval_q(tau, q_);
      step_.polynomials().eval_v(tau, v_);
      return State{t, q_, v_, {}, {}};
    }
    if (t != clock_.high) {
      sampler().set(t, tau_of(t), step_.polynomials(), singular_tau_);
    } else if (!is_at_end_) {
      sampler().set(t, last_q_, last_v_);
    } else {
      return State{t, step_.q(), step_.v(), step_.a(), step_.lambda()};
    }
    return state(*sampler_);
  }

  void eval_curve(double t, std::span<double> q, std::span<double> v) override {
    const S tau = S(t) - step_.polynomials().t0;
    step_.polynomials().eval_q(tau, q_);
    step_.polynomials().eval_v(tau, v_);
    std::transform(q_.begin(), q_.end(), q.begin(), [](const S& x) { return as_double(x); });
    std::transform(v_.begin(), v_.end(), v.begin(), [](const S& x) { return as_double(x); });
  }

  // The polynomials of λ do not reach across a singular configuration.
  const StepPolynomials<S>* polynomials() const override {
    return singular_tau_ ? nullptr : &step_.polynomials();
  }
  const StepPolynomials<S>* polynomials_from(const S& t) override {
    if (singular_tau_) return nullptr;
    if (!inner_) inner_.emplace(problem_.system, rows_.active(), adomian_settings(options_));
    inner_->hold_sides(switching_.sides());
    inner_->restart();
    const S tau = tau_of(t);
    step_.polynomials().eval_q(tau, q_);
    step_.polynomials().eval_v(tau, v_);
    if (!inner_->set_close_state(t, q_, v_)) return nullptr;
    inner_->expand();
    return &inner_->polynomials();
  }
  S work_to(const S& to, Observer<S>& observer) override {
    const S from = work_tau_;
    work_tau_ = tau_of(to);
    const auto sampled = [&](const S& x) {
      sampler().set(S(begin_.high + (begin_.low + x)), x, step_.polynomials(), singular_tau_);
      return state(*sampler_);
    };
    if (singular_tau_) return observer.work(from, work_tau_, 1, sampled);
    if (!multipliers_reach_ && !switching_.slides()) return halved_work(observer, from, work_tau_, sampled);
    observer.release_signs();
    const auto hold = [&](const S& x) { switching_.hold_signs(observer, x); };
    return switching_.slides() ? observer.work(step_.polynomials(), from, work_tau_, hold)
                               : observer.work(step_.polynomials(), from, work_tau_);
  }

  void hold_signs(const S& t, Observer<S>& observer) override {
    if (switching_.empty()) return;
    observer.release_signs();
    switching_.hold_signs(observer, tau_of(t));
  }

  std::optional<Residuals> residuals() const override {
    return Residuals{step_.position_residual(), step_.velocity_residual()};
  }
  Size size() const override { return {std::abs(as_double(h_)), step_.order()}; }

  int quadrature_points() const override { return work_points(options_); }

  void tell(RunReport& report) const override {
    report.threads = step_.threads();
    report.rejected = passing_.rejected();
    report.singular_times = singular_times_;
    native_.tell(report);
    if (report.advice.empty()) report.advice = stiffness_.advice();
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    for (const std::string& call : problem_.system.non_analytic())
      notes.push_back(fmt::format("{} is not smooth: steps end where its argument changes sign", call));
    return notes;
  }

 private:
  using Step = AdomianStep<S>;

  bool set_start(const S& t, std::span<const S> q, std::span<const S> v, int newton_steps) {
    expect_forces(q, v);
    clock_ = begin_ = {t, S(0)};
    h_ = S(0);
    is_first_ = is_at_end_ = true;
    if (!step_.set_state(t, q, v, newton_steps)) return fail(singular_reason);
    keep_last();
    has_branch_ = take_first_branch();
    return true;
  }

  bool fail(const std::string& why) {
    this->reason = why;
    return false;
  }

  // From rest at zero, sizes are those of the forces to come.
  void expect_forces(std::span<const S> q, std::span<const S> v) {
    const auto is_zero = [](const S& x) { return x == 0; };
    if (!std::all_of(q.begin(), q.end(), is_zero) || !std::all_of(v.begin(), v.end(), is_zero)) return;
    Accelerations at(problem_.system, problem_.active);
    ExpectedForces forces(problem_.system, options_.tolerance);
    forces.look(at, options_.start, options_.start + options_.duration, problem_.start.q, problem_.start.v);
    if constexpr (std::is_same_v<S, double>)
      forces.count_rounding(at, options_.start, options_.start + options_.duration, problem_.start.q,
                            problem_.start.v);
    step_.expect(forces.average());
  }

  double time() const { return as_double(clock_.high); }
  S rest() const { return (limit_ - clock_.high) - clock_.low; }
  double remaining() const { return direction_ * as_double(S(limit_ - clock_.high)); }
  double share_done() const { return (time() - options_.start) / options_.duration; }
  S tau_of(const S& t) const {
    return t == clock_.high && is_at_end_ ? h_ : S(S(t - begin_.high) - begin_.low);
  }

  // At a start on a switch the accelerations are those of the motion that follows.
  bool take_first_branch() {
    if (switching_.empty()) return true;
    step_.expand();
    return switching_.take_branch(true, std::abs(options_.duration));
  }

  StepSampler<S>& sampler() {
    if (!sampler_) sampler_.emplace(problem_.system, rows_.active(), sampler_settings(options_));
    sampler_->hold_sides(switching_.sides());
    return *sampler_;
  }

  static State state(const StepSampler<S>& at) { return {at.t(), at.q(), at.v(), at.a(), at.lambda()}; }

  // One attempt from the present state: `taken` stays empty where a branch changes before any time goes by.
  // False: `reason` tells why there is no step.
  bool try_to_step(std::optional<S>& taken) {
    step_.expand();
    const bool switches = !switching_.empty();
    if (switches && !switching_.take_branch(is_first_, remaining())) return fail(switching_.reason());
    double h = step_.proposed_step();
    if (std::isnan(h)) return fail(why_not_finite());
    if (options_.max_step > 0) h = std::min(h, options_.max_step);
    if (rows_.has_choice() && !follow_rows(h)) return fail(singular_reason);
    h = domains_.limit(step_, std::min(passing_.prepare(time(), h), remaining()));
    if (switches) h = switching_.limit(std::min(h, remaining()));
    const bool last = h >= remaining() * (1 - 1e-12);
    if (last) h = remaining();
    S wanted = last ? rest() : S(direction_ * h);
    if (switches) {
      wanted = switching_.up_to_switch(wanted, time());
      h = std::abs(as_double(wanted));
      const bool is_here = switching_.at_switch() && !(h > smallest_step(options_, time()));
      if (is_here) return switching_.switch_here() || fail(switching_.reason());
    }
    if (domains_.ends_at(smallest_step(options_, time()))) return fail(domains_.reason());
    if (const double share = step_.proven_share(wanted); share < 1) {
      wanted *= S(share);
      h *= share;
      if (switches) wanted = switching_.up_to_switch(wanted, time());
    }
    chosen_by_terms_ = !last && h == step_.proposed_step() && h < step_.step_limit();
    return take_step(wanted, taken);
  }

  // Rows of redundant constraints that serve at this state and at those of the step of length h to come; it
  // gets the length that it may have with them. False: the matrix is singular.
  bool follow_rows(double& h) {
    bool changed = rows_.improve(time(), in_doubles(step_.q()), in_doubles(step_.v()));
    for (const double share : {0.5, 1.0}) {
      const double tau = direction_ * share * std::min(h, remaining());
      step_.polynomials().eval_q(S(tau), q_);
      changed = rows_.improve_ahead(time() + tau, in_doubles(q_), in_doubles(step_.v())) || changed;
    }
    if (!changed) return true;
    if (!passing_.choose_rows(rows_.active())) return false;
    sampler_.reset();
    inner_.reset();
    step_.expand();
    h = std::min(h, step_.proposed_step());
    return true;
  }
  std::vector<double> in_doubles(std::span<const S> values) const {
    std::vector<double> result;
    for (const S& value : values) result.push_back(as_double(value));
    return result;
  }

  // Of the coefficients of an expansion.
  std::string why_not_finite() const {
    const std::string call = domains_.overflowing_call(step_);
    if (!call.empty()) return fmt::format("{} ({})", force_not_finite_reason, call);
    StateEvaluation at(problem_.system);
    at.eval(time(), in_doubles(step_.q()), in_doubles(step_.v()));
    const bool has_values = at.M.allFinite() && at.f.allFinite() && at.C.allFinite() && at.gamma.allFinite();
    return has_values && problem_.system.m() > 0 ? singular_reason : not_finite_reason;
  }

  bool take_step(const S& wanted, std::optional<S>& taken) {
    const StepStart<S> start{time(), remaining(), rest()};
    const TakenStep<S> attempt = passing_.take(start, wanted);
    if (attempt.failure == StepFailure::none) {
      taken = switching_.empty() ? attempt.h : switching_.land(attempt.h, wanted, time(), remaining());
      return true;
    }
    std::string reason = attempt.failure == StepFailure::shrunk ? shrunk() : reason_of(attempt.failure);
    const bool may_end = attempt.failure == StepFailure::shrunk || attempt.failure == StepFailure::not_finite;
    const double near = std::max(1e3 * std::abs(as_double(wanted)), 1e3 * smallest_step(options_, time()));
    const std::string call = may_end ? domains_.singular_call(step_, near) : "";
    if (!call.empty()) reason += fmt::format(" ({})", call);
    return fail(reason);
  }

  void finish_step(const S& h) {
    find_singular_time(h);
    h_ = h;
    work_tau_ = S(0);
    multipliers_reach_ = problem_.system.energy().conservative || do_multipliers_reach();
    begin_ = clock_;
    if constexpr (std::is_same_v<S, double>) {
      if (options_.dense_output != nullptr) {
        options_.dense_output->append(step_.polynomials(), begin_.high, begin_.low, singular_tau_,
                                      switching_.sides());
      }
    }
    if (h == rest()) {
      clock_ = {limit_, S(0)};
    } else {
      clock_.add(h);
    }
    is_first_ = false;
    is_at_end_ = true;
    keep_last();
    if (chosen_by_terms_ && !passing_.is_near(time(), std::abs(as_double(h))))
      stiffness_.look(step_, std::abs(as_double(h)));
  }

  // ∫ power dt by halves, until both together are as the whole.
  template <class Path>
  S halved_work(Observer<S>& observer, const S& from, const S& to, const Path& path, int depth = 0) {
    constexpr int deepest = 6;
    constexpr double rounding = std::is_same_v<S, double> ? 100 * std::numeric_limits<double>::epsilon() : 0;
    const S middle = (from + to) / S(2);
    const double share = std::abs(as_double(S((to - from) / h_)));
    const S whole = observer.work(from, to, share, path);
    const S first = observer.work(from, middle, share / 2, path);
    const S second = observer.work(middle, to, share / 2, path);
    const double size = std::abs(as_double(first)) + std::abs(as_double(second));
    const double off = std::abs(as_double(S(first + second - whole)));
    if (depth == deepest || !(off > std::max(options_.tolerance, rounding) * size)) return first + second;
    return halved_work(observer, from, middle, path, depth + 1) +
           halved_work(observer, middle, to, path, depth + 1);
  }
  // Where a drive carries the forces, their singularities are those of the multipliers alone, which no step
  // heeds. Their last terms tell.
  bool do_multipliers_reach() const {
    constexpr double factor =
        1e4;  // of the tolerance, for terms of which a part counts; chosen, not measured
    const double enough = factor * std::max(options_.tolerance, std::numeric_limits<double>::epsilon());
    const StepPolynomials<S>& step = step_.polynomials();
    const int last = step.order - 1;
    if (last < 2) return true;
    const double h = std::abs(as_double(h_));
    double largest_size = 0, largest_tail = 0;
    for (std::size_t j = 0; j < problem_.system.m(); ++j) {
      double size = 0, term = 0, before = 0, power = 1;
      for (int k = 0; k <= last; ++k, power *= h) {
        before = std::exchange(term, power * std::abs(as_double(step.q(k)[3 * problem_.system.n() + j])));
        if (2 * k <= last) size += term;
      }
      largest_size = std::max(largest_size, size);
      largest_tail = std::max({largest_tail, term, before});
    }
    return !(largest_tail > enough * largest_size);
  }
  void find_singular_time(const S& h) {
    const double t = time();
    singular_tau_.reset();
    const auto time = passing_.finish(t, as_double(S(clock_.high + h)));
    if (!time || keeps_rank(*time - t)) return;
    singular_times_.push_back(*time);
    singular_tau_ = *time - t;
  }

  // Where the chosen rows depend on each other, τ into the step, others may not.
  bool keeps_rank(double tau) {
    if (!rows_.has_choice()) return false;
    step_.polynomials().eval_q(S(tau), q_);
    return rows_.keeps_rank(time() + tau, in_doubles(q_), in_doubles(step_.v()));
  }

  void keep_last() {
    last_q_.assign(step_.q().begin(), step_.q().end());
    last_v_.assign(step_.v().begin(), step_.v().end());
  }

  std::string shrunk() const {
    std::string reason = shrunk_reason;
    if (!problem_.system.non_analytic().empty()) {
      reason += " or a function that is not smooth is crossed again and again (" + switching_.calls() + ")";
    }
    return reason;
  }

  const Problem& problem_;
  const SolveOptions& options_;
  CrossingStep<S> passing_;
  Step& step_;
  RowChoice rows_;
  std::optional<StepSampler<S>> sampler_;  // made when it is needed first
  std::optional<Step> inner_;              // expands within steps; the same
  double direction_;
  SwitchingStep<S> switching_;
  DomainDetector<S> domains_;
  NativeBuild native_;
  Stiffness stiffness_;
  bool has_branch_ = true;              // at the start
  bool is_first_ = true;                // the step to come
  bool is_at_end_ = true;               // of the last step, where `step_` stands; behind it a step failed
  bool chosen_by_terms_ = false;        // the length of this step
  std::optional<double> singular_tau_;  // where this step passes a singular configuration
  std::vector<double> singular_times_;
  std::vector<S> q_, v_, last_q_, last_v_;
  Clock<S> clock_, begin_;  // the end of the last step, and its beginning
  S limit_{0};
  S h_{0};                         // the last step
  S work_tau_{0};                  // how far in it the work was counted
  bool multipliers_reach_ = true;  // as polynomials, to its end
};

}  // namespace dalembert
