#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <dalembert/expr/function.hpp>
#include <dalembert/expr/functions/all.hpp>

namespace dalembert {
namespace {

#define DALEMBERT_INFO(name, Unit) functions::Unit::info,
constexpr std::array<FunctionInfo, function_count> infos{DALEMBERT_FUNCTIONS(DALEMBERT_INFO, DALEMBERT_INFO)};
#undef DALEMBERT_INFO

}  // namespace

const FunctionInfo& info(Function function) { return infos[static_cast<std::size_t>(function)]; }

std::optional<Function> find_function(std::string_view name) {
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].name == name) return static_cast<Function>(i);
  }
  return std::nullopt;
}

void functions::throw_not_rational(const FunctionInfo& info, bool is_real,
                                   std::initializer_list<const Rational*> arguments) {
  std::string list;
  for (const Rational* x : arguments) list += (list.empty() ? "" : ", ") + number_excerpt(*x);
  throw NotRational(fmt::format("{}({}) is not {}", info.name, list, is_real ? "rational" : "a real number"));
}

}  // namespace dalembert
