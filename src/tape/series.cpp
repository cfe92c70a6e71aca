#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/tape/recurrence.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {
namespace {

// Which companions a recurrence wants beside the coefficients of its operands.
bool wants_dx(Op op) {
  return op == Op::power || op == Op::exp || op == Op::sincos || op == Op::sinhcosh || op == Op::tan ||
         op == Op::tanh || op == Op::atan2;
}
bool wants_dy(Op op) { return op == Op::atan2; }
bool wants_du(Op op) {
  return op == Op::power || op == Op::log || op == Op::asin || op == Op::acos || op == Op::atan ||
         op == Op::atan2;
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

template <class S, int W>
void Series<S, W>::run(Stage stage, int k) {
  for (const Step& step : steps_[static_cast<std::size_t>(stage)]) {
    if (step.linear) {
      run_linear(step, k);
    } else {
      run_group(groups_[step.first], k);
    }
  }
}

template <class S, int W>
void Series<S, W>::run_linear(const Step& step, int k) {
  S* column = data() + static_cast<std::size_t>(k) * W;
  for (std::uint32_t i = step.first; i < step.last; ++i) {
    const Linear& linear = linear_[i];
    S sum = k == 0 ? constants_[linear.bias] : constants_[0];
    for (std::uint32_t j = linear.first; j < linear.last; ++j) {
      const LinearOperand& operand = linear_operands_[j];
      LaneMath<S>::add_product(sum, constants_[operand.coefficient], column[operand.source]);
    }
    column[linear.result] = sum;
  }
}

// Brings coefficient k of an operand to where its group reads it.
template <class S, int W>
void Series<S, W>::load(const Operand& operand, int k) {
  if (operand.copied) {
    const S* column = data() + static_cast<std::size_t>(k) * W;
    S* lanes = reinterpret_cast<S*>(&memory_[operand.block + static_cast<std::size_t>(k)]);
    for (std::size_t lane = 0; lane < W; ++lane) lanes[lane] = column[operand.source[lane]];
  }
  if (operand.differentiated) {
    memory_[operand.derivative + static_cast<std::size_t>(k)] =
        LaneMath<Block>::of(k) * memory_[operand.block + static_cast<std::size_t>(k)];
  }
}

template <class S, int W>
void Series<S, W>::run_group(const Group& group, int k) {
  load(group.x, k);
  if (group.y.present) load(group.y, k);
  if (group.z.present) load(group.z, k);
  if (k == 0) {
    evaluate(group);
  } else {
    extend(group, k);
    if (wants_du(group.op)) {
      memory_[group.du + static_cast<std::size_t>(k)] =
          LaneMath<Block>::of(k) * memory_[group.u + static_cast<std::size_t>(k)];
    }
  }
}

// Order 0: the values of the functions, lane by lane.
template <class S, int W>
void Series<S, W>::evaluate(const Group& group) {
  using Math = ScalarMath<S>;
  const S* x = reinterpret_cast<const S*>(&memory_[group.x.block]);
  const S* y = reinterpret_cast<const S*>(&memory_[group.y.block]);
  S* u = reinterpret_cast<S*>(&memory_[group.u]);
  S* second = reinterpret_cast<S*>(&memory_[group.second]);
  for (std::size_t i = 0; i < W; ++i) {
    try {
      switch (group.op) {
        case Op::linear:
          break;
        case Op::product:
          u[i] = x[i] * y[i];
          break;
        case Op::square:
          u[i] = x[i] * x[i];
          break;
        case Op::quotient:
          u[i] = LaneMath<S>::divide(x[i], y[i]);
          break;
        case Op::inverse:
          u[i] = LaneMath<S>::divide(constants_[1], x[i]);
          break;
        case Op::sqrt:
          u[i] = Math::sqrt(x[i]);
          break;
        case Op::power:
          u[i] = Math::pow(x[i], constants_[group.exponent[i]]);
          break;
        case Op::exp:
          u[i] = Math::exp(x[i]);
          break;
        case Op::log:
          u[i] = Math::log(x[i]);
          break;
        case Op::sincos:
          u[i] = Math::sin(x[i]), second[i] = Math::cos(x[i]);
          break;
        case Op::sinhcosh:
          u[i] = Math::sinh(x[i]), second[i] = Math::cosh(x[i]);
          break;
        case Op::tan:
          u[i] = Math::tan(x[i]), second[i] = constants_[1] + u[i] * u[i];
          break;
        case Op::tanh:
          u[i] = Math::tanh(x[i]), second[i] = constants_[1] - u[i] * u[i];
          break;
        case Op::asin:
          u[i] = Math::asin(x[i]);
          break;
        case Op::acos:
          u[i] = Math::acos(x[i]);
          break;
        case Op::atan:
          u[i] = Math::atan(x[i]);
          break;
        case Op::atan2:
          u[i] = Math::atan2(x[i], y[i]);
          break;
        case Op::abs:
          u[i] = Math::abs(x[i]);
          break;
        case Op::sign:
          u[i] = LaneMath<S>::sign(x[i]);
          break;
        case Op::min:
          u[i] = LaneMath<S>::select_less(x[i], y[i], x[i], y[i]);
          break;
        case Op::max:
          u[i] = LaneMath<S>::select_less(x[i], y[i], y[i], x[i]);
          break;
      }
    } catch (const NotRational& error) {
      if (!group.meaning[i]) throw;
      throw NotRational(error.message() + ", needed for " + to_text(group.meaning[i]));
    }
  }
}

// Order k >= 1: the recurrences.
template <class S, int W>
void Series<S, W>::extend(const Group& group, int k) {
  const Block* x = &memory_[group.x.block];
  const Block* dx = &memory_[group.x.derivative];
  const Block* y = &memory_[group.y.block];
  Block* u = &memory_[group.u];
  Block* second = &memory_[group.second];
  const Block* du = &memory_[group.du];
  switch (group.op) {
    case Op::linear:
      break;
    case Op::product:
      u[k] = recurrence::product(x, y, k);
      break;
    case Op::square:
      u[k] = recurrence::square(x, k);
      break;
    case Op::quotient:
      u[k] = recurrence::quotient(x, y, u, k);
      break;
    case Op::inverse:
      u[k] = recurrence::inverse(x, u, k);
      break;
    case Op::sqrt:
      u[k] = recurrence::sqrt(x, u, k);
      break;
    case Op::power: {
      Block exponent = LaneMath<Block>::of(0);
      for (std::size_t i = 0; i < W; ++i) reinterpret_cast<S*>(&exponent)[i] = constants_[group.exponent[i]];
      u[k] = recurrence::power(x, dx, u, du, exponent, k);
      break;
    }
    case Op::exp:
      u[k] = recurrence::integral_of_product(dx, u, k);
      break;
    case Op::sincos:
      u[k] = recurrence::integral_of_product(dx, second, k);
      second[k] = -recurrence::integral_of_product(dx, u, k);
      break;
    case Op::sinhcosh:
      u[k] = recurrence::integral_of_product(dx, second, k);
      second[k] = recurrence::integral_of_product(dx, u, k);
      break;
    case Op::tan:
      u[k] = recurrence::integral_of_product(dx, second, k);
      second[k] = recurrence::square(u, k);
      break;
    case Op::tanh:
      u[k] = recurrence::integral_of_product(dx, second, k);
      second[k] = -recurrence::square(u, k);
      break;
    case Op::log:
      u[k] = recurrence::integral_of_quotient(x, x, du, k);
      break;
    case Op::asin:
    case Op::acos:
    case Op::atan:
      u[k] = recurrence::integral_of_quotient(x, y, du, k);
      break;
    case Op::atan2:
      u[k] = recurrence::atan2(x, dx, y, &memory_[group.y.derivative], &memory_[group.z.block], du, k);
      break;
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
      select_branch(group, k);
      break;
  }
}

// abs, sign, min, max: the series of the branch that holds at order 0.
template <class S, int W>
void Series<S, W>::select_branch(const Group& group, int k) {
  const auto order = static_cast<std::size_t>(k);
  const S* x0 = reinterpret_cast<const S*>(&memory_[group.x.block]);
  const S* y0 = reinterpret_cast<const S*>(&memory_[group.y.block]);
  const S* x = reinterpret_cast<const S*>(&memory_[group.x.block + order]);
  const S* y = reinterpret_cast<const S*>(&memory_[group.y.block + order]);
  S* u = reinterpret_cast<S*>(&memory_[group.u + order]);
  for (std::size_t i = 0; i < W; ++i) {
    switch (group.op) {
      case Op::abs:
        u[i] = LaneMath<S>::sign(x0[i]) * x[i];
        break;
      case Op::min:
        u[i] = LaneMath<S>::select_less(x0[i], y0[i], x[i], y[i]);
        break;
      case Op::max:
        u[i] = LaneMath<S>::select_less(x0[i], y0[i], y[i], x[i]);
        break;
      default:
        u[i] = constants_[0];
        break;
    }
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
