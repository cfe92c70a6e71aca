#include <dalembert/expr/hold_signs.hpp>
#include <dalembert/expr/substitute.hpp>

namespace dalembert {
namespace {

using SignOf = std::function<Expr(Expr, Expr)>;

bool has_sign(Function f) {
  return f == Function::abs || f == Function::sign || f == Function::min || f == Function::max;
}

Expr with_sign(Expr call, Expr first, Expr second, Expr sign) {
  const Rational half(1, 2);
  const Function f = call.function();
  if (f == Function::sign) return sign;
  if (f == Function::abs) return sign * first;
  const Expr is_first = half * (1 + (f == Function::max ? sign : -sign));
  return is_first * first + (1 - is_first) * second;
}

}  // namespace

std::unordered_map<NodeId, Expr> hold_signs(std::span<const Expr> roots,
                                            const std::function<bool(Expr)>& wanted, const SignOf& sign_of) {
  std::unordered_map<NodeId, Expr> held;
  for (const NodeId id : reachable(roots)) {
    const Expr call = roots[0].graph().at(id);
    if (call.kind() != Kind::function || !has_sign(call.function()) || !wanted(call)) continue;
    const Expr first = substitute(call.operand(0), held);
    const Expr second = call.size() == 2 ? substitute(call.operand(1), held) : first;
    const Expr argument = call.size() == 2 ? first - second : first;
    held.emplace(id, with_sign(call, first, second, sign_of(call, argument)));
  }
  return held;
}

}  // namespace dalembert
