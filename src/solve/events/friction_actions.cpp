// What happens at an instant of a run with friction, and with forces that hold signs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/solve/settled_start.hpp>

#include "events/event_run.hpp"

namespace dalembert {

void settle_start(const System& system, Start& start) {
  if (system.model().held_signs.empty()) return;
  SolveOptions options;
  options.method = "adomian";
  options.start = start.t;
  options.duration = 1;
  const SampleSink<double> none;
  const Problem problem{system, start, {}, {}};
  start = EventRun(problem, options, none).settled_start();
}

Start EventRun::settled_start() {
  apply_start();
  if (!reason_.empty()) throw Error(reason_);
  const Problem part = make_part();
  Start start = problem_.start;
  start.a = part.start.a;
  start.lambda.assign(problem_.system.m(), 0);
  for (std::size_t i = 0; i < start.lambda.size(); ++i)
    if (const auto row = systems_.row(mode_, i)) start.lambda[i] = part.start.lambda[*row];
  return start;
}

using FunctionKind = WatchedFunction::Kind;

// Whose slip has this sign.
std::optional<std::size_t> EventRun::friction_of(std::size_t sign) const {
  const auto found = std::ranges::find(model_.frictions, sign, &Friction::direction);
  if (found == model_.frictions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - model_.frictions.begin());
}

void EventRun::add_friction_functions(const EventProgram& program, std::vector<WatchedFunction>& result) {
  WatchedFunction one;
  one.cuts = true;
  one.kind = FunctionKind::sign;
  for (std::size_t i = 0; i < model_.held_signs.size(); ++i) {
    if (mode_.signs[i] == 0 || program.held_arguments[i].x == no_register) continue;
    const auto friction = friction_of(i);
    one.owner = i;
    one.output = program.held_arguments[i];
    one.side = mode_.signs[i] < 0 ? -1 : 1;
    one.rests = friction && std::ranges::find(starting_, *friction) != starting_.end();
    one.noise = one.rests ? slip_noise(*friction) : 0;
    result.push_back(one);
  }
  one.kind = FunctionKind::margin;
  one.direction = Crossing::falling;
  one.side = 1;
  one.rests = false;
  one.noise = 0;
  for (std::size_t f = 0; f < model_.frictions.size(); ++f) {
    if (!mode_.links[systems_.slips(f)[0]]) continue;
    for (std::size_t k = 0; k < program.frictions[f].margins.size(); ++k) {
      one.owner = f;
      one.number = k;
      one.output = program.frictions[f].margins[k];
      result.push_back(one);
    }
  }
}

// Of a slip that is zero: the rounding errors of its terms.
double EventRun::slip_noise(std::size_t friction) {
  constexpr double units = 64 * std::numeric_limits<double>::epsilon();
  const auto n = static_cast<Eigen::Index>(state_.v.size());
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  double scale = 0;
  // velocities that were, or that the accelerations make
  const Eigen::VectorXd sizes =
      Eigen::Map<const Eigen::VectorXd>(state_.a.data(), n).cwiseAbs() * (end_ - state_.t);
  for (const std::size_t link : systems_.slips(friction))
    scale += mechanics.rate_scale(link, (sizes.array() + size_v_).matrix());
  return units * scale;
}

// Whether friction sticks is decided anew.
void EventRun::release_friction() {
  for (std::size_t f = 0; f < model_.frictions.size(); ++f)
    for (const std::size_t link : systems_.slips(f)) mode_.links[link] = false;
}

// Friction takes part in an impact.
std::optional<LinkMechanics::Jump> EventRun::velocities_behind(const LinkMechanics& mechanics,
                                                               std::span<const TouchingContact> contacts) {
  if (!holds_signs()) return mechanics.jump(contacts);
  constexpr double rounding = 1e-11;
  const Eigen::Map<const Eigen::VectorXd> v(state_.v.data(), static_cast<Eigen::Index>(state_.v.size()));
  const auto onto = mechanics.jump({});
  bool is_struck = onto && (onto->v - v).norm() > rounding * v.norm();
  for (const TouchingContact& one : contacts)
    is_struck = is_struck || mechanics.gap_rate(one.link, v) < -rounding * mechanics.rate_scale(one.link, v);
  if (!is_struck) return mechanics.jump(contacts);
  return FrictionMechanics(systems_, mode_, state_.t, state_.q, state_.v).jump(contacts);
}

// A friction whose force has come to its limit slides against it; a slip that has come to zero may stick; a
// sign has changed.
FrictionMechanics::Known EventRun::known_of_friction() const {
  FrictionMechanics::Known known;
  known.speeds = speeds_;
  for (const Hit& hit : fired_) {
    if (hit.kind == FunctionKind::margin) {
      const bool in_plane = model_.frictions[hit.owner].slip.size() == 1;
      const int direction = hit.number == 0 ? -1 : 1;
      known.at_rest.push_back(hit.owner);
      known.frictions[hit.owner] = in_plane ? std::vector{direction, -direction} : std::vector{1};
    }
    if (hit.kind != FunctionKind::sign) continue;
    const int now = std::string_view(hit.crossing) == "rising" ? 1 : -1;
    if (const auto friction = friction_of(hit.owner)) {
      known.at_rest.push_back(*friction);
    } else {
      known.signs[hit.owner] = {now, -now};
      known.scales[hit.owner] = hit.scale;
    }
  }
  return known;
}

bool EventRun::choose_states(const std::vector<std::size_t>& contacts,
                             const std::vector<std::size_t>& links) {
  FrictionMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  const FrictionMechanics::Known known = known_of_friction();
  FrictionMechanics::Answer answer = mechanics.choose(links, known);
  if (answer.count == 0) answer = mechanics.choose(links, {known.at_rest, {}, {}, {}, known.speeds});
  if (mechanics.gave_up() && answer.count == 0)
    return fail("too much friction at one instant to try all its states: " + names_of_friction(contacts));
  if (answer.count != 1)
    return fail(fmt::format("{} accelerations satisfy Coulomb's law here (Painlevé's paradox): {}",
                            answer.count == 0 ? "no" : "several", names_of_friction(contacts)));
  mode_ = answer.mode;
  state_.a.assign(answer.a.begin(), answer.a.end());
  starting_.clear();
  for (std::size_t f = 0; f < model_.frictions.size(); ++f) {
    const bool was_at_rest = std::ranges::find(known.at_rest, f) != known.at_rest.end();
    if (was_at_rest && mode_.signs[model_.frictions[f].direction] != 0) starting_.push_back(f);
  }
  land_slips(known.at_rest);
  // the direction of a slip in space is that of its beginning
  constexpr double instant = 1e-13;
  if (!answer.starting.empty()) {
    for (std::size_t i = 0; i < state_.v.size(); ++i)
      state_.v[i] += instant * options_.duration * answer.a[static_cast<Eigen::Index>(i)];
  }
  for (std::size_t k = 0; k < links.size(); ++k)
    if (mode_.links[links[k]]) note_rest(contacts[k]);
  name_states(known);
  return true;
}

// Slips that came to zero along a method's curve are zero.
void EventRun::land_slips(const std::vector<std::size_t>& at_rest) {
  if (at_rest.empty()) return;
  Mode mode = mode_;
  for (const std::size_t f : at_rest)
    for (const std::size_t link : systems_.slips(f)) mode.links[link] = true;
  const auto landed = LinkMechanics(systems_, mode, state_.t, state_.q, state_.v).jump({});
  if (landed) state_.v.assign(landed->v.begin(), landed->v.end());
}

// Slips that came to zero, and go on.
void EventRun::name_states(const FrictionMechanics::Known& known) {
  for (const std::size_t f : known.at_rest) {
    for (std::size_t r = first_record_; r < records_.size(); ++r) {
      EventRecord& one = records_[r];
      if (one.name == model_.frictions[f].name && one.kind == "sticking" &&
          !mode_.links[systems_.slips(f)[0]])
        one.kind = "sliding";
    }
  }
}

std::string EventRun::names_of_friction(const std::vector<std::size_t>& contacts) const {
  std::vector<std::string> names;
  for (const std::size_t i : contacts) names.push_back("'" + model_.contacts[i].name + "'");
  for (const Friction& friction : model_.frictions)
    if (!friction.contact) names.push_back("'" + friction.name + "'");
  return join(names, ", ");
}

}  // namespace dalembert
