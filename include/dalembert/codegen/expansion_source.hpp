// The Adomian recursion of one system as C: what Expansion does through a plan, written out.
//
// The order is a loop variable. Sums over products of lower orders are formed eight or four at a time, in the
// lanes of a vector; rows are local variables, kept only where somebody reads them later. Nothing in the text
// depends on the values of parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dalembert/tape/series_plan.hpp>

namespace dalembert {

/// 8 where this machine has registers of eight doubles.
std::size_t widest_lanes();

/// An entry of a matrix.
struct MatrixElement {
  std::uint32_t row, column;
  Scaled value;
};

/// How the recursion uses the registers of a plan. Inputs follow each other: t, q, v, a, λ.
struct RecursionShape {
  const SeriesPlan* plan = nullptr;
  std::size_t n = 0;
  std::span<const std::size_t> active;    ///< the constraint of each row
  std::span<const Register> force;        ///< n: the sums on the right-hand sides, from order 1 on
  std::span<const Register> constraint;   ///< of all constraints, likewise
  std::span<const Scaled> f;              ///< n: the forces at order 0
  std::span<const MatrixElement> matrix;  ///< [M Dᵀ; C 0], of the active constraints
  std::span<const Scaled> c;              ///< of all constraints: C v + c = 0
  std::span<const Register> looked_at;    ///< whose coefficients are kept in the rows, for others
  std::size_t lanes = widest_lanes();     ///< of the vectors that form sums: 4 or 8
};

/// What the functions of the text work on; the same struct stands in it.
struct ExpansionMemory {
  double* rows;                    ///< coefficients, [order][place of the plan]
  const double* constants;         ///< of the program
  const double* factors;           ///< of rows, by pairs, as far as the interpreter finds them
  const double* position_factors;  ///< of sums, likewise
  const double* velocity_factors;
  double* work;               ///< zeros at first, as many as work_size() says
  double* right;              ///< n + active: the right-hand sides for solve()
  double* polynomials;        ///< the coefficients of q, v, a and λ once more, [order][of all of them]
  const double* inverse;      ///< of the matrix, in columns of whole blocks of eight numbers
  const double* reciprocals;  ///< for k = 0, 1, ...: 1/(k+1), 1/((k+1)(k+2)), and what rounding lost of each
  int solved_by_host;         ///< orders below are solved for by solve(); all, where there is no inverse
  int refined;                ///< orders below are refined once, by the residual of the solution
  void* host;
  const double* (*solve)(void* host, int k);                      ///< of the present right-hand side
  void (*sincos)(const double* x, double* sine, double* cosine);  ///< of native_lanes numbers
};

struct ExpansionSource {
  std::string text;
  std::string reason;  ///< why there is none
  /// Instructions whose factors the interpreter finds, by their numbers in SeriesPlan::Code::nonlinear: those
  /// with branches, and powers, which may have a zero for base.
  std::vector<std::uint32_t> found_at_position, found_at_velocity;
  std::size_t work_per_order = 0;
  std::size_t work_beside = 0;

  std::size_t work_size(int max_order) const {
    return work_beside + work_per_order * (static_cast<std::size_t>(max_order) + 2);
  }
};

/// Compilers take time that grows faster than the text: gcc -O2 3.7 s for 1100 rows (bricard), more than five
/// minutes for 3350 (fekete).
inline constexpr std::size_t most_rows = 1500;

/// Functions of the text: start(memory) does what Expansion::expand_start() does, or returns 0 where values
/// are infinite or roots zero, which is left to the interpreter; rest(memory, order) does what expand_rest()
/// does.
inline constexpr const char* start_function = "dalembert_start";
inline constexpr const char* rest_function = "dalembert_rest";
/// position_function(memory), velocity_function(memory): the values at order 0. There is none where a stage
/// has functions that are left to the interpreter.
inline constexpr const char* position_function = "dalembert_position";
inline constexpr const char* velocity_function = "dalembert_velocity";
/// matrix_function(memory, columns): the matrix at order 0, in columns of whole blocks of eight numbers; what
/// is zero always stays. product_function(memory, x, sum): sum += C x, and residual_function(memory,
/// residual): C v + c, of the active constraints.
inline constexpr const char* matrix_function = "dalembert_matrix";
inline constexpr const char* product_function = "dalembert_product";
inline constexpr const char* residual_function = "dalembert_residual";

/// An empty text: the plan has a form that is not written, or more than most_rows.
ExpansionSource write_expansion(const RecursionShape& shape);

}  // namespace dalembert
