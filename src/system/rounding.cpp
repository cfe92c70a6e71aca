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

/// One sweep over the nodes of some expressions, operands before users.
class ErrorAnalysis {
 public:
  ErrorAnalysis(std::span<const Expr> roots, const std::unordered_map<NodeId, double>& given,
                const std::unordered_map<NodeId, double>& errors)
      : given_(given), errors_(errors), nodes_(reachable(roots)) {
    values_.reserve(nodes_.size());
    for (const NodeId id : nodes_) values_.push_back(compute(roots.front().graph().at(id)));
  }
  const RoundedValue& at(NodeId id) const {
    const auto place = std::lower_bound(nodes_.begin(), nodes_.end(), id);
    return values_[static_cast<std::size_t>(place - nodes_.begin())];
  }

 private:
  const RoundedValue& operand(Expr e, std::size_t i) const { return at(e.operand(i).id()); }

  RoundedValue sum(Expr e) const {
    double value = to_double(e.constant());
    double size = std::abs(value);
    double error = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const double c = to_double(e.coefficient(i));
      value += c * operand(e, i).value;
      size += std::abs(c * operand(e, i).value);
      error += std::abs(c) * operand(e, i).error;
    }
    return {value, error + static_cast<double>(e.size()) * unit * size};
  }

  RoundedValue compute(Expr e) const {
    switch (e.kind()) {
      case Kind::number: {
        const double value = to_double(e.number());
        return {value, Rational(value) == e.number() ? 0 : unit * std::abs(value)};
      }
      case Kind::symbol:
      case Kind::pi: {
        const double value = evaluate<double>(e, given_);
        const auto error = errors_.find(e.id());
        return {value, std::max(unit * std::abs(value), error == errors_.end() ? 0 : error->second)};
      }
      case Kind::sum:
        return sum(e);
      case Kind::product: {
        RoundedValue result = operand(e, 0);
        for (std::size_t i = 1; i < e.size(); ++i) result = product(result, operand(e, i));
        return result;
      }
      case Kind::power:
        return power(operand(e, 0), operand(e, 1));
      case Kind::function:
        break;
    }
    return with_function(e.function(), [&](auto unit) {
      if constexpr (unit.info.arity == 1) {
        return call<decltype(unit)>(operand(e, 0));
      } else {
        return call<decltype(unit)>(operand(e, 0), operand(e, 1));
      }
    });
  }

  const std::unordered_map<NodeId, double>& given_;
  const std::unordered_map<NodeId, double>& errors_;
  std::vector<NodeId> nodes_;  // increasing
  std::vector<RoundedValue> values_;
};

}  // namespace

std::vector<RoundedValue> evaluate_with_error(std::span<const Expr> roots,
                                              const std::unordered_map<NodeId, double>& values,
                                              const std::unordered_map<NodeId, double>& errors) {
  if (roots.empty()) return {};
  const ErrorAnalysis analysis(roots, values, errors);
  std::vector<RoundedValue> results;
  results.reserve(roots.size());
  for (const Expr& root : roots) results.push_back(analysis.at(root.id()));
  return results;
}

}  // namespace dalembert
