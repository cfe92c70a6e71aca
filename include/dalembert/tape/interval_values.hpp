// Runs a program on intervals: enclosures of its outputs over boxes of its inputs.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include <dalembert/tape/interval.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

class IntervalValues {
 public:
  /// `constants` are enclosures of the program's constants. The program must outlive this.
  IntervalValues(const Program& program, std::vector<Interval> constants);

  void set(std::size_t input, const Interval& value);
  void run();
  Interval value(const Scaled& output) const {
    const Interval& factor = constants_[output.coefficient];
    return output.x == no_register ? factor : factor * registers_[output.x];
  }

 private:
  Interval evaluate(const Instruction& instruction) const;

  const Program* program_;
  std::vector<Interval> constants_;
  std::vector<Interval> registers_;
};

}  // namespace dalembert
