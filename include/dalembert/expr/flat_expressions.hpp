// Expressions as one flat list, operands before users: what is evaluated again and again with other values of
// its symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

class FlatExpressions {
 public:
  struct Node {
    Kind kind;
    Function function;            ///< of a function node
    std::uint32_t first, count;   ///< its operands
    NodeId id;                    ///< in the graph
    double number;                ///< of a number, the constant of a sum, pi
    bool is_exact, is_root_of_2;  ///< the number is a double; a power is a square root
  };
  struct Operand {
    std::uint32_t place;  ///< of its node
    double coefficient;   ///< in a sum
  };

  FlatExpressions() = default;
  explicit FlatExpressions(std::span<const Expr> roots);

  std::size_t size() const { return roots_.size(); }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Operand>& operands() const { return operands_; }
  const std::vector<std::uint32_t>& roots() const { return roots_; }  ///< places of nodes
  /// Symbols and their places.
  const std::vector<std::pair<std::uint32_t, Expr>>& symbols() const { return symbols_; }

  /// What evaluate<double>() gives for each. Throws Error when a symbol has no value.
  std::vector<double> eval(const std::unordered_map<NodeId, double>& values) const;

 private:
  std::vector<Node> nodes_;
  std::vector<Operand> operands_;
  std::vector<std::uint32_t> roots_;
  std::vector<std::pair<std::uint32_t, Expr>> symbols_;
};

}  // namespace dalembert
