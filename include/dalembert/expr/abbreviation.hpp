// Functions that stand for what is written with others: they are no nodes of their own, so that their squares
// and roots are shared, simplified and watched like all others.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

struct Abbreviation {
  std::string_view name;
  std::size_t arity;  ///< 0: any number of arguments from one on
  Expr (*written_out)(std::span<const Expr> arguments);
};

/// sqrt(x), hypot(x, y, ...)
std::span<const Abbreviation> abbreviations();
/// Null if there is none.
const Abbreviation* find_abbreviation(std::string_view name);

}  // namespace dalembert
