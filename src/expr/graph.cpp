#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/graph.hpp>

namespace dalembert {

Kind Expr::kind() const { return graph_->nodes_[id_].kind; }
Function Expr::function() const { return graph_->nodes_[id_].function; }
const Rational& Expr::number() const { return graph_->numbers_[graph_->nodes_[id_].value]; }
const std::string& Expr::name() const { return graph_->names_[graph_->nodes_[id_].value]; }
std::size_t Expr::size() const { return graph_->nodes_[id_].count; }
Expr Expr::operand(std::size_t i) const {
  return {graph_, graph_->operands_[graph_->nodes_[id_].first + i].node};
}
const Rational& Expr::coefficient(std::size_t i) const {
  return graph_->numbers_[graph_->operands_[graph_->nodes_[id_].first + i].coefficient];
}
const Rational& Expr::constant() const { return graph_->numbers_[graph_->nodes_[id_].value]; }
bool Expr::is_zero() const { return is_number() && number() == 0; }
bool Expr::is_one() const { return is_number() && number() == 1; }

bool Graph::same_node(NodeId a, NodeId b) const {
  const Node& x = nodes_[a];
  const Node& y = nodes_[b];
  return x.hash == y.hash && x.kind == y.kind && x.function == y.function && x.value == y.value &&
         x.count == y.count &&
         std::equal(operands_.begin() + x.first, operands_.begin() + x.first + x.count,
                    operands_.begin() + y.first);
}

namespace {

// Checked in every loop that adds up or multiplies numbers, so that no input makes them grow without end.
void require_short(const Rational& value) {
  if (bit_size(value) > longest_number_bits)
    throw Error("a number here has more digits than any computation can use");
}

// Making a number takes longer than most of what is done with it.
const Rational& unit() {
  static const Rational one(1);
  return one;
}

}  // namespace

Graph::NumberId Graph::intern(const Rational& value) {
  require_short(value);
  const auto [it, is_new] = number_ids_.try_emplace(value, static_cast<NumberId>(numbers_.size()));
  if (is_new) numbers_.push_back(value);
  return it->second;
}

Expr Graph::intern(Kind kind, Function function, std::span<const Operand> operands, std::uint32_t value) {
  std::size_t hash = static_cast<std::size_t>(kind) * 31U + static_cast<std::size_t>(function);
  const auto mix = [&hash](std::size_t x) {
    hash ^= x + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
    hash *= 0xff51afd7ed558ccdULL;
  };
  mix(value);
  for (const Operand& operand : operands) {
    mix(operand.node);
    mix(operand.coefficient);
  }
  if (nodes_.size() >= most_nodes || operands_.size() + operands.size() > most_operands)
    throw Error("the expressions are too large: more than ten million operations");
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back({kind, function, static_cast<std::uint32_t>(operands_.size()),
                    static_cast<std::uint32_t>(operands.size()), value, hash});
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  const auto [it, is_new] = unique_.insert(id);
  if (!is_new) {
    operands_.resize(nodes_.back().first);
    nodes_.pop_back();
  }
  return {this, *it};
}

Expr Graph::number(const Rational& value) { return intern(Kind::number, {}, {}, intern(value)); }

Expr Graph::pi() { return intern(Kind::pi, {}, {}, 0); }

Expr Graph::symbol(std::string_view name) {
  const auto it = symbols_.find(std::string(name));
  if (it != symbols_.end()) return {this, it->second};
  names_.emplace_back(name);
  const Expr e = intern(Kind::symbol, {}, {}, static_cast<std::uint32_t>(names_.size() - 1));
  symbols_.emplace(name, e.id());
  return e;
}

Expr Graph::sum(std::span<const Term> terms, const Rational& constant) {
  struct Collected {
    NodeId node;
    const Rational* coefficient;
  };
  std::vector<Collected> collected;
  std::deque<Rational> products;  // that coefficients point to
  Rational total = constant;
  const auto add = [&](const Rational& coefficient, Expr e) {
    if (e.is_number()) {
      total += coefficient * e.number();
      require_short(total);
    } else {
      collected.push_back({e.id(), &coefficient});
    }
  };
  for (const Term& term : terms) {
    const Expr e = term.expression;
    if (term.coefficient == 0) continue;
    if (e.kind() == Kind::sum && e.size() <= longest_merged_sum) {
      total += term.coefficient * e.constant();
      require_short(total);
      for (std::size_t i = 0; i < e.size(); ++i) {
        const Rational& inner = e.coefficient(i);
        add(term.coefficient == 1 ? inner : products.emplace_back(term.coefficient * inner), e.operand(i));
      }
    } else {
      add(term.coefficient, e);
    }
  }
  std::stable_sort(collected.begin(), collected.end(),
                   [](const Collected& a, const Collected& b) { return a.node < b.node; });
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < collected.size();) {
    const auto [node, first] = collected[i];
    if (++i == collected.size() || collected[i].node != node) {
      operands.push_back({node, intern(*first)});
      continue;
    }
    Rational coefficient = *first;
    for (; i < collected.size() && collected[i].node == node; ++i) {
      coefficient += *collected[i].coefficient;
      require_short(coefficient);
    }
    if (coefficient != 0) operands.push_back({node, intern(coefficient)});
  }
  if (operands.empty()) return number(total);
  if (operands.size() == 1 && total == 0 && numbers_[operands[0].coefficient] == 1)
    return {this, operands[0].node};
  return intern(Kind::sum, {}, operands, intern(total));
}

Expr Graph::product(std::span<const Expr> factors) {
  struct Collected {
    NodeId base;
    const Rational* exponent;
    bool operator<(const Collected& other) const {
      return base != other.base ? base < other.base : (*exponent < 0) < (*other.exponent < 0);
    }
  };
  Rational coefficient = 1;
  std::vector<Collected> collected;
  std::vector<Expr> pending(factors.rbegin(), factors.rend());
  while (!pending.empty()) {
    const Expr e = pending.back();
    pending.pop_back();
    if (e.is_number()) {
      coefficient *= e.number();
      require_short(coefficient);
    } else if (e.kind() == Kind::sum && e.size() == 1 && e.constant() == 0) {
      coefficient *= e.coefficient(0);
      require_short(coefficient);
      pending.push_back(e.operand(0));
    } else if (e.kind() == Kind::product && e.size() <= longest_merged_product) {
      for (std::size_t i = 0; i < e.size(); ++i) pending.push_back(e.operand(i));
    } else if (e.kind() == Kind::power && e.operand(1).is_number() && is_integer(e.operand(1).number())) {
      collected.push_back({e.operand(0).id(), &e.operand(1).number()});
    } else {
      collected.push_back({e.id(), &unit()});
    }
  }
  if (coefficient == 0) return number(0);
  std::sort(collected.begin(), collected.end());
  std::vector<Operand> operands;
  const NumberId one = intern(unit());
  for (std::size_t i = 0; i < collected.size();) {
    const Collected factor = collected[i];
    if (++i == collected.size() || factor < collected[i]) {
      operands.push_back({power(at(factor.base), *factor.exponent).id(), one});
      continue;
    }
    Rational exponent = *factor.exponent;
    for (; i < collected.size() && !(factor < collected[i]); ++i) exponent += *collected[i].exponent;
    operands.push_back({power(at(factor.base), exponent).id(), one});
  }
  if (operands.empty()) return number(coefficient);
  std::sort(operands.begin(), operands.end(),
            [](const Operand& a, const Operand& b) { return a.node < b.node; });
  const Expr e = operands.size() == 1 ? at(operands[0].node) : intern(Kind::product, {}, operands, 0);
  if (coefficient == 1) return e;
  const Term scaled{coefficient, e};
  return sum(std::span<const Term>(&scaled, 1));
}

// Both are numbers; folds where the result is rational and of a sensible length.
Expr Graph::power_of_number(Expr base, Expr exponent) {
  const Rational value = base.number();
  const Rational n = exponent.number();
  if (value == 0 && n < 0) throw Error("division by zero");
  if (is_integer(n)) {
    if (const auto folded = integer_power(value, n)) return number(*folded);
  } else if (value >= 0 && denominator(n) <= 64) {
    if (const auto root = exact_root(value, static_cast<unsigned>(denominator(n)))) {
      if (const auto folded = integer_power(*root, Rational(numerator(n)))) return number(*folded);
    }
  }
  const NumberId one = intern(unit());
  const Operand operands[] = {{base.id(), one}, {exponent.id(), one}};
  return intern(Kind::power, {}, operands, 0);
}

namespace {

// An integer power that is better written otherwise.
std::optional<Expr> rewritten_power(Graph& graph, Expr base, const Rational& n) {
  if (base.kind() == Kind::product && base.size() <= Graph::longest_merged_product) {  // (x y)^n = x^n y^n
    std::vector<Expr> factors;
    for (std::size_t i = 0; i < base.size(); ++i)
      factors.push_back(graph.power(base.operand(i), graph.number(n)));
    return graph.product(factors);
  }
  if (base.kind() == Kind::sum && base.size() == 1 && base.constant() == 0) {  // (c x)^n = c^n x^n
    const Expr term = base.operand(0);
    if (const auto scale = integer_power(base.coefficient(0), n))
      return *scale * graph.power(term, graph.number(n));
  }
  if (base.kind() == Kind::power &&
      base.operand(1).is_number()) {  // (x^a)^n = x^(a n) where both exist alike
    const Rational a = base.operand(1).number();
    if ((n == -1 && a > 0) || (is_integer(a) && (a > 0 || n > 0)))
      return graph.power(base.operand(0), graph.number(a * n));
  }
  return std::nullopt;
}

}  // namespace

Expr Graph::power(Expr base, Expr exponent) {
  if (exponent.is_zero() || base.is_one()) return number(1);
  if (exponent.is_one()) return base;
  if (exponent.is_number() && base.is_number()) return power_of_number(base, exponent);
  if (exponent.is_number() && is_integer(exponent.number())) {
    if (const auto better = rewritten_power(*this, base, exponent.number())) return *better;
  }
  const NumberId one = intern(unit());
  const Operand operands[] = {{base.id(), one}, {exponent.id(), one}};
  return intern(Kind::power, {}, operands, 0);
}

namespace {

// c in c*pi when e is a multiple of pi, else 0.
Rational multiple_of_pi(Expr e) {
  if (e.kind() == Kind::pi) return 1;
  const bool scaled = e.kind() == Kind::sum && e.size() == 1 && e.constant() == 0;
  return scaled && e.operand(0).kind() == Kind::pi ? e.coefficient(0) : Rational(0);
}

// sin(c pi) for a multiple 2c of 1, i.e. 0, 1 or -1.
int sine_of_half_turns(const Rational& twice_c) {
  constexpr int values[] = {0, 1, 0, -1};
  Integer remainder = numerator(twice_c) % 4;
  if (remainder < 0) remainder += 4;
  return values[static_cast<int>(remainder)];
}

// The exact value at 0 or at 1 of functions that have one there.
std::optional<Rational> value_at(Function function, const Rational& x) {
  switch (function) {
    case Function::sin:
    case Function::tan:
    case Function::asin:
    case Function::atan:
    case Function::sinh:
    case Function::tanh:
      return x == 0 ? std::optional<Rational>(0) : std::nullopt;
    case Function::cos:
    case Function::cosh:
    case Function::exp:
      return x == 0 ? std::optional<Rational>(1) : std::nullopt;
    case Function::acos:
    case Function::log:
      return x == 1 ? std::optional<Rational>(0) : std::nullopt;
    case Function::abs:
      return x < 0 ? Rational(-x) : x;
    case Function::sign:
      return Rational(x < 0 ? -1 : (x > 0 ? 1 : 0));
    default:
      return std::nullopt;
  }
}

}  // namespace

Expr Graph::call(Function function, std::span<const Expr> arguments) {
  const int arity = info(function).arity;
  if (arguments.size() != static_cast<std::size_t>(arity)) {
    throw Error(std::string(info(function).name) + " takes " + std::to_string(arity) +
                (arity == 1 ? " argument, not " : " arguments, not ") + std::to_string(arguments.size()));
  }
  const Expr x = arguments[0];
  if (arguments.size() == 1 && x.is_number()) {
    if (const auto value = value_at(function, x.number())) return number(*value);
  }
  if (function == Function::sin || function == Function::cos) {
    const Rational twice = 2 * multiple_of_pi(x);
    if (twice != 0 && is_integer(twice)) {
      return number(sine_of_half_turns(function == Function::sin ? twice : Rational(twice + 1)));
    }
  }
  if (arguments.size() == 2 && x.is_number() && arguments[1].is_number()) {
    const Rational y = arguments[1].number();
    if (function == Function::min) return number(std::min(x.number(), y));
    if (function == Function::max) return number(std::max(x.number(), y));
    if (function == Function::atan2 && x.number() == 0 && y > 0) return number(0);
  }
  const NumberId one = intern(unit());
  std::vector<Operand> operands;
  for (const Expr& argument : arguments) operands.push_back({argument.id(), one});
  return intern(Kind::function, function, operands, 0);
}

std::vector<NodeId> reachable(std::span<const Expr> roots) {
  thread_local std::vector<std::uint32_t> stamps;
  thread_local std::uint32_t generation = 0;
  std::vector<NodeId> found;
  if (roots.empty()) return found;
  Graph& graph = roots[0].graph();
  if (stamps.size() < graph.size()) stamps.resize(graph.size(), 0);
  if (++generation == 0) {
    std::fill(stamps.begin(), stamps.end(), 0);
    generation = 1;
  }
  const auto visit = [&](NodeId id) {
    if (stamps[id] == generation) return;
    stamps[id] = generation;
    found.push_back(id);
  };
  for (const Expr& root : roots) visit(root.id());
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Expr e = graph.at(found[next]);
    for (std::size_t i = 0; i < e.size(); ++i) visit(e.operand(i).id());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Expr> symbols_in(std::span<const Expr> roots) {
  std::vector<Expr> symbols;
  for (const NodeId id : reachable(roots)) {
    const Expr e = roots[0].graph().at(id);
    if (e.kind() == Kind::symbol) symbols.push_back(e);
  }
  return symbols;
}

Expr find_non_analytic(Expr root) {
  for (const NodeId id : reachable(root)) {
    const Expr e = root.graph().at(id);
    if (e.kind() == Kind::function && !info(e.function()).analytic) return e;
  }
  return {};
}

}  // namespace dalembert
