// Expressions compiled to one flat program without common sub-expressions.
//
// An instruction computes one register (sin and cos: two) from earlier ones. Its stage is the latest stage of
// what it depends on, its level the longest chain of instructions of its stage before it; instructions are
// sorted by (stage, level, operation). Sub-expressions of constants alone are not instructions: they are
// evaluated once.
//
// A register holds the Taylor coefficients of its sub-expression: order 0 is the value, order 1 along given
// input tangents is a directional derivative, higher orders are the Adomian polynomials of a series solution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// What an input is, and hence when the instructions that use it can run.
enum class Stage : std::uint8_t {
  constant,      ///< parameters
  position,      ///< t, q
  velocity,      ///< v
  acceleration,  ///< a, λ
};

enum class Op : std::uint8_t {
  linear,    ///< c + Σ cᵢ xᵢ
  product,   ///< x y
  square,    ///< x²
  quotient,  ///< x / y
  inverse,   ///< 1 / x
  sqrt,
  power,         ///< x^c
  past_product,  ///< z + c Σ_{j=1..k} x_j y_{k−j}: the part of z + c x y that does not need y_k; from order 1
#define DALEMBERT_ENUMERATOR(name, Unit) name,
  DALEMBERT_FUNCTION_OPERATIONS(DALEMBERT_ENUMERATOR)  // their registers: expr/functions/
#undef DALEMBERT_ENUMERATOR
};

#define DALEMBERT_ONE_MORE(name, Unit) +1
inline constexpr std::size_t op_count =
    static_cast<std::size_t>(Op::past_product) + 1 DALEMBERT_FUNCTION_OPERATIONS(DALEMBERT_ONE_MORE);
#undef DALEMBERT_ONE_MORE

using Register = std::uint32_t;
using ConstantId = std::uint32_t;
inline constexpr Register no_register = UINT32_MAX;

struct Instruction {
  Op op = Op::linear;
  Stage stage = Stage::constant;
  std::uint32_t level = 0;
  Register result = no_register;
  Register second_result = no_register;  ///< cos of sincos, cosh, 1 ± tan²
  Register x = no_register;
  Register y = no_register;
  Register z = no_register;
  ConstantId constant = 0;       ///< c of linear and of past products; the exponent of power
  std::uint32_t first_term = 0;  ///< of linear: its terms in Program::terms
  std::uint32_t term_count = 0;
};

struct LinearTerm {
  ConstantId coefficient;
  Register x;
};

struct ProgramInput {
  Expr symbol;
  Stage stage{};
};

/// constant · register, or the constant alone where there is no register.
struct Scaled {
  ConstantId coefficient;
  Register x = no_register;
};

/// One series holds on one side of a kink (abs, min, max) or of a jump (sign, atan2).
Branch branch_of(Op op);
inline bool has_branches(Op op) { return branch_of(op) != Branch::none; }

/// An instruction with branches, and the call that it stands for as it was before it was rewritten: the same
/// node in all programs of the same expressions.
struct BranchCall {
  Register result = no_register;
  Expr call;
};

/// A compiled set of expressions; immutable.
struct Program {
  std::shared_ptr<const Graph> graph;  ///< of its expressions, where nobody else keeps it
  std::vector<Expr> constants;         ///< of parameters alone; constant 0 is zero, constant 1 is one
  std::vector<Expr> parameters;        ///< the symbols of stage constant that occur
  std::vector<Register> inputs;        ///< one per given input, in their order; no_register for parameters
  std::vector<Stage> register_stages;  ///< one per register
  std::vector<Expr> meaning;           ///< one per register: an expression that it holds
  std::vector<Instruction> instructions;
  std::vector<LinearTerm> terms;
  std::vector<Scaled> outputs;       ///< one per compiled expression
  std::vector<BranchCall> branches;  ///< every instruction with branches, once for each call that it serves

  std::size_t register_count() const { return register_stages.size(); }
  /// Instructions that are not linear: each costs a convolution per order.
  std::size_t nonlinear_count() const;
};

/// Compiles `outputs`; every symbol in them must be among `inputs`, else Error. New expressions come into the
/// graph of the first input, which must not be frozen; the others may be of graphs that it continues.
Program compile(std::span<const Expr> outputs, std::span<const ProgramInput> inputs);

/// The instructions that the wanted registers depend on. Registers, constants and inputs keep their numbers
/// (none if nothing is wanted); outputs there are none.
Program part_of(const Program& program, std::span<const Register> wanted);

}  // namespace dalembert
