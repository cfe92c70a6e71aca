#include <dalembert/expr/abbreviation.hpp>
#include <dalembert/expr/function.hpp>
#include <dalembert/expr/reserved.hpp>

namespace dalembert {

std::string meaning_of_reserved(std::string_view name) {
  if (name == "t") return "the time";
  if (name == "pi") return "the number pi";
  if (name == "lambda") return "a multiplier, lambda(name)";
  if (find_abbreviation(name) != nullptr || find_function(name)) return "a function";
  return "";
}

bool is_not_finite(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text == "nan" || text == "inf" || text == "NaN" || text == "Inf";
}

}  // namespace dalembert
