#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/tape/interval_values.hpp>
#include <dalembert/tape/operations.hpp>

namespace dalembert {
IntervalValues::IntervalValues(const Program& program, std::vector<Interval> constants)
    : program_(&program), constants_(std::move(constants)), registers_(program.register_count()) {}

void IntervalValues::set(std::size_t input, const Interval& value) {
  if (program_->inputs[input] != no_register) registers_[program_->inputs[input]] = value;
}

void IntervalValues::run() {
  for (const Instruction& instruction : program_->instructions) run(instruction);
}

void IntervalValues::run(const Instruction& i) {
  const auto range = [&](Register r) { return r == no_register ? Interval() : registers_[r]; };
  const Interval x = range(i.x);
  with_operation(i.op, [&](auto unit) {
    using Unit = decltype(unit);
    if (i.second_result != no_register) registers_[i.second_result] = unit.enclose_second(x);
    Interval& u = registers_[i.result];
    if constexpr (std::is_same_v<Unit, operations::Linear>) {
      u = linear(i);
    } else if constexpr (std::is_same_v<Unit, operations::PastProduct>) {
      u = 0;  // at order 0
    } else if constexpr (std::is_same_v<Unit, operations::Power>) {
      u = unit.enclose(x, constants_[i.constant]);
    } else if constexpr (std::is_same_v<Unit, operations::Product>) {
      u = i.x == i.y ? square(x) : unit.enclose(x, range(i.y));
    } else {
      u = unit.enclose(x, range(i.y));
    }
  });
}

Interval IntervalValues::linear(const Instruction& i) const {
  Interval sum = constants_[i.constant];
  for (std::uint32_t k = 0; k < i.term_count; ++k) {
    const LinearTerm& term = program_->terms[i.first_term + k];
    sum = sum + constants_[term.coefficient] * registers_[term.x];
  }
  return sum;
}

}  // namespace dalembert
