#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include <dalembert/expr/function.hpp>

namespace dalembert {
namespace {

// In the order of the enumeration.
constexpr std::array<FunctionInfo, 16> functions{{
    {"sin", "\\sin", 1, true},
    {"cos", "\\cos", 1, true},
    {"tan", "\\tan", 1, true},
    {"asin", "\\arcsin", 1, true},
    {"acos", "\\arccos", 1, true},
    {"atan", "\\arctan", 1, true},
    {"atan2", "\\operatorname{atan2}", 2, true},
    {"sinh", "\\sinh", 1, true},
    {"cosh", "\\cosh", 1, true},
    {"tanh", "\\tanh", 1, true},
    {"exp", "\\exp", 1, true},
    {"log", "\\ln", 1, true},
    {"abs", "\\operatorname{abs}", 1, false},
    {"sign", "\\operatorname{sign}", 1, false},
    {"min", "\\min", 2, false},
    {"max", "\\max", 2, false},
}};

}  // namespace

const FunctionInfo& info(Function function) { return functions[static_cast<std::size_t>(function)]; }

std::optional<Function> find_function(std::string_view name) {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].name == name) return static_cast<Function>(i);
  }
  return std::nullopt;
}

}  // namespace dalembert
