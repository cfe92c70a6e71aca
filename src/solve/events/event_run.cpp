#include "events/event_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/evaluate.hpp>

namespace dalembert {

bool has_events(const ModelData& model) { return !model.events.empty() || !model.contacts.empty(); }

RunReport run_with_events(const Problem& problem, const SolveOptions& options,
                          const SampleSink<double>& sink) {
  if (options.duration < 0)
    throw Error("events and contacts are followed forwards in time: the duration must be positive");
  if (options.dense_output != nullptr)
    throw Error("a motion with events or contacts is kept as samples, not as dense output");
  return EventRun(problem, options, sink).run();
}

EventRun::EventRun(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink)
    : model_(problem.system.model()),
      problem_(problem),
      options_(options),
      sink_(sink),
      end_(options.start + options.duration),
      systems_(problem.system),
      mode_(systems_.start()),
      happened_(model_.events.size(), 0),
      ticks_(model_.events.size(), 0),
      state_{problem.start.t, problem.start.q, problem.start.v, problem.start.a, problem.start.lambda},
      last_impact_(model_.contacts.size(), -std::numeric_limits<double>::infinity()),
      last_time_(-std::numeric_limits<double>::infinity()) {
  for (const Event& event : model_.events) event_on_.push_back(event.starts_enabled);
  for (const Contact& contact : model_.contacts) contact_on_.push_back(contact.starts_enabled);
  for (std::size_t i = 0; i < model_.events.size(); ++i)
    if (cuts(i)) options_.estimate_error = false;  // it follows one smooth motion
  if (!model_.contacts.empty()) options_.estimate_error = false;
}

bool EventRun::cuts(std::size_t event) const {
  const Event& one = model_.events[event];
  return one.stop || !one.set.empty() || !one.enable.empty() || !one.disable.empty();
}

bool EventRun::is_spent(std::size_t event) const {
  const std::size_t most = model_.events[event].count;
  return !event_on_[event] || (most > 0 && happened_[event] >= most);
}

RunReport EventRun::run() {
  const auto begin = std::chrono::steady_clock::now();
  RunReport report;
  report.method = options_.method;
  report.start_time = report.end_time = options_.start;
  for (bool goes_on = apply_start(); goes_on;) {
    try {
      report = run_part();
    } catch (const Error& error) {
      // the start of the whole run is the caller's; what an event leads to is a result
      if (!progress_) throw;
      reason_ = error.message();
      report = progress_->report;
    }
    goes_on = report.outcome == Outcome::finished && reason_.empty() && has_changed_ && keeps_turning();
  }
  if (!reason_.empty()) {
    report.outcome = Outcome::stopped_early;
    report.reason = reason_;
  } else if (!stop_.empty()) {
    report.reason = stop_;
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return finish(std::move(report));
}

Problem EventRun::make_part() {
  const System& system = systems_.get(mode_);
  const bool is_start =
      !progress_ && systems_.is_start(mode_) && state_.q == problem_.start.q && state_.v == problem_.start.v;
  if (is_start) return problem_;
  Start start;
  start.t = state_.t;
  start.q = state_.q;
  start.v = state_.v;
  Problem part = make_problem(system, std::move(start));
  if (!progress_) part.notes.insert(part.notes.begin(), problem_.notes.begin(), problem_.notes.end());
  return part;
}

RunReport EventRun::run_part() {
  Problem part = make_part();
  EventWatch watch(part.system, functions(), times(), state_.t, Schedule(options_));
  watch.set_stops(stops());
  if (progress_) watch.go_on_from(*progress_);
  part.events = &watch;
  SolveOptions options = options_;
  options.start = state_.t;
  options.duration = std::min(end_, watch.limit()) - state_.t;
  if (options_.progress) {
    options.progress = [this](Progress progress) {
      progress.fraction = (progress.t - options_.start) / options_.duration;
      return options_.progress(progress);
    };
  }
  has_changed_ = false;
  RunReport report = find_method(options.method).run(part, options, widened());
  take_passed(watch);
  hidden_.push_back(watch.hidden());
  if (!watch.end()) return report;
  state_ = *watch.end();
  progress_ = watch.progress();
  if (report.outcome != Outcome::finished) return report;
  first_record_ = records_.size();
  has_changed_ = apply(watch.cutting());
  return report;
}

// An instant with ever more events is one in which time does not go on.
bool EventRun::keeps_turning() {
  constexpr int most = 100;
  constexpr double units = 64;
  const double same = units * std::numeric_limits<double>::epsilon() *
                      std::max(std::abs(state_.t), 1e-3 * (end_ - options_.start));
  turns_ = state_.t - last_time_ <= same ? turns_ + 1 : 0;
  last_time_ = state_.t;
  if (turns_ < most) return state_.t < end_;
  std::vector<std::string> names;
  for (std::size_t i = records_.size() - std::min<std::size_t>(records_.size(), most); i < records_.size();
       ++i) {
    if (std::ranges::find(names, records_[i].name) == names.end()) names.push_back(records_[i].name);
  }
  return fail(fmt::format("time does not go on: {} happen{} {} times within rounding errors of it",
                          join(names, ", "), names.size() == 1 ? "s" : "", most));
}

std::vector<WatchedFunction> EventRun::functions() {
  const System& system =
      systems_.is_start(mode_) ? problem_.system : const_cast<ModeSystems&>(systems_).get(mode_);
  const EventProgram& program = system.events();
  std::vector<WatchedFunction> result;
  for (std::size_t i = 0; i < model_.events.size(); ++i) {
    const Event& event = model_.events[i];
    if (is_spent(i)) continue;
    for (const Scaled& output : program.events[i].when) {
      WatchedFunction one;
      one.owner = i;
      one.output = output;
      one.direction = event.direction;
      if (event.after) one.after = systems_.parameter(*event.after);
      one.priority = event.priority;
      one.cuts = cuts(i);
      result.push_back(one);
    }
  }
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    if (!contact_on_[i]) continue;
    WatchedFunction one;
    one.owner = i;
    one.direction = Crossing::falling;
    one.cuts = true;
    one.side = 1;
    one.kind = WatchedFunction::Kind::gap;
    one.output = program.gaps[i];
    if (const auto row = systems_.row(mode_, systems_.contact(i))) {
      one.kind = WatchedFunction::Kind::force;
      one.force = *row;
    } else if (std::ranges::find(touching_, i) != touching_.end()) {
      constexpr double rounding = 1e-13;
      double size = 0;
      for (const double q : state_.q) size = std::max(size, std::abs(q));
      one.noise = rounding * size;
    }
    result.push_back(one);
  }
  return result;
}

std::vector<WatchedTimes> EventRun::times() const {
  std::vector<WatchedTimes> result;
  for (std::size_t i = 0; i < model_.events.size(); ++i) {
    const Event& event = model_.events[i];
    if (is_spent(i) || !event.when.empty()) continue;
    WatchedTimes one;
    one.owner = i;
    one.every = event.every ? systems_.parameter(*event.every) : 0;
    one.first = event.after ? systems_.parameter(*event.after) : options_.start + one.every;
    one.number = ticks_[i];
    while (one.next() < state_.t) ++one.number;  // it was not enabled then
    one.priority = event.priority;
    one.cuts = cuts(i);
    result.push_back(one);
  }
  return result;
}

std::vector<bool> EventRun::stops() const {
  std::vector<bool> result;
  for (const Event& event : model_.events) result.push_back(event.stop);
  return result;
}

// Multipliers and residuals of all constraints of the start: zero, not a number where one does not hold.
SampleSink<double> EventRun::widened() const {
  if (!sink_ || systems_.is_start(mode_)) return sink_;
  std::vector<std::optional<std::size_t>> rows;
  const std::size_t m = problem_.system.m(), holonomic = problem_.system.holonomic();
  std::size_t holding = 0;
  for (std::size_t i = 0; i < m; ++i) rows.push_back(systems_.row(mode_, i));
  for (std::size_t i = 0; i < holonomic; ++i) holding += rows[i] ? 1 : 0;
  return [this, rows, holonomic, lambda = std::vector<double>(m), g = std::vector<double>(holonomic),
          gv = std::vector<double>(m)](const Sample<double>& sample) mutable {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      lambda[i] = rows[i] ? sample.lambda[*rows[i]] : 0;
      gv[i] = rows[i] ? sample.velocity_residual[*rows[i]] : none;
      if (i < holonomic) g[i] = rows[i] ? sample.position_residual[*rows[i]] : none;
    }
    Sample<double> wide = sample;
    wide.lambda = lambda;
    wide.position_residual = g;
    wide.velocity_residual = gv;
    return sink_(wide);
  };
}

void EventRun::take_passed(const EventWatch& watch) {
  for (const auto& [hit, state] : watch.passed()) {
    if (hit.kind != WatchedFunction::Kind::event) continue;
    if (is_spent(hit.owner)) continue;
    if (std::string_view(hit.crossing) == "time") ++ticks_[hit.owner];
    ++happened_[hit.owner];
    records_.push_back(
        {hit.t, model_.events[hit.owner].name, hit.crossing, state.q, state.v, {}, {}, {}, 0, ""});
  }
}

RunReport EventRun::finish(RunReport report) {
  report.events = std::move(records_);
  double hidden = 0;
  for (const double one : hidden_) hidden = std::max(hidden, one);
  if (hidden > 0) {
    report.warnings.push_back(fmt::format(
        "events are looked for on curves through samples of the steps: where a function changes its "
        "sign and back with values below {:.1e} between, both may be missed",
        hidden));
  }
  return report;
}

bool EventRun::fail(const std::string& why) {
  reason_ = why;
  return false;
}

}  // namespace dalembert
