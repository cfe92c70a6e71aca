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

// 0: none, or no number
int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

bool all_finite(std::span<const double> c) {
  return std::ranges::all_of(c, [](double x) { return std::isfinite(x); });
}

}  // namespace

EventWatch::Programmed::Programmed(const System& system, const std::vector<Register>& wanted)
    : series(system.events().program, system.constants<double>(system.events().program), highest_order,
             wanted),
      box(system, wanted),
      enclosure(series, wanted, wanted) {}

EventWatch::EventWatch(const System& system, std::vector<WatchedFunction> functions,
                       std::vector<WatchedTimes> times, double start, double way, Schedule schedule,
                       double tolerance)
    : system_(&system),
      schedule_(std::move(schedule)),
      values_(system, system.events().program),
      has_branches_(!system.events().program.branches.empty()),
      times_(std::move(times)),
      locator_(highest_order),
      powers_(highest_order + 1, 1.0),
      q_(system.n()),
      v_(system.n()),
      a_(system.n()),
      lambda_(system.m()),
      begin_(start),
      time_(start),
      way_(way),
      tolerance_(tolerance) {
  const std::vector<double> constants = system.constants<double>(system.events().program);
  for (const WatchedFunction& one : functions) follow(one, constants);
  std::vector<Register> wanted;
  for (const Followed& one : followed_) {
    if (one.form) continue;
    const std::vector<Register> own = registers_of(one.function);
    wanted.insert(wanted.end(), own.begin(), own.end());
  }
  if (!wanted.empty()) programmed_ = std::make_unique<Programmed>(system, wanted);
}

void EventWatch::follow(const WatchedFunction& function, std::span<const double> constants) {
  const Program& program = system_->events().program;
  const std::vector<Register> registers = registers_of(function);
  // constant in this mode; of inputs, up to the next knot
  const bool may_jump =
      function.kind == WatchedFunction::Kind::event && (function.goes_on || !system_->model().inputs.empty());
  if (!function.force && registers.empty() && !may_jump) return;
  LinearForm form;
  bool is_linear = true;
  if (function.force) {
    form.terms.push_back({3 * system_->n() + *function.force, 1});
  } else {
    form.constant = function.offset;
    is_linear = form.add(*system_, constants, function.output, function.factor);
    for (const WatchedFunction::Term& term : function.more)
      is_linear = is_linear && form.add(*system_, constants, term.output, term.factor);
  }
  const bool of_accelerations = function.force || std::ranges::any_of(registers, [&](Register x) {
                                  return program.register_stages[x] == Stage::acceleration;
                                });
  followed_.push_back({function, is_linear ? std::optional(std::move(form)) : std::nullopt, function.side,
                       !function.goes_on, of_accelerations});
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
  if (!followed_.empty()) follow_step(stepper);
  add_undefined(stepper);
  add_times();
  return choose_cut(stepper);
}

// Functions may be wilder than the motion, sin(1000 x) along a uniform one: where their series do not reach
// the end of the step, the motion is expanded again where they end.
void EventWatch::follow_step(MotionStepper<double>& stepper) {
  const StepPolynomials<double>* step = stepper.polynomials();
  for (piece_ = {begin_, time_}; piece_.begin != time_; piece_ = {piece_.end, time_}) {
    if (piece_.begin != begin_) step = stepper.polynomials_from(piece_.begin);
    const bool is_in_rows = step != nullptr && step->order <= highest_order;
    if (is_in_rows && settle_or_shorten(*step)) continue;
    for (std::size_t i = 0; i < followed_.size(); ++i) {
      Followed& one = followed_[i];
      if (is_in_rows && one.is_settled) continue;
      const bool by_series = is_in_rows && (one.form || has_series()) && all_finite(coefficients(i));
      by_series ? look_along_series(one, i) : look_along_samples(one, stepper);
    }
  }
}

// Whether no function is zero in the piece of a step that begins where it does. Else the piece becomes as
// short as their series reach.
bool EventWatch::settle_or_shorten(const StepPolynomials<double>& step) {
  bool is_read = false;
  while (!settle(step)) {
    if (has_series() && !is_read) read_series(step);
    is_read = true;
    if (has_series()) scale_series();
    const double share = reach();
    constexpr double shortest = 1e-13;
    const double length = std::max(share, 0.5) * piece_.length();
    const double least = shortest * std::max(std::abs(time_), std::abs(time_ - begin_));
    if (share >= 1 || std::abs(length) <= least) return false;
    piece_.end = piece_.begin + length;
  }
  return true;
}

// The share of the piece over which the series of all functions that are not settled have converged, and hide
// nothing.
double EventWatch::reach() {
  constexpr double usual = 100;  // terms of functions beside those of the motion
  constexpr double tightest = 1e-13, loosest = 1e-7, shorter = 0.8;
  const double allowed = std::clamp(usual * tolerance_, tightest, loosest);
  double share = 1;
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    if (followed_[i].is_settled || !(followed_[i].form || has_series())) continue;
    const std::span<const double> c = coefficients(i);
    const double size = sum_of_sizes(c);
    const double last = c.size() > 2 ? std::max(std::abs(c.back()), std::abs(c[c.size() - 2])) : 0;
    if (!std::isfinite(size) || last <= allowed * size) continue;
    const double power = 1 / static_cast<double>(c.size() - 1);
    share = std::min({share, shorter, std::pow(allowed * size / last, power)});
  }
  if (!has_series() || !programmed_->enclosure.read(order_, piece_.length())) return share;
  programmed_->enclosure.enclose(0, 0, 1);
  return hides_nothing_unsettled() ? share
                                   : std::min({share, shorter, programmed_->enclosure.visible_share()});
}

bool EventWatch::hides_nothing_unsettled() {
  constexpr double harmless = 1e-9;
  StepEnclosure<double>& enclosure = programmed_->enclosure;
  const auto is_shown = [&](const Scaled& output) {
    const double hidden = enclosure.deviation(output.x);
    return hidden == 0 || hidden <= harmless * enclosure.magnitude(output.x);
  };
  return std::ranges::all_of(followed_, [&](const Followed& one) {
    if (one.is_settled || one.form) return true;
    const auto& more = one.function.more;
    return is_shown(one.function.output) &&
           std::ranges::all_of(more, [&](const auto& term) { return is_shown(term.output); });
  });
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

// Four beside each other: h^k = h^(k−4) h⁴.
void EventWatch::raise_powers(double length) {
  powers_[1] = length;
  powers_[2] = length * length;
  powers_[3] = powers_[1] * powers_[2];
  const double fourth = powers_[2] * powers_[2];
  for (std::size_t k = 4; k <= static_cast<std::size_t>(order_); ++k) powers_[k] = powers_[k - 4] * fourth;
}

// Of function i: a and λ have one less.
std::span<double> EventWatch::coefficients(std::size_t i) {
  const auto room = static_cast<std::size_t>(order_) + 1;
  return std::span(coefficients_).subspan(i * room, room - (followed_[i].of_accelerations ? 1 : 0));
}

// Whether no function can be zero in this piece, and which cannot.
bool EventWatch::settle(const StepPolynomials<double>& step) {
  order_ = step.order;
  raise_powers(piece_.length());
  coefficients_.resize(followed_.size() * (static_cast<std::size_t>(order_) + 1));
  if (programmed_) programmed_->box.read(step, piece_.begin, piece_.length());
  bool all = true;
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    Followed& one = followed_[i];
    one.is_settled = one.form ? settle_by_rows(one, i, step) : settle_by_box(one);
    all = all && one.is_settled;
  }
  return all;
}

// |c_0| > Σ |c_k| h^k
bool EventWatch::settle_by_rows(Followed& one, std::size_t i, const StepPolynomials<double>& step) {
  const std::span<double> c = coefficients(i);
  one.form->eval(step, piece_.begin, powers_, c);
  constexpr double rounding = 1e-13;
  one.rest = sum_of_sizes(c.subspan(1));
  const double rest = one.rest * (1 + rounding);
  const int side = std::abs(c[0]) > rest + one.function.noise ? (c[0] > 0 ? 1 : -1) : 0;
  return is_settled_on(one, side);
}

bool EventWatch::settle_by_box(Followed& one) {
  const WatchedFunction& f = one.function;
  const StepBox& box = programmed_->box;
  Interval range = Interval(f.factor) * box.value(f.output) + Interval(f.offset);
  for (const WatchedFunction::Term& term : f.more)
    range = range + Interval(term.factor) * box.value(term.output);
  return is_settled_on(one, range.low > f.noise ? 1 : range.high < -f.noise ? -1 : 0);
}

// Whether it has this side all along the piece; 0: it may have both.
bool EventWatch::is_settled_on(Followed& one, int side) {
  if (side == 0 || (one.side != 0 && one.side != side)) return false;
  one.side = side;
  one.leaves_zero = false;
  return true;
}

// The coefficients of the functions that are not linear.
void EventWatch::read_series(const StepPolynomials<double>& step) {
  const std::size_t n = system_->n(), m = system_->m();
  Series<double>& series = programmed_->series;
  unscaled_.resize(followed_.size() * (static_cast<std::size_t>(order_) + 1));
  for (int k = 0; k <= order_; ++k) {
    series.inputs(System::input_t(), 1, k)[0] = k == 0 ? piece_.begin : (k == 1 ? 1 : 0);
    std::copy_n(step.q(k), n, series.inputs(system_->input_q(0), n, k).begin());
    std::copy_n(step.v(k), n, series.inputs(system_->input_v(0), n, k).begin());
    std::copy_n(step.q(k) + 2 * n, n, series.inputs(system_->input_a(0), n, k).begin());
    if (m > 0) std::copy_n(step.q(k) + 3 * n, m, series.inputs(system_->input_lambda(0), m, k).begin());
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) {
      if (stage == Stage::acceleration && k == order_) break;  // a and λ end before
      series.run(stage, k);
    }
    double* const row = unscaled_.data() + static_cast<std::size_t>(k) * followed_.size();
    for (std::size_t i = 0; i < followed_.size(); ++i) {
      const Followed& one = followed_[i];
      if (!one.form && (k < order_ || !one.of_accelerations)) row[i] = coefficient(one.function, k);
    }
  }
}

void EventWatch::scale_series() {
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    if (followed_[i].form || followed_[i].is_settled) continue;
    const std::span<double> c = coefficients(i);
    for (std::size_t k = 0; k < c.size(); ++k) c[k] = unscaled_[k * followed_.size() + i] * powers_[k];
  }
}

double EventWatch::coefficient(const WatchedFunction& f, int k) const {
  double sum = f.factor * programmed_->series.output(f.output, k) + (k == 0 ? f.offset : 0);
  for (const WatchedFunction::Term& term : f.more)
    sum += term.factor * programmed_->series.output(term.output, k);
  return sum;
}

// In x = τ / length
void EventWatch::look_along_series(Followed& one, std::size_t i) {
  const std::span<const double> c = coefficients(i);
  const double rest = one.form ? one.rest : sum_of_sizes(c.subspan(1));
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
  const double noise = std::max(
      {one.function.noise, 1e-13 * rest, rounding * std::abs(time_) * slope / std::abs(piece_.length())});
  const bool is_zero = std::abs(c[0]) <= noise;
  if (one.leaves_zero && is_zero && !one.function.rests && slope > 1e-13 * rest) {
    // a zero at the start that is known is divided out; a gap that closes has its zero ahead
    one.leaves_zero = false;
    if (one.function.kind == WatchedFunction::Kind::gap && c[1] * one.side < 0)
      return look_along_series(one, i);
    const int ahead = c[1] > 0 ? 1 : -1;
    const bool is_held = one.function.kind == WatchedFunction::Kind::margin ||
                         one.function.kind == WatchedFunction::Kind::sign;
    const bool has_crossed = is_held && ahead != one.side;
    if (has_crossed) zeros_.push_back({0, ahead, false});
    one.side = locator_.find_all(c.subspan(1), 1.0, ahead, false, zeros_);
    return add_hits(one, zeros_, rest);
  }
  if (one.side == 0) one.side = is_zero ? locator_.side_ahead(c, 1.0) : here;
  if (one.side == 0) return;  // zero all along
  bool leaves = one.leaves_zero && is_zero;
  if (c[0] * one.side <= 0 && !leaves) {  // over the border of two steps, or a jump at a knot
    const int ahead = is_zero ? locator_.side_ahead(c, 1.0) : here;
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
  one.side = locator_.find_all(c, 1.0, one.side, leaves, zeros_);
  constexpr double border = 1e-6;  // of the step: rounding errors hide such a zero within their root
  one.touched_at_end = !zeros_.empty() && zeros_.back().touches && zeros_.back().at > 1 - border;
  add_hits(one, zeros_, rest);
}

double EventWatch::value_at(const Followed& one, MotionStepper<double>& stepper, double x) {
  using Detail = MotionStepper<double>::Detail;
  const double t = x >= 1 ? piece_.end : piece_.begin + x * piece_.length();
  const StepPolynomials<double>* const step = stepper.polynomials();
  MotionStepper<double>::State state{t, q_, v_, a_, lambda_};
  if (step != nullptr && !one.of_accelerations) {
    step->eval_q(t - begin_, q_);
    step->eval_v(t - begin_, v_);
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

void EventWatch::look_along_samples(Followed& one, MotionStepper<double>& stepper) {
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
    if (one.side == 0) one.side = sign_of(f(begin));
    one.leaves_zero = false;
  }
  zeros_.clear();
  one.side = sampled_.find(f, begin, one.side, zeros_);
  if (zeros_.empty()) return;
  double scale = 0;
  for (const double x : {0.0, 0.5, 1.0}) scale = std::max(scale, std::abs(f(x)));
  add_hits(one, zeros_, scale);
}

// Of zeros in x = τ / length
void EventWatch::add_hits(const Followed& one, const std::vector<Zero>& zeros, double scale) {
  for (const Zero& zero : zeros) {
    const double t = std::min(piece_.begin + zero.at * piece_.length(), piece_.end);
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
    if (one.function.kind != WatchedFunction::Kind::gap || one.form || one.is_settled) continue;
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
  if (hits_.size() > 1) {  // sorting allocates
    std::ranges::stable_sort(hits_, [this](const Hit& a, const Hit& b) {
      return way_ * a.t < way_ * b.t || (a.t == b.t && a.priority > b.priority);
    });
  }
  for (const Hit& hit : hits_) {
    if (hit.t == cut) {
      cutting_.push_back(hit);
    } else if (const auto state = stepper.at(hit.t, MotionStepper<double>::Detail::motion)) {
      passed_.push_back({hit, copy_of(state->q), copy_of(state->v)});
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
