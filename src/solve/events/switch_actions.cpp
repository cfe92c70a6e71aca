// What happens where the argument w of abs, sign, min or max is zero: see held_switches.hpp.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "events/event_run.hpp"
#include "events/held_switches.hpp"
#include "switches/switch_monitor.hpp"

namespace dalembert {

using FunctionKind = WatchedFunction::Kind;

void EventRun::find_switches() {
  for (std::size_t i = 0; i < model_.events.size(); ++i) {
    const Event& event = model_.events[i];
    if (!is_switch(event)) continue;
    const std::size_t parameter = event.set[0].index;
    if (!ends_sliding(event)) {
      switches_.push_back({i, parameter, model_.parameters[parameter].name.starts_with(jump_word)});
      continue;
    }
    HeldSwitch& one = *std::ranges::find(switches_, parameter, &HeldSwitch::parameter);
    one.end = i;
    one.link = systems_.find(event.enable[0]);
  }
}

EventRun::HeldSwitch* EventRun::switch_of(const Hit& hit) {
  if (hit.kind != FunctionKind::event) return nullptr;
  const auto found = std::ranges::find_if(
      switches_, [&](const HeldSwitch& one) { return one.crossing == hit.owner || one.end == hit.owner; });
  return found == switches_.end() ? nullptr : &*found;
}

// Whether the function is watched in this part: w, or how far s is from 1 and −1.
bool EventRun::prepare_switch(std::size_t event, WatchedFunction& function) {
  for (const HeldSwitch& one : switches_) {
    if (one.end == event) {
      function.side = 1;
      return one.slides;
    }
    if (one.crossing != event) continue;
    function.side = side_of(one) < 0 ? -1 : 1;
    function.rests = one.leaves;
    if (one.leaves) function.noise = rate_noise(*one.link);
    return !one.slides;
  }
  return true;
}

double EventRun::side_of(const HeldSwitch& one) const {
  return systems_.parameter(model_.parameters[one.parameter].symbol);
}

void EventRun::set_side(const HeldSwitch& one, double side) {
  systems_.set_parameter(model_.parameters[one.parameter].name, side);
}

// Whether nothing else has happened.
bool EventRun::take_switches(const std::vector<Hit>& hits) {
  switched_.clear();
  bool has_slid = false;
  for (const Hit& hit : hits) {
    HeldSwitch* const one = switch_of(hit);
    if (one == nullptr) continue;
    has_slid = has_slid || one->slides;
    one->leaves = one->slides;
    if (one->slides) let_slide(*one, false);
    const bool is_up = one->leaves ? hit.number == 0 : std::string_view(hit.crossing) == "rising";
    set_side(*one, is_up ? 1 : -1);
    switched_.push_back(one->crossing);
  }
  same_switches_.insert(same_switches_.end(), switched_.begin(), switched_.end());
  bool slides = false;
  for (HeldSwitch& one : switches_) {
    const bool has_crossed = std::ranges::find(switched_, one.crossing) != switched_.end() && !one.leaves;
    slides = (has_crossed && one.jumps && settle_switch(one)) || slides;
  }
  keeps_structure_ = !has_slid && !slides;
  return !reason_.empty() || (!hits.empty() && switched_.size() == hits.size());
}

// So that accelerations and multipliers do, on which friction and signs of multipliers depend.
bool EventRun::forces_have_jumped() const {
  return holds_signs() && std::ranges::any_of(switches_, [&](const HeldSwitch& one) {
           return one.jumps && !one.slides && std::ranges::find(switched_, one.crossing) != switched_.end();
         });
}

// Of w where it is zero, with s = side.
EventRun::Slope EventRun::slope_of(const HeldSwitch& one, double side) {
  set_side(one, side);
  Start start;
  start.t = state_.t;
  start.q = state_.q;
  start.v = state_.v;
  solve_accelerations(systems_.get(mode_), start);
  if (one.link) {
    constexpr double rounding = 1e-11;
    const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
    const Eigen::Map<const Eigen::VectorXd> a(start.a.data(), static_cast<Eigen::Index>(start.a.size()));
    return {mechanics.acceleration(*one.link, a), rounding * mechanics.acceleration_scale(*one.link, a)};
  }
  const double before = value_of(one), h = 1e-9 * options_.duration;
  const Kept here = state_;
  state_.t += h;
  for (std::size_t i = 0; i < start.a.size(); ++i) {
    state_.q[i] += h * (state_.v[i] + h / 2 * start.a[i]);
    state_.v[i] += h * start.a[i];
  }
  const double slope = (value_of(one) - before) / h;
  state_ = here;
  constexpr double share = 1e-5;
  return {slope, share * std::abs(slope)};
}

double EventRun::value_of(const HeldSwitch& one) {
  return values_at_state().value(systems_.get(mode_).events().events[one.crossing].when[0]);
}

// Takes the side to which w goes from zero. True: the motion slides, or would have to.
bool EventRun::settle_switch(HeldSwitch& one) {
  const double before = side_of(one);
  const Slope above = slope_of(one, 1), below = slope_of(one, -1);
  const double noise = std::max(above.noise, below.noise);
  const bool matters = std::abs(above.value - below.value) > noise;
  const bool slides = matters && above.value <= noise && below.value >= -noise;
  const bool is_left = above.value > noise && below.value < -noise;  // either side drives it away
  const bool stays = is_left || (!slides && std::abs(above.value) <= noise);
  set_side(one, slides && one.link ? 0 : stays ? before : above.value > noise ? 1 : -1);
  if (!slides) return false;
  if (one.link && may_slide(options_)) {
    let_slide(one, true);
  } else {
    const std::string text = text_excerpt(model_.events[one.crossing].when[0]);
    fail(stays_reason(fmt::format("sign({})", text)));
  }
  return true;
}

// From where w is zero, but for errors of the method.
void EventRun::let_slide(HeldSwitch& one, bool slides) {
  one.slides = slides;
  mode_.links[*one.link] = slides;
  if (!slides) return;
  one.leaves = false;
  const auto landed = LinkMechanics(systems_, mode_, state_.t, state_.q, state_.v).jump({});
  if (landed) state_.v.assign(landed->v.begin(), landed->v.end());
}

// Friction that is finite has no impulse: what slides when velocities jump is let go, and looked at again.
void EventRun::release_switches() {
  for (HeldSwitch& one : switches_)
    if (one.slides) let_slide(one, false);
}

void EventRun::settle_switches_at_zero() {
  constexpr double rounding = 1e-14;
  for (HeldSwitch& one : switches_) {
    if (!one.link || one.slides) continue;
    const LinkMechanics mechanics(systems_, mode_, state_.t, state_.q, state_.v);
    const double w = mechanics.residual(*one.link);
    if (std::abs(w) <= rounding * std::max({1.0, size_q_, size_v_})) {
      settle_switch(one);
    } else if (side_of(one) * w <= 0) {
      set_side(one, w < 0 ? -1 : 1);
    }
  }
}

}  // namespace dalembert
