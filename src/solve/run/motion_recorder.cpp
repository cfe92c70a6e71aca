#include "run/motion_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include <dalembert/solve/path_watch.hpp>

#include "events/event_watch.hpp"
#include "series/as_double.hpp"

namespace dalembert {
namespace {

template <class S>
double largest(std::span<const S> values) {
  double result = 0;
  for (const S& value : values) {
    const double size = std::abs(as_double(value));
    if (!(size <= result)) result = size;  // what is not a number counts as largest
  }
  return result;
}

std::span<const double> in_doubles(std::span<const double> values, std::vector<double>&) { return values; }
std::span<const double> in_doubles(std::span<const Real> values, std::vector<double>& result) {
  result.resize(values.size());
  std::transform(values.begin(), values.end(), result.begin(), [](const Real& x) { return as_double(x); });
  return result;
}

void raise(double& largest, double value) {
  if (!(value <= largest)) largest = value;
}

}  // namespace

template <class S>
MotionRecorder<S>::MotionRecorder(const Problem& problem, const SolveOptions& options,
                                  const SampleSink<S>& sink, MotionStepper<S>& stepper)
    : Recorder<S>(options, options.method),
      problem_(problem),
      options_(options),
      sink_(sink),
      stepper_(stepper),
      observer_(problem.system, stepper.quadrature_points()),
      energy_watch_(options),
      system_(&problem.system),
      residuals_(problem.system),
      multipliers_(problem.system, problem.active),
      work_(0),
      reached_(options.start) {
  if (problem.active.size() < problem.system.m()) {
    is_redundant_.assign(problem.system.m(), true);
    for (const std::size_t j : problem.active) is_redundant_[j] = false;
  }
  ErrorScale scale(problem.start, options.duration);
  scale.raise(problem.least_q, problem.least_v);
  size_q_ = scale.size_q();
  size_v_ = scale.size_v();
  if (!options.energies && !problem.system.energy().conservative)
    work_ = S(std::numeric_limits<double>::quiet_NaN());
  if (options.dense_output != nullptr && options.method != "adomian")
    curves_ = std::make_unique<StepCurves>(problem, *options.dense_output);
  if (options.estimate_error) error_growth_ = std::make_unique<ErrorGrowth>(problem, options);
  report.warnings = problem.notes;
  report.not_unique = problem.not_unique;
  report.conservative = problem.system.energy().conservative;
}

template <class S>
MotionRecorder<S>::~MotionRecorder() = default;

template <class S>
void MotionRecorder<S>::start() {
  const std::optional<State> state = end_state();
  if (!state) return this->stop(stepper_.reason);
  begin_path(as_double(stepper_.t()));
  stepper_.hold_signs(state->t, observer_);
  note_end_residuals(*state);
  if (options_.energies) {
    observer_.eval_energy(*state);
    report.start_energy = as_double(observer_.total);
    energy_watch_.start(energies());
  }
  if (error_growth_) {
    error_growth_->start(as_double(state->t), in_doubles(state->q, state_q_), in_doubles(state->v, state_v_));
  }
  start_curves(*state);
  if (options_.energies) note_energy(*state);
  emit_due(*state);
}

template <class S>
void MotionRecorder<S>::start_curves(const State& state) {
  if (!curves_) return;
  curves_->start(as_double(state.t), in_doubles(state.q, state_q_), in_doubles(state.v, state_v_));
}

// The steps to come are of this system.
template <class S>
void MotionRecorder<S>::begin_path(double t) {
  if (options_.path_watch == nullptr) return;
  options_.path_watch->enter(*system_);
  path_end_ = t;
}

// Up to the end of the last step, or to where an event cuts it.
template <class S>
void MotionRecorder<S>::follow_path(const State& end) {
  if constexpr (std::is_same_v<S, double>) {
    if (options_.path_watch == nullptr || end.t == path_end_) return;
    State last = end;
    last.lambda = multipliers_.eval(end.t, end.q, end.lambda);
    // of redundant constraints the polynomials have other multipliers than samples
    const bool holds = is_redundant_.empty() || !options_.path_watch->wants_accelerations();
    options_.path_watch->add(
        {path_end_, end.t, holds ? stepper_.polynomials() : nullptr, last, [this](double t) {
           std::optional<State> state = stepper_.at(t, Detail::all);
           if (state) state->lambda = multipliers_.eval(state->t, state->q, state->lambda);
           return state;
         }});
    path_end_ = end.t;
  }
}

template <class S>
void MotionRecorder<S>::begin_run() {
  if constexpr (std::is_same_v<S, double>) {
    if (problem_.events != nullptr && problem_.events->before()) return resume(*problem_.events->before());
    if (problem_.events != nullptr) schedule = problem_.events->schedule();
  }
  start();
}

template <class S>
void MotionRecorder<S>::resume(const RunProgress<S>& progress) {
  go_on_from(progress);
  before_ = progress.report;
  const std::optional<State> state = end_state();
  if (!state) return this->stop(stepper_.reason);
  stepper_.hold_signs(state->t, observer_);
  if (error_growth_ && progress.errors) {
    error_growth_->go_on(as_double(state->t), in_doubles(state->q, state_q_), in_doubles(state->v, state_v_),
                         *progress.errors);
  }
  note_end_residuals(*state);
  start_curves(*state);
  if (options_.energies) {
    const S change = observer_.eval_energy(*state) - S(report.end_energy);
    work_ += change;
    report.event_energy += as_double(change);
    note_energy(*state);
  }
  emit_due(*state);
}

// Counters of the stepper are those of the part of a run that it has taken.
template <class S>
void MotionRecorder<S>::tell() {
  stepper_.tell(report);
  report.rejected += before_.rejected;
  report.evaluations += before_.evaluations;
  report.factorizations += before_.factorizations;
  report.iterations += before_.iterations;
  report.singular_times.insert(report.singular_times.begin(), before_.singular_times.begin(),
                               before_.singular_times.end());
}

template <class S>
std::optional<S> MotionRecorder<S>::find_cut() {
  if constexpr (std::is_same_v<S, double>) {
    if (problem_.events != nullptr) return problem_.events->look(stepper_);
  }
  return std::nullopt;
}

template <class S>
S MotionRecorder<S>::limit() const {
  const S end = schedule.template end<S>();
  if constexpr (std::is_same_v<S, double>) {
    if (problem_.events != nullptr) {
      const double way = this->direction();
      return way * std::min(way * end, way * problem_.events->limit());
    }
  }
  return end;
}

template <class S>
void MotionRecorder<S>::finish_at(const S& t) {
  if constexpr (std::is_same_v<S, double>) {
    add_work(t);
    std::optional<State> state = stepper_.at(t, Detail::all);
    if (!state) return this->stop(stepper_.reason);
    follow_path(*state);
    state = stepper_.at(t, Detail::all);
    stepper_.hold_signs(t, observer_);
    tell();
    const auto [length, order] = stepper_.size();
    this->count_step(length, order);
    note_residuals(*state);
    report.end_time = reached_ = t;
    if (options_.energies) {
      note_energy(*state);
      energy_watch_.end_step(energies(), work_, length, [&](double h) {
        if (!gradients_) gradients_.emplace(problem_, options_);
        return gradients_->eval(observer_, *state, h);
      });
    }
    follow_errors(*state);
    const bool is_last =
        problem_.events->stops() || this->direction() * (t - schedule.template end<double>()) >= 0;
    if (schedule.every_step() || is_last) emit(*state);
    this->check_limits(t);
    RunProgress<double> progress{report, schedule, work_, energy_watch_, std::nullopt};
    if (error_growth_) {
      error_growth_->finish();
      progress.errors = error_growth_->memory();
    }
    problem_.events->keep(*state, std::move(progress));
  }
}

template <class S>
void MotionRecorder<S>::go_on_from(const RunProgress<S>& progress) {
  report = progress.report;
  report.outcome = Outcome::finished;
  report.reason.clear();
  report.conservative = report.conservative && system_->energy().conservative;
  schedule = progress.schedule;
  work_ = progress.work;
  energy_watch_ = progress.energy;
  reached_ = report.end_time;
  begin_path(reached_);
}

template <class S>
void MotionRecorder<S>::sample() {
  const S t = schedule.template next<S>();
  add_work(t);
  const std::optional<State> state = stepper_.at(t, Detail::all);
  if (!state) return this->stop(stepper_.reason);
  stepper_.hold_signs(t, observer_);
  emit(*state);
  schedule.advance();
}

template <class S>
void MotionRecorder<S>::end_step() {
  const S t = stepper_.t();
  add_work(t);
  std::optional<State> state = end_state();
  if (state && options_.path_watch != nullptr) {
    follow_path(*state);
    state = end_state();  // it asks for others
  } else if (!state) {
    this->stop(stepper_.reason);
    state = stepper_.at(t, Detail::motion);
  }
  stepper_.hold_signs(t, observer_);
  if (options_.progress) tell();
  note_end_residuals(*state);
  end_step(*state);
}

template <class S>
void MotionRecorder<S>::sample_last() {
  if (const std::optional<State> state = stepper_.at(stepper_.t(), Detail::all)) emit(*state);
}

template <class S>
void MotionRecorder<S>::end_step(const State& state) {
  const auto [length, order] = stepper_.size();
  reached_ = as_double(state.t);
  this->count_step(length, order);
  if (options_.energies) {
    note_energy(state);
    energy_watch_.end_step(energies(), work_, length, [&](double h) {
      if (!gradients_) gradients_.emplace(problem_, options_);
      return gradients_->eval(observer_, state, h);
    });
  }
  follow_errors(state);
  if (curves_) {
    curves_->end_step(
        reached_, in_doubles(state.q, state_q_), in_doubles(state.v, state_v_),
        [this](double t, std::span<double> q, std::span<double> v) { stepper_.eval_curve(t, q, v); });
  }
  const double residual = std::max(report.max_position_residual, report.max_velocity_residual);
  if (!(residual <= 2 * looked_at_most_)) {
    looked_at_most_ = residual;
    note_residuals(state);
  }
  emit_due(state);
  check_redundant(state);
  this->check_limits(reached_);
}

template <class S>
void MotionRecorder<S>::follow_errors(const State& end) {
  if (!error_growth_) return;
  const StepCurve curve = [this](double t, std::span<double> q, std::span<double> v) {
    stepper_.eval_curve(t, q, v);
  };
  error_growth_->end_step({as_double(end.t), in_doubles(end.q, state_q_), in_doubles(end.v, state_v_),
                           energy_watch_.last_change(), energy_watch_.kinetic_share(), curve});
}

// a and λ are needed where a sample is due, and for functions of them.
template <class S>
auto MotionRecorder<S>::end_state() -> std::optional<State> {
  const S t = stepper_.t();
  const bool all = this->due_at(t) || schedule.every_step() || options_.path_watch != nullptr;
  return stepper_.at(t, all ? Detail::all : Detail::motion);
}

template <class S>
void MotionRecorder<S>::emit_due(const State& state) {
  if (this->running() && schedule.every_step()) emit(state);
  while (this->due_at(state.t)) {
    emit(state);
    schedule.advance();
  }
}

template <class S>
void MotionRecorder<S>::add_work(const S& to) {
  if (options_.energies && !system_->energy().conservative) work_ += stepper_.work_to(to, observer_);
}

template <class S>
void MotionRecorder<S>::note_end_residuals(const State& state) {
  const auto known = stepper_.residuals();
  known ? note_residuals(known->g, known->gv) : note_residuals(state);
}

// The first constraint from `first` on that the method does not keep and whose residual is large beside those
// of the constraints that it keeps.
template <class S>
std::optional<std::size_t> MotionRecorder<S>::find_contradiction(const std::vector<S>& residuals,
                                                                 std::size_t first) const {
  constexpr double share = 1e-6;
  double drift = 0;
  for (std::size_t j = 0; j < residuals.size(); ++j) {
    const double size = std::abs(as_double(residuals[j]));
    if (!is_redundant_[j] && size > drift * residual_scales_[j]) drift = size / residual_scales_[j];
  }
  for (std::size_t j = first; j < residuals.size(); ++j) {
    const double size = std::abs(as_double(residuals[j]));
    if (is_redundant_[j] && size > (share + 1e3 * drift) * residual_scales_[j]) return j;
  }
  return std::nullopt;
}

// A constraint that followed from the others at the start may not do so for ever.
template <class S>
void MotionRecorder<S>::check_redundant(const State& state) {
  if (is_redundant_.empty() || !this->running()) return;
  note_residuals(state);
  residuals_.eval_scales(state.q, residual_scales_);
  std::optional<std::size_t> found = find_contradiction(residuals_.g, 0);
  double size = found ? as_double(residuals_.g[*found]) : 0;
  if (!found) {
    raise(fastest_, largest(state.v));
    residuals_.eval_velocity_scales(state.v, fastest_, residual_scales_);
    found = find_contradiction(residuals_.gv, residuals_.g.size());
    size = found ? as_double(residuals_.gv[*found]) : 0;
  }
  if (!found) return;
  this->stop(
      fmt::format("constraint '{}' followed from the others at the start and contradicts them here: it is "
                  "off by {:.1e}",
                  system_->constraint_name(*found), std::abs(size)));
}

template <class S>
void MotionRecorder<S>::note_residuals(std::span<const S> g, std::span<const S> gv) {
  raise(report.max_position_residual, largest(g));
  raise(report.max_velocity_residual, largest(gv));
}

template <class S>
void MotionRecorder<S>::note_residuals(const State& state) {
  residuals_.eval(state.t, state.q, state.v);
  note_residuals(residuals_.g, residuals_.gv);
  look_at_residuals(state);
}

// Whether a residual that was evaluated last is twice what it was when it was compared with its terms.
template <class S>
bool MotionRecorder<S>::has_doubled() {
  looked_at_.resize(residuals_.g.size() + residuals_.gv.size());
  bool result = false;
  const auto look = [&](const std::vector<S>& values, double* before) {
    for (const S& value : values) {
      const double size = std::abs(as_double(value));
      if (!(size <= 2 * *before)) {
        *before = size;
        result = true;
      }
      ++before;
    }
  };
  look(residuals_.g, looked_at_.data());
  look(residuals_.gv, looked_at_.data() + residuals_.g.size());
  return result;
}

template <class S>
void MotionRecorder<S>::look_at_residuals(const State& state) {
  if (!has_doubled()) return;
  raise(size_v_, largest(state.v));
  const auto relative = residuals_.relative(state.q, state.v, size_q_, size_v_);
  raise(report.relative_position_residual, relative.position);
  raise(report.relative_velocity_residual, relative.velocity);
}

template <class S>
auto MotionRecorder<S>::energies() const -> typename EnergyWatch<S>::Energies {
  return {observer_.total, observer_.moving, as_double(observer_.energy_scale)};
}

template <class S>
void MotionRecorder<S>::note_energy(const State& state) {
  const S energy = observer_.eval_energy(state);
  report.end_energy = as_double(energy);
  report.energy_scale = std::max(report.energy_scale, as_double(observer_.energy_scale));
  raise(report.max_energy_error, std::abs(as_double(S(energy - energy_watch_.start_energy() - work_))));
}

template <class S>
void MotionRecorder<S>::emit(const State& at) {
  State state = at;
  state.lambda = multipliers_.eval(at.t, at.q, at.lambda);
  observer_.eval(state);
  if (options_.energies) note_energy(state);
  note_residuals(state);
  reached_ = as_double(state.t);
  ++report.samples;
  const Sample<S> sample{
      state.t,           state.q,      state.v,       state.a,           state.lambda,
      observer_.outputs, residuals_.g, residuals_.gv, observer_.kinetic, observer_.potential,
      observer_.energy,  work_};
  if (sink_ && !sink_(sample)) this->interrupt();
}

template <class S>
RunReport MotionRecorder<S>::finish() {
  tell();
  for (const std::string& note : stepper_.notes()) {
    if (std::ranges::find(report.warnings, note) == report.warnings.end()) report.warnings.push_back(note);
  }
  report.work = as_double(work_);
  report.explained_energy_error = energy_watch_.explained();
  if (error_growth_) {
    error_growth_->finish();
    // numbers of a run in doubles have no more digits than those, however small its errors are, nor than the
    // constraints that they meet
    report.end_error = std::max({error_growth_->error(), std::numeric_limits<double>::epsilon(),
                                 report.relative_position_residual, report.relative_velocity_residual});
    report.error_growth = error_growth_->growth();
  }
  return RunLog::finish(reached_);
}

template class MotionRecorder<double>;
template class MotionRecorder<Real>;

}  // namespace dalembert
