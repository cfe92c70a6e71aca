#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/tape/program.hpp>

#include "schedule.hpp"

namespace dalembert {

Program part_of(const Program& program, std::span<const Register> wanted) {
  if (wanted.empty()) {
    Program nothing;
    nothing.graph = program.graph;
    nothing.constants.assign(program.constants.begin(), program.constants.begin() + 2);
    return nothing;
  }
  std::vector<bool> is_needed(program.register_count(), false);
  for (const Register r : wanted) is_needed[r] = true;
  Program part = program;
  part.outputs.clear();
  part.instructions.clear();
  // users stand behind what they use
  for (auto i = program.instructions.rbegin(); i != program.instructions.rend(); ++i) {
    const bool has_second = i->second_result != no_register && is_needed[i->second_result];
    if (!is_needed[i->result] && !has_second) continue;
    for_each_operand(program, *i, [&](Register x) { is_needed[x] = true; });
    if (i->op == Op::past_product) is_needed[i->y] = true;
    part.instructions.push_back(*i);
  }
  std::reverse(part.instructions.begin(), part.instructions.end());
  std::erase_if(part.branches, [&](const BranchCall& branch) { return !is_needed[branch.result]; });
  return part;
}

}  // namespace dalembert
