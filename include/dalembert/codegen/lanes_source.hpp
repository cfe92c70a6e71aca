// The Adomian recursion of several trajectories of one system at once as C: a number is a vector, one lane
// for each trajectory.
//
// What stands at order 0 (values, factors of rows and sums, the matrix) is the interpreter's; the text does
// the orders behind, which take most of the time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <dalembert/codegen/compiled_library.hpp>
#include <dalembert/codegen/expansion_source.hpp>

namespace dalembert {

/// What the function works on, with arrays of vectors; the same struct stands in the text.
struct LanesMemory {
  double* rows;                    ///< coefficients, [order][place of the plan]
  const double* factors;           ///< of rows, by pairs
  const double* position_factors;  ///< of sums
  const double* velocity_factors;
  double* streams;  ///< operands of sums, [operand][order], zeros at first
  double* right;    ///< n + active: the right-hand sides for solve()
  long stride;      ///< from one stream to the next: the highest order and two
  void* host;
  const double* (*solve)(void* host, int k);  ///< of the present right-hand side
};

struct LanesSource {
  std::string text;
  std::string reason;       ///< why there is none
  std::size_t lanes = 0;    ///< doubles of a vector
  std::size_t streams = 0;  ///< operands of sums
};

/// rest(memory, order) does what Expansion::expand_rest() does, but for copying.
inline constexpr const char* lanes_function = "dalembert_lanes";

/// For vectors of so many doubles. An empty text: the plan has powers, whose bases may be zero, or more than
/// most_rows.
LanesSource write_lanes(const RecursionShape& shape, std::size_t lanes);

/// Compiled; immutable, runs of one system share it.
struct LanesCode {
  using Rest = void (*)(const LanesMemory*, int order);
  LanesSource source;
  Rest rest = nullptr;
  std::shared_ptr<const CompiledLibrary> library;
};

/// From the cache, or compiled; null where there is no compiler or it fails: `reason` tells why.
std::shared_ptr<const LanesCode> make_lanes_code(LanesSource source, std::string& reason);

}  // namespace dalembert
