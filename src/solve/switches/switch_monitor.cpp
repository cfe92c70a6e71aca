#include "switches/switch_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>
#include <dalembert/tape/operations.hpp>

namespace dalembert {

namespace {

// By register: whether it may jump.
std::vector<bool> find_jumping(const Program& program) {
  std::vector<bool> jumps(program.register_count(), false);
  const auto at = [&](Register r) { return r != no_register && jumps[r]; };
  for (const Instruction& i : program.instructions) {
    bool any = has_branches(i.op) || at(i.x) || at(i.y) || at(i.z);
    for (std::uint32_t t = 0; t < i.term_count; ++t) any = any || at(program.terms[i.first_term + t].x);
    jumps[i.result] = any;
    if (i.second_result != no_register) jumps[i.second_result] = any;
  }
  return jumps;
}

}  // namespace

std::string stays_reason(std::string_view call) {
  return fmt::format(
      "the motion stays where the argument of {} is zero: either side drives it back, as dry friction does "
      "when it sticks, and every step crosses it again; the method adomian goes along it, and a smooth "
      "force, tanh(x/w) with a small w instead of sign(x), goes on with any method",
      call);
}

Program SwitchMonitor::watched_program(const System& system, std::vector<Pole>& poles) {
  const Program& dynamics = system.dynamics().program;
  const std::vector<bool> jumps = find_jumping(dynamics);
  std::vector<Register> wanted;
  for (const Instruction& i : dynamics.instructions) {
    const Domain domain = domain_of(i.op);
    if (domain.end != DomainEnd::pole) continue;
    const bool at_turns = domain.watched == Source::none;  // tan
    const Register divisor = at_turns ? i.x : operand(i, domain.watched);
    if (jumps[divisor]) continue;  // it may jump over zero
    poles.push_back({divisor, i.result, at_turns, dynamics.meaning[i.result]});
    wanted.push_back(i.result);
  }
  return part_of(dynamics, wanted);
}

SwitchMonitor::SwitchMonitor(const System& system)
    : system_(&system),
      program_(watched_program(system, poles_)),
      switches_(system, system.switches().program),
      values_(system, program_),
      divisors_(poles_.size()),
      results_(poles_.size()),
      sides_(system.switches().size()),
      next_(sides_.size()),
      inner_(sides_.size()),
      q_(system.n()),
      v_(system.n()),
      changes_(sides_.size(), 0),
      turns_(sides_.size(), 0),
      sizes_(sides_.size(), 0),
      growth_(sides_.size(), 0),
      largest_(sides_.size(), 0),
      block_largest_(sides_.size(), 0),
      is_noted_(sides_.size(), false) {}

void SwitchMonitor::evaluate(double t, std::span<const double> q, std::span<const double> v) {
  for (ValueTape* tape : {&switches_, &values_}) {
    const bool is_used = tape == &switches_ ? !sides_.empty() : !poles_.empty();
    if (!is_used) continue;
    tape->set(System::input_t(), t);
    tape->set(system_->input_q(0), q);
    tape->set(system_->input_v(0), v);
    tape->run();
  }
}

// 0 where a call has no branches: an atan2 off its cut.
void SwitchMonitor::read_sides(std::vector<int>& sides) const {
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Switch& call = system_->switches().calls[i];
    const double x = switches_.get(call.argument);
    const bool counts = call.cut == no_register || switches_.get(call.cut) < 0;
    sides[i] = !counts ? 0 : x > 0 ? 1 : x < 0 ? -1 : 0;
  }
}

void SwitchMonitor::start(double t, std::span<const double> q, std::span<const double> v) {
  time_ = block_begin_ = t;
  if (sides_.empty() && poles_.empty()) return;
  evaluate(t, q, v);
  read_sides(sides_);
  find_pole();
}

std::string SwitchMonitor::look(StateStepper& stepper, double remaining) {
  if (sides_.empty() && poles_.empty()) return "";
  const double begin = time_;
  time_ = stepper.t();
  evaluate(time_, stepper.q(), stepper.v());
  read_sides(next_);
  std::string reason = find_pole();
  if (reason.empty()) reason = count_changes(time_, remaining);
  if (!sides_.empty()) look_inside(stepper, begin, time_);
  sides_.swap(next_);
  return reason;
}

// Which branch of the tangent.
double SwitchMonitor::turns(const Pole& pole) const {
  return std::floor(values_.get(pole.divisor) / M_PI + 0.5);
}

// A divisor that has changed its sign, and the quotient with it.
std::string SwitchMonitor::find_pole() {
  std::string reason;
  for (std::size_t i = 0; i < poles_.size(); ++i) {
    const Pole& pole = poles_[i];
    const double divisor = pole.is_tangent ? turns(pole) : values_.get(pole.divisor);
    const double result = values_.get(pole.result);
    const bool leapt = pole.is_tangent ? divisor != divisors_[i] : divisor * divisors_[i] < 0;
    if (leapt && result * results_[i] < 0 && reason.empty()) {
      reason = fmt::format("{} has a pole that the last step leapt over: no motion goes beyond it",
                           text_excerpt(pole.call));
    }
    divisors_[i] = divisor;
    results_[i] = result;
  }
  return reason;
}

// Blocks of steps so short that they will not come to the end, while an argument changes sign again and
// again, goes to zero and away from it, or stays next to zero.
std::string SwitchMonitor::count_changes(double t, double remaining) {
  // A run of a million further steps of such length is none that somebody waits for; the rest is chosen, not
  // measured.
  constexpr std::size_t block = 256;
  constexpr std::size_t many = block / 8;
  constexpr double next_to_zero = 1e-3;
  constexpr double most_steps = 1e6;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const double size = std::abs(switches_.get(system_->switches().calls[i].argument));
    largest_[i] = std::max(largest_[i], size);
    block_largest_[i] = std::max(block_largest_[i], size);
    if (next_[i] != sides_[i]) ++changes_[i];
    if ((size - sizes_[i]) * growth_[i] < 0) ++turns_[i];
    growth_[i] = size - sizes_[i];
    sizes_[i] = size;
  }
  if (++steps_ < block) return "";
  const bool crawls = remaining * static_cast<double>(block) > most_steps * std::abs(t - block_begin_);
  std::string reason;
  for (std::size_t i = 0; crawls && i < sides_.size(); ++i) {
    const Switch& call = system_->switches().calls[i];
    const Branch branch = branch_of(call.op);
    const bool jumps = branch == Branch::jump || branch == Branch::cut;
    const bool stays =
        changes_[i] > many || turns_[i] > 2 * many || block_largest_[i] < next_to_zero * largest_[i];
    if (!jumps || !stays) continue;
    reason = stays_reason(call.text);
  }
  steps_ = 0;
  block_begin_ = t;
  std::fill(changes_.begin(), changes_.end(), 0);
  std::fill(turns_.begin(), turns_.end(), 0);
  std::fill(block_largest_.begin(), block_largest_.end(), 0.0);
  return reason;
}

// Whether an argument was on the other side in between. What a step does not see it cannot take into account.
void SwitchMonitor::look_inside(StateStepper& stepper, double begin, double end) {
  if (std::find(is_noted_.begin(), is_noted_.end(), false) == is_noted_.end()) return;
  constexpr int points = 4;  // a fifth of a step is seen; each costs an evaluation; chosen, not measured
  for (int point = 1; point <= points; ++point) {
    const double t = begin + (end - begin) * point / (points + 1);
    stepper.eval(t, q_, v_);
    evaluate(t, q_, v_);
    read_sides(inner_);
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const bool is_between = sides_[i] * next_[i] > 0 && inner_[i] * sides_[i] < 0;
      if (!is_between || is_noted_[i]) continue;
      is_noted_[i] = true;
      notes_.push_back(fmt::format(
          "the argument of {} changed its sign and back within a step, from t = {:.6g} to {:.6g}: "
          "the step does not know of it; a smaller --max-step, or the method adomian, which finds "
          "every change",
          system_->switches().calls[i].text, begin, end));
    }
  }
}

}  // namespace dalembert
