// Plain values of a program in doubles: what methods need that evaluate a state many thousand times.
//
// The same instructions as Series of order 0, as runs of one operation over a flat array of registers: no
// lanes to gather, no orders to skip. Nothing is allocated after construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/system/system.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

class ValueTape {
 public:
  /// The program must outlive the tape.
  ValueTape(const System& system, const Program& program);
  ValueTape(const Program& program, std::vector<double> constants);

  /// Other values of the program's constants.
  void set_constants(std::vector<double> constants);

  /// Input number `input` of the program; parameters are set already.
  void set(std::size_t input, double value) { registers_[inputs_[input]] = value; }
  /// Inputs first, first + 1, ...
  void set(std::size_t first, std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) set(first + i, values[i]);
  }
  /// All stages, which is faster than one after the other.
  void run() { execute(all_); }
  /// The instructions of one stage; its inputs and earlier stages must have their values.
  void run(Stage stage) { execute(runs_[static_cast<std::size_t>(stage)]); }
  /// Gives the sign in register r a value, whatever its argument, until release_sign().
  void hold_sign(Register r, double value);
  void release_sign(Register r) { hold_sign(r, std::numeric_limits<double>::quiet_NaN()); }
  double get(Register r) const { return registers_[r]; }
  std::span<const double> registers() const { return registers_; }
  /// A register that holds 1, for values that are constant.
  Register one() const { return static_cast<Register>(registers_.size() - 1); }
  double constant(ConstantId id) const { return constants_[id]; }
  double value(const Scaled& output) const {
    return output.x == no_register ? constants_[output.coefficient]
                                   : constants_[output.coefficient] * registers_[output.x];
  }

 private:
  struct Run {  // instructions first .. last of one operation
    Op op;
    std::uint32_t terms;  // of each linear one
    std::uint32_t level;  // of sines and cosines, which run at once: none waits for another
    std::uint32_t first;
    std::uint32_t last;
  };
  struct Code {  // of a linear instruction: x and y are its terms first .. last
    std::uint32_t result;
    std::uint32_t second;
    std::uint32_t x;
    std::uint32_t y;
    double constant;
  };
  struct Weighted {
    double coefficient;
    std::uint32_t x;
  };
  struct ConstantIds {  // where constants come from
    std::vector<ConstantId> of_code, of_terms;
  };

  ValueTape(const System& system, const Program& program, std::shared_ptr<const ValueTape> like);

  static constexpr ConstantId held = UINT32_MAX;  // of signs, which the caller holds
  void add(const Program& program, const Instruction& instruction);
  void extend(std::vector<Run>& runs, Run run) const;
  void execute(const std::vector<Run>& runs);
  void run_linear(const Run& run);
  template <std::uint32_t terms>
  void run_sums(const Run& run);
  void run_sincos(const Run& run);
  void run_others(const Run& run);

  std::vector<double> constants_;
  std::shared_ptr<ConstantIds> ids_;  // copies share it
  std::vector<double> registers_;     // two more than the program's: values that nobody reads go there; 1
  std::vector<Register> inputs_;
  std::array<std::vector<Run>, 4> runs_;  // by stage
  std::vector<Run> all_;                  // of all stages that are not constant
  std::vector<Code> code_;
  std::vector<Weighted> terms_;
};

}  // namespace dalembert
