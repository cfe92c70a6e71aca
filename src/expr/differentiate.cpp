#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/functions/all.hpp>

namespace dalembert {
namespace {

// ∂e/∂(argument i) of a call.
Expr function_derivative(Expr e, std::size_t i) {
  return with_function(e.function(), [&](auto unit) {
    if constexpr (unit.info.arity == 1) {
      return unit.derivative(e, e.operand(0));
    } else {
      return unit.derivative(e, e.operand(0), e.operand(1), i);
    }
  });
}

// ∂e/∂(operand i), the one table that both modes use.
Expr partial(Expr e, std::size_t i) {
  Graph& graph = e.graph();
  switch (e.kind()) {
    case Kind::sum:
      return graph.number(e.coefficient(i));
    case Kind::product: {
      std::vector<Expr> others;
      for (std::size_t j = 0; j < e.size(); ++j) {
        if (j != i) others.push_back(e.operand(j));
      }
      return graph.product(others);
    }
    case Kind::power: {
      const Expr base = e.operand(0);
      const Expr exponent = e.operand(1);
      return i == 0 ? exponent * pow(base, exponent - 1) : e * log(base);
    }
    case Kind::function:
      return function_derivative(e, i);
    case Kind::number:
    case Kind::pi:
    case Kind::symbol:
      break;
  }
  return graph.number(0);
}

}  // namespace

Expr Directional::operator()(Expr e) {
  Graph& graph = e.graph();
  if (const auto known = tangents_.find(e.id()); known != tangents_.end()) return known->second;
  std::vector<NodeId> pending{e.id()};
  while (!pending.empty()) {  // depth first with an explicit stack; finished nodes stand in tangents_
    const Expr node = graph.at(pending.back());
    bool ready = true;
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (!tangents_.contains(node.operand(i).id())) {
        pending.push_back(node.operand(i).id());
        ready = false;
      }
    }
    if (!ready) continue;
    pending.pop_back();
    if (tangents_.contains(node.id())) continue;
    std::vector<Term> terms;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Expr tangent = tangents_.at(node.operand(i).id());
      if (!tangent.is_zero()) terms.push_back({1, partial(node, i) * tangent});
    }
    tangents_.emplace(node.id(), graph.sum(terms));
  }
  return tangents_.at(e.id());
}

Expr derivative(Expr e, Expr symbol) {
  Directional directional;
  directional.set_tangent(symbol, e.graph().number(1));
  return directional(e);
}

std::vector<std::pair<std::uint32_t, Expr>> gradient(Expr e, const SymbolIndex& symbols) {
  Graph& graph = e.graph();
  const std::vector<NodeId> nodes = reachable(e);

  // only nodes that depend on a wanted symbol carry an adjoint
  std::unordered_map<NodeId, std::vector<Term>> adjoints;
  for (const NodeId id : nodes) {
    const Expr node = graph.at(id);
    bool depends = node.kind() == Kind::symbol && symbols.find(id) != nullptr;
    for (std::size_t i = 0; i < node.size() && !depends; ++i)
      depends = adjoints.contains(node.operand(i).id());
    if (depends) adjoints.emplace(id, std::vector<Term>{});
  }

  std::vector<std::pair<std::uint32_t, Expr>> result;
  if (adjoints.contains(e.id())) adjoints[e.id()].push_back({1, graph.number(1)});
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    const auto entry = adjoints.find(*it);
    if (entry == adjoints.end()) continue;
    const Expr adjoint = graph.sum(entry->second);
    if (adjoint.is_zero()) continue;
    const Expr node = graph.at(*it);
    if (node.kind() == Kind::symbol) result.emplace_back(*symbols.find(*it), adjoint);
    for (std::size_t i = 0; i < node.size(); ++i) {
      const auto operand = adjoints.find(node.operand(i).id());
      if (operand == adjoints.end()) continue;
      if (node.kind() == Kind::sum) {
        operand->second.push_back({node.coefficient(i), adjoint});
      } else {
        operand->second.push_back({1, adjoint * partial(node, i)});
      }
    }
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return result;
}

}  // namespace dalembert
