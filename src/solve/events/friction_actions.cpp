// What happens at an instant of a run with friction, and with forces that hold signs.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/linalg/saddle_point.hpp>
#include <dalembert/solve/settled_start.hpp>

#include "events/event_run.hpp"

namespace dalembert {

void settle_start(const System& system, Start& start) {
  if (system.model().held_signs.empty() && system.model().contacts.empty()) return;
  SolveOptions options;
  options.method = "adomian";
  options.start = start.t;
  options.duration = 1;
  const SampleSink<double> none;
  const Problem problem{system, start, {}, {}};
  EventRun run(problem, options, none);
  run.refuse_penetrated_contacts();
  if (!system.model().held_signs.empty()) start = run.settled_start();
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

const std::string too_much_friction = "too much friction at one instant to try all its states: ";

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
    const auto friction = friction_of(i);
    if (mode_.signs[i] == 0) continue;
    if (friction && systems_.slips(*friction).size() == 2) {
      add_turns(program, *friction, result);
      continue;
    }
    if (program.held_arguments[i].x == no_register) continue;
    one.owner = i;
    one.output = program.held_arguments[i];
    one.side = mode_.signs[i] < 0 ? -1 : 1;
    one.rests = friction && std::ranges::find(starting_, *friction) != starting_.end();
    one.noise = sign_noise(i);
    if (one.rests) one.noise = std::max(one.noise, slip_noise(*friction));
    result.push_back(one);
  }
  one.kind = FunctionKind::margin;
  one.direction = Crossing::falling;
  one.side = 1;
  one.rests = false;
  one.noise = 0;
  add_margins_in_space(program, one, result);
  add_margins(program, one, result);
}

// (μ N)² − |Λ|². Contacts that share their force in no unique way, as the four corners of a box, may be left
// without: their limit is zero, and they hold nothing. As rows of C are chosen along the motion, they are
// others.
void EventRun::add_margins_in_space(const EventProgram& program, WatchedFunction& one,
                                    std::vector<WatchedFunction>& result) {
  constexpr double rounding = 1e-9;
  const Eigen::VectorXd shares = redundant_shares();
  const double largest = shares.size() > 0 ? shares.lpNorm<Eigen::Infinity>() : 0;
  for (std::size_t f = 0; f < model_.frictions.size(); ++f) {
    if (!mode_.links[systems_.slips(f)[0]] || systems_.slips(f).size() == 1) continue;
    const auto normal = systems_.normal(f);
    if (normal && shares.size() > 0 &&
        std::abs(shares[static_cast<Eigen::Index>(*systems_.row(mode_, *normal))]) <= rounding * largest)
      continue;
    one.owner = f;
    one.output = program.frictions[f].margins[0];
    one.noise = std::pow(rounding * systems_.parameter(model_.frictions[f].sticking) * largest, 2);
    result.push_back(one);
  }
  one.noise = 0;
}

// λ of independent constraints; nothing where all are.
Eigen::VectorXd EventRun::redundant_shares() {
  const System& system = systems_.get(mode_);
  if (active_.size() == system.m()) return {};
  StateEvaluation at(system);
  at.eval(state_.t, state_.q, state_.v);
  RowRank rank;
  rank.rank = static_cast<Eigen::Index>(active_.size());
  rank.independent.assign(active_.begin(), active_.end());
  const auto forces = solve_saddle_point(at.M, at.C, at.D, at.f, at.gamma, rank);
  return forces ? forces->lambda : Eigen::VectorXd();
}

// A slip in space is followed while it is within 45° of its heading h, h·w ∓ h×w > 0; both are zero where it
// stops.
void EventRun::add_turns(const EventProgram& program, std::size_t friction,
                         std::vector<WatchedFunction>& result) {
  const Friction& of = model_.frictions[friction];
  const std::array h{mode_.signs[of.heading[0]], mode_.signs[of.heading[1]]};
  WatchedFunction one;
  one.kind = FunctionKind::sign;
  one.owner = of.direction;
  one.cuts = true;
  one.direction = Crossing::falling;
  one.side = 1;
  one.output = program.frictions[friction].slips[0];
  one.offset = -least_slip(friction);
  for (const std::size_t k : {0U, 1U}) {
    const double turn = k == 0 ? 1 : -1;
    one.number = k;
    one.factor = h[0] + turn * h[1];
    one.more = {{h[1] - turn * h[0], program.frictions[friction].slips[1]}};
    result.push_back(one);
  }
}

// A slip in space below this is zero.
double EventRun::least_slip(std::size_t friction) {
  constexpr double small = 1e-12;
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  const auto n = static_cast<Eigen::Index>(state_.v.size());
  double scale = 0;
  for (const std::size_t link : systems_.slips(friction))
    scale = std::max(scale, mechanics.rate_scale(link, Eigen::VectorXd::Constant(n, least_sizes().v)));
  return small * scale;
}

// A slip in space that has turned away from its heading, and goes on.
bool EventRun::has_turned(const Hit& hit) {
  const auto friction = hit.kind == FunctionKind::sign ? friction_of(hit.owner) : std::nullopt;
  if (!friction || systems_.slips(*friction).size() != 2) return false;
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  double square = 0;
  for (const std::size_t link : systems_.slips(*friction)) square += std::pow(mechanics.residual(link), 2);
  constexpr double much = 100;
  return std::sqrt(square) > much * least_slip(*friction);
}

// Σ |ρ| μ N ∓ Σ ρ Λ of frictions that stick together, from those of each, μ N ∓ Λ.
void EventRun::add_margins(const EventProgram& program, WatchedFunction& one,
                           std::vector<WatchedFunction>& result) const {
  for (const FrictionGroup& group : sticking_) {
    one.owner = group.first();
    for (const std::size_t k : {0U, 1U}) {
      one.number = k;
      one.more.clear();
      for (const FrictionGroup::Member& member : group.members) {
        const Scaled& margin = program.frictions[member.friction].margins[member.ratio < 0 ? 1 - k : k];
        if (member.friction == one.owner) {
          one.output = margin;
        } else {
          one.more.push_back({std::abs(member.ratio / group.members.front().ratio), margin});
        }
      }
      result.push_back(one);
    }
  }
}

const FrictionGroup* EventRun::group_of(std::size_t friction) const {
  const auto found = std::ranges::find(sticking_, friction, &FrictionGroup::first);
  return found == sticking_.end() ? nullptr : &*found;
}

// Of a sign that has just changed on a method's own curve: how far its argument may be from zero.
double EventRun::sign_noise(std::size_t sign) const {
  if (options_.method == "adomian") return 0;
  const auto hit = std::ranges::find_if(
      fired_, [&](const Hit& one) { return one.kind == FunctionKind::sign && one.owner == sign; });
  return hit == fired_.end() ? 0 : FrictionMechanics::sign_rounding * hit->scale;
}

// Of a velocity that is zero: the rounding errors of its terms, or a thousandth of what the method's steps
// leave.
double EventRun::rate_noise(std::size_t link) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon(), share = 1e-3;
  const double units =
      options_.method == "adomian" ? rounding : std::max(rounding, share * options_.tolerance);
  const auto n = static_cast<Eigen::Index>(state_.v.size());
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  // velocities that were, or that the accelerations make
  const Eigen::VectorXd sizes =
      Eigen::Map<const Eigen::VectorXd>(state_.a.data(), n).cwiseAbs() * (end_ - state_.t);
  return units * mechanics.rate_scale(link, (sizes.array() + least_sizes().v).matrix());
}

// Of a slip that is zero: that of its velocities, and what the jump onto the constraints has left of it.
double EventRun::slip_noise(std::size_t friction) {
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  const Eigen::Map<const Eigen::VectorXd> v(state_.v.data(), static_cast<Eigen::Index>(state_.v.size()));
  double noise = 0, left = 0;
  for (const std::size_t link : systems_.slips(friction)) {
    noise += rate_noise(link);
    left += 2 * std::abs(mechanics.gap_rate(link, v));
  }
  return std::max(noise, left);
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
  // noise of what is at rest is measured beside the motion that was
  const Eigen::VectorXd sizes = v.cwiseAbs().cwiseMax(Eigen::VectorXd::Constant(v.size(), size_v_));
  bool is_struck = onto && (onto->v - v).norm() > rounding * sizes.norm();
  for (const TouchingContact& one : contacts)
    is_struck =
        is_struck || mechanics.gap_rate(one.link, v) < -rounding * mechanics.rate_scale(one.link, sizes);
  if (!is_struck) return mechanics.jump(contacts);
  FrictionMechanics friction(systems_, mode_, state_.t, state_.q, state_.v);
  auto jump = friction.jump(contacts);
  if (!jump && friction.gave_up()) fail(too_much_friction + names_of_friction(touching_));
  return jump;
}

// A friction whose force has come to its limit slides against it; a slip that has come to zero may stick; a
// sign has changed.
FrictionMechanics::Known EventRun::known_of_friction() {
  FrictionMechanics::Known known;
  known.speeds = speeds_;
  known.closed = falling_back();
  known.limits = limits_;
  known.instant = 4 * std::numeric_limits<double>::epsilon() * options_.duration;
  for (const Hit& hit : fired_) {
    if (hit.kind == FunctionKind::margin) {
      known.at_rest.push_back(hit.owner);
      known.frictions[hit.owner] = {1};
      if (const FrictionGroup* const group = group_of(hit.owner)) {
        const int direction = (hit.number == 0 ? -1 : 1) * group->members.front().side();
        known.frictions[hit.owner] = {direction, -direction};
        for (std::size_t i = 1; i < group->members.size(); ++i)
          known.at_rest.push_back(group->members[i].friction);
      }
    }
    if (hit.kind != FunctionKind::sign || has_turned(hit)) continue;
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

// One that came to its limit by a share that is arbitrary, where what it would hold by sliding is less.
std::optional<std::size_t> EventRun::undecided_friction() const {
  for (const Hit& hit : fired_) {
    const FrictionGroup* const group = hit.kind == FunctionKind::margin ? group_of(hit.owner) : nullptr;
    if (group == nullptr || !group->depends_on_share) continue;
    const bool drops = std::ranges::any_of(group->members, [&](const FrictionGroup::Member& member) {
      const Friction& friction = model_.frictions[member.friction];
      return systems_.parameter(friction.sticking) > systems_.parameter(friction.friction);
    });
    if (drops) return hit.owner;
  }
  return std::nullopt;
}

bool EventRun::choose_states(const std::vector<std::size_t>& contacts,
                             const std::vector<std::size_t>& links) {
  FrictionMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  const FrictionMechanics::Known known = known_of_friction();
  FrictionMechanics::Answer answer = mechanics.choose(links, known);
  if (answer.count == 0)
    answer = mechanics.choose(
        links, {known.at_rest, {}, {}, {}, known.speeds, known.instant, limits_, known.closed});
  if (mechanics.gave_up() && answer.count == 0) return fail(too_much_friction + names_of_friction(contacts));
  if (answer.count != 1)
    return fail(fmt::format("{} accelerations satisfy Coulomb's law here (Painlevé's paradox): {}",
                            answer.count == 0 ? "no" : "several", names_of_friction(contacts)));
  if (const auto arbitrary = undecided_friction()) answer.undecided = arbitrary;
  if (answer.undecided)
    return fail(
        fmt::format("'{}' is at its limit while others hold the body: where friction sticks more than it "
                    "slides, how contacts share their force has no unique answer",
                    model_.frictions[*answer.undecided].name));
  mode_ = answer.mode;
  sticking_ = answer.sticking;
  state_.a.assign(answer.a.begin(), answer.a.end());
  starting_.clear();
  for (std::size_t f = 0; f < model_.frictions.size(); ++f) {
    const bool was_at_rest = std::ranges::find(known.at_rest, f) != known.at_rest.end();
    if (was_at_rest && mode_.signs[model_.frictions[f].direction] != 0) starting_.push_back(f);
  }
  land_slips(known.at_rest);
  begin_slips(answer);
  for (std::size_t k = 0; k < links.size(); ++k)
    if (mode_.links[links[k]]) note_rest(contacts[k]);
  name_states(known);
  return true;
}

// A slip in space that comes to its limit will be against its force.
void EventRun::note_limits() {
  limits_.clear();
  for (const Hit& hit : fired_) {
    if (hit.kind != FunctionKind::margin || systems_.slips(hit.owner).size() != 2) continue;
    Eigen::Vector2d force;
    for (const std::size_t k : {0U, 1U})
      force[k] = state_.lambda[*systems_.row(mode_, systems_.slips(hit.owner)[k])];
    limits_[hit.owner] = -force.normalized();
  }
}

// A slip in space has a direction where it is not zero: one that begins is given the least that counts.
// Without an acceleration, at its limit, it is given more: motions out of a direction that turns on nothing
// are singular.
void EventRun::begin_slips(const FrictionMechanics::Answer& answer) {
  constexpr double beginning = 10, at_limit = 1e4;  // of the least
  if (answer.starting.empty()) return;
  std::vector<std::size_t> links;
  std::vector<double> rates;
  for (std::size_t i = 0; i < systems_.link_count(); ++i) {
    if (!mode_.links[i] || !(systems_.is_contact(i) || systems_.is_slip(i))) continue;
    links.push_back(i);
    rates.push_back(0);
  }
  for (const std::size_t f : answer.starting) {
    for (const std::size_t k : {0U, 1U}) {
      links.push_back(systems_.slips(f)[k]);
      rates.push_back((limits_.contains(f) ? at_limit : beginning) * least_slip(f) *
                      mode_.signs[model_.frictions[f].heading[k]]);
    }
  }
  Mode open = mode_;
  for (std::size_t i = 0; i < systems_.link_count(); ++i)
    if (systems_.is_contact(i) || systems_.is_slip(i)) open.links[i] = false;
  const LinkMechanics mechanics(systems_, open, state_.t, state_.q, state_.v);
  const auto n = static_cast<Eigen::Index>(state_.v.size());
  LinkMechanics::Jump jump{Eigen::Map<const Eigen::VectorXd>(state_.v.data(), n), {}};
  mechanics.hold(links, jump,
                 Eigen::Map<const Eigen::VectorXd>(rates.data(), static_cast<Eigen::Index>(rates.size())));
  state_.v.assign(jump.v.begin(), jump.v.end());
}

// What has held up to here holds exactly: the errors of a method's velocities are neither slips nor parting
// contacts.
void EventRun::land_on_links() {
  const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
  std::vector<std::size_t> closed;
  bool any = false;  // of contacts and slips
  for (std::size_t i = 0; i < systems_.link_count(); ++i) {
    any = any || (mode_.links[i] && (systems_.is_contact(i) || systems_.is_slip(i)));
    if (mode_.links[i] && systems_.is_contact(i)) closed.push_back(i);
  }
  if (!any) return;
  auto landed = mechanics.jump({});
  if (!landed) return;
  mechanics.hold(closed, *landed);
  state_.v.assign(landed->v.begin(), landed->v.end());
}

// Slips that came to zero along a method's curve are zero.
void EventRun::land_slips(const std::vector<std::size_t>& at_rest) {
  if (at_rest.empty()) return;
  Mode mode = mode_;
  for (const std::size_t f : at_rest)
    for (const std::size_t link : systems_.slips(f)) mode.links[link] = true;
  try {
    const auto landed = LinkMechanics(systems_, mode, state_.t, state_.q, state_.v).jump({});
    if (landed) state_.v.assign(landed->v.begin(), landed->v.end());
  } catch (const Error&) {
    // at a dead centre constraints make the slip zero: there is nothing to land
  }
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
  if (names.empty())
    for (const HeldSign& sign : model_.held_signs) names.push_back("'" + sign.name + "'");
  return join(names, ", ");
}

}  // namespace dalembert
