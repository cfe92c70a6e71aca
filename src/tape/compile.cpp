#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/tape/operations.hpp>
#include <dalembert/tape/program.hpp>

#include "emitter.hpp"
#include "factor.hpp"
#include "shared_pairs.hpp"
#include "stages.hpp"

namespace dalembert {
namespace {

class Compiler {
 public:
  Compiler(Graph& graph, std::span<const ProgramInput> inputs)
      : graph_(graph), stages_(inputs), emitter_(graph) {
    for (const ProgramInput& input : inputs) {
      const Register x = emitter_.input({graph_.at(input.symbol.id()), input.stage});
      if (x != no_register) values_[input.symbol.id()] = {graph.number(1), x};
    }
  }

  /// Outputs may be of graphs that this one continues.
  Program run(std::span<const Expr> wanted) {
    std::vector<Expr> outputs;
    for (const Expr& e : wanted) outputs.push_back(graph_.at(e.id()));
    stages_.visit(outputs);
    const auto [roots, calls] = factored(outputs, stages_);
    const std::vector<NodeId> nodes = reachable(roots);
    share_pairs(nodes);
    for (const NodeId id : nodes) {
      if (!is_reciprocal(graph_.at(id))) value(graph_.at(id));  // divisions come where they are wanted
    }
    for (const Expr& root : roots) emitter_.output(value(root));
    Program program = emitter_.finish();
    name_branches(program, calls);
    return program;
  }

 private:
  // x^(n/2) is made of squares, products and one root; other powers have a recurrence of their own.
  static bool is_half_integer(Expr exponent) {
    // beyond it a chain of squares has lost six digits, and n no longer fits where powers keep it
    constexpr long largest = 1'000'000;
    if (!exponent.is_number() || abs(exponent.number()) > largest) return false;
    return is_integer(Rational(2 * exponent.number()));
  }

  // A variable to a negative power: products divide by the positive one.
  bool is_reciprocal(Expr e) {
    return e.kind() == Kind::power && is_half_integer(e.operand(1)) && e.operand(1).number() < 0 &&
           !stages_.is_constant(e);
  }
  Expr reciprocal(Expr e) { return graph_.power(e.operand(0), -e.operand(1).number()); }

  // A branch that nobody could hold would be a wrong result: each has its call, or there is no program.
  void name_branches(Program& program, const std::vector<std::pair<Expr, Expr>>& calls) {
    std::vector<bool> is_branch(program.register_count(), false);
    for (const Instruction& i : program.instructions) is_branch[i.result] = has_branches(i.op);
    std::vector<bool> lacks_name = is_branch;
    for (const auto& [call, rewritten] : calls) {
      const auto known = values_.find(rewritten.id());
      if (known == values_.end() || known->second.is_constant() || !is_branch[known->second.x]) continue;
      program.branches.push_back({known->second.x, call});
      lacks_name[known->second.x] = false;
    }
    const auto lost = std::find(lacks_name.begin(), lacks_name.end(), true);
    if (lost == lacks_name.end()) return;
    const Expr call = program.meaning[static_cast<std::size_t>(lost - lacks_name.begin())];
    throw Error(fmt::format("the branches of '{}' cannot be followed", text_excerpt(call)));
  }

  void share_pairs(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes) {
      const Expr e = graph_.at(id);
      if (e.kind() != Kind::product || stages_.is_constant(e)) continue;
      pairs_.add(id, variable_factors(e));
    }
    pairs_.search();
  }

  std::vector<SharedPairs::Factor> variable_factors(Expr e) {
    std::vector<SharedPairs::Factor> factors;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!stages_.is_constant(e.operand(i))) factors.push_back(e.operand(i).id());
    }
    return factors;
  }

  Register in_register(Expr e) { return emitter_.in_register(e, value(e)); }

  Multiple value(Expr e) {
    if (const auto known = values_.find(e.id()); known != values_.end()) return known->second;
    const Multiple v = stages_.is_constant(e) ? Multiple{e} : make(e);
    values_.emplace(e.id(), v);
    return v;
  }

  Multiple make(Expr e) {
    switch (e.kind()) {
      case Kind::sum:
        return make_sum(e);
      case Kind::product:
        return make_product(e);
      case Kind::power:
        return make_power(e);
      case Kind::function:
        return make_function(e);
      case Kind::number:
      case Kind::pi:
      case Kind::symbol:
        break;  // constants and inputs, which have values
    }
    throw Error(fmt::format("'{}' has no value here", text_excerpt(e)));
  }

  Multiple make_sum(Expr e) {
    std::map<Register, std::vector<Term>> by_register;
    std::vector<Term> bias{{1, graph_.number(e.constant())}};
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Multiple v = value(e.operand(i));
      (v.is_constant() ? bias : by_register[v.x]).push_back({e.coefficient(i), v.coefficient});
    }
    Emitter::Terms terms;
    for (const auto& [x, coefficients] : by_register) {
      const Expr coefficient = graph_.sum(coefficients);
      if (!coefficient.is_zero()) terms.emplace_back(coefficient, x);
    }
    return emitter_.multiple_of_linear(e, graph_.sum(bias), std::move(terms));
  }

  // A factor, or a divisor.
  struct Factor {
    Multiple value;
    bool divides;
  };

  Factor factor(SharedPairs::Factor f) {
    if (SharedPairs::is_pair(f)) return joint(factor(pairs_.pair(f).first), factor(pairs_.pair(f).second));
    const Expr e = graph_.at(static_cast<NodeId>(f));
    if (is_reciprocal(e)) return {value(reciprocal(e)), true};
    return {value(e), false};
  }

  Factor joint(const Factor& a, const Factor& b) {
    if (a.divides && !b.divides) return joint(b, a);
    if (a.divides == b.divides) {
      const Expr coefficient = a.value.coefficient * b.value.coefficient;
      if (a.value.is_constant()) return {{coefficient, b.value.x}, a.divides};
      if (b.value.is_constant()) return {{coefficient, a.value.x}, a.divides};
      return {{coefficient, multiply(a.value.x, b.value.x)}, a.divides};
    }
    const Expr coefficient = a.value.coefficient / b.value.coefficient;
    if (b.value.is_constant()) return {{coefficient, a.value.x}, false};
    if (a.value.is_constant()) return {{coefficient, inverse(b.value.x)}, false};
    const Expr meaning = emitter_.meaning(a.value.x) / emitter_.meaning(b.value.x);
    const Instruction quotient{.op = Op::quotient, .x = a.value.x, .y = b.value.x};
    return {{coefficient, emitter_.emit(quotient, meaning)}, false};
  }

  Register inverse(Register x) { return emitter_.emit({.op = Op::inverse, .x = x}, 1 / emitter_.meaning(x)); }

  Register multiply(Register x, Register y) {
    const Expr meaning = emitter_.meaning(x) * emitter_.meaning(y);
    if (x == y) return emitter_.emit({.op = Op::square, .x = x}, meaning);
    return emitter_.emit({.op = Op::product, .x = std::min(x, y), .y = std::max(x, y)}, meaning);
  }

  // What is left of a product when its pairs are found: earlier stages first, divisors last.
  Multiple make_product(Expr e) {
    std::vector<Expr> constants;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (stages_.is_constant(e.operand(i))) constants.push_back(e.operand(i));
    }
    std::deque<Factor> factors;
    const auto* shared = pairs_.find(e.id());
    for (const SharedPairs::Factor f : shared != nullptr ? *shared : variable_factors(e))
      factors.push_back(factor(f));
    const auto rank = [this](const Factor& f) {
      const Stage stage = f.value.is_constant() ? Stage::constant : emitter_.stage(f.value.x);
      return std::pair(f.divides, stage);
    };
    const auto earlier = [&](const Factor& a, const Factor& b) { return rank(a) < rank(b); };
    std::stable_sort(factors.begin(), factors.end(), earlier);
    while (factors.size() > 1) {
      const Factor product = joint(factors[0], factors[1]);
      factors.erase(factors.begin(), factors.begin() + 2);
      factors.insert(std::upper_bound(factors.begin(), factors.end(), product, earlier), product);
    }
    const Factor one{{graph_.number(1)}, false};
    const Multiple v = joint(one, factors[0]).value;
    constants.push_back(v.coefficient);
    return {graph_.product(constants), v.x};
  }

  // x^n for n >= 1 by repeated squaring: valid at x = 0 too, unlike the recurrence for powers.
  Register natural_power(Register x, unsigned n) {
    Register result = no_register;
    for (Register square = x;; square = multiply(square, square)) {
      if ((n & 1U) != 0) result = result == no_register ? square : multiply(result, square);
      n >>= 1U;
      if (n == 0) return result;
    }
  }

  Multiple make_power(Expr e) {
    const Expr base = e.operand(0);
    const Expr exponent = e.operand(1);
    if (!stages_.is_constant(exponent)) return value(exp(exponent * log(base)));
    const Multiple v = value(base);
    if (v.is_constant()) return {graph_.power(v.coefficient, exponent)};
    if (is_reciprocal(e)) return joint({{graph_.number(1)}, false}, {value(reciprocal(e)), true}).value;
    if (is_half_integer(exponent)) return make_half_integer_power(base, v, exponent.number());
    const Instruction power{
        .op = Op::power, .x = emitter_.in_register(base, v), .constant = emitter_.constant(exponent)};
    return {graph_.number(1), emitter_.emit(power, e)};
  }

  Multiple make_half_integer_power(Expr base, const Multiple& v, const Rational& exponent) {
    if (is_integer(exponent)) {
      return {graph_.power(v.coefficient, exponent),
              natural_power(v.x, static_cast<unsigned>(numerator(exponent)))};
    }
    const Register x = emitter_.in_register(base, v);
    const Register root = emitter_.emit({.op = Op::sqrt, .x = x}, sqrt(emitter_.meaning(x)));
    const auto whole = static_cast<unsigned>(numerator(exponent) / 2);
    return {graph_.number(1), whole == 0 ? root : multiply(natural_power(x, whole), root)};
  }

  Multiple make_function(Expr e) {
    return with_function(e.function(), [&](auto function) {
      using Unit = typename decltype(function)::Operation;
      const Results results = Unit::results(e);
      std::array<Register, 3> x{no_register, no_register, no_register};
      const std::vector<Expr> operands = Unit::operands(e);
      for (std::size_t i = 0; i < operands.size(); ++i) x[i] = in_register(operands[i]);
      const Instruction call{.op = op_of<Unit>, .x = x[0], .y = x[1], .z = x[2]};
      const Register u = emitter_.emit(call, results.u, results.second);
      return Multiple{graph_.number(1), e == results.u ? u : Emitter::second_result(u)};
    });
  }

  Graph& graph_;
  Stages stages_;
  Emitter emitter_;
  SharedPairs pairs_;
  std::unordered_map<NodeId, Multiple> values_;
};

}  // namespace

std::size_t Program::nonlinear_count() const {
  return static_cast<std::size_t>(std::count_if(instructions.begin(), instructions.end(),
                                                [](const Instruction& i) { return i.op != Op::linear; }));
}

Program compile(std::span<const Expr> outputs, std::span<const ProgramInput> inputs) {
  if (inputs.empty()) throw Error("a program needs at least one input");
  return Compiler(inputs[0].symbol.graph(), inputs).run(outputs);
}

}  // namespace dalembert
