#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
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

// A register as a sum of registers that are no sums.
struct Combination {
  std::map<Register, Expr> terms;
  Expr bias;
};

Combination combination_of(const Program& program, Register r) {
  Graph& graph = program.constants[0].graph();
  const auto source = std::find_if(program.instructions.begin(), program.instructions.end(),
                                   [&](const Instruction& i) { return i.result == r; });
  if (source == program.instructions.end() || source->op != Op::linear)
    return {{{r, graph.number(1)}}, graph.number(0)};
  Combination sum{{}, program.constants[source->constant]};
  for (std::uint32_t t = 0; t < source->term_count; ++t) {
    const LinearTerm& term = program.terms[source->first_term + t];
    const Expr coefficient = program.constants[term.coefficient];
    const Combination part = combination_of(program, term.x);
    sum.bias = sum.bias + coefficient * part.bias;
    for (const auto& [x, factor] : part.terms) {
      const auto [known, is_new] = sum.terms.try_emplace(x, coefficient * factor);
      if (!is_new) known->second = known->second + coefficient * factor;
    }
  }
  return sum;
}

// Whether a is a constant times b. It is no use to know where b may be zero for certain values of parameters.
bool is_multiple(const Combination& a, const Combination& b) {
  if (a.terms.empty() || a.terms.size() != b.terms.size()) return false;
  const Expr first_a = a.terms.begin()->second;
  const Expr first_b = b.terms.begin()->second;
  if (!first_b.is_number() && !(first_a / first_b).is_number()) return false;
  const auto agree = [&](const auto& x, const auto& y) {
    return x.first == y.first && x.second * first_b == first_a * y.second;
  };
  return std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), agree) &&
         a.bias * first_b == first_a * b.bias;
}

void find_leaders(SwitchProgram& p) {
  std::vector<std::pair<std::size_t, Combination>> signs;
  for (std::size_t i = 0; i < p.calls.size(); ++i) {
    p.calls[i].leader = i;
    if (branch_of(p.calls[i].op) == Branch::jump)
      signs.emplace_back(i, combination_of(p.program, p.calls[i].argument));
  }
  const auto has_number = [](const auto& sign) {
    return !sign.second.terms.empty() && sign.second.terms.begin()->second.is_number();
  };
  std::stable_partition(signs.begin(), signs.end(), has_number);
  for (auto sign = signs.begin(); sign != signs.end(); ++sign) {
    const auto leader = std::find_if(signs.begin(), sign, [&](const auto& other) {
      return p.calls[other.first].leader == other.first && is_multiple(sign->second, other.second);
    });
    if (leader == sign) continue;
    Switch& call = p.calls[sign->first];
    call.leader = leader->first;
    call.multiple = static_cast<ConstantId>(p.program.constants.size());
    // of the same sign as the quotient
    p.program.constants.push_back(sign->second.terms.begin()->second * leader->second.terms.begin()->second);
  }
}

// Whether a root or a power is taken of a call, or of a sum with it.
bool is_rooted(const Program& program, Register call) {
  const auto of_call = [&](Register r) {
    if (r == call) return true;
    const auto source = std::find_if(program.instructions.begin(), program.instructions.end(),
                                     [&](const Instruction& other) { return other.result == r; });
    if (source == program.instructions.end() || source->op != Op::linear) return false;
    const auto first = program.terms.begin() + source->first_term;
    return std::any_of(first, first + source->term_count,
                       [&](const LinearTerm& term) { return term.x == call; });
  };
  return std::any_of(program.instructions.begin(), program.instructions.end(), [&](const Instruction& other) {
    return (other.op == Op::sqrt || other.op == Op::power) && of_call(other.x);
  });
}

int find_rooted_side(const Program& program, const Instruction& call) {
  if (branch_of(call.op) != Branch::comparison || !is_rooted(program, call.result)) return 0;
  const bool x_is_constant = program.register_stages[call.x] == Stage::constant;
  const bool y_is_constant = program.register_stages[call.y] == Stage::constant;
  if (x_is_constant == y_is_constant) return 0;
  return (call.op == Op::max) == y_is_constant ? 1 : -1;
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
    const Branch branch = branch_of(i.op);
    call.argument = branch == Branch::comparison ? add_difference(p.program, i.x, i.y) : i.x;
    if (branch == Branch::cut) call.cut = i.y;
    call.is_nested = has_branch(p.program, call.call);
    call.in_constraint = has_branch(constraints, call.call);
    call.rooted_side = find_rooted_side(dynamics, i);
    call.is_rooted_abs = branch == Branch::kink && is_rooted(dynamics, i.result);
  }
  find_leaders(p);
  return p;
}

std::vector<int> switch_directions(const SwitchProgram& switches, std::span<const double> constants) {
  std::vector<int> directions;
  for (const Switch& call : switches.calls) {
    const double multiple = constants[call.multiple];
    directions.push_back(multiple > 0 ? 1 : multiple < 0 ? -1 : 0);
  }
  return directions;
}

Register register_of(const Switch& call, const Program& program) {
  for (const BranchCall& branch : program.branches) {
    if (std::find(call.nodes.begin(), call.nodes.end(), branch.call) != call.nodes.end())
      return branch.result;
  }
  return no_register;
}

}  // namespace dalembert
