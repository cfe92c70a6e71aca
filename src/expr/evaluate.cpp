#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/functions/all.hpp>
#include <dalembert/expr/print.hpp>

namespace dalembert {
namespace {

/// One sweep over the nodes of an expression, operands before users.
template <class S>
class Evaluation {
 public:
  Evaluation(Expr e, const std::unordered_map<NodeId, S>& given) : given_(given), nodes_(reachable(e)) {
    values_.reserve(nodes_.size());
    for (const NodeId id : nodes_) values_.push_back(value_of(e.graph().at(id)));
  }
  const S& result() const { return values_.back(); }

 private:
  using Math = ScalarMath<S>;

  const S& operand(Expr e, std::size_t i) const {
    const auto place = std::lower_bound(nodes_.begin(), nodes_.end(), e.operand(i).id());
    return values_[static_cast<std::size_t>(place - nodes_.begin())];
  }

  S value_of(Expr e) const {
    try {
      return compute(e);
    } catch (const NotRational& error) {
      throw NotRational(fmt::format("{}, in '{}'", error.message(), text_excerpt(e)));
    }
  }

  S compute(Expr e) const {
    switch (e.kind()) {
      case Kind::number:
        return Math::from(e.number());
      case Kind::pi:
        return Math::pi();
      case Kind::symbol:
        return symbol(e);
      case Kind::sum:
        return sum(e);
      case Kind::product:
        return product(e);
      case Kind::power:
        return power(e);
      case Kind::function:
        break;
    }
    return with_function(e.function(), [&](auto unit) -> S {
      if constexpr (unit.info.arity == 1) {
        return functions::value_of<decltype(unit)>(operand(e, 0));
      } else {
        return functions::value_of<decltype(unit)>(operand(e, 0), operand(e, 1));
      }
    });
  }

  S symbol(Expr e) const {
    const auto it = given_.find(e.id());
    if (it == given_.end()) throw Error(fmt::format("'{}' has no value", e.name()));
    return it->second;
  }

  S sum(Expr e) const {
    S total = Math::from(e.constant());
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Rational& coefficient = e.coefficient(i);
      if (coefficient == 1) {
        total += operand(e, i);
      } else if (coefficient == -1) {
        total -= operand(e, i);
      } else {
        total += S(Math::from(coefficient) * operand(e, i));
      }
    }
    return total;
  }

  S product(Expr e) const {
    S result = operand(e, 0);
    for (std::size_t i = 1; i < e.size(); ++i) result *= operand(e, i);
    return result;
  }

  S power(Expr e) const {
    static const Rational half(Integer(1), Integer(2));
    const Expr exponent = e.operand(1);
    if (exponent.is_number() && exponent.number() == half) return Math::sqrt(operand(e, 0));
    return Math::pow(operand(e, 0), operand(e, 1));
  }

  const std::unordered_map<NodeId, S>& given_;
  std::vector<NodeId> nodes_;
  std::vector<S> values_;
};

}  // namespace

template <class S>
S evaluate(Expr e, const std::unordered_map<NodeId, S>& values) {
  if (e.kind() == Kind::number) return ScalarMath<S>::from(e.number());
  if (e.kind() == Kind::symbol) {
    if (const auto given = values.find(e.id()); given != values.end()) return given->second;
  }
  return Evaluation<S>(e, values).result();
}

template double evaluate(Expr, const std::unordered_map<NodeId, double>&);
template Real evaluate(Expr, const std::unordered_map<NodeId, Real>&);
template Rational evaluate(Expr, const std::unordered_map<NodeId, Rational>&);

}  // namespace dalembert
