#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/base/team.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/tape/series.hpp>

#include "parts.hpp"
#include "schedule.hpp"
#include "series_run.hpp"

namespace dalembert {
namespace {

// How many rows an instruction takes.
std::size_t row_count(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::linear:
      return std::max<std::size_t>(instruction.term_count, 2) - 1;
    case Op::power:
    case Op::sincos:
    case Op::sinhcosh:
    case Op::tan:
    case Op::tanh:
      return 2;
    case Op::atan2:
      return 4;
    default:
      return 1;
  }
}

}  // namespace

template <class S>
std::vector<S> evaluate_constants(const Program& program, const std::unordered_map<NodeId, S>& parameters) {
  std::vector<S> values;
  values.reserve(program.constants.size());
  for (const Expr& constant : program.constants) values.push_back(evaluate<S>(constant, parameters));
  return values;
}

template <class S, int W>
Series<S, W>::Series(const Program& program, std::vector<S> constants, int max_order,
                     std::span<const Register> wanted, const SeriesTeam& team)
    : program_(&program), max_order_(max_order), constants_(std::move(constants)), team_(team.team) {
  std::vector<std::uint32_t> parts;
  std::size_t codes = 1;
  if (team_ != nullptr) {
    parts = find_parts(program, team.input_places, static_cast<std::uint32_t>(team_->size()));
    codes += static_cast<std::size_t>(team_->size());
  }
  for (StageCodes& stage : stages_) stage.resize(codes);
  const std::vector<Scheduled> scheduled =
      max_order > 0 ? schedule(program, wanted, parts) : std::vector<Scheduled>();
  place_registers(scheduled);
  list_values(parts);
  for (const Scheduled& instruction : scheduled) add(instruction);
  for (StageCodes& stage : stages_) {
    for (StageCode& code : stage) prepare(code);
  }
  memory_.assign((static_cast<std::size_t>(max_order) + 1) * row_size_, LaneMath<S>::of(0));
  run(Stage::constant, 0);
}

template <class S, int W>
void Series<S, W>::prepare(StageCode& code) {
  code.convolutions.prepare(max_order_);
  for (const Segment& segment : code.segments) {
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
      const std::uint32_t pair = rows_[i].sum;
      rows_[i].sum = pair == none ? code.convolutions.zero_place() : code.convolutions.sum_place(pair);
    }
  }
}

// Zero, inputs, results of rows, and registers that have no row because nothing depends on them.
template <class S, int W>
void Series<S, W>::place_registers(std::span<const Scheduled> scheduled) {
  places_.assign(program_->register_count(), 0);
  for (const Register input : program_->inputs) {
    if (input != no_register) places_[input] = static_cast<Place>(row_size_++);
  }
  first_row_ = static_cast<Place>(row_size_);
  for (const Scheduled& instruction : scheduled) {
    row_size_ += row_count(instruction);
    places_[instruction.result] = static_cast<Place>(row_size_ - 1);
    if (instruction.second_result == no_register) continue;
    places_[instruction.result] = static_cast<Place>(row_size_ - 2);
    places_[instruction.second_result] = static_cast<Place>(row_size_ - 1);
  }
  for (const Instruction& instruction : program_->instructions) {
    for (const Register r : {instruction.result, instruction.second_result}) {
      if (r != no_register && places_[r] == 0) places_[r] = static_cast<Place>(row_size_++);
    }
  }
}

template <class S, int W>
auto Series<S, W>::placed(const Instruction& instruction) const -> Placed {
  Placed result{instruction};
  for (Register* r : {&result.result, &result.second_result, &result.x, &result.y, &result.z}) {
    *r = static_cast<Place>(place(*r));
  }
  return result;
}

// All instructions but past products, which are zero at order 0, and sums of them.
template <class S, int W>
void Series<S, W>::list_values(std::span<const std::uint32_t> parts) {
  std::vector<bool> is_past(program_->register_count(), false);
  for (std::size_t n = 0; n < program_->instructions.size(); ++n) {
    const Instruction& i = program_->instructions[n];
    const std::span<const LinearTerm> terms(program_->terms.data() + i.first_term, i.term_count);
    is_past[i.result] = i.op == Op::past_product ||
                        std::any_of(terms.begin(), terms.end(), [&](const auto& t) { return is_past[t.x]; });
    if (is_past[i.result]) continue;
    StageCode& code = stages_[static_cast<std::size_t>(i.stage)][parts.empty() ? 0 : parts[n]];
    code.values.push_back(placed(i));
    if (has_branches(i.op)) sides_.emplace(places_[i.result], Side{LaneMath<S>::of(0), false});
    code.results.push_back(i.result);
    code.values.back().first_term = static_cast<std::uint32_t>(terms_.size());
    for (const LinearTerm& t : terms) terms_.push_back({constants_[t.coefficient], places_[t.x]});
  }
}

template <class S, int W>
auto Series<S, W>::derivative_of(StageCode& code, Place x) -> Place {
  for (const Derivative& known : code.derivatives) {
    if (known.x == x) return known.dx;
  }
  code.derivatives.push_back({x, static_cast<Place>(row_size_++)});
  return code.derivatives.back().dx;
}

template <class S, int W>
void Series<S, W>::add(const Scheduled& instruction) {
  StageCode& code = stages_[static_cast<std::size_t>(instruction.stage)][instruction.part];
  const auto first = static_cast<std::uint32_t>(rows_.size());
  if (code.segments.empty() || code.segments.back().power != none)
    code.segments.push_back({first, first, none});
  if (instruction.op == Op::linear) {
    add_linear(instruction);
  } else {
    code.nonlinear.push_back({placed(instruction), first, code.convolutions.size()});
    add_rows(code, code.nonlinear.back().instruction);
  }
  code.segments.back().last = static_cast<std::uint32_t>(rows_.size());
  if (instruction.op == Op::power)
    code.segments.back().power = static_cast<std::uint32_t>(code.nonlinear.size() - 1);
}

template <class S, int W>
void Series<S, W>::add_row(std::uint32_t pair, Place x, Place y) {
  const S zero = LaneMath<S>::of(0);
  rows_.push_back({pair, x, y});
  factors_.push_back({zero, zero});
}

// c₁ x₁ + c₂ x₂, then each further term added to the row before.
template <class S, int W>
void Series<S, W>::add_linear(const Instruction& instruction) {
  const LinearTerm* terms = program_->terms.data() + instruction.first_term;
  const auto coefficient = [&](std::uint32_t i) { return constants_[terms[i].coefficient]; };
  const auto x = [&](std::uint32_t i) { return places_[terms[i].x]; };
  const std::uint32_t count = instruction.term_count;
  add_row(none, count > 0 ? x(0) : 0, count > 1 ? x(1) : 0);
  if (count > 0) factors_.back().x = coefficient(0);
  if (count > 1) factors_.back().y = coefficient(1);
  for (std::uint32_t i = 2; i < count; ++i) {
    add_row(none, x(i), next_row_place() - 1);
    factors_.back() = {coefficient(i), LaneMath<S>::of(1)};
  }
}

// The sums and operands of an instruction's rows; find_factors() fills in their factors.
template <class S, int W>
void Series<S, W>::add_rows(StageCode& code, const Placed& i) {
  const Place u = i.result;
  const Place second = i.second_result;
  const Place x = i.x;
  const Place y = i.y;
  const Place z = i.z;
  const auto d = [&](Place of) { return derivative_of(code, of); };
  const auto sum = [&](Place a, Place b) { return code.convolutions.add(a, b, false); };
  const auto sum_per_order = [&](Place a, Place b) { return code.convolutions.add(a, b, true); };
  switch (i.op) {
    case Op::product:
      return add_row(sum(x, y), x, y);
    case Op::square:
      return add_row(sum(x, x), x);
    case Op::quotient:
      return add_row(sum(y, u), x, y);
    case Op::inverse:
      return add_row(sum(x, u), x);
    case Op::sqrt:
      return add_row(sum(u, u), x);
    case Op::power: {
      const std::uint32_t first = sum_per_order(d(x), u);
      add_row(sum_per_order(d(u), x));
      return add_row(first, x, next_row_place() - 1);
    }
    case Op::exp:
      return add_row(sum_per_order(d(x), u), x);
    case Op::sincos:
    case Op::sinhcosh:
      add_row(sum_per_order(d(x), second), x);
      return add_row(sum_per_order(d(x), u), x);
    case Op::tan:
    case Op::tanh:
      add_row(sum_per_order(d(x), second), x);
      return add_row(sum(u, u), u);
    case Op::log:
      return add_row(sum_per_order(d(u), x), x);
    case Op::asin:
    case Op::acos:
    case Op::atan:
      return add_row(sum_per_order(d(u), y), x);
    case Op::atan2: {
      const std::uint32_t first = sum_per_order(d(x), y);
      add_row(sum_per_order(d(y), x));
      add_row(sum_per_order(d(u), z), 0, next_row_place() - 1);
      add_row(first, x, y);
      return add_row(none, next_row_place() - 2, next_row_place() - 1);
    }
    case Op::past_product:
      return add_row(sum(x, y), x, z);
    case Op::sign:
      sign_places_.emplace(u, static_cast<Place>(row_size_));
      add_row(none, 0, static_cast<Place>(row_size_++));
      factors_.back().y = LaneMath<S>::of(1);
      return;
    case Op::abs:
    case Op::min:
    case Op::max:
    case Op::linear:
      return add_row(none, x, y);
  }
}

template class Series<double, 1>;
template class Series<double, native_lanes>;
template class Series<Real, 1>;
template class Series<Rational, 1>;
template class Series<Lanes<4>, 1>;
template class Series<Lanes<8>, 1>;

template std::vector<double> evaluate_constants(const Program&, const std::unordered_map<NodeId, double>&);
template std::vector<Real> evaluate_constants(const Program&, const std::unordered_map<NodeId, Real>&);
template std::vector<Rational> evaluate_constants(const Program&,
                                                  const std::unordered_map<NodeId, Rational>&);

}  // namespace dalembert
