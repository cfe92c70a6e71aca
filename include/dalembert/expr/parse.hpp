// Text to expression.
//
//   sum     = product { ("+" | "-") product }
//   product = unary { ("*" | "/") unary }
//   unary   = "-" unary | "+" unary | power
//   power   = atom [ "^" unary ]                  so -x^2 is -(x^2); 2^-3 works; x^y^z is x^(y^z)
//   atom    = number | name | function "(" sum { "," sum } ")" | "lambda" "(" name ")" | "(" sum ")"
//   name    = word { "." word } { "'" }           word = (letter | "_") { letter | digit | "_" }
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// What a name means, primes included ("theta'"), and "lambda(name)" for multipliers. Throws Error for an
/// unknown one; the parser adds the place.
using Resolver = std::function<Expr(const std::string& name)>;

/// Throws Error with place and caret; `origin` is where the text's first character stands. Without a resolver
/// each name is a symbol of the graph.
Expr parse(Graph& graph, std::string_view text, const Resolver& resolver = {},
           const SourceLocation& origin = {});

/// "lhs" or "lhs = rhs", as lhs - rhs.
Expr parse_equation(Graph& graph, std::string_view text, const Resolver& resolver = {},
                    const SourceLocation& origin = {});

/// A name that may be defined: the grammar's name without primes, and neither a function nor t, pi, sqrt,
/// lambda.
bool is_definable_name(std::string_view name);

// Bounds that keep a hostile text from exhausting stack and memory; no model comes near them. Chosen, not
// measured.
inline constexpr int deepest_nesting = 400;
inline constexpr std::size_t longest_text = 16'000'000;

}  // namespace dalembert
