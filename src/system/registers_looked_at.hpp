// Whose coefficients others than the recursion ask for.
#pragma once

#include <initializer_list>
#include <vector>

#include <dalembert/tape/hiding_calls.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

// Of sums, products, sines and cosines nobody asks for the coefficients. Other functions have domains,
// branches, poles or ranges that are looked at along the step.
inline std::vector<Register> registers_looked_at(const Program& program) {
  std::vector<Register> registers;
  const auto add = [&](std::initializer_list<Register> more) {
    for (const Register r : more) {
      if (r != no_register) registers.push_back(r);
    }
  };
  for (const Instruction& i : program.instructions) {
    const bool is_entire = i.op == Op::linear || i.op == Op::product || i.op == Op::square ||
                           i.op == Op::sincos || i.op == Op::past_product;
    if (!is_entire) add({i.x, i.y, i.z, i.result, i.second_result});
  }
  for (const HidingCall& call : find_hiding_calls(program)) add({call.x, call.y, call.result});
  return registers;
}

}  // namespace dalembert
