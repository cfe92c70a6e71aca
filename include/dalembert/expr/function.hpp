// The functions that an expression may call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dalembert {

// clang-format off
enum class Function : std::uint8_t {
  sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, abs, sign, min, max
};
// clang-format on

struct FunctionInfo {
  std::string_view name;
  std::string_view latex;
  int arity;
  bool analytic;  ///< false: it has a kink or a jump, so that a series is valid on one side only
};

const FunctionInfo& info(Function function);

/// sqrt is not here: it is a power with exponent 1/2.
std::optional<Function> find_function(std::string_view name);

}  // namespace dalembert
