// Runs a program on truncated series: the coefficients of every register, order by order and stage by stage.
//
// Order 0 alone is plain evaluation; orders 0 and 1 with the inputs' tangents at order 1 give directional
// derivatives.
//
// S is the number type. An order k >= 1 takes two passes. First all sums over products of lower orders, W at
// a time in the lanes of a SIMD register: none of them waits for another. Then, one after the other, rows
//
//   u_k = sum + x_factor · x_k + y_factor · y_k
//
// whose factors are the partial derivatives at order 0 (recurrence.hpp), or constants: an instruction is one
// row or a few. Nothing is allocated after construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/tape/convolutions.hpp>
#include <dalembert/tape/lanes.hpp>
#include <dalembert/tape/program.hpp>
#include <dalembert/tape/recurrence.hpp>

namespace dalembert {

class Team;
struct Scheduled;

/// The values of a program's constants, in their order, from the values of its parameters.
template <class S>
std::vector<S> evaluate_constants(const Program& program, const std::unordered_map<NodeId, S>& parameters);

/// Threads for a series, and where along the system its inputs stand, by input number.
struct SeriesTeam {
  Team* team = nullptr;  ///< none: the calling thread alone
  std::span<const double> input_places;
};

template <class S, int W = 1>
class Series {
 public:
  /// Room for orders 0 .. max_order. Orders from 1 on are computed for the `wanted` registers and what they
  /// depend on; if none is named, for all. The program must outlive the series, and so must the team.
  Series(const Program& program, std::vector<S> constants, int max_order,
         std::span<const Register> wanted = {}, const SeriesTeam& team = {});
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  int max_order() const { return max_order_; }
  const Program& program() const { return *program_; }
  const S& constant(ConstantId id) const { return constants_[id]; }

  /// Coefficients k of all registers, each at its place; no register's is zero.
  const S* row(int k) const { return memory_.data() + static_cast<std::size_t>(k) * row_size_; }
  std::size_t place(Register r) const { return r == no_register ? 0 : places_[r]; }
  const S& get(Register r, int k) const { return row(k)[places_[r]]; }
  void set(Register r, int k, const S& value) { writable(k)[places_[r]] = value; }
  /// Coefficients k of `count` inputs of the program, from its input number `first` on.
  std::span<S> inputs(std::size_t first, std::size_t count, int k) {
    if (count == 0) return {};
    return {writable(k) + places_[program_->inputs[first]], count};
  }
  std::span<const S> inputs(std::size_t first, std::size_t count, int k) const {
    if (count == 0) return {};
    return {row(k) + places_[program_->inputs[first]], count};
  }

  /// Coefficient k of an output.
  S output(const Scaled& output, int k) const {
    if (output.x == no_register) return k == 0 ? constants_[output.coefficient] : constants_[0];
    return constants_[output.coefficient] * get(output.x, k);
  }

  /// Holds the abs, sign, min, max or atan2 of a register to one branch, whatever the sign of its argument
  /// (x, or x − y): −1, 0 or 1. A sign may have any other value too.
  void hold_side(Register r, const S& side) { sides_[places_[r]] = {side, true}; }
  void release_side(Register r) { sides_[places_[r]].is_held = false; }
  /// Coefficient k >= 1 of a sign that is held: zero unless it is set.
  void set_sign(Register r, int k, const S& value) { writable(k)[sign_places_.at(places_[r])] = value; }

  /// In doubles: values of exp, sinh and cosh beyond this count as infinite from the next order 0 on. Their
  /// coefficients overflow sooner than they do.
  void set_largest(double largest) { largest_ = largest; }

  /// Sums over products of lower orders that an order takes.
  std::size_t convolution_count() const {
    std::size_t count = 0;
    for (const StageCodes& codes : stages_) {
      for (const StageCode& code : codes) count += code.convolutions.size();
    }
    return count;
  }

  /// Coefficients k of all instructions of one stage; its inputs and earlier stages must have theirs.
  void run(Stage stage, int k);

 private:
  using Place = std::uint32_t;     // of a series in a row of coefficients; place 0 is zero
  struct Placed : Instruction {};  // its operands and results are places

  struct Term {
    S coefficient;
    Place x;
  };
  struct Row {
    std::uint32_t sum;
    Place x;
    Place y;
  };
  struct RowFactors {
    S x;
    S y;
  };
  struct Nonlinear {  // an instruction whose factors depend on the values at order 0
    Placed instruction;
    std::uint32_t row = 0;   // the first of its rows
    std::uint32_t pair = 0;  // the first of its convolutions
  };
  struct Segment {  // rows, and then a power that may have a zero for base
    std::uint32_t first, last;
    std::uint32_t power;  // of nonlinear, or none
  };
  struct Derivative {  // j times coefficient j of x
    Place x;
    Place dx;
  };
  struct Side {  // of the argument of a call with branches
    S sign;
    bool is_held = false;
  };
  struct StageCode {
    std::vector<Placed> values;     // what is evaluated at order 0
    std::vector<Register> results;  // of values
    std::vector<Nonlinear> nonlinear;
    std::vector<Segment> segments;
    std::vector<Derivative> derivatives;
    Convolutions<S, W> convolutions;
  };

  using StageCodes = std::vector<StageCode>;  // of each part, then of what comes after all

  S* writable(int k) { return memory_.data() + static_cast<std::size_t>(k) * row_size_; }

  // Construction
  void place_registers(std::span<const Scheduled> scheduled);
  Placed placed(const Instruction& instruction) const;
  void prepare(StageCode& code);
  void list_values(std::span<const std::uint32_t> parts);
  void add(const Scheduled& instruction);
  void add_linear(const Instruction& instruction);
  void add_rows(StageCode& code, const Placed& instruction);
  void add_row(std::uint32_t pair, Place x = 0, Place y = 0);
  Place next_row_place() const { return first_row_ + static_cast<Place>(rows_.size()); }
  Place derivative_of(StageCode& code, Place x);

  void run(StageCode& code, int k);
  // Order 0
  void evaluate(const StageCode& code);
  void evaluate(const Placed& instruction);
  void evaluate_branch(const Placed& instruction);
  void turn_to_side(const Placed& instruction);
  S limited(const S& value) const;
  std::size_t evaluate_sincos(std::span<const Placed> instructions);
  // Orders from 1 on
  void find_factors(StageCode& code);
  void find_factors(StageCode& code, const Nonlinear& n);
  void find_branch_factors(const Nonlinear& n);
  void extend(StageCode& code, int k);
  void extend_power_at_zero(const Placed& power, int k);
  bool is_natural_power_of_zero(const Placed& power, std::size_t lane) const;

  const Program* program_;
  int max_order_;
  std::vector<S> constants_;
  std::vector<Place> places_;  // of the program's registers
  std::size_t row_size_ = 1;
  std::vector<S> memory_;    // [order][place]
  std::vector<Term> terms_;  // of linear instructions at order 0
  Place first_row_ = 0;      // row i computes the series at place first_row_ + i
  std::vector<Row> rows_;
  std::vector<RowFactors> factors_;
  std::unordered_map<Place, Side> sides_;         // by the place of the result, of every call with branches
  std::unordered_map<Place, Place> sign_places_;  // likewise: coefficients of a sign that is held
  std::array<StageCodes, 4> stages_;
  double largest_ = std::numeric_limits<double>::infinity();
  Team* team_;
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
