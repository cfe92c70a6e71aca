// All derivatives of rows of expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dalembert/derive/equations.hpp>
#include <dalembert/expr/differentiate.hpp>

namespace dalembert {

/// ∂rows/∂symbols.
inline ExprMatrix derive_jacobian(const std::vector<Expr>& rows, const SymbolIndex& symbols,
                                  std::size_t columns) {
  ExprMatrix matrix{rows.size(), columns, {}};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const auto& [column, value] : gradient(rows[row], symbols)) {
      matrix.entries.push_back({static_cast<std::uint32_t>(row), column, value});
    }
  }
  return matrix;
}

}  // namespace dalembert
