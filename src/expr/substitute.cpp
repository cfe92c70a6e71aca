#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/substitute.hpp>

namespace dalembert {
namespace {

Expr rebuild(Expr e, const std::unordered_map<NodeId, Expr>& replaced) {
  Graph& graph = e.graph();
  std::vector<Expr> operands;
  bool changed = false;
  for (std::size_t i = 0; i < e.size(); ++i) {
    operands.push_back(replaced.at(e.operand(i).id()));
    changed = changed || operands.back() != e.operand(i);
  }
  if (!changed) return e;
  switch (e.kind()) {
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
    default:
      return e;
  }
}

}  // namespace

std::vector<Expr> substitute(std::span<const Expr> roots, const std::unordered_map<NodeId, Expr>& values) {
  std::vector<Expr> results;
  if (roots.empty()) return results;
  Graph& graph = roots[0].graph();
  std::unordered_map<NodeId, Expr> replaced;
  for (const NodeId id : reachable(roots)) {
    const auto it = values.find(id);
    replaced.emplace(id, it != values.end() ? it->second : rebuild(graph.at(id), replaced));
  }
  for (const Expr& root : roots) results.push_back(replaced.at(root.id()));
  return results;
}

Expr substitute(Expr root, const std::unordered_map<NodeId, Expr>& values) {
  return substitute(std::span<const Expr>(&root, 1), values).front();
}

}  // namespace dalembert
