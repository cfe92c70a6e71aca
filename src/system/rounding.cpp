#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/system/rounding.hpp>

namespace dalembert {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
constexpr double function_error =
    2 * unit;  // elementary functions are right to about one unit in the last place

// error of f(x): |f'(x)| δx + rounding; an exact x stays exact where f' is infinite
RoundedValue smooth(double value, double slope, const RoundedValue& x) {
  const double carried = x.error == 0 ? 0 : std::abs(slope) * x.error;
  return {value, carried + function_error * std::abs(value)};
}

RoundedValue product(const RoundedValue& x, const RoundedValue& y) {
  const double value = x.value * y.value;
  return {value, std::abs(x.value) * y.error + std::abs(y.value) * x.error + unit * std::abs(value)};
}

RoundedValue power(const RoundedValue& x, const RoundedValue& p) {
  const double value = std::pow(x.value, p.value);
  RoundedValue result = smooth(value, p.value * std::pow(x.value, p.value - 1), x);
  if (p.error > 0) result.error += std::abs(std::log(x.value) * value) * p.error;
  return result;
}

RoundedValue call(Function function, const RoundedValue& x) {
  const double u = x.value;
  switch (function) {
    case Function::sin:
      return smooth(std::sin(u), std::cos(u), x);
    case Function::cos:
      return smooth(std::cos(u), std::sin(u), x);
    case Function::tan:
      return smooth(std::tan(u), 1 + std::tan(u) * std::tan(u), x);
    case Function::asin:
      return smooth(std::asin(u), 1 / std::sqrt(1 - u * u), x);
    case Function::acos:
      return smooth(std::acos(u), 1 / std::sqrt(1 - u * u), x);
    case Function::atan:
      return smooth(std::atan(u), 1 / (1 + u * u), x);
    case Function::sinh:
      return smooth(std::sinh(u), std::cosh(u), x);
    case Function::cosh:
      return smooth(std::cosh(u), std::sinh(u), x);
    case Function::tanh:
      return smooth(std::tanh(u), 1 - std::tanh(u) * std::tanh(u), x);
    case Function::exp:
      return smooth(std::exp(u), std::exp(u), x);
    case Function::log:
      return smooth(std::log(u), 1 / u, x);
    case Function::abs:
      return {std::abs(u), x.error};
    default:  // sign
      return {u > 0 ? 1.0 : u < 0 ? -1.0 : u, 0};
  }
}

RoundedValue call(Function function, const RoundedValue& x, const RoundedValue& y) {
  if (function == Function::min) return x.value < y.value ? x : y;
  if (function == Function::max) return x.value > y.value ? x : y;
  const double value = std::atan2(x.value, y.value);
  const double square = x.value * x.value + y.value * y.value;
  const double carried = (std::abs(y.value) * x.error + std::abs(x.value) * y.error) / square;
  return {value, carried + function_error * std::abs(value)};
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
    return e.size() == 1 ? call(e.function(), operand(e, 0))
                         : call(e.function(), operand(e, 0), operand(e, 1));
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
