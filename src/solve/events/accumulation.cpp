// Impacts that follow each other ever faster, and the rest that they end in.
#include <algorithm>
#include <array>
#include <cstddef>
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
  std::vector<TouchingContact> contacts;
  std::vector<std::size_t> links;
  for (const std::size_t i : touching_) {
    const Contact& contact = model_.contacts[i];
    contacts.push_back({systems_.contact(i), systems_.parameter(contact.restitution), contact.law});
    links.push_back(systems_.contact(i));
  }
  auto found = velocities_behind(mechanics, contacts);
  if (!found || contacts.empty()) return found;
  Mode open = mode_;
  for (const std::size_t link : links) open.links[link] = false;
  const std::vector<double> v(found->v.begin(), found->v.end());
  const LinkMechanics behind(systems_, open, state_.t, state_.q, v);
  bool any = false;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const double rate = behind.gap_rate(links[k], found->v);
    const double acceleration = behind.free_acceleration(links[k]);
    if (!(contacts[k].restitution > 0) || !(rate > 0) || !(acceleration < 0)) continue;
    const double flight = -2 * rate / acceleration;
    double& last = last_impact_[touching_[k]];
    const bool is_lost =
        is_lost_flight(mechanics, links[k], rate, acceleration) || state_.t - last < shortest_flight();
    last = state_.t;
    if (!is_lost) continue;
    const double e = contacts[k].restitution;
    for (std::size_t r = first_record_; r < records_.size(); ++r) {
      EventRecord& one = records_[r];
      if (one.name != systems_.name(links[k]) || !(e < 1)) continue;
      one.note = fmt::format("bounces accumulate at t = {}", shortest(state_.t + flight / (1 - e)));
    }
    contacts[k].restitution = 0;
    any = true;
  }
  if (any) found = velocities_behind(mechanics, contacts);
  if (found) hold_where_flights_are_lost(mechanics, *found);
  return found;
}

// Impacts without restitution accumulate, too, where each opens another contact: a block rocks from corner to
// corner, ever faster. With the last flights Δ₁, Δ₂ = r Δ₁ the series ends at t + Δ₂ r/(1 − r).
void EventRun::hold_where_flights_are_lost(const LinkMechanics& mechanics, LinkMechanics::Jump& jump) {
  if (touching_.size() < 2) return;
  Mode open = mode_;
  constexpr double never = -std::numeric_limits<double>::infinity();
  std::array<double, 2> before{never, never};  // the last two impacts
  for (const std::size_t i : touching_) {
    open.links[systems_.contact(i)] = false;
    const double t = last_impact_[i];
    before = t > before[0] ? std::array{t, before[0]} : std::array{before[0], std::max(before[1], t)};
  }
  const std::vector<double> v(jump.v.begin(), jump.v.end());
  const LinkMechanics behind(systems_, open, state_.t, state_.q, v);
  std::vector<std::size_t> held;
  bool any = false;
  for (const std::size_t i : touching_) {
    const std::size_t link = systems_.contact(i);
    const double rate = behind.gap_rate(link, jump.v), acceleration = behind.free_acceleration(link);
    if (std::ranges::find(opening_, i) != opening_.end() || !(acceleration < 0) ||
        !is_lost_flight(mechanics, link, rate, acceleration))
      continue;
    held.push_back(link);
    any = any || rate > LinkMechanics::rate_rounding * behind.rate_scale(link, jump.v);
  }
  for (const std::size_t i : struck_) last_impact_[i] = state_.t;
  if (!any) return;
  mechanics.hold(held, jump);
  const double flight = state_.t - before[0], ratio = flight / (before[0] - before[1]);
  if (first_record_ >= records_.size()) return;
  records_[first_record_].kind = "rest";
  if (!(ratio > 0 && ratio < 1)) return;
  records_[first_record_].note =
      fmt::format("impacts accumulate at t = {}", shortest(state_.t + flight * ratio / (1 - ratio)));
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
