// Runs a program on intervals: enclosures of its outputs over boxes of its inputs.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/interval.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

class IntervalValues {
 public:
  /// `constants` are enclosures of the program's constants. The program must outlive this.
  IntervalValues(const Program& program, std::vector<Interval> constants);

  void set(std::size_t input, const Interval& value);
  void run();
  /// One instruction, for callers that know enclosures of its operands from elsewhere.
  void run(const Instruction& instruction);
  void put(Register r, const Interval& value) { registers_[r] = value; }
  const Interval& get(Register r) const { return registers_[r]; }
  const Interval& constant(ConstantId id) const { return constants_[id]; }
  Interval value(const Scaled& output) const {
    const Interval& factor = constants_[output.coefficient];
    return output.x == no_register ? factor : factor * registers_[output.x];
  }

 private:
  Interval linear(const Instruction& instruction) const;

  const Program* program_;
  std::vector<Interval> constants_;
  std::vector<Interval> registers_;
};

}  // namespace dalembert
