#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <dalembert/expr/abbreviation.hpp>

namespace dalembert {
namespace {

// √x = x^(1/2)
Expr square_root(std::span<const Expr> x) { return sqrt(x[0]); }

// √(x² + y² + ...)
Expr root_of_squares(std::span<const Expr> arguments) {
  std::vector<Term> squares;
  for (const Expr& x : arguments) squares.push_back({1, pow(x, 2)});
  return sqrt(arguments[0].graph().sum(squares));
}

constexpr std::array all{Abbreviation{"sqrt", 1, square_root}, Abbreviation{"hypot", 0, root_of_squares}};

}  // namespace

std::span<const Abbreviation> abbreviations() { return all; }

const Abbreviation* find_abbreviation(std::string_view name) {
  const auto* const found =
      std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.name == name; });
  return found == all.end() ? nullptr : found;
}

}  // namespace dalembert
