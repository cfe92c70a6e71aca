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

#include <dalembert/base/text.hpp>
#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/dense_output.hpp>

#include "as_double.hpp"
#include "clock.hpp"
#include "passing_step.hpp"
#include "recorder.hpp"
#include "step_sampler.hpp"
#include "stiffness.hpp"
#include "switch_watch.hpp"

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
        active_(problem.active),
        watch_(problem.system, step_.max_order(), adomian_settings(options).log_tolerance,
               recorder_.direction()),
        q_(problem.system.n()),
        v_(problem.system.n()),
        end_(recorder_.end()),
        direction_(recorder_.direction()) {
    for (const std::string& call : system_.non_analytic()) {
      recorder_.report.warnings.push_back(
          fmt::format("{} is not smooth: steps end where its argument changes sign", call));
    }
    std::copy(problem.start.q.begin(), problem.start.q.end(), q_.begin());
    std::copy(problem.start.v.begin(), problem.start.v.end(), v_.begin());
    take_given_start(problem);
    clock_ = {S(options.start), S(0)};
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
    return recorder_.finish(as_double(clock_.high));
  }

 private:
  using Step = AdomianStep<S, W>;

  // Gauss-Legendre converges at least as fast as the series whose degree is twice the number of points.
  static int quadrature_points(const SolveOptions& options) {
    return static_cast<int>(std::ceil(-adomian_settings(options).log_tolerance / 2.5)) + 4;
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
    }
  }

  double remaining() const { return recorder_.remaining(as_double(clock_.high)); }

  bool start() {
    // the start is consistent in doubles already; more digits need Newton's iteration
    constexpr int newton_steps = std::is_same_v<S, double> ? 0 : 8;
    if (!step_.set_state(clock_.high, q_, v_, newton_steps)) {
      recorder_.stop(singular_reason);
      return false;
    }
    keep_last();
    recorder_.note_residuals(step_.position_residual(), step_.velocity_residual());
    recorder_.start(state(step_));
    return recorder_.running();
  }

  StepSampler<S, W>& sampler() {
    if (!sampler_) sampler_.emplace(system_, active_, sampler_settings(options_));
    sampler_->hold_sides(watch_.sides());
    return *sampler_;
  }

  template <class At>
  static typename Observer<S>::State state(const At& at) {
    return {at.t(), at.q(), at.v(), at.a(), at.lambda()};
  }

  void advance() {
    step_.expand();
    if (!watch_.empty()) take_branch();
    if (!recorder_.running()) return;
    double h = step_.proposed_step();
    if (std::isnan(h)) return recorder_.stop(not_finite_reason);
    if (options_.max_step > 0) h = std::min(h, options_.max_step);
    h = passing_.prepare(as_double(clock_.high), h);
    if (!watch_.empty()) h = watch_.limit(std::min(h, remaining()));
    const bool last = h >= remaining() * (1 - 1e-12);
    if (last) h = remaining();
    S wanted = last ? S(S(end_) - clock_.high - clock_.low) : S(direction_ * h);
    if (!watch_.empty()) {
      wanted = up_to_switch(wanted);
      h = std::abs(as_double(wanted));
      if (at_switch_ && !(h > smallest_step(options_, as_double(clock_.high)))) return switch_here();
    }
    chosen_by_terms_ = !last && h == step_.proposed_step() && h < step_.step_limit();
    const S taken = take_step(wanted);
    if (!recorder_.running()) return;
    finish_step(taken);
    if (!watch_.empty()) end_at_switch();
  }

  S take_step(const S& wanted) {
    const StepStart<S> start{as_double(clock_.high), remaining(), S(S(end_) - clock_.high - clock_.low)};
    const TakenStep<S> taken = passing_.take(start, wanted);
    recorder_.report.rejected = passing_.rejected();
    if (taken.failure == StepFailure::none) return watch_.empty() ? taken.h : land_on_switch(taken.h, wanted);
    recorder_.stop(taken.failure == StepFailure::shrunk ? shrunk() : reason_of(taken.failure));
    return taken.h;
  }

  void finish_step(const S& h) {
    const double t = as_double(clock_.high);
    singular_tau_.reset();
    if (const auto time = passing_.finish(t, as_double(S(clock_.high + h)))) {
      recorder_.report.singular_times.push_back(*time);
      singular_tau_ = *time - t;
    }
    run_along(h);
  }

  void run_along(const S& h) {
    work_tau_ = S(0);
    if constexpr (std::is_same_v<S, double>) {
      if (options_.dense_output != nullptr) {
        options_.dense_output->append(step_.polynomials(), clock_.high, clock_.low, singular_tau_);
      }
    }
    sample_within(h);
    add_work(h);
    clock_.add(h);
    keep_last();
    if (chosen_by_terms_ && !passing_.is_near(as_double(clock_.high), std::abs(as_double(h)))) {
      stiffness_.look(step_, std::abs(as_double(h)));
      if (recorder_.report.advice.empty()) recorder_.report.advice = stiffness_.advice();
    }
    recorder_.note_residuals(step_.position_residual(), step_.velocity_residual());
    recorder_.end_step(state(step_), std::abs(as_double(h)), step_.order());
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
      recorder_.add_work(observer.work(work_tau_, tau, [&](const S& x) {
        sampler().set(S(clock_.high + (clock_.low + x)), x, step_.polynomials(), singular_tau_);
        return state(*sampler_);
      }));
    } else if (recorder_.counts_work()) {
      recorder_.add_work(observer.work(step_.polynomials(), work_tau_, tau));
    }
    work_tau_ = tau;
  }

  // Samples strictly inside the step, from its polynomials, projected onto the constraints.
  void sample_within(const S& h) {
    while (recorder_.waiting()) {
      const S next(recorder_.schedule.next());
      const S tau = S(next - clock_.high) - clock_.low;
      if (direction_ * as_double(tau - h) >= 0) return;
      add_work(tau);
      sampler().set(next, tau, step_.polynomials(), singular_tau_);
      recorder_.sample(state(*sampler_));
    }
  }

  // The series that was expanded is of the branch that holds behind the start of the step: where an argument
  // of abs, sign, min or max is zero there, of the side to which it goes.
  void take_branch() {
    const auto length = [&] { return std::min(step_.proposed_step(), remaining()); };
    const auto is_finite = [&] { return !std::isnan(step_.proposed_step()); };
    if (!is_finite()) return;
    watch_.read(step_.polynomials());
    if (recorder_.report.steps == 0 && switches_here_ == 0) {
      watch_.begin(length());
      if (!expand_on_branch()) return;
    }
    while (is_finite() && !watch_.settle(length())) {
      if (watch_.is_stuck()) return recorder_.stop(stuck());
      if (!expand_on_branch()) return;
    }
  }
  bool expand_on_branch() {
    if (!evaluate_on_branch()) return false;
    step_.expand();
    watch_.read(step_.polynomials());
    return true;
  }
  bool evaluate_on_branch() {
    step_.hold_sides(watch_.sides());
    if (step_.evaluate_again()) return true;
    recorder_.stop(singular_reason);
    return false;
  }

  // A step ends where an argument changes its sign.
  S up_to_switch(const S& wanted) {
    const S length = wanted * S(direction_);
    const auto found = watch_.find(length, S(smallest_step(options_, as_double(clock_.high))));
    at_switch_ = found.crosses;
    return found.reach < length ? S(found.reach * S(direction_)) : wanted;
  }
  // The series ends at some tolerance, and the projection moved the state: the time is corrected for both.
  S land_on_switch(S h, const S& wanted) {
    if (as_double(S((h - wanted) * S(direction_))) > 0) {  // over a singular configuration
      const S shorter = up_to_switch(h);
      if (at_switch_ && step_.advance(shorter) == Step::Check::good) h = shorter;
    } else {
      at_switch_ = at_switch_ && h == wanted;
    }
    constexpr int most_corrections = 3;
    constexpr double largest = 1e-3;
    for (int i = 0; at_switch_ && i < most_corrections; ++i) {
      const S more = watch_.correction(S(h * S(direction_)), step_.t(), step_.q(), step_.v());
      const double size = std::abs(as_double(more));
      const double length = std::abs(as_double(h));
      const double least = 2 * rounding_of<S>() * std::max(std::abs(as_double(clock_.high)), length);
      if (!(size > least) || size > largest * length || length + size > remaining()) break;
      const S corrected = h + more * S(direction_);
      if (step_.advance(corrected) == Step::Check::singular) break;
      h = corrected;
    }
    return h;
  }
  void end_at_switch() {
    switches_here_ = 0;
    if (!at_switch_) return watch_.pass();
    watch_.cross();
    evaluate_on_branch();
  }
  // Without a step.
  void switch_here() {
    const std::size_t most = 3 * watch_.size() + 3;
    if (++switches_here_ > most) return recorder_.stop(stuck());
    watch_.cross();
    evaluate_on_branch();
  }

  std::string stuck() const {
    return fmt::format(
        "the motion stays where the argument of {} is zero: either side drives it back, as dry friction does "
        "when it sticks; a smooth force, tanh(x/w) with a small w instead of sign(x), goes on",
        system_.switches().calls[watch_.culprit()]);
  }
  std::string shrunk() const {
    std::string reason = shrunk_reason;
    if (!watch_.empty()) {
      reason += " or a function that is not smooth is crossed again and again (" +
                join(system_.switches().calls, ", ") + ")";
    }
    return reason;
  }

  const System& system_;
  const SolveOptions& options_;
  Recorder<S> recorder_;
  PassingStep<S, W> passing_;
  Step& step_;
  std::span<const std::size_t> active_;
  std::optional<StepSampler<S, W>> sampler_;  // made when it is needed first
  SwitchWatch<S, W> watch_;
  bool at_switch_ = false;         // this step ends at a change of sign
  std::size_t switches_here_ = 0;  // without a step between them
  Stiffness stiffness_;
  bool chosen_by_terms_ = false;        // the length of this step
  std::optional<double> singular_tau_;  // where this step passes a singular configuration
  std::vector<S> q_, v_, last_q_, last_v_;
  double end_;
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
