#include "adomian.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/dense_output.hpp>
#include <dalembert/system/balanced_velocities.hpp>
#include <dalembert/system/row_choice.hpp>

#include "accelerations.hpp"
#include "as_double.hpp"
#include "clock.hpp"
#include "domain_watch.hpp"
#include "expected_forces.hpp"
#include "passing_step.hpp"
#include "recorder.hpp"
#include "step_sampler.hpp"
#include "stiffness.hpp"
#include "switching.hpp"

namespace dalembert {
namespace {

template <class S, int W>
class AdomianRun {
 public:
  AdomianRun(const Problem& problem, const SolveOptions& options, const SampleSink<S>& sink)
      : system_(problem.system),
        options_(options),
        recorder_(problem, options, sink, {"adomian", quadrature_points(options)}),
        passing_(problem, options),
        step_(passing_.step()),
        rows_(problem.system, problem.active),
        switching_(problem.system, options, step_, recorder_.direction()),
        domains_(problem.system, step_.max_order(), recorder_.direction()),
        q_(problem.system.n()),
        v_(problem.system.n()),
        end_(recorder_.schedule.template end<S>()),
        direction_(recorder_.direction()) {
    for (const std::string& call : system_.non_analytic()) {
      recorder_.report.warnings.push_back(
          fmt::format("{} is not smooth: steps end where its argument changes sign", call));
    }
    recorder_.report.threads = step_.threads();
    std::copy(problem.start.q.begin(), problem.start.q.end(), q_.begin());
    std::copy(problem.start.v.begin(), problem.start.v.end(), v_.begin());
    take_given_start(problem);
    expect_forces(problem);
    clock_ = {decimal<S>(options.start), S(0)};
    if (options.dense_output != nullptr) options.dense_output->begin(problem.active, options.project);
  }

  RunReport run() {
    if (start()) {
      while (recorder_.running() && remaining() > 0) advance();
    }
    if (recorder_.wants_last() && recorder_.report.steps > 0) {
      sampler().set(clock_.high, last_q_, last_v_);
      recorder_.sample(state(*sampler_));
    }
    return recorder_.finish(time());
  }

 private:
  using Step = AdomianStep<S, W>;

  // Gauss-Legendre converges at least as fast as the series whose degree is twice the number of points.
  static int quadrature_points(const SolveOptions& options) {
    constexpr int least = 4;
    return std::max(static_cast<int>(std::ceil(-adomian_settings(options).log_tolerance / 2.5)), 0) + least;
  }
  // Where the start was not corrected, all digits of the given values count, not only those of a double.
  void take_given_start(const Problem& problem) {
    if constexpr (std::is_same_v<S, Real>) {
      const auto q = system_.given_positions<S>();
      const auto v = system_.given_velocities<S>();
      const auto moved = [&](const std::string& name) {
        return std::any_of(problem.start.changes.begin(), problem.start.changes.end(),
                           [&](const StartChange& change) { return change.name == name; });
      };
      for (std::size_t i = 0; i < system_.n(); ++i) {
        if (!moved(system_.coordinate_name(i))) q_[i] = q[i];
        if (!moved(system_.coordinate_name(i) + "'")) v_[i] = v[i];
      }
      balance_velocities<S>(system_, decimal<S>(options_.start), q_, v_);
    }
  }

  void expect_forces(const Problem& problem) {
    const auto is_zero = [](const S& x) { return x == 0; };
    if (!std::all_of(q_.begin(), q_.end(), is_zero) || !std::all_of(v_.begin(), v_.end(), is_zero)) return;
    Accelerations at(system_, problem.active);
    ExpectedForces forces(system_, options_.tolerance);
    forces.look(at, options_.start, options_.start + options_.duration, problem.start.q, problem.start.v);
    step_.expect(forces.average());
  }

  double time() const { return as_double(clock_.high); }
  S rest() const { return (end_ - clock_.high) - clock_.low; }
  double remaining() const { return direction_ * as_double(S(end_ - clock_.high)); }

  bool start() {
    // the start is consistent in doubles already; more digits need Newton's iteration
    constexpr int newton_steps = std::is_same_v<S, double> ? 0 : 8;
    if (!step_.set_state(clock_.high, q_, v_, newton_steps)) {
      recorder_.stop(singular_reason);
      return false;
    }
    keep_last();
    const bool has_branch = take_first_branch();
    recorder_.note_residuals(step_.position_residual(), step_.velocity_residual());
    recorder_.start(state(step_));
    if (!has_branch) stop_switching();
    return recorder_.running();
  }

  // At a start on a switch the accelerations are those of the motion that follows.
  bool take_first_branch() {
    if (switching_.empty()) return true;
    step_.expand();
    const bool good = switching_.take_branch(true, remaining());
    switching_.hold_signs(recorder_.observer(), S(0));
    return good;
  }

  StepSampler<S, W>& sampler() {
    if (!sampler_) sampler_.emplace(system_, rows_.active(), sampler_settings(options_));
    sampler_->hold_sides(switching_.sides());
    return *sampler_;
  }

  template <class At>
  static typename Observer<S>::State state(const At& at) {
    return {at.t(), at.q(), at.v(), at.a(), at.lambda()};
  }

  void advance() {
    step_.expand();
    const bool switches = !switching_.empty();
    if (switches && !switching_.take_branch(recorder_.report.steps == 0, remaining()))
      return stop_switching();
    double h = step_.proposed_step();
    if (std::isnan(h)) return recorder_.stop(not_finite_reason);
    if (options_.max_step > 0) h = std::min(h, options_.max_step);
    if (rows_.has_choice()) h = follow_rows(h);
    h = domains_.limit(step_, std::min(passing_.prepare(time(), h), remaining()));
    if (switches) h = switching_.limit(std::min(h, remaining()));
    const bool last = h >= remaining() * (1 - 1e-12);
    if (last) h = remaining();
    S wanted = last ? rest() : S(direction_ * h);
    if (switches) {
      wanted = switching_.up_to_switch(wanted, time());
      h = std::abs(as_double(wanted));
      const bool is_here = switching_.at_switch() && !(h > smallest_step(options_, time()));
      if (is_here) return switching_.switch_here() ? void() : stop_switching();
    }
    if (domains_.ends_at(smallest_step(options_, time()))) return recorder_.stop(domains_.reason());
    if (const double share = step_.proven_share(wanted); share < 1) {
      wanted *= S(share);
      h *= share;
      if (switches) wanted = switching_.up_to_switch(wanted, time());
    }
    chosen_by_terms_ = !last && h == step_.proposed_step() && h < step_.step_limit();
    const S taken = take_step(wanted);
    if (!recorder_.running()) return;
    finish_step(taken);
    if (remaining() > 0 && domains_.ends_at(std::abs(as_double(taken)))) {
      return recorder_.stop(domains_.reason());
    }
    if (switches && !switching_.end_step()) stop_switching();
  }

  // Rows of redundant constraints that serve at this state and at those of the step to come; the length that
  // the step may have with them.
  double follow_rows(double h) {
    bool changed = rows_.improve(time(), in_doubles(step_.q()), in_doubles(step_.v()));
    for (const double share : {0.5, 1.0}) {
      const double tau = direction_ * share * std::min(h, remaining());
      step_.polynomials().eval_q(S(tau), q_);
      changed = rows_.improve_ahead(time() + tau, in_doubles(q_), in_doubles(step_.v())) || changed;
    }
    if (!changed) return h;
    if (!passing_.choose_rows(rows_.active())) {
      recorder_.stop(singular_reason);
      return h;
    }
    sampler_.reset();
    step_.expand();
    return std::min(h, step_.proposed_step());
  }
  std::vector<double> in_doubles(std::span<const S> values) const {
    std::vector<double> result;
    for (const S& value : values) result.push_back(as_double(value));
    return result;
  }

  void stop_switching() { recorder_.stop(switching_.reason()); }

  S take_step(const S& wanted) {
    const StepStart<S> start{time(), remaining(), rest()};
    const TakenStep<S> taken = passing_.take(start, wanted);
    recorder_.report.rejected = passing_.rejected();
    if (taken.failure == StepFailure::none) {
      return switching_.empty() ? taken.h : switching_.land(taken.h, wanted, time(), remaining());
    }
    std::string reason = taken.failure == StepFailure::shrunk ? shrunk() : reason_of(taken.failure);
    const bool may_end = taken.failure == StepFailure::shrunk || taken.failure == StepFailure::not_finite;
    const double near = std::max(1e3 * std::abs(as_double(wanted)), 1e3 * smallest_step(options_, time()));
    const std::string call = may_end ? domains_.singular_call(step_, near) : "";
    if (!call.empty()) reason += fmt::format(" ({})", call);
    recorder_.stop(reason);
    return taken.h;
  }

  void finish_step(const S& h) {
    const double t = time();
    singular_tau_.reset();
    const auto time = passing_.finish(t, as_double(S(clock_.high + h)));
    if (time && !keeps_rank(*time - t)) {
      recorder_.report.singular_times.push_back(*time);
      singular_tau_ = *time - t;
    }
    run_along(h);
  }

  // Where the chosen rows depend on each other, τ into the step, others may not.
  bool keeps_rank(double tau) {
    if (!rows_.has_choice()) return false;
    step_.polynomials().eval_q(S(tau), q_);
    return rows_.keeps_rank(time() + tau, in_doubles(q_), in_doubles(step_.v()));
  }

  void run_along(const S& h) {
    work_tau_ = S(0);
    recorder_.observer().release_signs();
    if constexpr (std::is_same_v<S, double>) {
      if (options_.dense_output != nullptr) {
        options_.dense_output->append(step_.polynomials(), clock_.high, clock_.low, singular_tau_,
                                      switching_.sides());
      }
    }
    sample_within(h);
    add_work(h);
    if (h == rest()) {
      clock_ = {end_, S(0)};
    } else {
      clock_.add(h);
    }
    keep_last();
    switching_.hold_signs(recorder_.observer(), h);
    if (chosen_by_terms_ && !passing_.is_near(time(), std::abs(as_double(h)))) {
      stiffness_.look(step_, std::abs(as_double(h)));
      if (recorder_.report.advice.empty()) recorder_.report.advice = stiffness_.advice();
    }
    recorder_.note_residuals(step_.position_residual(), step_.velocity_residual());
    typename Observer<S>::State end = state(step_);
    end.t = clock_.high;
    recorder_.end_step(
        end, {std::abs(as_double(h)), step_.order()},
        [this](double t, std::span<double> q, std::span<double> v) { eval_within_step(t, q, v); });
  }
  void eval_within_step(double t, std::span<double> q, std::span<double> v) {
    const S tau = S(t) - step_.polynomials().t0;
    step_.polynomials().eval_q(tau, q_);
    step_.polynomials().eval_v(tau, v_);
    std::transform(q_.begin(), q_.end(), q.begin(), [](const S& x) { return as_double(x); });
    std::transform(v_.begin(), v_.end(), v.begin(), [](const S& x) { return as_double(x); });
  }

  void keep_last() {
    last_q_.assign(step_.q().begin(), step_.q().end());
    last_v_.assign(step_.v().begin(), step_.v().end());
  }

  // The work of the forces from where it was last known within this step to τ. The polynomials of λ do not
  // reach across a singular configuration.
  void add_work(const S& tau) {
    Observer<S>& observer = recorder_.observer();
    if (recorder_.counts_work() && singular_tau_) {
      recorder_.add_work(observer.work(work_tau_, tau, 1, [&](const S& x) {
        sampler().set(S(clock_.high + (clock_.low + x)), x, step_.polynomials(), singular_tau_);
        return state(*sampler_);
      }));
    } else if (recorder_.counts_work()) {
      const auto hold = [&](const S& x) { switching_.hold_signs(observer, x); };
      recorder_.add_work(switching_.slides() ? observer.work(step_.polynomials(), work_tau_, tau, hold)
                                             : observer.work(step_.polynomials(), work_tau_, tau));
    }
    work_tau_ = tau;
  }

  // Samples strictly inside the step, from its polynomials, projected onto the constraints.
  void sample_within(const S& h) {
    while (recorder_.waiting()) {
      const S next = recorder_.schedule.template next<S>();
      const S tau = S(next - clock_.high) - clock_.low;
      if (direction_ * as_double(tau - h) >= 0) return;
      add_work(tau);
      sampler().set(next, tau, step_.polynomials(), singular_tau_);
      switching_.hold_signs(recorder_.observer(), tau);
      recorder_.sample(state(*sampler_));
    }
  }

  std::string shrunk() const {
    std::string reason = shrunk_reason;
    if (!system_.non_analytic().empty()) {
      reason += " or a function that is not smooth is crossed again and again (" + switching_.calls() + ")";
    }
    return reason;
  }

  const System& system_;
  const SolveOptions& options_;
  Recorder<S> recorder_;
  PassingStep<S, W> passing_;
  Step& step_;
  RowChoice rows_;
  std::optional<StepSampler<S, W>> sampler_;  // made when it is needed first
  Switching<S, W> switching_;
  DomainWatch<S, W> domains_;
  Stiffness stiffness_;
  bool chosen_by_terms_ = false;        // the length of this step
  std::optional<double> singular_tau_;  // where this step passes a singular configuration
  std::vector<S> q_, v_, last_q_, last_v_;
  S end_;
  double direction_;
  Clock<S> clock_;
  S work_tau_;  // how far in this step the work was counted
};

}  // namespace

StepSettings adomian_settings(const SolveOptions& options) {
  StepSettings s{};
  double tolerance = std::log(options.tolerance);
  if (options.digits > 0) tolerance = std::min(tolerance, -2.302585092994046 * options.digits);
  s.log_tolerance = tolerance;
  s.fixed_order = options.order;
  s.project = options.project;
  return s;
}

StepSettings sampler_settings(const SolveOptions& options) {
  StepSettings s{};
  s.log_tolerance = 0;
  s.fixed_order = 4;  // it expands nothing
  s.project = options.project;
  return s;
}

std::string reason_of(StepFailure failure) {
  switch (failure) {
    case StepFailure::singular:
      return singular_reason;
    case StepFailure::branch:
      return branch_reason;
    case StepFailure::not_finite:
      return force_not_finite_reason;
    case StepFailure::shrunk:
      return shrunk_reason;
    default:
      return "";
  }
}

double largest_correction(const SolveOptions& options) { return std::max(1e-9, 10 * options.tolerance); }

double smallest_step(const SolveOptions& options, double t) {
  return 16 * std::numeric_limits<double>::epsilon() *
         std::max(std::abs(t), 1e-3 * std::abs(options.duration));
}

RunReport run_adomian(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return AdomianRun<double, native_lanes>(problem, options, sink).run();
}

RunReport run_adomian_digits(const Problem& problem, const SolveOptions& options,
                             const SampleSink<Real>& sink) {
  return AdomianRun<Real, 1>(problem, options, sink).run();
}

}  // namespace dalembert
