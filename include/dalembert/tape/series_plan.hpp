// What runs when a program's series are computed: plain arrays, made once and shared by all that run it, in
// whatever numbers. Nothing in it depends on the values of parameters or on the number of orders: constants
// stand here by their number.
//
// An order k >= 1 takes two passes. First all sums over products of lower orders: none of them waits for
// another. Then, one after the other, rows
//
//   u_k = sum + x_factor · x_k + y_factor · y_k
//
// whose factors are the partial derivatives at order 0 (recurrence.hpp), or constants: an instruction is one
// row or a few.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/tape/program.hpp>

namespace dalembert {

struct SeriesPlan {
  using Place = std::uint32_t;  ///< of a series in a row of coefficients; place 0 is zero
  static constexpr std::uint32_t none = UINT32_MAX;

  struct Placed : Instruction {};  ///< its operands and results are places

  struct Term {
    ConstantId coefficient;
    Place x;
  };
  struct Row {
    std::uint32_t sum;  ///< its place among the sums of its code
    Place x;
    Place y;
  };
  struct RowConstants {  ///< the factors of a row as far as they are constants, else zero
    ConstantId x = 0;
    ConstantId y = 0;
  };
  struct Nonlinear {  ///< an instruction whose factors depend on the values at order 0
    Placed instruction;
    std::uint32_t row = 0;   ///< the first of its rows
    std::uint32_t pair = 0;  ///< the first of its sums, in the order of Sums::places
  };
  struct Segment {  ///< rows, and then a power that may have a zero for base
    std::uint32_t first, last;
    std::uint32_t power;  ///< of nonlinear, or none
  };
  struct Derivative {  ///< j times coefficient j of x
    Place x;
    Place dx;
  };

  /// Sums over products of pairs of series (Convolutions): first those that are divided by k, then the
  /// others, each kind filled up to whole SIMD registers with pairs of zeros.
  struct Sums {
    std::vector<Place> a, b;            ///< of each sum
    std::vector<std::uint32_t> places;  ///< of each pair, in the order in which they were added
    std::uint32_t per_order = 0;        ///< how many are divided by k
    std::uint32_t others_first = 0;     ///< where the others stand
    std::uint32_t others = 0;

    std::uint32_t pair_count() const { return static_cast<std::uint32_t>(places.size()); }
    /// Behind the sums: a place that is always zero.
    std::uint32_t zero_place() const { return static_cast<std::uint32_t>(a.size()); }
  };

  struct Code {                     ///< of a stage, or of a part of it that waits for no other part
    std::vector<Placed> values;     ///< what is evaluated at order 0
    std::vector<Register> results;  ///< of values
    std::vector<Nonlinear> nonlinear;
    std::vector<Segment> segments;
    std::vector<Derivative> derivatives;
    Sums sums;
  };
  using Codes = std::vector<Code>;  ///< of each part, then of what comes after all

  std::size_t place(Register r) const { return r == no_register ? 0 : places[r]; }
  /// Sums over products of lower orders that an order takes.
  std::size_t convolution_count() const;

  const Program* program = nullptr;
  std::vector<Place> places;  ///< of the program's registers
  std::size_t row_size = 1;
  std::vector<Term> terms;  ///< of linear instructions at order 0
  Place first_row = 0;      ///< row i computes the series at place first_row + i
  std::vector<Row> rows;
  std::vector<RowConstants> row_constants;     ///< by row
  std::vector<Place> branches;                 ///< results of all calls with branches
  std::unordered_map<Place, Place> held_sign;  ///< by the result of a sign: its coefficients when held
  std::array<Codes, 4> stages;
};

/// Parts that threads run beside each other, and where along the system each input of the program stands.
struct PlanParts {
  int count = 1;
  std::span<const double> input_places;
};

/// Orders from 1 on for the `wanted` registers and what they depend on; if none is named, for all. The
/// program must outlive the plan.
std::shared_ptr<const SeriesPlan> make_series_plan(const Program& program,
                                                   std::span<const Register> wanted = {},
                                                   const PlanParts& parts = {});

/// For order 0 alone.
std::shared_ptr<const SeriesPlan> make_value_plan(const Program& program);

}  // namespace dalembert
