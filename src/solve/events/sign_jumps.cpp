// Functions of events that change their signs where the motion jumps: at impacts, by what events set, at
// kinks of forces. They have their events there, as those that jump at knots of inputs.
#include <algorithm>
#include <cmath>
#include <utility>

#include <dalembert/system/value_tape.hpp>

#include "events/event_run.hpp"
#include "events/held_switches.hpp"

namespace dalembert {
namespace {

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

// By one error of the largest, in the directions of pattern k.
std::vector<double> moved(std::vector<double> values, double size, std::size_t k) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += ((i >> k) % 2 == 0 ? 1 : -1) * size;
  return values;
}

}  // namespace

// Zero where so many errors of the state may change them. State with the accelerations and multipliers of the
// system.
EventRun::Signs EventRun::signs_of_events(const System& system, const Kept& state, double errors) const {
  const double error = errors * (options_.method == "adomian" ? 1e-12 : 1e-8);
  ValueTape tape(system, system.events().program);
  const auto values_at = [&](const Kept& at) {
    tape.set(System::input_t(), at.t);
    tape.set(system.input_q(0), at.q);
    tape.set(system.input_v(0), at.v);
    if (at.a.size() == system.n()) tape.set(system.input_a(0), at.a);
    if (at.lambda.size() == system.m()) tape.set(system.input_lambda(0), at.lambda);
    tape.run();
    std::vector<double> values;
    for (const auto& event : system.events().events)
      for (const Scaled& one : event.when) values.push_back(tape.value(one));
    return values;
  };
  const std::vector<double> values = values_at(state);
  std::vector<double> noise(values.size(), 0);
  for (const std::size_t k : {0U, 1U, 2U}) {
    const std::vector<double> others = values_at(
        {state.t, moved(state.q, error * size_q_, k), moved(state.v, error * size_v_, k),
         moved(state.a, error * largest(state.a), k), moved(state.lambda, error * largest(state.lambda), k)});
    for (std::size_t i = 0; i < values.size(); ++i) noise[i] += std::abs(others[i] - values[i]);
  }
  Signs signs;
  std::size_t i = 0;
  for (const Event& event : model_.events) {
    signs.emplace_back();
    for (std::size_t k = 0; k < event.when.size(); ++k, ++i)
      signs.back().push_back(values[i] > noise[i] ? 1 : values[i] < -noise[i] ? -1 : 0);
  }
  return signs;
}

// Of those that are watched; what has just been zero is not where the motion jumps.
void EventRun::note_signs(const std::vector<Hit>& hits) {
  signs_.clear();
  if (model_.events.empty()) return;
  signs_ = signs_of_events(systems_.get(mode_), state_);
  for (std::size_t i = 0; i < model_.events.size(); ++i)
    if (is_spent(i) || is_switch(model_.events[i])) std::ranges::fill(signs_[i], 0);
  for (const Hit& hit : hits)
    if (hit.kind == WatchedFunction::Kind::event && !signs_[hit.owner].empty())
      signs_[hit.owner][hit.number] = 0;
}

void EventRun::jump_over_zeros(const Problem& part, std::vector<WatchedFunction>& functions) {
  const Signs before = std::exchange(signs_, {});
  if (before.empty()) return;
  const Start& start = part.start;
  const Signs behind = signs_of_events(part.system, {start.t, start.q, start.v, start.a, start.lambda});
  for (WatchedFunction& one : functions) {
    if (one.kind != WatchedFunction::Kind::event || one.goes_on) continue;
    const int side = before[one.owner][one.number];
    if (side == 0 || behind[one.owner][one.number] != -side) continue;
    one.side = side;
    one.goes_on = true;
  }
}

}  // namespace dalembert
