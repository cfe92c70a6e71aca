#include "singular/rank_loss_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace dalembert {
namespace {

constexpr int solves = 3;  // at a state

}  // namespace

RankLossMonitor::RankLossMonitor(const Problem& problem)
    : problem_(&problem),
      off_(problem.active.empty() || problem.active.size() > policy::most_watched_rows),
      rows_(problem.system, problem.active),
      watch_(problem.system.n(), problem.active.size()),
      search_(watch_),
      sizes_(problem.system.n(), 0),
      middle_q_(problem.system.n()),
      middle_v_(problem.system.n()) {}

void RankLossMonitor::look(const State& state, double residual, Accelerations& at) {
  if (off_ || (--steps_ > 0 && !has_moved(state))) return;
  at_ = &at;
  if (std::exchange(choices_, at.choices()) != at.choices()) begin_anew();
  if (!place(state, 1)) return;
  rows_.improve(state.t, state.q, state.v);  // so that find() knows how independent they usually are
  if (q_.empty()) {
    watch_.look(*at_, solves);
    watch_.keep();
  } else {
    follow(state, {0, 1}, residual);
  }
  t_ = state.t;
  q_.assign(state.q.begin(), state.q.end());
  v_.assign(state.v.begin(), state.v.end());
}

// Other rows stand for the constraints: what was seen of the others tells nothing of these.
void RankLossMonitor::begin_anew() {
  watch_.forget_rows();
  falling_ = false;
  last_ = largest_ = 0;
  interval_ = 1;
}

// By a part of the largest value that a coordinate has had.
bool RankLossMonitor::has_moved(const State& state) {
  // the direction that is looked for turns as the motion does, and a look costs factors and solves. Chosen,
  // not measured.
  constexpr double part = 0.2;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    sizes_[i] = std::max(sizes_[i], std::abs(state.q[i]));
    if (std::abs(state.q[i] - q_[i]) > part * sizes_[i]) return true;
  }
  return false;
}

// x of the state at the end of a part of the way, compared with that at its begin. Where it has changed much,
// halves of the part tell more.
void RankLossMonitor::follow(const State& state, const Part& part, double residual) {
  // Cosines of the direction between two looks: 45° apart it is another one, 11° apart the same; `little` of
  // the largest σ² is near a loss of rank; parts are halved three times; looks are up to 32 steps apart
  // where nothing happens. Chosen, not measured.
  constexpr double alike = 0.7;
  constexpr double same = 0.98;
  constexpr double little = 0.1;
  constexpr double shortest = 1.0 / 8;
  constexpr int longest_interval = 32;
  if (!place(state, part.end)) return;
  const double cosine = watch_.look(*at_, solves);
  if (cosine < alike && part.end - part.begin > shortest) {
    const double middle = (part.begin + part.end) / 2;
    follow(state, {part.begin, middle}, residual);
    return follow(state, {middle, part.end}, residual);
  }
  const double now = watch_.independence();
  const bool turned = cosine < 0 && find(state, part);
  if (cosine >= 0) check_dip(now, residual);
  falling_ = !turned && now < last_;
  const bool changed = std::abs(now - last_) > little * std::max(now, last_);
  interval_ = !changed && cosine > same ? std::min(2 * interval_, longest_interval) : 1;
  steps_ = interval_;
  last_ = now;
  largest_ = std::max(largest_, now);
  watch_.keep();
}

// σ² falls and rises again, and x has not turned. If a gap |g| in the constraints is enough for that, it was
// perhaps meant to pass zero: the motion went over to another branch.
void RankLossMonitor::check_dip(double now, double residual) {
  // `small` of the largest σ²; σ² ~ |q − q_s|², and a gap |g| keeps the motion about √|g| away: a factor for
  // the curvature. Chosen, not measured.
  constexpr double small = 0.05;
  constexpr double factor = 10;
  if (!falling_ || !(now > last_) || last_ > small * largest_) return;
  double size = 0;
  for (const double q : problem_->start.q) size = std::max(size, std::abs(q));
  if (last_ / largest_ > factor * residual / (size > 0 ? size : 1)) return;
  reason_ = fmt::format(
      "constraints become nearly dependent here and the state is not exactly on them (|g| = {:.1e}): the "
      "motion "
      "may have changed its branch; a smaller tolerance or step, projection or 'adomian' may help",
      residual);
}

// At a share of the way from the last state to this one, along Hermite's cubic.
bool RankLossMonitor::place(const State& state, double share) {
  if (share == 1) return at_->place(state.t, state.q, state.v);
  const double h = state.t - t_;
  const double rest = 1 - share;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    middle_q_[i] = rest * rest * ((1 + 2 * share) * q_[i] + share * h * v_[i]) +
                   share * share * ((1 + 2 * rest) * state.q[i] - rest * h * state.v[i]);
    middle_v_[i] = rest * v_[i] + share * state.v[i];
  }
  return at_->place(t_ + share * h, middle_q_, middle_v_);
}

// By bisection. Where σ² does not fall x has only swung round with the rows of C.
bool RankLossMonitor::find(const State& state, const Part& part) {
  // to 1e-5 of the part, nearer than σ² tells
  constexpr int bisections = 16;
  const double around = std::max(last_, watch_.independence());
  double least = around;
  double left = part.begin;
  double right = part.end;
  search_ = watch_;
  for (int i = 0; i < bisections; ++i) {
    const double share = (left + right) / 2;
    if (!place(state, share)) break;
    const bool turned = search_.look(*at_, solves) < 0;
    least = std::min(least, search_.independence());
    (turned ? right : left) = share;
    if (!turned) search_.keep();
  }
  if (!(least < policy::lost_rank * around)) return false;
  const double time = t_ + right * (state.t - t_);
  if (rows_.has_choice()) {
    place(state, right);
    if (rows_.keeps_rank(time, right == 1 ? state.q : middle_q_, middle_v_)) return false;
  }
  times_.push_back(time);
  return true;
}

}  // namespace dalembert
