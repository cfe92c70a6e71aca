// What is recorded of trajectories in lanes: the same as of one, with energies and outputs evaluated for all
// lanes at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/observer.hpp>
#include <dalembert/solve/path_watch.hpp>

#include "batch/lanes_stepper.hpp"
#include "run/constraint_residuals.hpp"
#include "run/driver.hpp"
#include "run/energy_watch.hpp"
#include "run/motion_recorder.hpp"
#include "series/as_double.hpp"

namespace dalembert {

/// A case with all that it needs to run alone.
struct Trajectory {
  std::size_t number;
  std::unique_ptr<const System> own;  ///< with parameters of its own; none: the model's
  std::unique_ptr<Problem> problem;
};

template <class S>
class LanesRecorder : public Recorder<double> {
 public:
  static constexpr std::size_t lanes = LaneMath<S>::lanes;
  using State = typename Observer<S>::State;

  /// Trajectories, as many as there are lanes or fewer; the lanes that are left are not looked at.
  LanesRecorder(const Problem& problem, const SolveOptions& options, const BatchSink& sink,
                LanesStepper<S>& stepper, std::span<const ParameterValues> parameters)
      : Recorder<double>(options, options.method),
        options_(options),
        sink_(sink),
        stepper_(stepper),
        observer_(problem.system, work_points(options), parameters),
        system_(&problem.system),
        is_conservative_(problem.system.energy().conservative) {
    if (options.path_watch != nullptr) options.path_watch->set_parameters<S>(*system_, parameters);
  }

  /// Other values of the parameters, for the next run.
  void set_parameters(std::span<const ParameterValues> parameters) {
    observer_.set_parameters(parameters);
    if (options_.path_watch != nullptr) options_.path_watch->set_parameters<S>(*system_, parameters);
  }

  void use_code(const std::shared_ptr<const LanesCode>& code) { observer_.use_code(code); }

  /// Begins a run of these.
  void follow(std::span<Trajectory> trajectories) {
    trajectories_ = trajectories;
    RunLog::begin();
    cases_.clear();
    for (const Trajectory& one : trajectories) {
      cases_.emplace_back(options_);
      RunReport& report = cases_.back().report;
      report.warnings = one.problem->notes;
      report.not_unique = one.problem->not_unique;
      report.conservative = is_conservative_;
      // below rounding errors of coordinates nothing needs to be compared
      constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
      cases_.back().looked_at = rounding * ErrorScale(one.problem->start, options_.duration).size_q();
    }
    const double not_counted = std::numeric_limits<double>::quiet_NaN();
    work_ = in_all_lanes<S>(options_.energies || is_conservative_ ? 0 : not_counted);
    rejected_before_ = stepper_.rejected();
    if (options_.path_watch == nullptr) return;
    std::vector<std::size_t> numbers;
    for (const Trajectory& one : trajectories) numbers.push_back(one.number);
    options_.path_watch->follow_lanes(numbers);
  }

  void start() override {
    const State state = stepper_.at(stepper_.t());
    if (options_.energies) {
      observer_.eval_energy(state);
      for (std::size_t i = 0; i < cases_.size(); ++i) {
        cases_[i].energy.start(energies(i));
        cases_[i].report.start_energy = lane(observer_.total, i);
      }
    }
    note(state);
    emit_due(state);
  }
  void sample() override {
    const double t = schedule.next();
    add_work(t);
    emit(stepper_.at(t));
    schedule.advance();
  }
  void end_step() override {
    const double t = stepper_.t();
    add_work(t);
    const State state = stepper_.at(t);
    if (options_.path_watch != nullptr) {
      options_.path_watch->add_lanes<S>({stepper_.step_begin(), t, &stepper_.polynomials(), state,
                                         [this](double at) { return std::optional(stepper_.at(at)); }});
    }
    count_step(stepper_.length(), stepper_.order());
    if (options_.energies) observer_.eval_energy(state);
    for (std::size_t i = 0; options_.energies && i < cases_.size(); ++i) {
      cases_[i].energy.end_step(energies(i), lane(work_, i), stepper_.length(),
                                [&](double h) { return slopes(i, state, h); });
    }
    note(state);
    emit_due(state);
    check_limits(t);
  }
  void sample_last() override {}

  /// What was recorded of case i, at the end or where the lanes part.
  RunProgress<double> progress_of(std::size_t i) {
    RunReport& own = cases_[i].report;
    own.method = report.method;
    own.outcome = report.outcome;
    own.reason = report.reason;
    own.start_time = report.start_time;
    own.end_time = stepper_.t();
    own.steps = report.steps;
    own.rejected = rejected();
    own.lowest_order = report.lowest_order;
    own.highest_order = report.highest_order;
    own.smallest_step = report.smallest_step;
    own.largest_step = report.largest_step;
    own.work = lane(work_, i);
    own.explained_energy_error = cases_[i].energy.explained();
    return {own, schedule, own.work, cases_[i].energy, std::nullopt};
  }
  std::size_t rejected() const { return stepper_.rejected() - rejected_before_; }  ///< in this run

 private:
  struct Case {
    explicit Case(const SolveOptions& options) : energy(options) {}
    RunReport report;
    EnergyWatch<double> energy;
    std::optional<Observer<double>> observer;          // these three are made when they are
    std::optional<EnergyGradients<double>> gradients;  // needed first
    std::optional<ConstraintResiduals<double>> residuals;
    double looked_at = 0;  // the largest residual that was compared with its terms
  };

  EnergyWatch<double>::Energies energies(std::size_t i) const {
    return {lane(observer_.total, i), lane(observer_.moving, i), lane(observer_.energy_scale, i)};
  }

  // Lane i of `from`, kept in `to`.
  static std::span<const double> copy_lane(std::size_t i, std::span<const S> from, std::vector<double>& to) {
    to.clear();
    for (const S& x : from) to.push_back(lane(x, i));
    return to;
  }
  Observer<double>::State state_of(std::size_t i, const State& state) {
    return {lane(state.t, i), copy_lane(i, state.q, q_), copy_lane(i, state.v, v_), copy_lane(i, state.a, a_),
            copy_lane(i, state.lambda, lambda_)};
  }

  EnergySlopes slopes(std::size_t i, const State& state, double h) {
    Case& one = cases_[i];
    const Problem& problem = *trajectories_[i].problem;
    if (!one.observer) one.observer.emplace(problem.system, 0);
    if (!one.gradients) one.gradients.emplace(problem, options_);
    return one.gradients->eval(*one.observer, state_of(i, state), h);
  }

  // Energies, which were evaluated there, and residuals.
  void note(const State& state) {
    const double t = as_double(state.t);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      RunReport& own = cases_[i].report;
      if (options_.energies) note_energy(i);
      for (const S& g : stepper_.position_residual(t)) raise(own.max_position_residual, std::abs(lane(g, i)));
      for (const S& gv : stepper_.velocity_residual(t))
        raise(own.max_velocity_residual, std::abs(lane(gv, i)));
      compare_residuals(i, state);
    }
  }
  void note_energy(std::size_t i) {
    RunReport& own = cases_[i].report;
    own.end_energy = lane(observer_.total, i);
    own.energy_scale = std::max(own.energy_scale, lane(observer_.energy_scale, i));
    raise(own.max_energy_error, std::abs(own.end_energy - cases_[i].energy.start_energy() - lane(work_, i)));
  }
  static void raise(double& largest, double value) {
    if (!(value <= largest)) largest = value;
  }

  // Where residuals have doubled they are compared with their terms.
  void compare_residuals(std::size_t i, const State& state) {
    Case& one = cases_[i];
    const double residual = std::max(one.report.max_position_residual, one.report.max_velocity_residual);
    if (residual <= 2 * one.looked_at) return;
    one.looked_at = residual;
    if (!one.residuals) one.residuals.emplace(trajectories_[i].problem->system);
    const Observer<double>::State at = state_of(i, state);
    one.residuals->eval(at.t, at.q, at.v);
    const ErrorScale scale(trajectories_[i].problem->start, options_.duration);
    const auto relative = one.residuals->relative(at.q, at.v, scale.size_q(), scale.size_v());
    raise(one.report.relative_position_residual, relative.position);
    raise(one.report.relative_velocity_residual, relative.velocity);
  }

  void add_work(double to) {
    if (options_.energies && !is_conservative_) work_ += stepper_.work_to(to, observer_);
  }

  void emit_due(const State& state) {
    const double t = as_double(state.t);
    if (running() && schedule.every_step()) emit(state);
    while (due_at(t)) {
      emit(state);
      schedule.advance();
    }
  }

  void emit(const State& state) {
    if (options_.energies || sink_) observer_.eval(state);
    note(state);
    ++report.samples;
    const double t = as_double(state.t);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      ++cases_[i].report.samples;
      if (!sink_) continue;
      const Observer<double>::State at = state_of(i, state);
      sink_({{at.t, at.q, at.v, at.a, at.lambda, copy_lane(i, observer_.outputs, outputs_),
              copy_lane(i, stepper_.position_residual(t), g_),
              copy_lane(i, stepper_.velocity_residual(t), gv_), lane(observer_.kinetic, i),
              lane(observer_.potential, i), lane(observer_.energy, i), lane(work_, i)},
             trajectories_[i].number});
    }
  }

  const SolveOptions& options_;
  const BatchSink& sink_;
  LanesStepper<S>& stepper_;
  Observer<S> observer_;
  const System* system_;
  bool is_conservative_;
  std::span<Trajectory> trajectories_;
  std::vector<Case> cases_;
  S work_ = LaneMath<S>::of(0);
  std::size_t rejected_before_ = 0;
  std::vector<double> q_, v_, a_, lambda_, outputs_, g_, gv_;
};

}  // namespace dalembert
