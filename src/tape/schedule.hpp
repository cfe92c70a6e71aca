// Which instructions run, and in which order.
#pragma once

#include <span>
#include <vector>

#include <dalembert/tape/program.hpp>

namespace dalembert {

/// The instructions that the wanted registers depend on (all, if none is named), stage by stage. Within a
/// stage each comes after those it uses, as far behind them as there are others to run meanwhile: processors
/// do not wait for a result that is not needed yet. Long chains start first.
std::vector<Instruction> schedule(const Program& program, std::span<const Register> wanted);

}  // namespace dalembert
