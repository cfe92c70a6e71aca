// Expressions of parameters as C.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// How symbols are called, by their nodes.
using CSymbols = std::unordered_map<NodeId, std::string>;

struct CExpressions {
  std::string lines;                ///< definitions of what is used more than once, `indent` before each
  std::vector<std::string> values;  ///< of each expression
};

/// Names of definitions begin with `prefix`. Throws Error for a symbol that has no name.
CExpressions write_expressions(std::span<const Expr> expressions, const CSymbols& symbols,
                               const std::string& prefix);

/// A call of a function of one argument or two.
std::string c_call(Function function, std::span<const std::string> arguments);

}  // namespace dalembert
