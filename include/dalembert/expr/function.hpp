// The functions that an expression may call, and the operations that compute them.
//
// What a function is stands in one file, functions/NAME.hpp: its names, exact values, derivative, values,
// Taylor recurrence, enclosure, round-off, domain and branches. A new function takes its names in the lists
// here, its file, and a line in functions/all.hpp (docs/extending.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Each with the name of its unit in functions/.
// clang-format off
#define DALEMBERT_FUNCTIONS(of_one, of_two)                                                        \
  of_one(sin, Sin) of_one(cos, Cos) of_one(tan, Tan)                                               \
  of_one(asin, Asin) of_one(acos, Acos) of_one(atan, Atan) of_two(atan2, Atan2)                    \
  of_one(sinh, Sinh) of_one(cosh, Cosh) of_one(tanh, Tanh)                                         \
  of_one(exp, Exp) of_one(log, Log)                                                                \
  of_one(abs, Abs) of_one(sign, Sign) of_two(min, Min) of_two(max, Max)                            \
  of_one(erf, Erf)

// What a program computes them by: most functions by themselves, a sine and its cosine by one operation.
#define DALEMBERT_FUNCTION_OPERATIONS(one)                                                         \
  one(exp, Exp) one(log, Log) one(sincos, SinCos) one(sinhcosh, SinhCosh) one(tan, Tan)            \
  one(tanh, Tanh) one(asin, Asin) one(acos, Acos) one(atan, Atan) one(atan2, Atan2)                \
  one(abs, Abs) one(sign, Sign) one(min, Min) one(max, Max)                                        \
  one(erf, Erf)
// clang-format on

namespace dalembert {

#define DALEMBERT_ENUMERATOR(name, Unit) name,
enum class Function : std::uint8_t { DALEMBERT_FUNCTIONS(DALEMBERT_ENUMERATOR, DALEMBERT_ENUMERATOR) };
#undef DALEMBERT_ENUMERATOR

#define DALEMBERT_ONE_MORE(name, Unit) +1
inline constexpr std::size_t function_count = 0 DALEMBERT_FUNCTIONS(DALEMBERT_ONE_MORE, DALEMBERT_ONE_MORE);
#undef DALEMBERT_ONE_MORE

/// Where a function is not analytic though it has a value there.
enum class Branch : std::uint8_t {
  none,
  kink,        ///< where x = 0: abs
  jump,        ///< where x = 0: sign
  comparison,  ///< a kink where x = y: min, max
  cut,         ///< a jump where x = 0 and y < 0: atan2
};

/// What the physical units of arguments and value are to each other.
enum class UnitRule : std::uint8_t {
  pure,   ///< arguments and value are pure numbers
  kept,   ///< the value has the unit that all arguments have
  ratio,  ///< the arguments have one unit, the value is a pure number
  any,    ///< the value is a pure number whatever the argument is
};

/// How LaTeX writes a function otherwise than by its name before parentheses.
struct Enclosing {
  std::string_view before;  ///< none: by its name
  std::string_view after;
  bool is_closed = false;  ///< from outside, an atom: |x|
  std::string_view of_one = {};
};

struct FunctionInfo {
  std::string_view name;
  std::string_view latex;
  int arity = 1;
  Branch branch = Branch::none;
  UnitRule units = UnitRule::pure;
  Enclosing enclosing = {};

  /// false: it has a kink or a jump, so that a series is valid on one side only
  bool analytic() const { return branch == Branch::none || branch == Branch::cut; }
};

const FunctionInfo& info(Function function);

std::optional<Function> find_function(std::string_view name);

}  // namespace dalembert
