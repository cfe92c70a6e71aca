#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/substitute.hpp>

#include "rebuild.hpp"

namespace dalembert {

Expr rebuild(Graph& graph, Expr e, std::span<const Expr> operands) {
  switch (e.kind()) {
    case Kind::number:
      return graph.number(e.number());
    case Kind::pi:
      return graph.pi();
    case Kind::symbol:
      return graph.symbol(e.name());
    case Kind::sum: {
      std::vector<Term> terms;
      for (std::size_t i = 0; i < e.size(); ++i) terms.push_back({e.coefficient(i), operands[i]});
      return graph.sum(terms, Rational(e.constant()));
    }
    case Kind::product:
      return graph.product(operands);
    case Kind::power:
      return graph.power(operands[0], operands[1]);
    case Kind::function:
      return graph.call(e.function(), operands);
  }
  return e;
}

namespace {

std::vector<Expr> operands_of(Expr e, const std::unordered_map<NodeId, Expr>& replaced) {
  std::vector<Expr> operands;
  for (std::size_t i = 0; i < e.size(); ++i) operands.push_back(replaced.at(e.operand(i).id()));
  return operands;
}

Expr with_replaced(Expr e, const std::unordered_map<NodeId, Expr>& replaced) {
  const std::vector<Expr> operands = operands_of(e, replaced);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i] != e.operand(i)) return rebuild(e.graph(), e, operands);
  return e;
}

}  // namespace

std::vector<Expr> substitute(std::span<const Expr> roots, const std::unordered_map<NodeId, Expr>& values) {
  std::vector<Expr> results;
  if (roots.empty()) return results;
  Graph& graph = roots[0].graph();
  std::unordered_map<NodeId, Expr> replaced;
  for (const NodeId id : reachable(roots)) {
    const auto it = values.find(id);
    replaced.emplace(id, it != values.end() ? it->second : with_replaced(graph.at(id), replaced));
  }
  for (const Expr& root : roots) results.push_back(replaced.at(root.id()));
  return results;
}

Expr substitute(Expr root, const std::unordered_map<NodeId, Expr>& values) {
  return substitute(std::span<const Expr>(&root, 1), values).front();
}

std::vector<Expr> copy_to(Graph& target, std::span<const Expr> roots) {
  std::vector<Expr> results;
  if (roots.empty()) return results;
  Graph& source = roots[0].graph();
  std::unordered_map<NodeId, Expr> copies;
  for (const NodeId id : reachable(roots))
    copies.emplace(id, rebuild(target, source.at(id), operands_of(source.at(id), copies)));
  for (const Expr& root : roots) results.push_back(copies.at(root.id()));
  return results;
}

}  // namespace dalembert
