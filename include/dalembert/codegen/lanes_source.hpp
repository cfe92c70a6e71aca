// The Adomian recursion of several trajectories of one system at once as C: a number is a vector, one lane
// for each trajectory.
//
// The values at order 0 are written out too where they are sums, products, quotients, roots, sines and
// cosines; the interpreter does the others, the matrix and its factor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dalembert/codegen/compiled_library.hpp>
#include <dalembert/codegen/expansion_source.hpp>

namespace dalembert {

/// What the function works on, with arrays of vectors; the same struct stands in the text.
struct LanesMemory {
  double* rows;                    ///< coefficients, [order][place of the plan]
  const double* constants;         ///< of the program
  const double* factors;           ///< of rows, by pairs, as far as the interpreter finds them
  const double* position_factors;  ///< of sums
  const double* velocity_factors;
  double* streams;  ///< operands of sums, [order][operand], zeros at first
  double* right;    ///< n + active: the right-hand sides for solve()
  long stride;      ///< the orders that have room: the highest and two
  void* host;
  const double* (*solve)(void* host, int k);  ///< of the present right-hand side
};

struct LanesSource {
  std::string text;
  std::string reason;       ///< why there is none
  std::size_t lanes = 0;    ///< doubles of a vector
  std::size_t streams = 0;  ///< operands of sums
  /// Instructions whose factors the interpreter finds, by their numbers in SeriesPlan::Code::nonlinear.
  std::vector<std::uint32_t> found_at_position, found_at_velocity;
};

/// rest(memory, order) does what Expansion::expand_rest() does, but for copying.
inline constexpr const char* lanes_function = "dalembert_lanes";
/// name(rows, constants, sincos) evaluates at order 0 what stages of a plan evaluate: the first two those of
/// the recursion, the last one all of the balance of energy. One that is missing is left to the interpreter.
inline constexpr const char* lanes_position_function = "dalembert_lanes_position";
inline constexpr const char* lanes_velocity_function = "dalembert_lanes_velocity";
inline constexpr const char* lanes_energy_function = "dalembert_lanes_energy";

/// For vectors of so many doubles. An empty text: the plan has powers, whose bases may be zero, or more than
/// most_rows.
LanesSource write_lanes(const RecursionShape& shape, std::size_t lanes);

/// The values of these stages at order 0, for text that begins as that of write_lanes(); empty where they
/// have other functions, or branches.
std::string write_lane_values(const SeriesPlan& plan, std::span<const Stage> stages, const char* name);

/// Compiled; immutable, runs of one system share it.
struct LanesCode {
  using Rest = void (*)(const LanesMemory*, int order);
  using Sincos = void (*)(const void* x, void* sine, void* cosine);  ///< of a vector
  using Values = void (*)(double* rows, const double* constants, Sincos);
  LanesSource source;
  Rest rest = nullptr;
  Values position = nullptr, velocity = nullptr, energy = nullptr;
  std::shared_ptr<const CompiledLibrary> library;
};

/// From the cache, or compiled; null where there is no compiler or it fails: `reason` tells why.
std::shared_ptr<const LanesCode> make_lanes_code(LanesSource source, std::string& reason);

}  // namespace dalembert
