#include "emitter.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

std::vector<std::uint64_t> key_of(Expr bias, const Emitter::Terms& terms) {
  std::vector<std::uint64_t> key{bias.id()};
  for (const auto& [coefficient, x] : terms) key.push_back((std::uint64_t{coefficient.id()} << 32U) | x);
  return key;
}

void sort_by_register(Emitter::Terms& terms) {
  std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
}

// A number that grows with e: of(c e) = c of(e).
Rational leading_number(Expr e) {
  if (e.is_number()) return e.number();
  return e.kind() == Kind::sum ? e.coefficient(0) : Rational(1);
}

}  // namespace

Emitter::Emitter(Graph& graph) : graph_(graph) {
  constant(graph.number(0));
  constant(graph.number(1));
}

ConstantId Emitter::constant(Expr e) {
  const auto [it, is_new] =
      constant_ids_.try_emplace(e.id(), static_cast<ConstantId>(program_.constants.size()));
  if (is_new) program_.constants.push_back(e);
  return it->second;
}

Register Emitter::new_register(Stage stage, Expr meaning) {
  program_.register_stages.push_back(stage);
  program_.meaning.push_back(meaning);
  return static_cast<Register>(program_.register_stages.size() - 1);
}

Register Emitter::input(const ProgramInput& input) {
  const bool varies = input.stage != Stage::constant;
  program_.inputs.push_back(varies ? new_register(input.stage, input.symbol) : no_register);
  return program_.inputs.back();
}

Register Emitter::emit(Instruction instruction, Expr meaning, Expr second_meaning) {
  const InstructionKey key{instruction.op, instruction.x, instruction.y, instruction.z, instruction.constant};
  if (const auto known = emitted_.find(key); known != emitted_.end()) return known->second;
  for (const Register operand : {instruction.x, instruction.y, instruction.z}) {
    if (operand != no_register) instruction.stage = std::max(instruction.stage, stage(operand));
  }
  instruction.result = new_register(instruction.stage, meaning);
  if (second_meaning) instruction.second_result = new_register(instruction.stage, second_meaning);
  program_.instructions.push_back(instruction);
  emitted_.emplace(key, instruction.result);
  return instruction.result;
}

Register Emitter::linear(Expr meaning, Expr bias, Terms terms) {
  sort_by_register(terms);
  const auto [known, is_new] = emitted_linear_.try_emplace(key_of(bias, terms), no_register);
  if (!is_new) return known->second;
  Instruction instruction;
  instruction.op = Op::linear;
  instruction.constant = constant(bias);
  instruction.first_term = static_cast<std::uint32_t>(program_.terms.size());
  instruction.term_count = static_cast<std::uint32_t>(terms.size());
  for (const auto& [coefficient, x] : terms) {
    program_.terms.push_back({constant(coefficient), x});
    instruction.stage = std::max(instruction.stage, stage(x));
  }
  instruction.result = new_register(instruction.stage, meaning);
  program_.instructions.push_back(instruction);
  known->second = instruction.result;
  return instruction.result;
}

Multiple Emitter::multiple_of_linear(Expr meaning, Expr bias, Terms terms) {
  if (terms.empty()) return {bias};
  if (terms.size() == 1 && bias.is_zero()) return {terms[0].first, terms[0].second};
  sort_by_register(terms);
  const Rational scale = leading_number(terms[0].first);
  Terms primitive;
  for (const auto& [coefficient, x] : terms) primitive.emplace_back(1 / scale * coefficient, x);
  const LinearKey key = key_of(1 / scale * bias, primitive);
  if (const auto known = up_to_scale_.find(key); known != up_to_scale_.end()) {
    return {graph_.number(scale / known->second.scale), known->second.x};
  }
  const Register x = linear(meaning, bias, std::move(terms));
  up_to_scale_.emplace(key, Known{scale, x});
  return {graph_.number(1), x};
}

Register Emitter::in_register(Expr meaning, const Multiple& v) {
  if (v.is_constant()) return linear(v.coefficient, v.coefficient, {});
  if (v.coefficient.is_one()) return v.x;
  return linear(meaning, graph_.number(0), {{v.coefficient, v.x}});
}

Program Emitter::finish() {
  list_parameters();
  sort_into_levels();
  return std::move(program_);
}

void Emitter::list_parameters() {
  for (const Expr& symbol : symbols_in(program_.constants)) program_.parameters.push_back(symbol);
}

void Emitter::sort_into_levels() {
  std::vector<std::uint32_t> levels(program_.register_count(), 0);
  for (Instruction& instruction : program_.instructions) {
    std::uint32_t level = 0;
    const auto after = [&](Register x) {
      if (x != no_register && stage(x) == instruction.stage) level = std::max(level, levels[x]);
    };
    after(instruction.x);
    after(instruction.y);
    after(instruction.z);
    for (std::uint32_t i = 0; i < instruction.term_count; ++i)
      after(program_.terms[instruction.first_term + i].x);
    instruction.level = level + 1;
    levels[instruction.result] = instruction.level;
    if (instruction.second_result != no_register) levels[instruction.second_result] = instruction.level;
  }
  std::stable_sort(program_.instructions.begin(), program_.instructions.end(),
                   [](const Instruction& a, const Instruction& b) {
                     return std::tie(a.stage, a.level, a.op) < std::tie(b.stage, b.level, b.op);
                   });
}

}  // namespace dalembert
