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
  /// Of signs whose arguments are multiples of one value, the first: the others have its side or the opposite
  /// one, always. A call that has no such relative leads itself.
  std::size_t leader = 0;
  ConstantId multiple = 1;     ///< of the leader's argument
  bool is_nested = false;      ///< the argument of another depends on it
  bool in_constraint = false;  ///< g depends on it
  /// Of a max or min with a constant of which a root or a power is taken: the sign of the argument where it
  /// is not that constant; 0 for all others.
  int rooted_side = 0;
  bool is_rooted_abs = false;  ///< √|x|, |x|^c: |x| with a side held has no root beyond x = 0
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

/// By call: 1 where it has the side of its leader, −1 where it has the opposite one, 0 where it is always
/// zero; `constants` are the values of the program's.
std::vector<int> switch_directions(const SwitchProgram& switches, std::span<const double> constants);

/// The register of a call in another program of the same equations, or no_register.
Register register_of(const Switch& call, const Program& program);

}  // namespace dalembert
