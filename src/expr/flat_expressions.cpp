#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/flat_expressions.hpp>
#include <dalembert/expr/functions/all.hpp>
#include <dalembert/expr/scalar.hpp>

namespace dalembert {

FlatExpressions::FlatExpressions(std::span<const Expr> roots) {
  if (roots.empty()) return;
  static const Rational half(Integer(1), Integer(2));
  const std::vector<NodeId> ids = reachable(roots);
  const auto place_of = [&](NodeId id) {
    return static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  for (const NodeId id : ids) {
    const Expr e = roots.front().graph().at(id);
    Node node{e.kind(), {}, static_cast<std::uint32_t>(operands_.size()), 0, id, 0, true, false};
    if (node.kind == Kind::number || node.kind == Kind::sum) {
      const Rational& number = node.kind == Kind::number ? e.number() : e.constant();
      node.number = to_double(number);
      node.is_exact = !std::isfinite(node.number) || Rational(node.number) == number;
    }
    if (node.kind == Kind::pi) node.number = ScalarMath<double>::pi();
    if (node.kind == Kind::function) node.function = e.function();
    if (node.kind == Kind::power) {
      const Expr exponent = e.operand(1);
      node.is_root_of_2 = exponent.is_number() && exponent.number() == half;
    }
    if (node.kind == Kind::symbol) symbols_.emplace_back(static_cast<std::uint32_t>(nodes_.size()), e);
    const bool has_operands = node.kind == Kind::sum || node.kind == Kind::product ||
                              node.kind == Kind::power || node.kind == Kind::function;
    for (std::size_t i = 0; has_operands && i < e.size(); ++i)
      operands_.push_back(
          {place_of(e.operand(i).id()), node.kind == Kind::sum ? to_double(e.coefficient(i)) : 1.0});
    node.count = static_cast<std::uint32_t>(operands_.size()) - node.first;
    nodes_.push_back(node);
  }
  for (const Expr& root : roots) roots_.push_back(place_of(root.id()));
}

namespace {

double value_of(const FlatExpressions::Node& node, const FlatExpressions::Operand* operands,
                const std::vector<double>& values) {
  const auto operand = [&](std::size_t i) { return values[operands[i].place]; };
  switch (node.kind) {
    case Kind::number:
    case Kind::pi:
      return node.number;
    case Kind::symbol:
      break;
    case Kind::sum: {
      double sum = node.number;
      for (std::uint32_t i = 0; i < node.count; ++i) sum += operands[i].coefficient * operand(i);
      return sum;
    }
    case Kind::product: {
      double product = operand(0);
      for (std::uint32_t i = 1; i < node.count; ++i) product *= operand(i);
      return product;
    }
    case Kind::power:
      return node.is_root_of_2 ? std::sqrt(operand(0)) : std::pow(operand(0), operand(1));
    case Kind::function:
      return with_function(node.function, [&](auto unit) -> double {
        if constexpr (unit.info.arity == 1) {
          return functions::value_of<decltype(unit)>(operand(0));
        } else {
          return functions::value_of<decltype(unit)>(operand(0), operand(1));
        }
      });
  }
  return 0;
}

}  // namespace

std::vector<double> FlatExpressions::eval(const std::unordered_map<NodeId, double>& values) const {
  std::vector<double> of_nodes(nodes_.size());
  for (const auto& [place, symbol] : symbols_) {
    const auto given = values.find(symbol.id());
    if (given == values.end()) throw Error(fmt::format("'{}' has no value", symbol.name()));
    of_nodes[place] = given->second;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind != Kind::symbol)
      of_nodes[i] = value_of(nodes_[i], operands_.data() + nodes_[i].first, of_nodes);
  }
  std::vector<double> results;
  results.reserve(roots_.size());
  for (const std::uint32_t root : roots_) results.push_back(of_nodes[root]);
  return results;
}

}  // namespace dalembert
