// Which instructions run, and in which order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dalembert/tape/program.hpp>

namespace dalembert {

/// Calls f with every register that an instruction must wait for; the right factor of a past product is
/// known.
template <class F>
void for_each_operand(const Program& program, const Instruction& i, F f) {
  const bool waits_for_y = i.op != Op::past_product;
  for (const Register x : {i.x, waits_for_y ? i.y : no_register, i.z}) {
    if (x != no_register) f(x);
  }
  for (std::uint32_t t = 0; t < i.term_count; ++t) f(program.terms[i.first_term + t].x);
}

/// An instruction and the part it belongs to (parts.hpp).
struct Scheduled : Instruction {
  std::uint32_t part = 0;
};

/// The instructions that the wanted registers depend on (all, if none is named), stage by stage and part by
/// part; `parts` has a number for every instruction, or none. Within a part each comes after those it uses,
/// as far behind them as there are others to run meanwhile: processors do not wait for a result that is not
/// needed yet. Long chains start first.
std::vector<Scheduled> schedule(const Program& program, std::span<const Register> wanted,
                                std::span<const std::uint32_t> parts);

}  // namespace dalembert
