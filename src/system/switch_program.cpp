#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/print.hpp>
#include <dalembert/system/switch_program.hpp>

namespace dalembert {
namespace {

constexpr std::size_t longest_text = 100;

// A register for x − y at the end of the program.
Register add_difference(Program& program, Register x, Register y) {
  const Expr minus_one = program.constants[0].graph().number(-1);
  const auto found = std::find(program.constants.begin(), program.constants.end(), minus_one);
  const auto constant = static_cast<ConstantId>(found - program.constants.begin());
  if (found == program.constants.end()) program.constants.push_back(minus_one);
  Instruction i{.op = Op::linear, .stage = std::max(program.register_stages[x], program.register_stages[y])};
  i.first_term = static_cast<std::uint32_t>(program.terms.size());
  i.term_count = 2;
  program.terms.push_back({1, x});
  program.terms.push_back({constant, y});
  i.result = static_cast<Register>(program.register_count());
  program.register_stages.push_back(i.stage);
  program.meaning.push_back(program.meaning[x] - program.meaning[y]);
  program.instructions.push_back(i);
  return i.result;
}

bool has_branch(const Program& program, Register call) {
  return std::any_of(program.branches.begin(), program.branches.end(),
                     [&](const BranchCall& branch) { return branch.result == call; });
}

// The instructions with branches, each once, with all calls that they serve.
std::vector<Switch> list_calls(const Program& dynamics) {
  std::vector<Switch> calls;
  for (const BranchCall& branch : dynamics.branches) {
    const auto known = std::find_if(calls.begin(), calls.end(),
                                    [&](const Switch& call) { return call.call == branch.result; });
    if (known != calls.end()) {
      known->nodes.push_back(branch.call);
      continue;
    }
    Switch call;
    call.call = branch.result;
    call.nodes = {branch.call};
    call.text = text_excerpt(branch.call, longest_text);
    calls.push_back(std::move(call));
  }
  return calls;
}

}  // namespace

SwitchProgram make_switch_program(const Program& dynamics, std::span<const Scaled> g) {
  SwitchProgram p;
  p.calls = list_calls(dynamics);
  std::unordered_map<Register, Instruction> branches;
  std::vector<Register> operands;
  for (const Instruction& i : dynamics.instructions) {
    if (!has_branches(i.op)) continue;
    branches.emplace(i.result, i);
    operands.push_back(i.x);
    if (i.y != no_register) operands.push_back(i.y);
  }
  std::vector<Register> constrained;
  for (const Scaled& row : g) {
    if (row.x != no_register) constrained.push_back(row.x);
  }
  p.program = part_of(dynamics, operands);
  const Program constraints = part_of(dynamics, constrained);
  for (Switch& call : p.calls) {
    const Instruction& i = branches.at(call.call);
    call.op = i.op;
    call.argument = i.op == Op::min || i.op == Op::max ? add_difference(p.program, i.x, i.y) : i.x;
    if (i.op == Op::atan2) call.cut = i.y;
    call.is_nested = has_branch(p.program, call.call);
    call.in_constraint = has_branch(constraints, call.call);
  }
  return p;
}

Register register_of(const Switch& call, const Program& program) {
  for (const BranchCall& branch : program.branches) {
    if (std::find(call.nodes.begin(), call.nodes.end(), branch.call) != call.nodes.end())
      return branch.result;
  }
  return no_register;
}

}  // namespace dalembert
