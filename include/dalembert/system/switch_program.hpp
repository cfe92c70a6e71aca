// The calls in the equations of motion that have branches, and the arguments whose change of sign is a kink
// or a jump. It is a part of the program of the dynamics itself, with the same registers: nothing has to be
// found again.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <dalembert/tape/program.hpp>

namespace dalembert {

struct Switch {
  Op op = Op::sign;
  Register call = no_register;      ///< in the programs of the dynamics, of the expansion and of the switches
  Register argument = no_register;  ///< in the program of the switches
  /// It jumps only where this is negative: y of atan2(x, y). No register: everywhere.
  Register cut = no_register;
  bool is_nested = false;      ///< the argument of another depends on it
  bool in_constraint = false;  ///< g depends on it
  std::vector<Expr> nodes;     ///< the calls as they stand in the equations
  std::string text;            ///< for messages
};

/// Inputs t, q, v. Arguments are x of abs(x), sign(x) and atan2(x, y), x − y of min and max.
struct SwitchProgram {
  Program program;
  std::vector<Switch> calls;  ///< operands before users

  std::size_t size() const { return calls.size(); }
};

/// Of all instructions of `dynamics` that have branches; g are outputs of it.
SwitchProgram make_switch_program(const Program& dynamics, std::span<const Scaled> g);

/// The register of a call in another program of the same equations, or no_register.
Register register_of(const Switch& call, const Program& program);

}  // namespace dalembert
