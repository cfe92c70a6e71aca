// What happens at an instant of a run with events and contacts.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/solve/observer.hpp>
#include <dalembert/system/value_tape.hpp>

#include "events/event_run.hpp"
#include "events/held_switches.hpp"

namespace dalembert {
namespace {

using FunctionKind = WatchedFunction::Kind;

constexpr double share_off = 1e-8;  // of the size of positions, that events may leave links off

template <class List, class Value>
bool contains(const List& list, const Value& value) {
  return std::ranges::find(list, value) != list.end();
}

}  // namespace

void EventRun::refuse_penetrated_contacts() {
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    if (!contact_on_[i]) continue;
    const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
    const double gap = -mechanics.residual(systems_.contact(i));
    const Contact& contact = model_.contacts[i];
    if (!std::isfinite(gap))
      throw Error(fmt::format("the gap of the contact '{}' is no number at the start", contact.name),
                  contact.where);
    if (gap < -contact_noise(mechanics, i)) {
      throw Error(
          fmt::format("the contact '{}' is penetrated at the start: its gap is {:.6g}", contact.name, gap),
          contact.where);
    }
  }
}

// Contacts that touch at the start stay closed, or are struck; events at the time of the start are next.
bool EventRun::apply_start() {
  first_record_ = 0;
  refuse_penetrated_contacts();
  std::vector<Hit> due;
  for (const WatchedTimes& one : times()) {
    if (one.next() == state_.t)
      due.push_back({state_.t, FunctionKind::event, one.owner, 0, "time", one.priority, one.cuts});
  }
  std::ranges::stable_sort(due, std::greater(), &Hit::priority);
  find_touching();
  add_struck(due);
  if (due.empty() && touching_.empty() && !holds_signs()) {
    note_sizes();
    settle_switches_at_zero();
    return reason_.empty();
  }
  note_signs(due);
  return apply(due);
}

// Contacts that touch at the start and approach.
void EventRun::add_struck(std::vector<Hit>& due) {
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  const Eigen::Map<const Eigen::VectorXd> v(state_.v.data(), static_cast<Eigen::Index>(state_.v.size()));
  for (const std::size_t i : touching_) {
    const std::size_t link = systems_.contact(i);
    if (mechanics.gap_rate(link, v) < -LinkMechanics::rate_rounding * mechanics.rate_scale(link, v))
      due.push_back({state_.t, FunctionKind::gap, i, 0, "falling", 0, true});
  }
}

// Where nothing but inputs changes that move no constraint, the state stays as it is.
bool EventRun::follow_inputs(const std::vector<Hit>& hits) {
  const auto is_knot = [](const Hit& hit) { return hit.kind == FunctionKind::knot; };
  if (std::ranges::any_of(hits, is_knot)) systems_.set_inputs_at(state_.t, way_ < 0);
  return !hits.empty() && std::ranges::all_of(hits, is_knot) && !inputs_move_constraints_;
}

bool EventRun::apply(const std::vector<Hit>& hits) {
  touching_.clear();
  opening_.clear();
  struck_.clear();
  if (state_.t != last_time_) starting_.clear();  // slips that began before are no longer zero
  fired_ = hits;
  for (const Hit& hit : hits)
    if (std::string_view(hit.crossing) == EventWatch::undefined)
      return fail(fmt::format("the gap of the contact '{}' is no number behind this time",
                              model_.contacts[hit.owner].name));
  note_limits();
  std::vector<std::size_t> events;
  note_zeros(hits);
  const double energy_before = energy();
  follows_inputs_ = follow_inputs(hits);
  if (take_switches(hits) && !(reason_.empty() && forces_have_jumped())) return reason_.empty();
  keeps_structure_ = follows_inputs_;
  if (keeps_structure_) return true;
  for (const Hit& hit : hits) {
    if (hit.kind == FunctionKind::force) opening_.push_back(hit.owner);
    if (hit.kind == FunctionKind::gap) struck_.push_back(hit.owner);
    if (hit.kind == FunctionKind::event && switch_of(hit) == nullptr) {
      if (is_spent(hit.owner)) continue;
      ++happened_[hit.owner];
      if (std::string_view(hit.crossing) == "time") ++ticks_[hit.owner];
      if (!contains(events, hit.owner)) events.push_back(hit.owner);
      if (model_.events[hit.owner].stop && stop_.empty())
        stop_ = fmt::format("the event '{}' stops the run", model_.events[hit.owner].name);
    }
    if (switch_of(hit) == nullptr) record(hit);
  }
  const Mode mode_before = mode_;
  const std::vector<bool> on_before = contact_on_;
  const std::vector<double> q_before = state_.q, gaps_before = gaps();
  std::ranges::stable_sort(events, std::greater(), [&](std::size_t i) { return model_.events[i].priority; });
  note_untold_errors(events);
  if (!check_agreement(events) || !assign(events)) return false;
  for (const std::size_t i : opening_) mode_.links[systems_.contact(i)] = false;
  for (std::size_t i = events.size(); i-- > 0;)  // the larger priority prevails
    switch_links(model_.events[events[i]]);
  if (!stop_.empty()) return false;  // on request
  release_switches();
  const bool moved = state_.q != q_before;
  if (!check_positions(mode_before, moved) || !check_gaps(on_before, moved)) return false;
  if (moved) leave_contacts(gaps_before);
  strike_others();
  if (!jump()) return false;
  settle_switches_at_zero();
  const double change = energy() - energy_before;
  for (std::size_t i = first_record_; i < records_.size(); ++i) {
    records_[i].q_after = state_.q;
    records_[i].v_after = state_.v;
  }
  if (first_record_ < records_.size()) records_[first_record_].energy_change = change;
  return true;
}

void EventRun::record(const Hit& hit) {
  if (has_turned(hit)) return;
  EventRecord one;
  one.t = hit.t;
  switch (hit.kind) {
    case FunctionKind::knot:
      return;  // an input is no event
    case FunctionKind::event:
      one.name = model_.events[hit.owner].name;
      one.kind = hit.crossing;
      break;
    case FunctionKind::gap:
    case FunctionKind::force:
      one.name = model_.contacts[hit.owner].name;
      one.kind = hit.kind == FunctionKind::gap ? "impact" : "opening";
      break;
    case FunctionKind::sign: {
      if (hit.number > 0 && is_noted(hit)) return;
      const auto friction = friction_of(hit.owner);
      one.name = friction ? model_.frictions[*friction].name : model_.held_signs[hit.owner].name;
      one.kind = friction ? "sticking" : hit.crossing;
      break;
    }
    case FunctionKind::margin:
      one.name = model_.frictions[hit.owner].name;
      one.kind = "sliding";
      break;
  }
  one.q = state_.q;
  one.v = state_.v;
  const FrictionGroup* const group = hit.kind == FunctionKind::margin ? group_of(hit.owner) : nullptr;
  for (std::size_t i = 1; group != nullptr && i < group->members.size(); ++i) {
    records_.push_back(one);
    one.name = model_.frictions[group->members[i].friction].name;
  }
  records_.push_back(std::move(one));
}

// A slip in space that stops is zero in two ways.
bool EventRun::is_noted(const Hit& hit) const {
  return std::ranges::any_of(fired_, [&](const Hit& other) {
    return other.kind == hit.kind && other.owner == hit.owner && other.number < hit.number;
  });
}

std::string EventRun::name_of(const Assignment& assignment) const {
  if (assignment.target == Assignment::Target::parameter) return model_.parameters[assignment.index].name;
  const std::string& name = model_.coordinates[assignment.index].name;
  return assignment.target == Assignment::Target::velocity ? name + "'" : name;
}

// Events of one time and priority do not ask for different things.
bool EventRun::check_agreement(const std::vector<std::size_t>& events) {
  const auto contradict = [&](std::size_t i, std::size_t k, const std::string& what) {
    return fail(
        fmt::format("the events '{}' and '{}' contradict each other at one time: {}; give them a "
                    "'priority', the larger prevails",
                    model_.events[i].name, model_.events[k].name, what));
  };
  for (const std::size_t i : events) {
    for (const std::size_t k : events) {
      const Event &one = model_.events[i], &other = model_.events[k];
      if (i == k || one.priority != other.priority) continue;
      for (const std::string& name : one.enable)
        if (contains(other.disable, name))
          return contradict(i, k, fmt::format("one enables '{0}', one disables it", name));
    }
  }
  return true;
}

// All new values are those of the state before.
bool EventRun::assign(const std::vector<std::size_t>& events) {
  if (std::ranges::none_of(events, [&](std::size_t i) { return !model_.events[i].set.empty(); })) return true;
  const ValueTape values = values_at_state();
  const EventProgram& program = systems_.get(mode_).events();
  struct Given {
    std::size_t event;
    const Assignment* target;
    double value;
  };
  std::vector<Given> given;  // of larger priority first
  for (const std::size_t i : events) {
    const Event& event = model_.events[i];
    for (std::size_t k = 0; k < event.set.size(); ++k) {
      const double value = values.value(program.events[i].values[k]);
      if (!std::isfinite(value))
        return fail(fmt::format("the event '{}' sets '{}' to {}, which is no finite number", event.name,
                                name_of(event.set[k]), std::isnan(value) ? std::abs(value) : value));
      const auto same = std::ranges::find_if(given, [&](const Given& one) {
        return one.target->target == event.set[k].target && one.target->index == event.set[k].index;
      });
      if (same == given.end()) {
        given.push_back({i, &event.set[k], value});
      } else if (value != same->value && event.priority == model_.events[same->event].priority) {
        return fail(
            fmt::format("the events '{}' and '{}' contradict each other at one time: they set '{}' to {} and "
                        "{}; give them a 'priority', the larger prevails",
                        model_.events[same->event].name, event.name, name_of(event.set[k]),
                        shortest(same->value), shortest(value)));
      }
    }
  }
  for (const auto& [event, assignment, value] : given) {
    switch (assignment->target) {
      case Assignment::Target::position:
        state_.q[assignment->index] = value;
        break;
      case Assignment::Target::velocity:
        state_.v[assignment->index] = value;
        break;
      case Assignment::Target::parameter:
        systems_.set_parameter(model_.parameters[assignment->index].name, value);
        break;
    }
  }
  return true;
}

void EventRun::switch_links(const Event& event) {
  for (const bool on : {false, true}) {
    for (const std::string& name : on ? event.enable : event.disable) {
      for (std::size_t i = 0; i < model_.events.size(); ++i)
        if (model_.events[i].name == name) event_on_[i] = on;
      for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
        if (name == "force(" + model_.coordinates[i].name + ")") mode_.forces[i] = on;
      const auto link = systems_.find(name);
      if (!link) continue;
      if (!systems_.is_contact(*link)) {
        mode_.links[*link] = on;
        continue;
      }
      for (std::size_t i = 0; i < model_.contacts.size(); ++i)
        if (systems_.contact(i) == *link) contact_on_[i] = on;
      if (!on) mode_.links[*link] = false;
    }
  }
}

// Positions do not jump onto constraints: where events move them or want a constraint to hold, it does.
bool EventRun::check_positions(const Mode& before, bool moved) {
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  for (std::size_t i = 0; i < systems_.link_count(); ++i) {
    if (!mechanics.is_holonomic(i) || systems_.is_contact(i)) continue;
    const double residual = mechanics.residual(i), allowed = share_off * mechanics.residual_scale(i);
    const bool is_asked = mode_.links[i] && (moved || !before.links[i]);
    if (!is_asked || std::abs(residual) <= allowed) continue;
    return fail(
        fmt::format("the constraint '{}' does not hold where an event wants it to: it is off by {:.3g}",
                    systems_.name(i), residual));
  }
  return true;
}

// Contacts that events enable, or with bodies that they move, are not penetrated.
bool EventRun::check_gaps(const std::vector<bool>& on_before, bool moved) {
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    const bool is_new = contact_on_[i] && !on_before[i];
    if (!is_new && !(moved && contact_on_[i])) continue;
    const std::size_t link = systems_.contact(i);
    const double gap = -mechanics.residual(link);
    if (gap >= -share_off * mechanics.residual_scale(link)) continue;
    return fail(fmt::format("the contact '{}' is penetrated {}: its gap is {:.3g}", systems_.name(link),
                            moved ? "by what events set here" : "where an event enables it", gap));
  }
  return true;
}

std::vector<double> EventRun::gaps() {
  if (model_.contacts.empty()) return {};
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  std::vector<double> result;
  for (std::size_t i = 0; i < model_.contacts.size(); ++i)
    result.push_back(-mechanics.residual(systems_.contact(i)));
  return result;
}

// What events move off a contact touches it no more, closed though it was; errors of the method's positions
// do not move it.
void EventRun::leave_contacts(const std::vector<double>& gaps_before) {
  if (model_.contacts.empty()) return;
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    const double gap = -mechanics.residual(systems_.contact(i)), noise = contact_noise(mechanics, i);
    if (gap <= noise || gap - gaps_before[i] <= noise) continue;
    mode_.links[systems_.contact(i)] = false;
    std::erase(struck_, i);
    std::erase(opening_, i);
  }
}

// Contacts that come to touch at just the time of another event, or whose bodies an event throws at each
// other.
void EventRun::strike_others() {
  find_touching();
  if (touching_.empty()) return;
  constexpr double sampled = 1e-8;  // of curves
  const double rounding = options_.method == "adomian" ? LinkMechanics::rate_rounding : sampled;
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  const Eigen::Map<const Eigen::VectorXd> v(state_.v.data(), static_cast<Eigen::Index>(state_.v.size()));
  const Eigen::VectorXd sizes = v.cwiseAbs().cwiseMax(size_v_);
  for (const std::size_t i : touching_) {
    const std::size_t link = systems_.contact(i);
    if (contains(struck_, i) || contains(opening_, i)) continue;
    if (mechanics.gap_rate(link, v) >= -rounding * mechanics.rate_scale(link, sizes)) continue;
    struck_.push_back(i);
    record({state_.t, FunctionKind::gap, i, 0, "falling", 0, true});
  }
}

double EventRun::contact_noise(const LinkMechanics& mechanics, std::size_t contact) const {
  constexpr double rounding = 1e-11;
  return rounding * mechanics.residual_scale(systems_.contact(contact));
}

void EventRun::find_touching() {
  touching_.clear();
  if (model_.contacts.empty()) return;
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    if (!contact_on_[i]) continue;
    const bool is_known = mode_.links[systems_.contact(i)] || contains(struck_, i) || contains(opening_, i);
    if (is_known || is_touching(mechanics, i)) touching_.push_back(i);
  }
}

// Within rounding errors; a contact in the middle of a flight is lower than those of long ways, and does not
// touch.
bool EventRun::is_touching(const LinkMechanics& mechanics, std::size_t contact) const {
  constexpr double units = 64 * std::numeric_limits<double>::epsilon();
  const std::size_t link = systems_.contact(contact);
  const double gap = -mechanics.residual(link);
  if (gap > contact_noise(mechanics, contact)) return false;
  if (!progress_ || gap <= units * mechanics.residual_scale(link)) return true;
  const Eigen::Map<const Eigen::VectorXd> v(state_.v.data(), static_cast<Eigen::Index>(state_.v.size()));
  return gap <= -mechanics.gap_rate(link, v) * shortest_flight();
}

// The velocities behind the instant: on all constraints, none into a contact.
bool EventRun::jump() {
  find_touching();
  release_friction();
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  std::optional<LinkMechanics::Jump> found = jump_to_rest_where_bounces_accumulate(mechanics);
  if (!found && !reason_.empty()) return false;
  if (!found)
    return fail("no velocities satisfy the constraints and contacts here: " + names_of_friction(touching_));
  carry_error();
  const std::vector<double> before = state_.v;
  state_.v.assign(found->v.begin(), found->v.end());
  constexpr double rounding = 1e-14;
  double largest = 0;
  for (const auto& [link, impulse] : found->impulses) largest = std::max(largest, std::abs(impulse));
  for (const auto& [link, impulse] : found->impulses) {
    if (first_record_ < records_.size() && std::abs(impulse) > rounding * largest && state_.v != before)
      records_[first_record_].impulses.emplace_back(systems_.name(link), impulse);
  }
  return close_contacts();
}

// Of contacts that touch and do not part, those that must push stay closed.
bool EventRun::close_contacts() {
  std::vector<std::size_t> links;
  for (const std::size_t i : touching_) mode_.links[systems_.contact(i)] = false;
  for (const std::size_t i : staying_) links.push_back(systems_.contact(i));
  if (holds_signs()) return choose_states(staying_, links) && note_let_go();
  if (links.empty()) return note_let_go();
  const auto forces = LinkMechanics(systems_, mode_, state_.t, state_.q, state_.v).contact_forces(links);
  if (!forces) return fail("no forces keep these contacts closed: " + names_of(staying_));
  double largest = 0;
  for (const double force : forces->force) largest = std::max(largest, force);
  constexpr double rounding = 1e-12;
  const std::vector<std::size_t> back = falling_back();
  for (std::size_t k = 0; k < links.size(); ++k) {
    mode_.links[links[k]] =
        forces->force[k] > rounding * std::max(largest, forces->scale[k]) || contains(back, links[k]);
    if (mode_.links[links[k]]) note_rest(staying_[k]);
  }
  return note_let_go();
}

// Links of contacts that were let go without a force and an acceleration, and close at once: what pressed
// them comes back, as from a ball below that bounces off the wall on which they lean.
std::vector<std::size_t> EventRun::falling_back() const {
  std::vector<std::size_t> result;
  for (const std::size_t i : staying_)
    if (contains(struck_, i) && state_.t - let_go_[i] <= shortest_flight())
      result.push_back(systems_.contact(i));
  return result;
}

bool EventRun::note_let_go() {
  for (const std::size_t i : touching_) {
    const bool stays = contains(staying_, i) || contains(opening_, i);
    if (stays && !mode_.links[systems_.contact(i)]) let_go_[i] = state_.t;
  }
  return true;
}

double EventRun::energy() {
  const System& system = systems_.get(mode_);
  Observer<double> observer(system, 1);
  const std::vector<double> a(system.n(), 0), lambda(system.m(), 0);
  return observer.eval_energy({state_.t, state_.q, state_.v, a, lambda});
}

std::string EventRun::names_of(const std::vector<std::size_t>& contacts) const {
  std::vector<std::string> names;
  for (const std::size_t i : contacts) names.push_back("'" + model_.contacts[i].name + "'");
  return join(names, ", ");
}

}  // namespace dalembert
