// Symbolic derivatives on the shared graph.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// ∂e/∂symbol.
Expr derivative(Expr e, Expr symbol);

/// Forward mode: Σ ∂e/∂s · ṡ over the symbols s with a given tangent ṡ. Results are kept, so that many
/// expressions share one sweep. Set all tangents before the first call.
class Directional {
 public:
  void set_tangent(Expr symbol, Expr tangent) { tangents_[symbol.id()] = tangent; }
  Expr operator()(Expr e);

 private:
  std::unordered_map<NodeId, Expr> tangents_;
};

/// A number for each symbol that derivatives are wanted for.
class SymbolIndex {
 public:
  SymbolIndex() = default;
  explicit SymbolIndex(std::span<const Expr> symbols) {
    for (const Expr& symbol : symbols) {
      positions_.emplace(symbol.id(), static_cast<std::uint32_t>(positions_.size()));
    }
  }
  const std::uint32_t* find(NodeId id) const {
    const auto it = positions_.find(id);
    return it == positions_.end() ? nullptr : &it->second;
  }

 private:
  std::unordered_map<NodeId, std::uint32_t> positions_;
};

/// Reverse mode: the non-zero derivatives of e as (position in the index, ∂e/∂symbol), positions increasing.
/// One sweep over e's nodes whatever the number of symbols.
std::vector<std::pair<std::uint32_t, Expr>> gradient(Expr e, const SymbolIndex& symbols);

}  // namespace dalembert
