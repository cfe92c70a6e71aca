// How errors of the state pass an impact.
//
// The moved state x + e meets the contact at another time. With the gap w and F = (v, a) before and behind,
//   δt = −(∇w·e)/(dw/dt),   e⁺ = J(x + e + δt F⁻) − J(x) − δt F⁺
// with J the map of the impact.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "events/event_run.hpp"

namespace dalembert {

namespace {

constexpr double part = 1e-7;  // of the motion, about the root of the rounding unit

double largest(std::span<const double> x) {
  double result = 0;
  for (const double one : x) result = std::max(result, std::abs(one));
  return result;
}

}  // namespace

double EventRun::size_of_error(std::span<const double> e) const {
  const std::size_t n = state_.q.size();
  const double q = size_q_ > 0 ? largest(e.first(n)) / size_q_ : 0;
  return std::max(q, size_v_ > 0 ? largest(e.last(n)) / size_v_ : 0);
}

EventRun::Moved EventRun::moved_by(std::span<const double> e, double factor) const {
  Moved moved{state_.q, state_.v};
  for (std::size_t i = 0; i < moved.q.size(); ++i) {
    moved.q[i] += factor * e[i];
    moved.v[i] += factor * e[moved.q.size() + i];
  }
  return moved;
}

// The velocities behind the same impact of another state.
std::optional<Eigen::VectorXd> EventRun::moved_velocities(double t, const Moved& moved) {
  const Kept here = state_;
  std::string reason = reason_;
  state_.t = t;
  state_.q = moved.q;
  state_.v = moved.v;
  const auto found = velocities_behind(LinkMechanics(systems_, mode_, t, moved.q, moved.v), contacts_);
  state_ = here;
  reason_ = std::move(reason);
  if (!found) return std::nullopt;
  return found->v;
}

// Where events set, enable or disable something, the map is more than that of an impact.
void EventRun::note_untold_errors(const std::vector<std::size_t>& events) {
  if (!progress_ || !progress_->errors || progress_->errors->failed) return;
  const auto changes = [this](std::size_t i) {
    const Event& event = model_.events[i];
    return !event.set.empty() || !event.enable.empty() || !event.disable.empty();
  };
  const auto changing = std::ranges::find_if(events, changes);
  if (changing != events.end()) {
    untold_ = fmt::format("what the event '{}' does", model_.events[*changing].name);
  } else if (inputs_move_constraints_ && std::ranges::any_of(fired_, [](const Hit& hit) {
               return hit.kind == WatchedFunction::Kind::knot;
             })) {
    untold_ = "the knots of inputs that move constraints";
  } else {
    return;
  }
  untold_ += fmt::format(" at t = {}", shortest(state_.t));
  progress_->errors->failed = true;
}

// δt, by a difference of the gap along e.
double EventRun::delay_of(const std::vector<double>& e) {
  const LinkMechanics here(systems_, mode_, state_.t, state_.q, state_.v);
  const std::size_t link = systems_.contact(struck_.front());
  const double step = part / size_of_error(e);
  const Moved there = moved_by(e, step);
  const LinkMechanics beside(systems_, mode_, state_.t, there.q, there.v);
  const Eigen::Map<const Eigen::VectorXd> v(state_.v.data(), static_cast<Eigen::Index>(state_.v.size()));
  return (beside.residual(link) - here.residual(link)) / step / here.gap_rate(link, v);
}

// Before the jump, of several contacts struck at one instant with the time of the first.
void EventRun::carry_error() {
  if (struck_.empty() || !progress_ || !progress_->errors || progress_->errors->failed) return;
  ErrorGrowth::Memory& memory = *progress_->errors;
  std::vector<double>& e = memory.error;
  if (size_of_error(e) == 0) return;
  const std::size_t n = state_.q.size();
  memory.delay = delay_of(e);
  for (std::size_t i = 0; i < n; ++i) {
    e[i] += memory.delay * state_.v[i];
    e[n + i] += memory.delay * memory.acceleration[i];
  }
  const double step = part / size_of_error(e);
  const Moved moved = moved_by(e, step);
  const auto from = moved_velocities(state_.t, {state_.q, state_.v});
  const auto to = moved_velocities(state_.t + step * memory.delay, moved);
  memory.failed = !from || !to || !std::isfinite(step);
  if (memory.failed) return;
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    e[n + i] = ((*to)[row] - (*from)[row]) / step;
  }
}

}  // namespace dalembert
