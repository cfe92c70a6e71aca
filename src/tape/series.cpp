#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/tape/series.hpp>

#include "companions.hpp"
#include "series_run.hpp"

namespace dalembert {
template <class S>
std::vector<S> evaluate_constants(const Program& program, const std::unordered_map<NodeId, S>& parameters) {
  std::vector<S> values;
  values.reserve(program.constants.size());
  for (const Expr& constant : program.constants) values.push_back(evaluate<S>(constant, parameters));
  return values;
}

template <class S, int W>
Series<S, W>::Series(const Program& program, std::vector<S> constants, int max_order)
    : program_(&program), max_order_(max_order), constants_(std::move(constants)) {
  base_.assign(program.register_count(), 0);
  ones_ = place_alone();
  for (const Register input : program.inputs) {
    if (input != no_register) base_[input] = place_alone();
  }
  const std::span<const Instruction> all(program.instructions);
  for (std::size_t i = 0; i < all.size();) {
    if (all[i].op == Op::linear) {
      add_linear(all[i]);
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < all.size() && end - i < W && all[end].op == all[i].op && all[end].level == all[i].level &&
           all[end].stage == all[i].stage) {
      ++end;
    }
    add_group(all[i].stage, all.subspan(i, end - i));
    i = end;
  }
  data()[ones_] = constants_[1];
  run(Stage::constant, 0);
}

template <class S, int W>
std::size_t Series<S, W>::new_block() {
  const std::size_t first = memory_.size();
  const Block zero = LaneMath<Block>::of(0);
  memory_.resize(first + static_cast<std::size_t>(max_order_) + 1, zero);
  return first;
}

template <class S, int W>
std::uint32_t Series<S, W>::place_alone() {
  if (next_lane_ == W) {
    open_block_ = new_block();
    next_lane_ = 0;
  }
  return static_cast<std::uint32_t>(open_block_ * W + next_lane_++);
}

template <class S, int W>
void Series<S, W>::add_linear(const Instruction& instruction) {
  base_[instruction.result] = place_alone();
  Linear linear{base_[instruction.result], static_cast<std::uint32_t>(linear_operands_.size()), 0,
                instruction.constant};
  for (std::uint32_t i = 0; i < instruction.term_count; ++i) {
    const LinearTerm& term = program_->terms[instruction.first_term + i];
    linear_operands_.push_back({base_[term.x], term.coefficient});
  }
  linear.last = static_cast<std::uint32_t>(linear_operands_.size());
  linear_.push_back(linear);

  const auto index = static_cast<std::uint32_t>(linear_.size());
  auto& steps = steps_[static_cast<std::size_t>(instruction.stage)];
  if (!steps.empty() && steps.back().linear && steps.back().last == index - 1) {
    steps.back().last = index;
  } else {
    steps.push_back({true, index - 1, index});
  }
}

template <class S, int W>
auto Series<S, W>::make_operand(std::span<const Instruction> instructions, Register Instruction::*which,
                                bool differentiated) -> Operand {
  Operand operand;
  if (instructions[0].*which == no_register) return operand;
  operand.present = true;
  bool in_place = true;
  for (std::size_t lane = 0; lane < W; ++lane) {
    operand.source[lane] = lane < instructions.size() ? base_[instructions[lane].*which] : ones_;
    in_place = in_place && operand.source[lane] == operand.source[0] + lane;
  }
  operand.copied = !in_place || operand.source[0] % W != 0;
  operand.block = operand.copied ? new_block() : operand.source[0] / W;
  operand.differentiated = differentiated;
  if (differentiated) operand.derivative = new_block();
  return operand;
}

template <class S, int W>
void Series<S, W>::place_group(Group& group, std::span<const Instruction> instructions) {
  group.u = new_block();
  const bool two = instructions[0].second_result != no_register;
  if (two) group.second = new_block();
  if (wants_du(group.op)) group.du = new_block();
  for (std::size_t lane = 0; lane < instructions.size(); ++lane) {
    base_[instructions[lane].result] = static_cast<std::uint32_t>(group.u * W + lane);
    if (two) base_[instructions[lane].second_result] = static_cast<std::uint32_t>(group.second * W + lane);
    group.exponent[lane] = instructions[lane].constant;
    group.meaning[lane] = program_->meaning[instructions[lane].result];
  }
}

template <class S, int W>
void Series<S, W>::add_group(Stage stage, std::span<const Instruction> instructions) {
  Group group;
  group.op = instructions[0].op;
  group.x = make_operand(instructions, &Instruction::x, wants_dx(group.op));
  group.y = make_operand(instructions, &Instruction::y, wants_dy(group.op));
  group.z = make_operand(instructions, &Instruction::z, false);
  place_group(group, instructions);
  groups_.push_back(group);
  const auto index = static_cast<std::uint32_t>(groups_.size());
  steps_[static_cast<std::size_t>(stage)].push_back({false, index - 1, index});
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
