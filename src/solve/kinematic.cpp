#include "kinematic.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/tape/series.hpp>

#include "ode.hpp"
#include "run_log.hpp"
#include "runge_kutta.hpp"

namespace dalembert {
namespace {

// q' = c [f_q C] + f_q⁺ (K f − f_t); without stabilization K is left out.
class KinematicOde : public Ode {
 public:
  KinematicOde(const KinematicSystem& system, Stabilization stabilization)
      : stabilization_(stabilization), at_(system), change_(system.n()) {}

  bool eval(double t, std::span<const double> q, std::span<double> velocity) override {
    at_.eval(t, q);
    if (at_.eval_velocity(stabilization_ == Stabilization::linear, velocity)) return true;
    reason = "the constraints become dependent here (f_q loses rank)";
    return false;
  }

  // Newton's method with the pseudo-inverse: along the normals of the constraints.
  Finish finish_step(double t, std::span<double> q) override {
    if (stabilization_ != Stabilization::projection) return Finish::kept;
    constexpr double enough = 1e-8;  // the next change would be below round-off
    constexpr int most_iterations = 10;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      at_.eval(t, q);
      if (!at_.eval_correction(change_)) break;
      double size = 0;
      double largest = 0;
      for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] += change_[i];
        size = std::max(size, std::abs(q[i]));
        largest = std::max(largest, std::abs(change_[i]));
      }
      if (largest <= enough * size) return Finish::moved;
    }
    reason = "the projection onto the constraints does not converge; a shorter step may help";
    return Finish::failed;
  }

  /// f there.
  const Eigen::VectorXd& eval_residual(double t, std::span<const double> q) {
    at_.eval(t, q);
    return at_.f;
  }
  /// f_q v + f_t where the velocity v was evaluated last.
  Eigen::VectorXd velocity_residual(std::span<const double> v) const {
    return at_.f_q * Eigen::Map<const Eigen::VectorXd>(v.data(), at_.f_q.cols()) + at_.f_t;
  }

 private:
  Stabilization stabilization_;
  KinematicEvaluation at_;
  std::vector<double> change_;
};

class KinematicRun {
 public:
  KinematicRun(const KinematicSystem& system, const SolveOptions& options, const SampleSink<double>& sink)
      : system_(system),
        sink_(sink),
        log_(options, options.method),
        ode_(system, options.stabilization.value_or(Stabilization::linear)),
        solver_(find_runge_kutta(options.method), ode_, std::vector<std::size_t>(system.n(), 0),
                settings(options)),
        outputs_program_(system.outputs(),
                         evaluate_constants<double>(system.outputs(), system.parameter_values()), 0),
        q_(system.given_positions()),
        v_(system.n()),
        f_(system.m()),
        outputs_(system.model().outputs.size()) {
    solver_.start(options.start, q_, log_.direction());
  }

  RunReport run() {
    note_residual(solver_.t(), solver_.y());
    if (log_.schedule.every_step()) emit(solver_.t(), solver_.y());
    while (log_.due_at(solver_.t())) sample(solver_.t(), solver_.y());
    while (log_.running() && log_.remaining(solver_.t()) > 0) advance();
    if (log_.wants_last() && log_.report.steps > 0) emit(solver_.t(), solver_.y());
    return log_.finish(solver_.t());
  }

 private:
  static RungeKutta::Settings settings(const SolveOptions& options) {
    const bool adaptive = find_runge_kutta(options.method).error_order > 0;
    return {adaptive ? options.tolerance : 0, adaptive ? 0 : options.step, options.max_step};
  }

  void advance() {
    const double begin = solver_.t();
    const bool good = solver_.step(log_.end());
    log_.report.rejected = solver_.rejected;
    log_.report.evaluations = solver_.evaluations;
    if (!good) return log_.stop(solver_.reason);
    while (log_.due_before(solver_.t())) {
      const double t = log_.schedule.next();
      if (!solver_.eval(t, q_) || ode_.finish_step(t, q_) == Ode::Finish::failed)
        return log_.stop(ode_.reason);
      sample(t, q_);
    }
    note_residual(solver_.t(), solver_.y());
    log_.count_step(std::abs(solver_.t() - begin), solver_.order());
    if (log_.running() && log_.schedule.every_step()) emit(solver_.t(), solver_.y());
    while (log_.due_at(solver_.t())) sample(solver_.t(), solver_.y());
    log_.check_limits(solver_.t());
  }

  void note_residual(double t, std::span<const double> q) {
    const Eigen::VectorXd& f = ode_.eval_residual(t, q);
    for (std::size_t j = 0; j < f_.size(); ++j) {
      f_[j] = f[static_cast<Eigen::Index>(j)];
      log_.report.max_position_residual = std::max(log_.report.max_position_residual, std::abs(f_[j]));
    }
  }

  void sample(double t, std::span<const double> q) {
    emit(t, q);
    log_.schedule.advance();
  }

  void emit(double t, std::span<const double> q) {
    note_residual(t, q);
    if (!ode_.eval(t, q, v_)) return log_.stop(ode_.reason);
    const Eigen::VectorXd gv = ode_.velocity_residual(v_);
    eval_outputs(t, q);
    ++log_.report.samples;
    const Sample<double> sample{t, q, v_, {}, {}, outputs_, f_, {gv.data(), f_.size()}, 0, 0, 0, 0};
    if (sink_ && !sink_(sample)) log_.interrupt();
  }

  void eval_outputs(double t, std::span<const double> q) {
    const std::vector<Register>& inputs = outputs_program_.program().inputs;
    outputs_program_.set(inputs[0], 0, t);
    for (std::size_t i = 0; i < q.size(); ++i) {
      outputs_program_.set(inputs[1 + i], 0, q[i]);
      outputs_program_.set(inputs[1 + q.size() + i], 0, v_[i]);
    }
    for (const Stage stage : {Stage::position, Stage::velocity}) outputs_program_.run(stage, 0);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      outputs_[i] = outputs_program_.output(system_.outputs().outputs[i], 0);
    }
  }

  const KinematicSystem& system_;
  const SampleSink<double>& sink_;
  RunLog log_;
  KinematicOde ode_;
  RungeKutta solver_;
  Series<double, native_lanes> outputs_program_;
  std::vector<double> q_, v_, f_, outputs_;
};

}  // namespace

RunReport run_kinematic(const KinematicSystem& system, const SolveOptions& options,
                        const SampleSink<double>& sink) {
  if (options.stabilization == Stabilization::baumgarte) {
    throw Error(
        "Baumgarte's stabilization is of equations of motion; kinematic systems have linear, projection and "
        "none");
  }
  return KinematicRun(system, options, sink).run();
}

}  // namespace dalembert
