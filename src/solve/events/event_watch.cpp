#include "events/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dalembert {
namespace {

constexpr int highest_order = 200;  // of steps whose series are looked at

std::vector<double> copy_of(std::span<const double> values) { return {values.begin(), values.end()}; }

bool fits(Crossing direction, int side) {
  return direction == Crossing::both || (direction == Crossing::rising) == (side > 0);
}

// Of one function; none: it is a multiplier, or constant in this mode.
std::vector<Register> registers_of(const WatchedFunction& one) {
  std::vector<Register> wanted;
  if (one.force) return wanted;
  if (one.output.x != no_register) wanted.push_back(one.output.x);
  for (const WatchedFunction::Term& term : one.more)
    if (term.output.x != no_register) wanted.push_back(term.output.x);
  return wanted;
}

std::vector<Register> registers_of(const std::vector<WatchedFunction>& functions) {
  std::vector<Register> wanted;
  for (const WatchedFunction& one : functions) {
    const std::vector<Register> own = registers_of(one);
    wanted.insert(wanted.end(), own.begin(), own.end());
  }
  return wanted;
}

}  // namespace

EventWatch::EventWatch(const System& system, std::vector<WatchedFunction> functions,
                       std::vector<WatchedTimes> times, double start, double way, Schedule schedule)
    : system_(&system),
      schedule_(std::move(schedule)),
      series_(system.events().program, system.constants<double>(system.events().program), highest_order,
              registers_of(functions)),
      values_(system, system.events().program),
      box_(system, registers_of(functions)),
      has_branches_(!system.events().program.branches.empty()),
      times_(std::move(times)),
      locator_(highest_order),
      q_(system.n()),
      v_(system.n()),
      a_(system.n()),
      lambda_(system.m()),
      begin_(start),
      time_(start),
      way_(way) {
  const Program& program = system.events().program;
  for (const WatchedFunction& one : functions) {
    const std::vector<Register> registers = registers_of(one);
    // constant in this mode; of inputs, up to the next knot
    const bool may_jump =
        one.kind == WatchedFunction::Kind::event && (one.goes_on || !system.model().inputs.empty());
    if (!one.force && registers.empty() && !may_jump) continue;
    const bool of_accelerations = one.force || std::ranges::any_of(registers, [&](Register x) {
                                    return program.register_stages[x] == Stage::acceleration;
                                  });
    followed_.push_back({one, one.side, !one.goes_on, of_accelerations});
  }
}

double EventWatch::limit() const {
  double first = std::numeric_limits<double>::infinity();
  for (const WatchedTimes& one : times_)
    if (one.cuts && std::isfinite(one.next())) first = std::min(first, way_ * one.next());
  return way_ * first;
}

bool EventWatch::stops() const {
  return std::ranges::any_of(cutting_, [&](const Hit& hit) {
    return hit.kind == WatchedFunction::Kind::event && stops_[hit.owner];
  });
}

std::optional<double> EventWatch::look(MotionStepper<double>& stepper) {
  begin_ = time_;
  time_ = stepper.t();
  note_sizes(stepper);
  hits_.clear();
  const StepPolynomials<double>* const step = stepper.polynomials();
  const double length = time_ - begin_;
  const bool is_settled = followed_.empty() || (step != nullptr && settle_by_box(*step));
  const bool has_series = !is_settled && step != nullptr && !has_branches_ && read_series(*step);
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    if (is_settled || followed_[i].is_settled) continue;
    has_series ? look_along_series(followed_[i], i, length)
               : look_along_samples(followed_[i], stepper, length);
  }
  add_undefined(stepper);
  add_times();
  return choose_cut(stepper);
}

void EventWatch::note_sizes(MotionStepper<double>& stepper) {
  const auto note = [this](std::span<const double> q, std::span<const double> v) {
    for (const double x : q) size_q_ = std::max(size_q_, std::abs(x));
    for (const double x : v) size_v_ = std::max(size_v_, std::abs(x));
  };
  const std::size_t n = system_->n();
  if (const StepPolynomials<double>* const step = stepper.polynomials()) {
    note({step->q(0), n}, {step->v(0), n});
  } else if (const auto state = stepper.at(time_, MotionStepper<double>::Detail::motion)) {
    note(state->q, state->v);
  }
}

// Whether no function can be zero in this step, and which cannot.
bool EventWatch::settle_by_box(const StepPolynomials<double>& step) {
  box_.read(step, begin_, time_ - begin_);
  bool all = true;
  for (Followed& one : followed_) {
    const WatchedFunction& f = one.function;
    Interval range =
        f.force ? box_.multiplier(*f.force) : Interval(f.factor) * box_.value(f.output) + Interval(f.offset);
    for (const WatchedFunction::Term& term : f.more)
      range = range + Interval(term.factor) * box_.value(term.output);
    const int side = range.low > f.noise ? 1 : range.high < -f.noise ? -1 : 0;
    one.is_settled = side != 0 && (one.side == 0 || one.side == side);
    if (one.is_settled) {
      one.side = side;
      one.leaves_zero = false;
    }
    all = all && one.is_settled;
  }
  return all;
}

// The coefficients of all functions, one after the other. False: the step has too many.
bool EventWatch::read_series(const StepPolynomials<double>& step) {
  order_ = step.order;
  if (order_ > highest_order) return false;
  const std::size_t n = system_->n(), m = system_->m();
  const auto room = static_cast<std::size_t>(order_) + 1;
  coefficients_.assign(followed_.size() * room, 0);
  for (int k = 0; k <= order_; ++k) {
    series_.inputs(System::input_t(), 1, k)[0] = k == 0 ? begin_ : (k == 1 ? 1 : 0);
    std::copy_n(step.q(k), n, series_.inputs(system_->input_q(0), n, k).begin());
    std::copy_n(step.v(k), n, series_.inputs(system_->input_v(0), n, k).begin());
    std::copy_n(step.q(k) + 2 * n, n, series_.inputs(system_->input_a(0), n, k).begin());
    if (m > 0) std::copy_n(step.q(k) + 3 * n, m, series_.inputs(system_->input_lambda(0), m, k).begin());
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) {
      if (stage == Stage::acceleration && k == order_) break;  // a and λ end before
      series_.run(stage, k);
    }
    for (std::size_t i = 0; i < followed_.size(); ++i) {
      const WatchedFunction& one = followed_[i].function;
      if (followed_[i].of_accelerations && k == order_) continue;
      coefficients_[i * room + static_cast<std::size_t>(k)] =
          one.force ? step.q(k)[3 * n + *one.force] : coefficient(one, k);
    }
  }
  return true;
}

double EventWatch::coefficient(const WatchedFunction& f, int k) const {
  double sum = f.factor * series_.output(f.output, k) + (k == 0 ? f.offset : 0);
  for (const WatchedFunction::Term& term : f.more) sum += term.factor * series_.output(term.output, k);
  return sum;
}

void EventWatch::look_along_series(Followed& one, std::size_t i, double length) {
  const auto room = static_cast<std::size_t>(order_) + 1;
  const std::span<const double> c(coefficients_.data() + i * room, room - (one.of_accelerations ? 1 : 0));
  double rest = 0;
  for (std::size_t k = c.size() - 1; k > 0; --k) rest = (rest + std::abs(c[k])) * length;
  const int here = c[0] > 0 ? 1 : -1;
  if (std::abs(c[0]) > rest &&
      (one.side == here || (one.side == 0 && !(std::abs(c[0]) <= one.function.noise)))) {
    one.side = here;
    one.leaves_zero = false;
    return;
  }
  zeros_.clear();
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  const double slope = c.size() > 1 ? std::abs(c[1]) : 0;
  const double noise = std::max({one.function.noise, 1e-13 * rest, rounding * std::abs(time_) * slope});
  const bool is_zero = std::abs(c[0]) <= noise;
  if (one.leaves_zero && is_zero && !one.function.rests && slope * length > 1e-13 * rest) {
    // a zero at the start that is known is divided out; a gap that closes has its zero ahead
    one.leaves_zero = false;
    if (one.function.kind == WatchedFunction::Kind::gap && c[1] * one.side < 0)
      return look_along_series(one, i, length);
    const int ahead = c[1] > 0 ? 1 : -1;
    const bool is_held = one.function.kind == WatchedFunction::Kind::margin ||
                         one.function.kind == WatchedFunction::Kind::sign;
    const bool has_crossed = is_held && ahead != one.side;
    if (has_crossed) zeros_.push_back({0, ahead, false});
    one.side = locator_.find_all(c.subspan(1), length, ahead, false, zeros_);
    return add_hits(one, zeros_, rest);
  }
  if (one.side == 0) one.side = is_zero ? locator_.side_ahead(c, length) : here;
  if (one.side == 0) return;  // zero all along
  bool leaves = one.leaves_zero && is_zero;
  if (c[0] * one.side <= 0 && !leaves) {  // over the border of two steps, or a jump at a knot
    const int ahead = is_zero ? locator_.side_ahead(c, length) : here;
    const bool turns_back = ahead == one.side && is_zero && !one.touched_at_end &&
                            one.function.kind == WatchedFunction::Kind::event;
    if (ahead != 0 && (rest > noise || !is_zero) && (ahead != one.side || turns_back)) {
      one.side = ahead;
      zeros_.push_back({0, one.side, turns_back});
    }
    leaves = true;
  }
  if (leaves && rest <= noise) return add_hits(one, zeros_, rest);
  one.leaves_zero = false;
  one.side = locator_.find_all(c, length, one.side, leaves, zeros_);
  constexpr double border = 1e-6;  // of the step: rounding errors hide such a zero within their root
  one.touched_at_end = !zeros_.empty() && zeros_.back().touches && zeros_.back().at > (1 - border) * length;
  add_hits(one, zeros_, rest);
}

double EventWatch::value_at(const Followed& one, MotionStepper<double>& stepper, double x) {
  using Detail = MotionStepper<double>::Detail;
  const double t = x >= 1 ? time_ : begin_ + x * (time_ - begin_);
  const StepPolynomials<double>* const step = stepper.polynomials();
  MotionStepper<double>::State state{t, q_, v_, a_, lambda_};
  if (step != nullptr) {
    const double tau = t - begin_;
    step->eval_q(tau, q_);
    step->eval_v(tau, v_);
    step->eval_a(tau, a_);
    step->eval_lambda(tau, lambda_);
  } else if (const auto found = stepper.at(t, one.of_accelerations ? Detail::all : Detail::motion)) {
    state = *found;
  } else {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (one.function.force) return state.lambda[*one.function.force];
  values_.set(System::input_t(), t);
  values_.set(system_->input_q(0), state.q);
  values_.set(system_->input_v(0), state.v);
  if (one.of_accelerations) {
    values_.set(system_->input_a(0), state.a);
    values_.set(system_->input_lambda(0), state.lambda);
  }
  values_.run();
  double sum = one.function.factor * values_.value(one.function.output) + one.function.offset;
  for (const WatchedFunction::Term& term : one.function.more) sum += term.factor * values_.value(term.output);
  return sum;
}

void EventWatch::look_along_samples(Followed& one, MotionStepper<double>& stepper, double /*length*/) {
  const auto f = [&](double x) { return value_at(one, stepper, x); };
  double begin = 0;
  if (one.leaves_zero) {  // out of the zero, to where more than rounding errors are left
    const double first = f(0);
    const double scale = std::max({std::abs(first), std::abs(f(0.5)), std::abs(f(1))});
    const double noise = std::max(one.function.noise, 1e-12 * scale);
    constexpr double nearest = 1e-10;
    if (std::abs(first) <= noise) {
      for (begin = nearest; begin < 1 && std::abs(f(begin)) <= noise;) begin *= 4;
      if (begin >= 1) return;  // zero all along
    }
    const int ahead = f(begin) > 0 ? 1 : -1;
    if (one.side == 0) one.side = ahead;
    one.leaves_zero = false;
  }
  zeros_.clear();
  one.side = sampled_.find(f, begin, one.side, zeros_);
  if (zeros_.empty()) return;
  double scale = 0;
  for (const double x : {0.0, 0.5, 1.0}) scale = std::max(scale, std::abs(f(x)));
  for (Zero& zero : zeros_) zero.at *= time_ - begin_;
  add_hits(one, zeros_, scale);
}

void EventWatch::add_hits(const Followed& one, const std::vector<Zero>& zeros, double scale) {
  for (const Zero& zero : zeros) {
    const double t = std::min(begin_ + zero.at, time_);
    if (t < one.function.after) continue;
    const WatchedFunction& f = one.function;
    if (zero.touches) {
      hits_.push_back({t, f.kind, f.owner, f.number, "touching", f.priority, false, scale});
    } else if (fits(f.direction, zero.side)) {
      hits_.push_back(
          {t, f.kind, f.owner, f.number, zero.side > 0 ? "rising" : "falling", f.priority, f.cuts, scale});
    }
  }
}

// Behind a gap that is no number nothing would stop the body: the run ends where it was one last.
void EventWatch::add_undefined(MotionStepper<double>& stepper) {
  for (const Followed& one : followed_) {
    if (one.function.kind != WatchedFunction::Kind::gap || one.is_settled) continue;
    if (is_number(one, stepper, time_)) continue;
    double known = begin_, lost = time_;
    for (double middle = known + (lost - known) / 2; middle != known && middle != lost;
         middle = known + (lost - known) / 2)
      (is_number(one, stepper, middle) ? known : lost) = middle;
    hits_.push_back(
        {known, one.function.kind, one.function.owner, 0, undefined, one.function.priority, true});
  }
}

bool EventWatch::is_number(const Followed& one, MotionStepper<double>& stepper, double t) {
  const auto state = stepper.at(t, MotionStepper<double>::Detail::motion);
  if (!state) return true;  // the stepper says why
  values_.set(System::input_t(), t);
  values_.set(system_->input_q(0), state->q);
  values_.set(system_->input_v(0), state->v);
  values_.run();
  return std::isfinite(values_.value(one.function.output));
}

void EventWatch::add_times() {
  for (WatchedTimes& one : times_) {
    for (; std::isfinite(one.next()) && way_ * one.next() <= way_ * time_; ++one.number)
      hits_.push_back({one.next(), one.kind, one.owner, 0, "time", one.priority, one.cuts});
  }
}

// Events within rounding errors of the first that ends the run are at its time.
std::optional<double> EventWatch::choose_cut(MotionStepper<double>& stepper) {
  if (hits_.empty()) return std::nullopt;
  double cut = std::numeric_limits<double>::infinity();
  for (const Hit& hit : hits_)
    if (hit.cuts) cut = std::min(cut, way_ * hit.t);
  cut *= way_;
  constexpr double units = 16;
  const double slack =
      units * std::numeric_limits<double>::epsilon() * std::max(std::abs(cut), std::abs(time_ - begin_));
  std::erase_if(hits_, [&](const Hit& hit) { return way_ * (hit.t - cut) > slack; });
  for (Hit& hit : hits_) hit.t = way_ * std::min(way_ * hit.t, way_ * cut);
  std::ranges::stable_sort(hits_, [this](const Hit& a, const Hit& b) {
    return way_ * a.t < way_ * b.t || (a.t == b.t && a.priority > b.priority);
  });
  for (const Hit& hit : hits_) {
    if (hit.t == cut) {
      cutting_.push_back(hit);
    } else if (const auto state = stepper.at(hit.t, MotionStepper<double>::Detail::all)) {
      passed_.push_back(
          {hit, {hit.t, copy_of(state->q), copy_of(state->v), copy_of(state->a), copy_of(state->lambda)}});
    }
  }
  return way_ * cut <= way_ * time_ ? std::optional(cut) : std::nullopt;
}

std::vector<WatchedFunction> EventWatch::sides() const {
  std::vector<WatchedFunction> result;
  for (const Followed& one : followed_) {
    if (one.side == 0) continue;
    result.push_back(one.function);
    result.back().side = one.side;
  }
  return result;
}

void EventWatch::keep(const MotionStepper<double>::State& state, RunProgress<double> progress) {
  end_ = {state.t, copy_of(state.q), copy_of(state.v), copy_of(state.a), copy_of(state.lambda)};
  progress_.emplace(std::move(progress));
}

}  // namespace dalembert
