#include "adomian.hpp"

#include <algorithm>
#include <chrono>
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
#include <dalembert/solve/observer.hpp>
#include <dalembert/solve/schedule.hpp>

#include "switch_watch.hpp"

namespace dalembert {
namespace {

double as_double(double x) { return x; }
double as_double(const Real& x) { return static_cast<double>(x); }

template <class S>
double largest(std::span<const S> values) {
  double result = 0;
  for (const S& value : values) result = std::max(result, std::abs(as_double(value)));
  return result;
}

// Time as an unevaluated sum high + low, so that 10^6 additions of a step lose nothing.
template <class S>
struct Clock {
  S high, low;
  void add(const S& h) {
    const S addend = h + low;
    const S sum = high + addend;
    low = addend - (sum - high);
    high = sum;
  }
};

template <class S, int W>
class AdomianRun {
 public:
  AdomianRun(const Problem& problem, const SolveOptions& options, const SampleSink<S>& sink)
      : system_(problem.system),
        options_(options),
        sink_(sink),
        schedule_(options),
        step_(problem.system, problem.active, settings(options)),
        sampler_(problem.system, problem.active, sample_settings()),
        observer_(problem.system, quadrature_points(options)),
        watch_(problem.system),
        q_(problem.system.n()),
        v_(problem.system.n()),
        active_(problem.active),
        g_(problem.system.holonomic(), S(0)),
        gv_(problem.system.m(), S(0)),
        end_(options.start + options.duration),
        direction_(options.duration < 0 ? -1 : 1) {
    report_.method = "adomian";
    report_.warnings = problem.notes;
    report_.start_time = options.start;
    report_.conservative = system_.energy().conservative;
    std::copy(problem.start.q.begin(), problem.start.q.end(), q_.begin());
    std::copy(problem.start.v.begin(), problem.start.v.end(), v_.begin());
    take_given_start(problem);
    clock_ = {S(options.start), S(0)};
    work_ = S(0);
  }

  RunReport run() {
    const auto begin = std::chrono::steady_clock::now();
    if (start()) {
      while (report_.outcome == Outcome::finished && remaining() > 0) advance();
    }
    if (report_.outcome != Outcome::finished && !schedule_.every_step()) sample_last();
    report_.end_time = as_double(clock_.high);
    report_.work = as_double(work_);
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report_;
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

  double remaining() const { return direction_ * (end_ - as_double(clock_.high)); }

  bool start() {
    // the start is consistent in doubles already; more digits need Newton's iteration
    constexpr int newton_steps = std::is_same_v<S, double> ? 0 : 8;
    if (!step_.set_state(clock_.high, q_, v_, newton_steps)) {
      stop(singular_reason());
      return false;
    }
    report_.start_energy = as_double(observer_.eval_energy(state()));
    start_energy_ = observer_.eval_energy(state());
    note_step_end();
    watch_.follow(step_.t(), step_.q(), step_.v());
    if (schedule_.every_step()) {
      emit(step_, work_);
    } else {
      while (!schedule_.done() && direction_ * (schedule_.next() - options_.start) <= 0) {
        if (!emit(step_, work_)) break;
        schedule_.advance();
      }
    }
    return report_.outcome == Outcome::finished;
  }

  typename Observer<S, W>::State state() const {
    return {step_.t(), step_.q(), step_.v(), step_.a(), step_.lambda()};
  }

  void advance() {
    step_.expand();
    double h = step_.proposed_step();
    if (std::isnan(h))
      return stop("the series has coefficients that are not finite: the motion is singular here");
    if (options_.max_step > 0) h = std::min(h, options_.max_step);
    const bool last = h >= remaining() * (1 - 1e-12);
    if (last) h = remaining();
    const S wanted = last ? S(S(end_) - clock_.high - clock_.low) : S(direction_ * h);
    const S taken = take_step(wanted);
    if (report_.outcome != Outcome::finished) return;
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
        stop(was_singular ? singular_reason() : shrunk_reason());
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
      ++report_.rejected;
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
    ++report_.steps;
    work_tau_ = S(0);
    const double size = std::abs(as_double(h));
    report_.smallest_step = report_.steps == 1 ? size : std::min(report_.smallest_step, size);
    report_.largest_step = std::max(report_.largest_step, size);
    report_.lowest_order = report_.steps == 1 ? step_.order() : std::min(report_.lowest_order, step_.order());
    report_.highest_order = std::max(report_.highest_order, step_.order());
    sample_within(h);
    add_work(h);
    clock_.add(h);
    note_step_end();
    if (report_.outcome == Outcome::finished) sample_end();
    if (options_.max_steps > 0 && report_.steps >= options_.max_steps && remaining() > 0) {
      stop(fmt::format("the limit of {} steps is reached", options_.max_steps));
    }
    constexpr std::size_t between = 64;
    if (options_.progress && report_.steps % between == 0) {
      const double t = as_double(clock_.high);
      if (!options_.progress({t, (t - options_.start) / options_.duration, report_.steps})) {
        report_.outcome = Outcome::interrupted;
        report_.reason = "interrupted";
      }
    }
  }

  // The work of the forces from where it was last known within this step to τ.
  void add_work(const S& tau) {
    if (!system_.energy().conservative) work_ += observer_.work(step_.polynomials(), work_tau_, tau);
    work_tau_ = tau;
  }

  // Samples strictly inside the step, from its polynomials, projected onto the constraints.
  void sample_within(const S& h) {
    while (!schedule_.every_step() && !schedule_.done() && report_.outcome == Outcome::finished) {
      const S tau = S(S(schedule_.next()) - clock_.high) - clock_.low;
      if (direction_ * as_double(tau - h) >= 0) return;
      step_.polynomials().eval_q(tau, q_);
      step_.polynomials().eval_v(tau, v_);
      if (!sampler_.set_state(S(schedule_.next()), q_, v_, 1)) return stop(singular_reason());
      add_work(tau);
      emit(sampler_, work_);
      schedule_.advance();
    }
  }

  void sample_end() {
    if (schedule_.every_step()) {
      emit(step_, work_);
      return;
    }
    while (!schedule_.done() && direction_ * (schedule_.next() - as_double(clock_.high)) <= 0) {
      if (!emit(step_, work_)) return;
      schedule_.advance();
    }
  }

  // The state where a run stopped is a sample too.
  void sample_last() {
    if (report_.steps > 0 && report_.outcome == Outcome::stopped_early) emit(sampler_at_clock(), work_);
  }
  Step& sampler_at_clock() {
    sampler_.set_state(clock_.high, last_q_, last_v_, 1);
    return sampler_;
  }

  bool emit(const Step& at, const S& work) {
    observer_.eval({at.t(), at.q(), at.v(), at.a(), at.lambda()});
    note_residuals(at);
    note_energy(observer_.energy, work);
    ++report_.samples;
    const Sample<S> sample{at.t(),
                           at.q(),
                           at.v(),
                           at.a(),
                           at.lambda(),
                           observer_.outputs,
                           g_,
                           gv_,
                           observer_.kinetic,
                           observer_.potential,
                           observer_.energy,
                           work};
    if (sink_ && !sink_(sample)) {
      report_.outcome = Outcome::interrupted;
      report_.reason = "interrupted";
      return false;
    }
    return true;
  }

  // From the independent constraints to all of them.
  void spread_residuals(const Step& at) {
    for (std::size_t row = 0; row < active_.size(); ++row) {
      if (active_[row] < system_.holonomic()) g_[active_[row]] = at.position_residual()[row];
      gv_[active_[row]] = at.velocity_residual()[row];
    }
  }

  void note_residuals(const Step& at) {
    report_.max_position_residual = std::max(report_.max_position_residual, largest(at.position_residual()));
    report_.max_velocity_residual = std::max(report_.max_velocity_residual, largest(at.velocity_residual()));
  }

  void note_energy(const S& energy, const S& work) {
    report_.end_energy = as_double(energy);
    report_.energy_scale = std::max(report_.energy_scale, as_double(observer_.energy_scale));
    report_.max_energy_error =
        std::max(report_.max_energy_error, std::abs(as_double(S(energy - start_energy_ - work))));
  }

  void note_step_end() {
    note_residuals(step_);
    note_energy(observer_.eval_energy(state()), work_);
    last_q_.assign(step_.q().begin(), step_.q().end());
    last_v_.assign(step_.v().begin(), step_.v().end());
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

  void stop(const std::string& reason) {
    report_.outcome = Outcome::stopped_early;
    report_.reason = reason;
  }

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
  const SampleSink<S>& sink_;
  Schedule schedule_;
  Step step_;
  Step sampler_;
  Observer<S, W> observer_;
  SwitchWatch<S, W> watch_;
  std::vector<S> q_, v_, last_q_, last_v_;
  const std::vector<std::size_t>& active_;
  std::vector<S> g_, gv_;
  double end_;
  double direction_;
  Clock<S> clock_;
  S work_;
  S work_tau_;
  S start_energy_;
  RunReport report_;
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
