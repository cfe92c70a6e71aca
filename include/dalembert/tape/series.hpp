// Runs a program on truncated series: the coefficients of every register, order by order and stage by stage.
//
// Order 0 alone is plain evaluation; orders 0 and 1 with the inputs' tangents at order 1 give directional
// derivatives.
//
// S is the number type; W instructions of one operation and level run together in the lanes of a SIMD
// register. A block of W registers stores its coefficients as [order][lane]; a group's operands are copied,
// one order at a time, into blocks of their own, so that all recurrences work on whole registers. Nothing is
// allocated after construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <dalembert/tape/lanes.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

/// The values of a program's constants, in their order, from the values of its parameters.
template <class S>
std::vector<S> evaluate_constants(const Program& program, const std::unordered_map<NodeId, S>& parameters);

template <class S, int W = 1>
class Series {
 public:
  static_assert(W == 1 || std::is_same_v<S, double>, "only doubles share a SIMD register");
  using Block = std::conditional_t<W == 1, S, Lanes<W>>;

  /// Room for orders 0 .. max_order. The program must outlive the series.
  Series(const Program& program, std::vector<S> constants, int max_order);
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  int max_order() const { return max_order_; }
  const Program& program() const { return *program_; }
  const S& constant(ConstantId id) const { return constants_[id]; }

  const S& get(Register r, int k) const { return data()[at(r, k)]; }
  void set(Register r, int k, const S& value) { data()[at(r, k)] = value; }

  /// Coefficient k of an output.
  S output(const Scaled& output, int k) const {
    if (output.x == no_register) return k == 0 ? constants_[output.coefficient] : constants_[0];
    return constants_[output.coefficient] * get(output.x, k);
  }

  /// Coefficients k of all instructions of one stage; its inputs and earlier stages must have theirs.
  void run(Stage stage, int k);

 private:
  // One operand, or derivative series, of the W instructions of a group.
  struct Operand {
    std::array<std::uint32_t, W> source{};  // of the W registers, order 0
    std::size_t block = 0;                  // where the coefficients are: copied, or in place
    std::size_t derivative = 0;             // j times coefficient j, where the recurrence wants it
    bool present = false;
    bool copied = false;
    bool differentiated = false;
  };
  struct Group {
    Op op = Op::product;
    int lanes = W;
    Operand x, y, z;
    std::size_t u = 0;       // result
    std::size_t second = 0;  // second result
    std::size_t du = 0;      // j times coefficient j of the result
    std::array<ConstantId, W> exponent{};
    std::array<Expr, W> meaning{};
  };
  struct Linear {
    std::uint32_t result;
    std::uint32_t first;
    std::uint32_t last;
    ConstantId bias;
  };
  struct LinearOperand {
    std::uint32_t source;
    ConstantId coefficient;
  };
  struct Step {  // a run of linear instructions, or one group
    bool linear;
    std::uint32_t first;
    std::uint32_t last;
  };

  std::size_t at(Register r, int k) const { return base_[r] + static_cast<std::size_t>(k) * W; }
  S* data() { return reinterpret_cast<S*>(memory_.data()); }
  const S* data() const { return reinterpret_cast<const S*>(memory_.data()); }

  std::size_t new_block();
  std::uint32_t place_alone();
  void place_group(Group& group, std::span<const Instruction> instructions);
  Operand make_operand(std::span<const Instruction> instructions, Register Instruction::*which,
                       bool differentiated);
  void add_linear(const Instruction& instruction);
  void add_group(Stage stage, std::span<const Instruction> instructions);
  void load(const Operand& operand, int k);
  void run_linear(const Step& step, int k);
  void run_group(const Group& group, int k);
  void evaluate(const Group& group);
  void extend(const Group& group, int k);
  void extend_power(const Group& group, int k);
  void select_branch(const Group& group, int k);

  const Program* program_;
  int max_order_;
  std::vector<S> constants_;
  std::vector<std::uint32_t> base_;  // of each register: index of its order 0 in data()
  std::vector<Block> memory_;        // registers, then the groups' copies
  std::size_t next_lane_ = W;        // of the block that is being filled with single registers
  std::size_t open_block_ = 0;
  std::uint32_t ones_ = 0;  // a register of ones that fills empty lanes
  std::vector<Linear> linear_;
  std::vector<LinearOperand> linear_operands_;
  std::vector<Group> groups_;
  std::array<std::vector<Step>, 4> steps_;  // by stage
};

extern template class Series<double, 1>;
extern template class Series<double, native_lanes>;
extern template class Series<Real, 1>;
extern template class Series<Rational, 1>;
extern template class Series<Lanes<4>, 1>;
extern template class Series<Lanes<8>, 1>;

extern template std::vector<double> evaluate_constants(const Program&,
                                                       const std::unordered_map<NodeId, double>&);
extern template std::vector<Real> evaluate_constants(const Program&, const std::unordered_map<NodeId, Real>&);
extern template std::vector<Rational> evaluate_constants(const Program&,
                                                         const std::unordered_map<NodeId, Rational>&);

}  // namespace dalembert
