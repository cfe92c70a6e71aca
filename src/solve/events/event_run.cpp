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
#include <dalembert/expr/print.hpp>
#include <dalembert/system/state_evaluation.hpp>

#include "events/held_switches.hpp"
#include "switches/switch_monitor.hpp"

namespace dalembert {

namespace {

constexpr std::size_t few_times = 1000;  // events at times that are listed one by one
constexpr double rounding_of_zero = 16;  // of what is left where a zero was found

bool changes_motion(const Event& event) {
  return event.stop || !event.set.empty() || !event.enable.empty() || !event.disable.empty();
}

// Whether all of it is one curve.
bool is_one_motion(const ModelData& model) {
  return model.contacts.empty() && model.held_signs.empty() &&
         std::ranges::all_of(model.events,
                             [](const Event& event) { return is_switch(event) || !changes_motion(event); });
}

bool is_among(const std::vector<std::size_t>& list, std::size_t value) {
  return std::ranges::find(list, value) != list.end();
}

}  // namespace

bool has_events(const ModelData& model) {
  return !model.events.empty() || !model.contacts.empty() || !model.inputs.empty() ||
         !model.held_signs.empty() || !model.sizes.empty();
}

RunReport run_with_events(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
                          std::shared_ptr<ModeForms> forms) {
  const ModelData& model = problem.system.model();
  if (options.duration < 0 && !(model.events.empty() && model.contacts.empty() && model.held_signs.empty()))
    throw Error("events and contacts are followed forwards in time: the duration must be positive");
  if (options.dense_output != nullptr && !is_one_motion(model))
    throw Error("a motion that events or contacts change is kept as samples, not as dense output");
  return EventRun(problem, options, sink, std::move(forms)).run();
}

EventRun::EventRun(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
                   std::shared_ptr<ModeForms> forms)
    : model_(problem.system.model()),
      problem_(problem),
      options_(options),
      sink_(sink),
      way_(options.duration < 0 ? -1 : 1),
      end_(options.start + options.duration),
      systems_(problem.system, std::move(forms)),
      mode_(systems_.start()),
      happened_(model_.events.size(), 0),
      ticks_(model_.events.size(), 0),
      state_{problem.start.t, problem.start.q, problem.start.v, problem.start.a, problem.start.lambda},
      last_impact_(model_.contacts.size(), -std::numeric_limits<double>::infinity()),
      let_go_(last_impact_),
      last_time_(-way_ * std::numeric_limits<double>::infinity()) {
  // the stabilized form of bdf cannot start from positions that its own errors have left off the constraints
  // of slips that depend on each other
  if (!model_.frictions.empty() && options_.method == "bdf" && options_.index_form.empty())
    options_.index_form = "index1";
  // where slips in space stop or begin, radii of convergence are as small as the slips, and series of high
  // orders beyond what numbers can hold
  constexpr int order_in_space = 18;
  const bool in_space =
      std::ranges::any_of(model_.frictions, [](const Friction& one) { return one.slip.size() == 2; });
  if (in_space && options_.method == "adomian" && options_.order == 0) options_.order = order_in_space;
  for (const Event& event : model_.events) {
    event_on_.push_back(event.starts_enabled);
    noise_.emplace_back(event.when.size(), 0);
  }
  for (const Contact& contact : model_.contacts) contact_on_.push_back(contact.starts_enabled);
  inputs_move_constraints_ = moves_constraints();
  find_switches();
}

// Velocities and contact forces follow where an input is bent.
bool EventRun::moves_constraints() const {
  if (model_.inputs.empty()) return false;
  if (!model_.contacts.empty()) return true;
  std::vector<Expr> residuals;
  for (const auto* list :
       {&model_.holonomic, &model_.nonholonomic, &model_.disabled_holonomic, &model_.disabled_nonholonomic})
    for (const Constraint& constraint : *list) residuals.push_back(constraint.residual);
  const std::vector<Expr> symbols = symbols_in(residuals);
  return std::ranges::any_of(model_.inputs, [&](const Input& input) {
    return std::ranges::any_of(input.derivatives,
                               [&](Expr one) { return std::ranges::find(symbols, one) != symbols.end(); });
  });
}

bool EventRun::cuts(std::size_t event) const { return changes_motion(model_.events[event]); }

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

void EventRun::note_sizes() {
  for (const double q : state_.q) size_q_ = std::max(size_q_, std::abs(q));
  for (const double v : state_.v) size_v_ = std::max(size_v_, std::abs(v));
}

// A body at rest may begin to move by forces that are in balance: velocities and coordinates are measured by
// what these would make of it alone, v = √(a q), and q = a T² in a thousandth of the run T.
EventRun::Sizes EventRun::least_sizes() {
  StateEvaluation at(systems_.get(mode_));
  const auto acceleration = [&](double t) {
    at.eval(t, state_.q, state_.v);
    constexpr double no_inertia = 1e-8;  // of the largest: as one part of a quaternion
    const double least = at.M.size() > 0 ? no_inertia * at.M.diagonal().maxCoeff() : 0;
    double largest = 0;
    for (Eigen::Index i = 0; i < at.f.size(); ++i)
      if (at.M(i, i) > least) largest = std::max(largest, std::abs(at.f[i]) / at.M(i, i));
    return largest;
  };
  double largest = acceleration(state_.t), later = 0;
  // forces may just begin, as on what friction has held
  constexpr double hardly = 1e-6;
  for (const double share : {0.25, 0.5, 0.75, 1.0})
    later = std::max(later, acceleration(state_.t + share * (end_ - state_.t)));
  if (largest < hardly * later) largest = later;
  const double q = std::max(size_q_, largest * std::pow(1e-3 * options_.duration, 2));
  return {q, std::max(size_v_, std::sqrt(largest * q))};
}

Problem EventRun::make_part() {
  note_sizes();
  const System& system = systems_.get(mode_);
  const bool is_start =
      !progress_ && systems_.is_start(mode_) && state_.q == problem_.start.q && state_.v == problem_.start.v;
  if (is_start) return problem_;
  Start start;
  start.t = state_.t;
  start.q = state_.q;
  start.v = state_.v;
  Problem part = keeps_structure_ ? Problem{system, std::move(start), active_, {}, not_unique_}
                                  : make_problem(system, std::move(start));
  if (keeps_structure_) solve_accelerations(system, part.start);
  const Sizes least = least_sizes();
  part.least_q = least.q;
  part.least_v = least.v;
  const bool is_alone = is_one_motion(model_) && mode_.links == systems_.start().links;
  if (is_alone) part.with_kinks = problem_.with_kinks;
  if (!progress_) part.notes.insert(part.notes.begin(), problem_.notes.begin(), problem_.notes.end());
  return part;
}

RunReport EventRun::run_part() {
  Problem part = make_part();
  active_ = part.active;
  not_unique_ = part.not_unique;
  shared_ = SharedFrictions(systems_, mode_, state_.t, state_.q, state_.v);
  std::vector<WatchedFunction> watched = functions();
  jump_over_zeros(part, watched);
  EventWatch watch(part.system, std::move(watched), times(), state_.t, way_, Schedule(options_),
                   options_.tolerance);
  watch.set_stops(stops());
  if (progress_) watch.go_on_from(*progress_);
  part.events = &watch;
  SolveOptions options = options_;
  options.start = state_.t;
  options.duration = way_ * std::min(way_ * end_, way_ * watch.limit()) - state_.t;
  if (options_.progress) {
    options.progress = [this](Progress progress) {
      progress.fraction = (progress.t - options_.start) / options_.duration;
      return options_.progress(progress);
    };
  }
  has_changed_ = false;
  RunReport report = find_method(options.method).run(part, options, judged(widened()));
  take_passed(watch);
  size_q_ = std::max(size_q_, watch.size_q());
  size_v_ = std::max(size_v_, watch.size_v());
  hidden_.push_back(watch.hidden());
  if (!watch.end()) return report;
  state_ = *watch.end();
  note_sizes();
  progress_ = watch.progress();
  if (report.outcome != Outcome::finished) return report;
  first_record_ = records_.size();
  note_signs(watch.cutting());
  land_on_links();
  has_changed_ = apply(watch.cutting());
  sides_ = sides_behind(watch);
  return report;
}

// Where the motion goes on as it is, all functions keep their signs; where a knot of an input makes it jump,
// those of events change theirs there.
std::vector<WatchedFunction> EventRun::sides_behind(const EventWatch& watch) const {
  const bool is_knot = !fired_.empty() && std::ranges::all_of(fired_, [](const Hit& hit) {
    return hit.kind == WatchedFunction::Kind::knot;
  });
  if (!follows_inputs_ && !is_knot) return {};
  std::vector<WatchedFunction> sides = watch.sides();
  if (!follows_inputs_)
    std::erase_if(sides, [](const auto& one) { return one.kind != WatchedFunction::Kind::event; });
  return sides;
}

// An event that happens again and again, each time hardly later, is one of a motion that does not go on. The
// bounces of contacts come to rest by themselves.
bool EventRun::keeps_turning() {
  constexpr std::size_t most = 12, most_bounces = 1000;
  constexpr double hardly = 1e-9;
  const bool goes_on = way_ * (state_.t - last_time_) > hardly * std::abs(options_.duration);
  if (goes_on) {
    same_ = first_record_;
    same_switches_.clear();
  }
  last_time_ = state_.t;
  for (const std::size_t event : switched_) {
    if (static_cast<std::size_t>(std::ranges::count(same_switches_, event)) < most) continue;
    return fail(stays_reason(fmt::format("sign({})", text_excerpt(model_.events[event].when[0]))));
  }
  parts_here_ = goes_on ? 0 : parts_here_ + 1;
  if (parts_here_ > 2 * most_bounces)
    return fail(
        fmt::format("time does not go on: {} parts of the run begin here, each within {:.0e} of the duration "
                    "of the one before",
                    parts_here_, hardly));
  for (std::size_t i = first_record_; i < records_.size(); ++i) {
    const std::string& name = records_[i].name;
    const auto count = std::count_if(records_.begin() + static_cast<std::ptrdiff_t>(same_), records_.end(),
                                     [&](const EventRecord& one) { return one.name == name; });
    if (static_cast<std::size_t>(count) <= (systems_.find(name) ? most_bounces : most)) continue;
    return fail(
        fmt::format("time does not go on: '{}' happened {} times, each within {:.0e} of the duration of "
                    "the one before",
                    name, count, hardly));
  }
  return way_ * state_.t < way_ * end_;
}

std::vector<WatchedFunction> EventRun::functions() {
  const System& system =
      systems_.is_start(mode_) ? problem_.system : const_cast<ModeSystems&>(systems_).get(mode_);
  const EventProgram& program = system.events();
  std::vector<WatchedFunction> result;
  for (std::size_t i = 0; i < model_.events.size(); ++i) {
    const Event& event = model_.events[i];
    if (is_spent(i)) continue;
    for (std::size_t k = 0; k < event.when.size(); ++k) {
      WatchedFunction one;
      one.owner = i;
      one.number = k;
      one.output = program.events[i].when[k];
      one.noise = noise_[i][k];
      one.direction = event.direction;
      if (event.after) one.after = systems_.parameter(*event.after);
      one.priority = event.priority;
      one.cuts = cuts(i);
      if (prepare_switch(i, one)) result.push_back(one);
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
    } else if (is_among(touching_, i)) {
      const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
      const double gap = std::abs(mechanics.residual(systems_.contact(i)));
      const double unit =
          std::numeric_limits<double>::epsilon() * mechanics.residual_scale(systems_.contact(i));
      one.noise = rounding_of_zero * std::max(gap, unit);
      one.rests = !is_among(struck_, i);
    }
    result.push_back(one);
  }
  add_friction_functions(program, result);
  go_on_with_sides(result);
  return result;
}

// Where the motion goes on as it is, at a knot of inputs, a function that is zero just there has changed its
// sign.
void EventRun::go_on_with_sides(std::vector<WatchedFunction>& functions) const {
  for (WatchedFunction& one : functions) {
    const auto before = std::ranges::find_if(sides_, [&](const WatchedFunction& other) {
      return other.kind == one.kind && other.owner == one.owner && other.number == one.number;
    });
    if (before == sides_.end()) continue;
    one.side = before->side;
    one.goes_on = true;
  }
}

// Their states, before and after, are all kept.
void EventRun::refuse_too_many(std::size_t event, const WatchedTimes& times) const {
  const Event& of = model_.events[event];
  if (times.every == 0 || (of.count > 0 && of.count <= few_times)) return;
  constexpr double memory = 2e9, list = 32;
  const double each =
      sizeof(EventRecord) + 4 * (list + sizeof(double) * static_cast<double>(state_.q.size()));
  const double from = std::max(times.first, options_.start);  // those before never happen
  const double happens = (end_ - from) / times.every;
  if (happens * each <= memory) return;
  throw Error(fmt::format("the event '{}' would happen {:.1e} times: 'every' is {} in a run of {}", of.name,
                          happens, shortest(times.every), shortest(options_.duration)),
              of.where);
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
    refuse_too_many(i, one);
    one.number = ticks_[i];
    const double passed = one.every > 0 ? std::floor((state_.t - one.next()) / one.every) - 1 : 0;
    if (passed > 0) one.number += static_cast<std::size_t>(passed);
    while (one.next() < state_.t) ++one.number;  // it was not enabled then
    one.priority = event.priority;
    one.cuts = cuts(i);
    if (event.count > 0 && event.count <= few_times) {
      const std::size_t left = event.count - happened_[i];
      for (std::size_t k = 0; k < (one.every > 0 ? left : 1); ++k, ++one.number) {
        WatchedTimes single = one;
        single.first = one.next();
        single.every = 0;
        single.number = std::isfinite(single.first) ? 0 : 1;
        result.push_back(single);
      }
    } else {
      result.push_back(one);
    }
  }
  for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
    WatchedTimes knot;
    knot.kind = WatchedFunction::Kind::knot;
    knot.owner = i;
    knot.first = model_.inputs[i].curve.next_knot(state_.t, way_ < 0);
    knot.cuts = true;
    if (way_ * knot.first < way_ * end_) result.push_back(knot);
  }
  return result;
}

ValueTape EventRun::values_at_state() {
  const System& system = systems_.get(mode_);
  ValueTape values(system, system.events().program);
  values.set(System::input_t(), state_.t);
  values.set(system.input_q(0), state_.q);
  values.set(system.input_v(0), state_.v);
  if (state_.a.size() == system.n() && state_.lambda.size() == system.m()) {
    values.set(system.input_a(0), state_.a);
    values.set(system.input_lambda(0), state_.lambda);
  }
  values.run();
  return values;
}

// What has changed its sign here may be left with rounding errors of either.
void EventRun::note_zeros(const std::vector<Hit>& hits) {
  for (std::vector<double>& noise : noise_) std::ranges::fill(noise, 0);
  if (hits.empty()) return;
  const ValueTape values = values_at_state();
  const EventProgram& program = systems_.get(mode_).events();
  constexpr double clearly = 1e4;
  const Signs signs = signs_of_events(systems_.get(mode_), state_, clearly);
  for (const Hit& hit : hits) {
    if (hit.kind != WatchedFunction::Kind::event || model_.events[hit.owner].when.empty()) continue;
    if (signs[hit.owner][hit.number] != 0) continue;  // it has jumped over zero
    noise_[hit.owner][hit.number] =
        rounding_of_zero * std::abs(values.value(program.events[hit.owner].when[hit.number]));
  }
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

// Of samples alone; a run without any is not judged.
SampleSink<double> EventRun::judged(SampleSink<double> sink) {
  if (!sink || shared_.empty()) return sink;
  return [this, sink = std::move(sink)](const Sample<double>& sample) {
    if (!beyond_friction_) beyond_friction_ = shared_.judge(sample.t, sample.lambda);
    return sink(sample);
  };
}

void EventRun::take_passed(EventWatch& watch) {
  records_.reserve(records_.size() + watch.passed().size());
  for (auto& [hit, q, v] : watch.passed()) {
    if (hit.kind != WatchedFunction::Kind::event || is_switch(model_.events[hit.owner])) continue;
    if (is_spent(hit.owner)) continue;
    if (std::string_view(hit.crossing) == "time") ++ticks_[hit.owner];
    ++happened_[hit.owner];
    records_.push_back(
        {hit.t, model_.events[hit.owner].name, hit.crossing, std::move(q), std::move(v), {}, {}, {}, 0, ""});
  }
}

RunReport EventRun::finish(RunReport report) {
  report.events = std::move(records_);
  double hidden = 0;
  for (const double one : hidden_) hidden = std::max(hidden, one);
  if (hidden > 0) {
    report.warnings.push_back(fmt::format(
        "changes of sign are looked for on curves through samples of the steps: where a function changes its "
        "sign and back with values below {:.1e} between, both may be missed",
        hidden));
  }
  if (beyond_friction_) {
    report.doubts.push_back(*beyond_friction_);
    if (report.outcome == Outcome::finished) report.outcome = Outcome::doubtful;
  }
  if (!untold_.empty()) {
    report.warnings.push_back(
        fmt::format("how many digits of the end can be trusted is not known: errors are followed across "
                    "impacts, not across {}",
                    untold_));
  } else if (options_.estimate_error && !report.events.empty() && !std::isfinite(report.end_error)) {
    report.warnings.push_back(
        "how many digits of the end can be trusted is not known: the growth of errors "
        "could not be followed");
  }
  return report;
}

bool EventRun::fail(const std::string& why) {
  reason_ = why;
  return false;
}

}  // namespace dalembert
