#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <dalembert/tape/operations.hpp>
#include <dalembert/tape/polynomial_range.hpp>
#include <dalembert/tape/step_enclosure.hpp>

namespace dalembert {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// of a coefficient, by a sum of some ten roundings each way; `underflow`: products of errors below are no
// doubles. Chosen, not measured.
constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
constexpr double underflow = 1e-290;
constexpr std::uint32_t no_writer = UINT32_MAX;

// Registers that these depend on, and these.
std::vector<bool> find_needed(const Program& program, std::span<const Register> registers) {
  std::vector<bool> needed(program.register_count(), false);
  for (const Register r : registers) {
    if (r != no_register) needed[r] = true;
  }
  for (std::size_t k = program.instructions.size(); k-- > 0;) {
    const Instruction& i = program.instructions[k];
    const bool is_needed = needed[i.result] || (i.second_result != no_register && needed[i.second_result]);
    if (!is_needed) continue;
    needed[i.result] = true;  // one comes with the other
    if (i.second_result != no_register) needed[i.second_result] = true;
    for (const Register operand : {i.x, i.y, i.z}) {
      if (operand != no_register) needed[operand] = true;
    }
    for (std::uint32_t term = 0; term < i.term_count; ++term)
      needed[program.terms[i.first_term + term].x] = true;
  }
  return needed;
}

// The only input that a register depends on; several: no_register.
std::vector<Register> find_only_inputs(const Program& program) {
  constexpr Register nothing = no_register - 1;
  std::vector<Register> only(program.register_count(), nothing);
  for (const Register input : program.inputs) {
    if (input != no_register) only[input] = input;
  }
  for (const Instruction& i : program.instructions) {
    Register& mine = only[i.result];
    const auto join = [&](Register operand) {
      if (operand == no_register || only[operand] == nothing) return;
      mine = mine == nothing || mine == only[operand] ? only[operand] : no_register;
    };
    for (const Register operand : {i.x, i.y, i.z}) join(operand);
    for (std::uint32_t term = 0; term < i.term_count; ++term) join(program.terms[i.first_term + term].x);
    if (i.second_result != no_register) only[i.second_result] = mine;
  }
  return only;
}

Interval meet(const Interval& a, const Interval& b) {
  const Interval both(std::max(a.low, b.low), std::min(a.high, b.high));
  return both.low <= both.high ? both : a;
}

}  // namespace

template <class S>
StepEnclosure<S>::StepEnclosure(const Series<S>& series, std::span<const Register> outputs,
                                std::span<const Register> expanded)
    : series_(series), expanded_(find_needed(series.program(), expanded)) {
  const Program& program = series.program();
  find_affected(program, outputs);
  if (empty()) return;
  constexpr std::size_t lanes = LaneMath<S>::lanes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::vector<Interval> constants;
    for (ConstantId id = 0; id < program.constants.size(); ++id)
      constants.emplace_back(in_lane(series.constant(id), lane));
    intervals_.emplace_back(program, std::move(constants));
  }
  writer_.assign(program.register_count(), no_writer);
  for (std::uint32_t k = 0; k < program.instructions.size(); ++k) {
    const Instruction& i = program.instructions[k];
    writer_[i.result] = k;
    if (i.second_result != no_register) writer_[i.second_result] = k;
  }
  deviations_.assign(program.register_count(), 0);
  known_.assign(program.register_count(), 0);
  powers_.assign(static_cast<std::size_t>(series.max_order()) + 1, LaneMath<S>::of(0));
  polynomial_.reserve(powers_.size());
}

template <class S>
void StepEnclosure<S>::find_affected(const Program& program, std::span<const Register> outputs) {
  const std::vector<bool> needed = find_needed(program, outputs);
  const std::vector<Register> only = find_only_inputs(program);
  std::vector<int> call_of(program.register_count(), -1);
  for (const HidingCall& call : find_hiding_calls(program)) {
    if (!needed[call.result] || !expanded_[call.result]) continue;
    call_of[call.result] = static_cast<int>(calls_.size());
    calls_.push_back({call, std::vector<double>(LaneMath<S>::lanes, 0), only[call.result]});
  }
  depends_.assign(program.register_count(), false);
  for (const Instruction& i : program.instructions) {
    bool depends = call_of[i.result] >= 0;
    for (const Register operand : {i.x, i.y, i.z})
      depends = depends || (operand != no_register && depends_[operand]);
    for (std::uint32_t term = 0; term < i.term_count; ++term)
      depends = depends || depends_[program.terms[i.first_term + term].x];
    if (!depends) continue;
    depends_[i.result] = true;
    if (i.second_result != no_register) depends_[i.second_result] = true;
    if (needed[i.result] && i.op != Op::past_product) affected_.push_back({i, call_of[i.result]});
  }
}

template <class S>
double StepEnclosure<S>::in_lane(const S& x, std::size_t lane) {
  if constexpr (LaneMath<S>::lanes > 1) {
    return reinterpret_cast<const double*>(&x)[lane];
  } else {
    return static_cast<double>(x);
  }
}

template <class S>
bool StepEnclosure<S>::read(int order, const S& h) {
  const auto count = static_cast<std::size_t>(order);
  powers_.resize(count, h);
  powers_[0] = LaneMath<S>::of(1);
  for (std::size_t k = 1; k < count; ++k) powers_[k] = powers_[k - 1] * h;
  bool any = false;
  for (Call& one : calls_) {
    const auto move = [&](Register r) {
      const std::size_t place = series_.place(r);
      S sum = LaneMath<S>::of(0);
      for (int k = 1; k < order; ++k) {
        const S term = series_.row(k)[place] * powers_[static_cast<std::size_t>(k)];
        sum += term < 0 ? S(-term) : term;
      }
      return sum;
    };
    const S first = move(one.call.x);
    const S second = one.call.y == no_register ? LaneMath<S>::of(0) : move(one.call.y);
    for (std::size_t lane = 0; lane < one.moves.size(); ++lane) {
      one.moves[lane] = in_lane(first, lane) + in_lane(second, lane);
      any = any || is_wide(one, lane);
    }
  }
  return any;
}

template <class S>
bool StepEnclosure<S>::is_wide(const Call& call, std::size_t lane) {
  const double move = call.moves[lane];
  if (move == 0 || (only_ != no_register && call.only != only_)) return false;
  const auto start = [&](Register r) {
    return r == no_register ? 0 : in_lane(series_.row(0)[series_.place(r)], lane);
  };
  const double near = visible_move(call.call, start(call.call.x), start(call.call.y), order());
  if (move <= near || stays_near(call.call, lane, 1)) return false;
  // what has no value at the end of the step is seen there
  double end = 0;
  for (const double term : polynomial(call.call.x, lane)) end += term;
  return has_value(call.call, end);
}

// The range of the argument over the first part of the step, where its series has converged.
template <class S>
bool StepEnclosure<S>::stays_near(const HidingCall& call, std::size_t lane, double share) {
  // of the sum of its terms: what is behind the last ones is then less than the parabolas' slack; chosen,
  // not measured
  constexpr double converged = 1e-3;
  constexpr int parts = 4;  // parabolas
  if (call.y != no_register) return false;
  const std::span<const double> c = polynomial(call.x, lane);
  double size = 0, last = 0, power = 1;
  for (std::size_t k = 0; k < c.size(); ++k, power *= share) {
    size += std::abs(c[k]) * power;
    if (k + 2 >= c.size()) last = std::max(last, std::abs(c[k]) * power);
  }
  if (!(last <= converged * size)) return false;
  Interval range = polynomial_range(c, 0, share / parts);
  for (int i = 1; i < parts; ++i) {
    const Interval next = polynomial_range(c, share * i / parts, share * (i + 1) / parts);
    range = {std::min(range.low, next.low), std::max(range.high, next.high)};
  }
  return is_visible(call, range, order());
}

template <class S>
std::span<const double> StepEnclosure<S>::polynomial(Register r, std::size_t lane) {
  polynomial_.clear();
  const std::size_t place = series_.place(r);
  for (std::size_t k = 0; k < powers_.size(); ++k) {
    polynomial_.push_back(in_lane(S(series_.row(static_cast<int>(k))[place] * powers_[k]), lane));
  }
  return polynomial_;
}

template <class S>
Interval StepEnclosure<S>::series_range(Register r) {
  return polynomial_range(polynomial(r, lane_), from_, to_);
}

template <class S>
void StepEnclosure<S>::enclose(std::size_t lane, double from, double to) {
  lane_ = lane;
  from_ = from;
  to_ = to;
  ++round_;
  std::fill(deviations_.begin(), deviations_.end(), 0.0);
  for (Call& call : calls_) call.is_wide = is_wide(call, lane);
  for (const Affected& affected : affected_) {
    const Instruction& i = affected.instruction;
    const bool is_wide = affected.call >= 0 && calls_[static_cast<std::size_t>(affected.call)].is_wide;
    if (known_[i.result] == round_ || (!is_wide && !has_deviating_operand(i))) continue;
    enclose_operands(i);
    intervals_[lane_].run(i);
    settle(i, i.result, is_wide ? infinite : propagated(i, false));
    if (i.second_result != no_register) settle(i, i.second_result, is_wide ? infinite : propagated(i, true));
  }
}

template <class S>
bool StepEnclosure<S>::has_deviating_operand(const Instruction& i) const {
  for (const Register operand : {i.x, i.y, i.z}) {
    if (deviation(operand) > 0) return true;
  }
  for (std::uint32_t term = 0; term < i.term_count; ++term) {
    if (deviations_[series_.program().terms[i.first_term + term].x] > 0) return true;
  }
  return false;
}

template <class S>
void StepEnclosure<S>::enclose_operands(const Instruction& i) {
  for (const Register operand : {i.x, i.y, i.z}) know_range(operand);
  for (std::uint32_t term = 0; term < i.term_count; ++term)
    know_range(series_.program().terms[i.first_term + term].x);
}

// From its polynomial where this has converged, with a few times the last terms for those behind them. Where
// its terms cancel or have not converged, from the ranges of its operands too: sin(x) is no larger than 1,
// however large the terms of its series are.
template <class S>
void StepEnclosure<S>::know_range(Register r) {
  // the last terms beside the sum of all; the sum of sizes beside the size of the sum; terms behind the last
  // ones in a geometric series of ratio 3/4. Chosen, not measured.
  constexpr double converged = 1e-3, cancelling = 8, behind = 4;
  if (r == no_register || known_[r] == round_) return;
  known_[r] = round_;
  const std::span<const double> c = polynomial(r, lane_);
  double size = 0, end = 0;
  for (const double term : c) {
    size += std::abs(term);
    end += term;
  }
  const double last = std::max(std::abs(c.back()), std::abs(c[c.size() - 2]));
  Interval range = polynomial_range(c, from_, to_);
  range = {range.low - behind * last, range.high + behind * last};
  const bool has_converged = last <= converged * size;
  const bool cancels = size > cancelling * std::max(std::abs(c[0]), std::abs(end));
  intervals_[lane_].put(r, range);
  if (writer_[r] == no_writer || (has_converged && !cancels)) return;
  const Instruction& i = series_.program().instructions[writer_[r]];
  enclose_operands(i);
  intervals_[lane_].run(i);
  for (const Register result : {i.result, i.second_result}) {
    if (result == no_register) continue;
    if (has_converged && result == r) {
      intervals_[lane_].put(r, meet(range, intervals_[lane_].get(r)));
    } else {
      settle(i, result, infinite);
    }
  }
}

template <class S>
double StepEnclosure<S>::magnitude(Register r) {
  know_range(r);
  return r == no_register ? 1 : intervals_[lane_].get(r).magnitude();
}

// The deviation of a result whose enclosure was computed: no more than `bound`, nor than that of all that it
// may be from all that its polynomial may be. What rounding explains is none.
template <class S>
void StepEnclosure<S>::settle(const Instruction& i, Register result, double bound) {
  Interval enclosure = intervals_[lane_].get(result);
  if (expanded_[result]) {
    const Interval series = series_range(result);
    bound = std::min(bound, std::max(enclosure.high - series.low, series.high - enclosure.low));
    if (!(bound >= 0)) bound = infinite;
    enclosure = meet(enclosure, Interval(series.low - bound, series.high + bound));
    double size = std::max(enclosure.magnitude(), series.magnitude());
    const bool is_difference = with_operation(i.op, [](auto unit) { return unit.is_difference; });
    if (is_difference && result == i.second_result) size = 1;
    if (std::isfinite(bound) && bound <= std::max(rounding * size, underflow)) {
      bound = 0;
      enclosure = series;
    }
  }
  intervals_[lane_].put(result, enclosure);
  known_[result] = round_;
  deviations_[result] = bound;
}

template <class S>
bool StepEnclosure<S>::hides_zero(Register x) {
  constexpr double visible = 1e-6;  // of what a series itself shows
  if (deviation(x) == 0) return false;
  double size = 0, power = 1;
  for (const double c : polynomial(x, lane_)) {
    size += std::abs(c) * power;
    power *= to_;
  }
  return intervals_[lane_].get(x).contains(0) && deviations_[x] > visible * size;
}

// By the mean value theorem, from the operands' deviations; `second`: of the second result.
template <class S>
double StepEnclosure<S>::propagated(const Instruction& i, bool second) {
  const IntervalValues& at = intervals_[lane_];
  const auto range = [&](Register r) { return r == no_register ? Interval() : at.get(r); };
  const double dx = deviation(i.x), dy = deviation(i.y);
  return with_operation(i.op, [&](auto unit) {
    using Unit = decltype(unit);
    if constexpr (std::is_same_v<Unit, operations::Linear>) {
      double sum = 0;
      for (std::uint32_t k = 0; k < i.term_count; ++k) {
        const LinearTerm& term = series_.program().terms[i.first_term + k];
        sum += functions::carried(at.constant(term.coefficient).magnitude(), deviations_[term.x]);
      }
      return sum;
    } else if constexpr (std::is_same_v<Unit, operations::PastProduct>) {
      return infinite;
    } else if constexpr (Unit::jump > 0) {
      return hides_zero(i.x) ? Unit::jump : 0.0;
    } else {
      const Interval y = std::is_same_v<Unit, operations::Power> ? at.constant(i.constant) : range(i.y);
      const Ranges ranges{range(i.x), y, range(i.z), range(i.result), range(i.second_result)};
      return second ? unit.second_deviation(ranges, dx) : unit.deviation(ranges, dx, dy);
    }
  });
}

template <class S>
double StepEnclosure<S>::share_within(const Call& call) {
  const double most =
      visible_move(call.call, polynomial(call.call.x, lane_)[0],
                   call.call.y == no_register ? 0 : polynomial(call.call.y, lane_)[0], order());
  const auto move = [&](Register r, double share) {
    if (r == no_register) return 0.0;
    double sum = 0, power = 1;
    for (const double term : polynomial(r, lane_).subspan(1)) sum += std::abs(term) * (power *= share);
    return sum;
  };
  const auto is_near = [&](double share) {
    return move(call.call.x, share) + move(call.call.y, share) <= most || stays_near(call.call, lane_, share);
  };
  // to a few percent
  double low = 0, high = 1;
  // a bound alone: to a few percent it takes six, after some quarterings
  constexpr int halvings = 40;
  for (int i = 0; i < halvings && high - low > 0.03 * high; ++i) {
    const double middle = low > 0 ? 0.5 * (low + high) : 0.25 * high;
    (is_near(middle) ? low : high) = middle;
  }
  return low;
}

template <class S>
double StepEnclosure<S>::visible_share() {
  double share = 1;
  for (const Call& call : calls_) {
    const bool deviates = deviation(call.call.result) > 0 || deviation(call.call.second_result) > 0;
    if (call.is_wide && deviates) share = std::min(share, share_within(call));
  }
  return share;
}

template class StepEnclosure<double>;
template class StepEnclosure<Real>;
template class StepEnclosure<Lanes<4>>;
template class StepEnclosure<Lanes<8>>;

}  // namespace dalembert
