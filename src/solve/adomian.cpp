#include "adomian.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
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
#include "recorder.hpp"
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
        step_(problem.system, problem.active, settings(options)),
        sampler_(problem.system, problem.active, sample_settings()),
        watch_(problem.system),
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
      sampler_.set_state(clock_.high, last_q_, last_v_, 1);
      recorder_.sample(state(sampler_));
    }
    return recorder_.finish(as_double(clock_.high));
  }

 private:
  using Step = AdomianStep<S, W>;

  static StepSettings settings(const SolveOptions& options) {
    StepSettings s{};
    double tolerance = std::log(options.tolerance);
    if (options.digits > 0) tolerance = std::min(tolerance, -2.302585092994046 * options.digits);
    s.log_tolerance = tolerance;
    s.fixed_order = options.order;
    s.max_order = std::max({40, options.order, static_cast<int>(std::ceil(1 - tolerance))});
    s.project = options.project;
    return s;
  }
  // Gauss-Legendre converges at least as fast as the series whose degree is twice the number of points.
  static int quadrature_points(const SolveOptions& options) {
    return static_cast<int>(std::ceil(-settings(options).log_tolerance / 2.5)) + 4;
  }
  static StepSettings sample_settings() {
    StepSettings s{};
    s.log_tolerance = 0;
    s.max_order = 4;
    return s;
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
      recorder_.stop(singular_reason());
      return false;
    }
    keep_last();
    recorder_.note_residuals(step_.position_residual(), step_.velocity_residual());
    recorder_.start(state(step_));
    watch_.follow(step_.t(), step_.q(), step_.v());
    return recorder_.running();
  }

  static typename Observer<S, W>::State state(const Step& at) {
    return {at.t(), at.q(), at.v(), at.a(), at.lambda()};
  }

  void advance() {
    step_.expand();
    double h = step_.proposed_step();
    if (std::isnan(h))
      return recorder_.stop("the series has coefficients that are not finite: the motion is singular here");
    if (options_.max_step > 0) h = std::min(h, options_.max_step);
    const bool last = h >= remaining() * (1 - 1e-12);
    if (last) h = remaining();
    const S wanted = last ? S(S(end_) - clock_.high - clock_.low) : S(direction_ * h);
    const S taken = take_step(wanted);
    if (!recorder_.running()) return;
    finish_step(taken);
  }

  // Tries the step, then shorter ones, until the check at its end is passed.
  S take_step(S h) {
    const double begin = std::abs(as_double(h));
    double previous = 0;  // defect per step length of the attempt before
    bool was_singular = false;
    for (;;) {
      const double size = std::abs(as_double(h));
      const double resolution =
          16 * std::numeric_limits<double>::epsilon() *
          std::max(std::abs(as_double(clock_.high)), 1e-3 * std::abs(options_.duration));
      if (!(size > resolution) && size < remaining()) {
        recorder_.stop(was_singular ? singular_reason() : shrunk_reason());
        return h;
      }
      const typename Step::Check check = step_.advance(h);
      was_singular = check == Step::Check::singular;
      const double rate = step_.defect() / size;
      if (check == Step::Check::good) break;
      // a defect that shrinks no faster than the step is the rounding error of the accelerations themselves
      if (!was_singular && rate > 0.7 * previous && previous > 0) {
        step_.accept_as_noise();
        return stop_at_switch(h);
      }
      previous = was_singular ? 0 : rate;
      ++recorder_.report.rejected;
      h = h * S(was_singular ? 0.5 : std::clamp(0.9 * std::pow(step_.defect(), -0.2), 0.3, 0.8));
    }
    limit_next_step(begin, std::abs(as_double(h)));
    return stop_at_switch(h);
  }

  // After a failure the next steps grow by and by.
  void limit_next_step(double tried, double taken) {
    constexpr double growth = 1.2;
    if (taken < tried) {
      step_.set_step_limit(growth * taken);
    } else {
      step_.set_step_limit(growth * step_.step_limit());
    }
  }

  void finish_step(const S& h) {
    work_tau_ = S(0);
    if constexpr (std::is_same_v<S, double>) {
      if (options_.dense_output != nullptr) {
        options_.dense_output->append(step_.polynomials(), clock_.high, clock_.low);
      }
    }
    sample_within(h);
    add_work(h);
    clock_.add(h);
    keep_last();
    recorder_.note_residuals(step_.position_residual(), step_.velocity_residual());
    recorder_.end_step(state(step_), std::abs(as_double(h)), step_.order());
  }

  void keep_last() {
    last_q_.assign(step_.q().begin(), step_.q().end());
    last_v_.assign(step_.v().begin(), step_.v().end());
  }

  // The work of the forces from where it was last known within this step to τ.
  void add_work(const S& tau) {
    if (recorder_.counts_work()) {
      recorder_.add_work(recorder_.observer().work(step_.polynomials(), work_tau_, tau));
    }
    work_tau_ = tau;
  }

  // Samples strictly inside the step, from its polynomials, projected onto the constraints.
  void sample_within(const S& h) {
    while (recorder_.waiting()) {
      const S next(recorder_.schedule.next());
      const S tau = S(next - clock_.high) - clock_.low;
      if (direction_ * as_double(tau - h) >= 0) return;
      step_.polynomials().eval_q(tau, q_);
      step_.polynomials().eval_v(tau, v_);
      if (!sampler_.set_state(next, q_, v_, 1)) return recorder_.stop(singular_reason());
      add_work(tau);
      recorder_.sample(state(sampler_));
    }
  }

  // The series is valid on one side of a kink: a step that crosses one ends just behind it, found by
  // bisection.
  S stop_at_switch(S h) {
    if (watch_.empty()) return h;
    if (left_branch()) {
      S before = S(0);
      const double resolution = 4e-16 * std::max(std::abs(as_double(clock_.high)), std::abs(as_double(h)));
      while (std::abs(as_double(S(h - before))) > resolution) {
        const S middle = (before + h) / S(2);
        if (step_.advance(middle) == Step::Check::singular) break;
        (left_branch() ? h : before) = middle;
      }
      step_.advance(h);
    }
    watch_.follow(step_.t(), step_.q(), step_.v());
    return h;
  }
  bool left_branch() { return watch_.left(step_.t(), step_.q(), step_.v()); }

  std::string singular_reason() const {
    return "the matrix [M Cᵀ; C 0] is singular here: constraints become dependent, or a motion that they "
           "allow has no "
           "inertia";
  }

  std::string shrunk_reason() const {
    std::string reason = "the step shrank to nothing: the solution is singular here";
    if (!watch_.empty()) {
      reason += " or a function that is not smooth is crossed again and again (" +
                join(system_.switches().calls, ", ") + ")";
    }
    return reason;
  }

  const System& system_;
  const SolveOptions& options_;
  Recorder<S, W> recorder_;
  Step step_;
  Step sampler_;
  SwitchWatch<S, W> watch_;
  std::vector<S> q_, v_, last_q_, last_v_;
  double end_;
  double direction_;
  Clock<S> clock_;
  S work_tau_;  // how far in this step the work was counted
};

}  // namespace

RunReport run_adomian(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return AdomianRun<double, native_lanes>(problem, options, sink).run();
}

RunReport run_adomian_digits(const Problem& problem, const SolveOptions& options,
                             const SampleSink<Real>& sink) {
  return AdomianRun<Real, 1>(problem, options, sink).run();
}

}  // namespace dalembert
