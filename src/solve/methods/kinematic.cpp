#include "methods/kinematic.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/tape/series.hpp>

#include "run/driver.hpp"
#include "runge_kutta/ode.hpp"
#include "runge_kutta/runge_kutta.hpp"

namespace dalembert {
namespace {

// q' = c [f_q C] + f_q⁺ (K f − f_t); without stabilization K is left out.
class KinematicOde : public Ode {
 public:
  KinematicOde(const KinematicSystem& system, Stabilization stabilization, const SolveOptions& options)
      : stabilization_(stabilization),
        at_(system, options.start, options.duration < 0),
        change_(system.n()) {}

  /// Inputs go on with another piece.
  void follow_inputs(double t, bool before) { at_.follow_inputs(t, before); }

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
    // Newton's method converges from a step's end in a few, or not
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

class KinematicStepper : public Stepper<double> {
 public:
  KinematicStepper(const KinematicSystem& system, KinematicOde& ode, const SolveOptions& options,
                   std::span<const double> q)
      : system_(system),
        ode_(ode),
        solver_(find_runge_kutta(options.method), ode, std::vector<std::size_t>(q.size(), 0),
                settings(options)),
        q_(q.begin(), q.end()),
        begin_(options.start),
        is_backward_(options.duration < 0),
        pieces_of_(options.start),
        knot_(system.next_knot(options.start, is_backward_)) {
    solver_.start(options.start, q_, is_backward_ ? -1 : 1);
  }

  // Steps end at the knots of inputs, and others begin there.
  bool step(const double& limit) override {
    begin_ = solver_.t();
    if (begin_ == knot_) {
      ode_.follow_inputs(begin_, is_backward_);
      pieces_of_ = begin_;
      knot_ = system_.next_knot(begin_, is_backward_);
      std::ranges::copy(solver_.y(), q_.begin());
      solver_.start(begin_, q_, is_backward_ ? -1 : 1);
    }
    if (solver_.step(is_backward_ ? std::max(limit, knot_) : std::min(limit, knot_))) return true;
    reason = solver_.reason;
    return false;
  }
  double t() const override { return solver_.t(); }

  /// Within the last step or at its end, on the constraints as steps are. Empty: `reason` tells why not.
  std::span<const double> at(double t) {
    if (t == solver_.t()) return solver_.y();
    if (solver_.eval(t, q_) && ode_.finish_step(t, q_) != Ode::Finish::failed) return q_;
    reason = ode_.reason;
    return {};
  }
  const RungeKutta& solver() const { return solver_; }
  bool is_backward() const { return is_backward_; }
  /// The time behind (backwards: before) which inputs are what they are in the last step.
  double pieces_of() const { return pieces_of_; }
  double length() const { return std::abs(solver_.t() - begin_); }  ///< of the last step

 private:
  static RungeKutta::Settings settings(const SolveOptions& options) {
    const bool adaptive = find_runge_kutta(options.method).error_order > 0;
    return {adaptive ? options.tolerance : 0, adaptive ? 0 : options.step, options.max_step};
  }

  const KinematicSystem& system_;
  KinematicOde& ode_;
  RungeKutta solver_;
  std::vector<double> q_;
  double begin_;
  bool is_backward_;
  double pieces_of_;
  double knot_;  // the next one
};

class KinematicRecorder : public Recorder<double> {
 public:
  KinematicRecorder(const KinematicSystem& system, const SolveOptions& options,
                    const SampleSink<double>& sink, KinematicOde& ode, KinematicStepper& stepper)
      : Recorder<double>(options, options.method),
        system_(system),
        sink_(sink),
        ode_(ode),
        stepper_(stepper),
        outputs_program_(system.outputs(),
                         evaluate_constants<double>(
                             system.outputs(), system.parameter_values(options.start, options.duration < 0)),
                         0),
        pieces_of_(options.start),
        v_(system.n()),
        f_(system.m()),
        outputs_(system.model().outputs.size()) {}

  void start() override {
    note_residual(stepper_.t(), stepper_.at(stepper_.t()));
    emit_due();
  }
  void sample() override {
    const double t = schedule.next();
    const std::span<const double> q = stepper_.at(t);
    if (q.empty()) return stop(stepper_.reason);
    emit(t, q);
    schedule.advance();
  }
  void end_step() override {
    report.rejected = stepper_.solver().rejected;
    report.evaluations = stepper_.solver().evaluations;
    note_residual(stepper_.t(), stepper_.at(stepper_.t()));
    count_step(stepper_.length(), stepper_.solver().order());
    emit_due();
    check_limits(stepper_.t());
  }
  void sample_last() override { emit(stepper_.t(), stepper_.at(stepper_.t())); }
  RunReport finish() {
    report.rejected = stepper_.solver().rejected;
    report.evaluations = stepper_.solver().evaluations;
    return RunLog::finish(stepper_.t());
  }

 private:
  void emit_due() {
    const double t = stepper_.t();
    if (running() && schedule.every_step()) emit(t, stepper_.at(t));
    while (due_at(t)) {
      emit(t, stepper_.at(t));
      schedule.advance();
    }
  }

  void note_residual(double t, std::span<const double> q) {
    const Eigen::VectorXd& f = ode_.eval_residual(t, q);
    for (std::size_t j = 0; j < f_.size(); ++j) {
      f_[j] = f[static_cast<Eigen::Index>(j)];
      report.max_position_residual = std::max(report.max_position_residual, std::abs(f_[j]));
    }
  }

  void emit(double t, std::span<const double> q) {
    note_residual(t, q);
    if (!ode_.eval(t, q, v_)) return stop(ode_.reason);
    const Eigen::VectorXd gv = ode_.velocity_residual(v_);
    eval_outputs(t, q);
    ++report.samples;
    const Sample<double> sample{t, q, v_, {}, {}, outputs_, f_, {gv.data(), f_.size()}, 0, 0, 0, 0};
    if (sink_ && !sink_(sample)) interrupt();
  }

  void eval_outputs(double t, std::span<const double> q) {
    if (pieces_of_ != stepper_.pieces_of()) {
      pieces_of_ = stepper_.pieces_of();
      const auto values = system_.parameter_values(pieces_of_, stepper_.is_backward());
      outputs_program_.set_constants(evaluate_constants<double>(system_.outputs(), values));
    }
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
  KinematicOde& ode_;
  KinematicStepper& stepper_;
  Series<double> outputs_program_;
  double pieces_of_;  // the time whose pieces of inputs its constants are
  std::vector<double> v_, f_, outputs_;
};

}  // namespace

RunReport run_kinematic(const KinematicSystem& system, const SolveOptions& options,
                        const SampleSink<double>& sink) {
  if (options.stabilization == Stabilization::baumgarte) {
    throw Error(
        "Baumgarte's stabilization is of equations of motion; kinematic systems have linear, projection and "
        "none");
  }
  refuse_outside_of_inputs(system.model(), options);
  KinematicOde ode(system, options.stabilization.value_or(Stabilization::linear), options);
  KinematicStepper stepper(system, ode, options, system.given_positions());
  KinematicRecorder recorder(system, options, sink, ode, stepper);
  recorder.start();
  drive(stepper, recorder);
  return recorder.finish();
}

}  // namespace dalembert
