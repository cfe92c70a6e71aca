#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/functions/all.hpp>
#include <dalembert/system/rounding.hpp>

namespace dalembert {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
constexpr double function_error =
    2 * unit;  // elementary functions are right to about one unit in the last place

// |f'(x)| δx; an exact x stays exact where f' is infinite
double carried(double slope, double error) { return error == 0 ? 0 : std::abs(slope) * error; }

RoundedValue product(const RoundedValue& x, const RoundedValue& y) {
  const double value = x.value * y.value;
  return {value, std::abs(x.value) * y.error + std::abs(y.value) * x.error + unit * std::abs(value)};
}

RoundedValue power(const RoundedValue& x, const RoundedValue& p) {
  const double value = std::pow(x.value, p.value);
  const double slope = p.value * std::pow(x.value, p.value - 1);
  const double error = carried(slope, x.error) + carried(std::log(x.value) * value, p.error);
  return {value, error + function_error * std::abs(value)};
}

template <class Unit>
RoundedValue call(const RoundedValue& x) {
  const double value = Unit::value(x.value);
  if (!Unit::is_rounded) return {value, Unit::slope(x.value, value) == 0 ? 0 : x.error};
  return {value, carried(Unit::slope(x.value, value), x.error) + function_error * std::abs(value)};
}

template <class Unit>
RoundedValue call(const RoundedValue& x, const RoundedValue& y) {
  const double value = Unit::value(x.value, y.value);
  const auto [slope_x, slope_y] = Unit::slopes(x.value, y.value);
  if (!Unit::is_rounded) return {value, slope_x == 0 ? y.error : x.error};
  const double error = carried(slope_x, x.error) + carried(slope_y, y.error);
  return {value, error + function_error * std::abs(value)};
}

RoundedValue sum(const FlatExpressions::Node& node, std::span<const FlatExpressions::Operand> operands,
                 const std::vector<RoundedValue>& values) {
  double value = node.number;
  double size = std::abs(value);
  double error = 0;
  for (const auto& [place, c] : operands) {
    value += c * values[place].value;
    size += std::abs(c * values[place].value);
    error += std::abs(c) * values[place].error;
  }
  return {value, error + static_cast<double>(operands.size()) * unit * size};
}

// Of a node that is no symbol.
RoundedValue rounded(const FlatExpressions::Node& node, std::span<const FlatExpressions::Operand> operands,
                     const std::vector<RoundedValue>& values) {
  const auto operand = [&](std::size_t i) -> const RoundedValue& { return values[operands[i].place]; };
  switch (node.kind) {
    case Kind::number:
      return {node.number, node.is_exact ? 0 : unit * std::abs(node.number)};
    case Kind::symbol:
    case Kind::pi:
      return {node.number, unit * std::abs(node.number)};
    case Kind::sum:
      return sum(node, operands, values);
    case Kind::product: {
      RoundedValue result = operand(0);
      for (std::size_t i = 1; i < operands.size(); ++i) result = product(result, operand(i));
      return result;
    }
    case Kind::power:
      return power(operand(0), operand(1));
    case Kind::function:
      break;
  }
  return with_function(node.function, [&](auto unit) {
    if constexpr (unit.info.arity == 1) {
      return call<decltype(unit)>(operand(0));
    } else {
      return call<decltype(unit)>(operand(0), operand(1));
    }
  });
}

}  // namespace

std::vector<RoundedValue> evaluate_with_error(const FlatExpressions& expressions,
                                              const std::unordered_map<NodeId, double>& values,
                                              const std::unordered_map<NodeId, double>& errors) {
  std::vector<RoundedValue> of_nodes(expressions.nodes().size());
  for (const auto& [place, symbol] : expressions.symbols()) {
    const double value = evaluate<double>(symbol, values);
    const auto error = errors.find(symbol.id());
    of_nodes[place] = {value, std::max(unit * std::abs(value), error == errors.end() ? 0 : error->second)};
  }
  const std::span<const FlatExpressions::Operand> operands(expressions.operands());
  for (std::size_t i = 0; i < of_nodes.size(); ++i) {
    const FlatExpressions::Node& node = expressions.nodes()[i];
    if (node.kind != Kind::symbol)
      of_nodes[i] = rounded(node, operands.subspan(node.first, node.count), of_nodes);
  }
  std::vector<RoundedValue> results;
  results.reserve(expressions.size());
  for (const std::uint32_t root : expressions.roots()) results.push_back(of_nodes[root]);
  return results;
}

std::vector<RoundedValue> evaluate_with_error(std::span<const Expr> roots,
                                              const std::unordered_map<NodeId, double>& values,
                                              const std::unordered_map<NodeId, double>& errors) {
  return evaluate_with_error(FlatExpressions(roots), values, errors);
}

}  // namespace dalembert
