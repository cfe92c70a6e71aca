// Impacts that follow each other ever faster, and the rest that they end in.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "events/event_run.hpp"

namespace dalembert {

// Bounces whose flights or heights are lost in rounding errors have all been at the limit of their geometric
// series, t + Δ / (1 − ε) with Δ the next flight; the contact comes to rest.
std::optional<LinkMechanics::Jump> EventRun::jump_to_rest_where_bounces_accumulate(
    const LinkMechanics& mechanics) {
  contacts_.clear();
  for (const std::size_t i : touching_) {
    const Contact& contact = model_.contacts[i];
    contacts_.push_back({systems_.contact(i), systems_.parameter(contact.restitution), contact.law});
  }
  staying_.clear();
  auto found = velocities_behind(mechanics, contacts_);
  if (!found) return found;
  note_speeds(found->v);
  if (contacts_.empty()) return found;
  const std::vector<Flight> flights = flights_behind(mechanics, *found, resting_contacts(mechanics, *found));
  bool any = false;
  for (const Flight& flight : flights) {
    TouchingContact& contact = contacts_[flight.place];
    if (!(contact.restitution > 0)) continue;
    double& last = last_impact_[touching_[flight.place]];
    const bool is_lost = flight.is_lost || state_.t - last < shortest_flight();
    last = state_.t;
    if (!is_lost) continue;
    note_end_of_bounces(touching_[flight.place], flight.length, contact.restitution);
    contact.restitution = 0;
    any = true;
  }
  if (any) found = velocities_behind(mechanics, contacts_);
  if (found) hold_where_flights_are_lost(mechanics, *found);
  return found;
}

void EventRun::note_end_of_bounces(std::size_t contact, double flight, double restitution) {
  if (!(restitution < 1)) return;
  for (std::size_t r = first_record_; r < records_.size(); ++r) {
    if (records_[r].name == model_.contacts[contact].name)
      records_[r].note =
          fmt::format("bounces accumulate at t = {}", shortest(state_.t + flight / (1 - restitution)));
  }
}

// Rates that are small differences of these velocities have their rounding errors, however small those
// velocities are that are left.
void EventRun::note_speeds(const Eigen::VectorXd& behind) {
  const Eigen::Map<const Eigen::VectorXd> before(state_.v.data(), behind.size());
  const Eigen::VectorXd least = Eigen::VectorXd::Constant(behind.size(), least_sizes().v);
  speeds_ = before.cwiseAbs().cwiseMax(behind.cwiseAbs()).cwiseMax(least);
}

// Contacts that touch and do not part.
std::vector<std::size_t> EventRun::resting_contacts(const LinkMechanics& mechanics,
                                                    const LinkMechanics::Jump& jump) const {
  std::vector<std::size_t> result;
  for (const std::size_t i : touching_) {
    const std::size_t link = systems_.contact(i);
    const bool is_opening = std::ranges::find(opening_, i) != opening_.end();
    const double rate = mechanics.gap_rate(link, jump.v);
    if (!is_opening && rate <= LinkMechanics::rate_rounding * mechanics.rate_scale(link, speeds_))
      result.push_back(i);
  }
  return result;
}

// Of contacts that part and come back, beside others that stay: a ball on a ball on the floor does.
std::vector<EventRun::Flight> EventRun::flights_behind(const LinkMechanics& mechanics,
                                                       const LinkMechanics::Jump& jump,
                                                       const std::vector<std::size_t>& staying) {
  Mode open = mode_;
  for (const std::size_t i : touching_) open.links[systems_.contact(i)] = false;
  const std::vector<double> v(jump.v.begin(), jump.v.end());
  const LinkMechanics behind(systems_, open, state_.t, state_.q, v);
  const auto acceleration_of = accelerations_behind(behind, open, v, staying);
  std::vector<Flight> flights;
  for (std::size_t k = 0; k < touching_.size(); ++k) {
    const std::size_t i = touching_[k], link = systems_.contact(i);
    const auto is_among = [i](const auto& list) { return std::ranges::find(list, i) != list.end(); };
    if (is_among(staying) || is_among(opening_)) continue;
    const double rate = behind.gap_rate(link, jump.v);
    const double acceleration = acceleration_of(link);
    if (!(rate > 0) || !(acceleration < 0)) continue;
    flights.push_back({k, -2 * rate / acceleration, is_lost_flight(mechanics, link, rate, acceleration)});
  }
  return flights;
}

// Of gaps, with the forces of contacts that stay and their friction.
std::function<double(std::size_t)> EventRun::accelerations_behind(const LinkMechanics& behind,
                                                                  const Mode& open,
                                                                  const std::vector<double>& v,
                                                                  const std::vector<std::size_t>& staying) {
  std::vector<std::size_t> links;
  for (const std::size_t i : staying) links.push_back(systems_.contact(i));
  if (holds_signs()) {
    FrictionMechanics friction(systems_, open, state_.t, state_.q, v);
    FrictionMechanics::Known known = known_of_friction();
    known.at_rest.clear();
    known.frictions.clear();
    if (const auto a = friction.accelerations(links, known))
      return [&behind, a = *a](std::size_t link) { return behind.gap_acceleration(link, a); };
  }
  auto forces = behind.contact_forces(links);
  if (!forces) {
    links.clear();
    forces.emplace();
  }
  return
      [&behind, links, forces](std::size_t link) { return behind.acceleration_beside(links, *forces, link); };
}

// Impacts without restitution accumulate, too, where each opens another contact: a block rocks from corner to
// corner, ever faster. What is held may bring others back: of a tower, one after the other.
void EventRun::hold_where_flights_are_lost(const LinkMechanics& mechanics, LinkMechanics::Jump& jump) {
  note_speeds(jump.v);
  staying_ = resting_contacts(mechanics, jump);
  bool any = false;
  for (bool finds_more = true; finds_more;) {
    finds_more = false;
    for (const Flight& flight : flights_behind(mechanics, jump, staying_)) {
      if (!flight.is_lost) continue;
      staying_.push_back(touching_[flight.place]);
      finds_more = any = true;
    }
  }
  if (any) note_end_of_impacts();
  for (const std::size_t i : struck_) last_impact_[i] = state_.t;
  const bool has_jumped = !std::ranges::equal(jump.v, state_.v);
  if (any || has_jumped) mechanics.hold(links_at_rest(mechanics, jump), jump);
}

// Contacts that stay, and the slips of those that stick.
std::vector<std::size_t> EventRun::links_at_rest(const LinkMechanics& mechanics,
                                                 const LinkMechanics::Jump& jump) const {
  std::vector<std::size_t> links;
  for (const std::size_t i : staying_) links.push_back(systems_.contact(i));
  const std::size_t contacts = links.size();
  for (std::size_t f = 0; f < model_.frictions.size(); ++f) {
    const auto end = links.begin() + static_cast<std::ptrdiff_t>(contacts);
    const auto normal = systems_.normal(f);
    const bool is_contact = normal && systems_.is_contact(*normal);
    if (is_contact ? std::find(links.begin(), end, *normal) == end : normal && !mode_.links[*normal])
      continue;
    const std::vector<std::size_t>& slips = systems_.slips(f);
    const bool sticks = std::ranges::all_of(slips, [&](std::size_t slip) {
      return std::abs(mechanics.gap_rate(slip, jump.v)) <=
             FrictionMechanics::slip_rounding * mechanics.rate_scale(slip, speeds_);
    });
    if (sticks) links.insert(links.end(), slips.begin(), slips.end());
  }
  return links;
}

// With the last flights Δ₁, Δ₂ = r Δ₁ the series ends at t + Δ₂ r/(1 − r).
void EventRun::note_end_of_impacts() {
  constexpr double never = -std::numeric_limits<double>::infinity();
  std::array<double, 2> before{never, never};  // the last two impacts
  for (const std::size_t i : touching_) {
    const double t = last_impact_[i];
    before = t > before[0] ? std::array{t, before[0]} : std::array{before[0], std::max(before[1], t)};
  }
  const double flight = state_.t - before[0], ratio = flight / (before[0] - before[1]);
  for (std::size_t r = first_record_; r < records_.size(); ++r) {
    EventRecord& one = records_[r];
    if (one.kind != "impact") continue;
    one.kind = "rest";
    if (!(ratio > 0 && ratio < 1)) continue;
    one.note = fmt::format("impacts accumulate at t = {}", shortest(state_.t + flight * ratio / (1 - ratio)));
  }
}

// A flight whose time or height is not told apart from none; a bounce that stays below the error of the place
// where its impact was found would never be seen to end.
bool EventRun::is_lost_flight(const LinkMechanics& mechanics, std::size_t link, double rate,
                              double acceleration) const {
  constexpr double of_height = 1e3 * std::numeric_limits<double>::epsilon();
  const double flight = -2 * rate / acceleration, height = -rate * rate / (2 * acceleration);
  return flight < shortest_flight() || height < of_height * mechanics.residual_scale(link) ||
         height < 2 * mechanics.residual(link);
}

// What series, or the curves of other methods, tell apart.
double EventRun::shortest_flight() const {
  return (options_.method == "adomian" ? 1e-13 : 1e-8) * options_.duration;
}

// The impact of a contact that bounces, and now does no more.
void EventRun::note_rest(std::size_t contact) {
  if (!(systems_.parameter(model_.contacts[contact].restitution) > 0)) return;
  for (std::size_t r = first_record_; r < records_.size(); ++r) {
    EventRecord& one = records_[r];
    if (one.name == model_.contacts[contact].name && one.kind == "impact") one.kind = "rest";
  }
}

}  // namespace dalembert
