#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {
namespace {

// coefficient · register while compiling: numeric and parameter factors cost no instruction until they must.
struct Value {
  Expr coefficient;
  Register x = no_register;
  bool is_constant() const { return x == no_register; }
};

using PairCounts = std::map<std::pair<NodeId, NodeId>, int>;

class Compiler {
 public:
  Compiler(Graph& graph, std::span<const ProgramInput> inputs) : graph_(graph) {
    constant(graph.number(0));
    constant(graph.number(1));
    for (const ProgramInput& input : inputs) {
      stages_[input.symbol.id()] = input.stage;
      if (input.stage == Stage::constant) {
        program_.inputs.push_back(no_register);
      } else {
        program_.inputs.push_back(new_register(input.stage, input.symbol));
        values_[input.symbol.id()] = {graph.number(1), program_.inputs.back()};
      }
    }
  }

  Program run(std::span<const Expr> outputs) {
    const std::vector<NodeId> nodes = reachable(outputs);
    for (const NodeId id : nodes) stage_of(graph_.at(id));
    count_pairs(nodes);
    for (const NodeId id : nodes) value(graph_.at(id));
    for (const Expr& output : outputs) {
      const Value v = value(output);
      program_.outputs.push_back({constant(v.coefficient), v.x});
    }
    sort_into_levels();
    return std::move(program_);
  }

 private:
  Stage stage_of(Expr e) {
    if (const auto known = stages_.find(e.id()); known != stages_.end()) return known->second;
    Stage stage = Stage::constant;
    if (e.kind() == Kind::symbol) throw Error(fmt::format("'{}' has no value here", e.name()));
    for (std::size_t i = 0; i < e.size(); ++i) stage = std::max(stage, stage_of(e.operand(i)));
    stages_.emplace(e.id(), stage);
    return stage;
  }

  bool is_constant(Expr e) { return stage_of(e) == Stage::constant; }

  // How often two variable factors stand together in products: a frequent pair is multiplied first and
  // shared.
  void count_pairs(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes) {
      const Expr e = graph_.at(id);
      if (e.kind() != Kind::product || is_constant(e)) continue;
      constexpr std::size_t most_factors = 12;
      if (e.size() > most_factors) continue;
      for (std::size_t i = 0; i < e.size(); ++i) {
        for (std::size_t j = i + 1; j < e.size(); ++j) {
          if (!is_constant(e.operand(i)) && !is_constant(e.operand(j))) {
            ++pair_counts_[{e.operand(i).id(), e.operand(j).id()}];
          }
        }
      }
    }
  }

  ConstantId constant(Expr e) {
    const auto [it, is_new] =
        constant_ids_.try_emplace(e.id(), static_cast<ConstantId>(program_.constants.size()));
    if (is_new) program_.constants.push_back(e);
    return it->second;
  }

  Register new_register(Stage stage, Expr meaning = {}) {
    program_.register_stages.push_back(stage);
    program_.meaning.push_back(meaning);
    return static_cast<Register>(program_.register_stages.size() - 1);
  }

  // Emits an instruction, or finds the same one.
  Register emit(Op op, Expr meaning, Register x, Register y = no_register, Register z = no_register,
                ConstantId exponent = 0) {
    const auto key = std::make_tuple(op, x, y, z, exponent);
    if (const auto known = emitted_.find(key); known != emitted_.end()) return known->second;
    Instruction instruction;
    instruction.op = op;
    instruction.x = x;
    instruction.y = y;
    instruction.z = z;
    instruction.constant = exponent;
    Stage stage = program_.register_stages[x];
    for (const Register operand : {y, z}) {
      if (operand != no_register) stage = std::max(stage, program_.register_stages[operand]);
    }
    instruction.stage = stage;
    instruction.result = new_register(stage, meaning);
    const bool two = op == Op::sincos || op == Op::sinhcosh || op == Op::tan || op == Op::tanh;
    if (two) instruction.second_result = new_register(stage);
    program_.instructions.push_back(instruction);
    emitted_.emplace(key, instruction.result);
    return instruction.result;
  }

  Register linear(Expr meaning, Expr bias, std::vector<std::pair<Expr, Register>> terms) {
    std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<std::uint64_t> key{bias.id()};
    for (const auto& [coefficient, x] : terms) key.push_back((std::uint64_t{coefficient.id()} << 32U) | x);
    if (const auto known = emitted_linear_.find(key); known != emitted_linear_.end()) return known->second;
    Instruction instruction;
    instruction.op = Op::linear;
    instruction.constant = constant(bias);
    instruction.first_term = static_cast<std::uint32_t>(program_.terms.size());
    instruction.term_count = static_cast<std::uint32_t>(terms.size());
    for (const auto& [coefficient, x] : terms) {
      program_.terms.push_back({constant(coefficient), x});
      instruction.stage = std::max(instruction.stage, program_.register_stages[x]);
    }
    instruction.result = new_register(instruction.stage, meaning);
    program_.instructions.push_back(instruction);
    emitted_linear_.emplace(std::move(key), instruction.result);
    return instruction.result;
  }

  // A register that holds the value itself, its coefficient multiplied in.
  Register materialize(Expr meaning, const Value& v) {
    if (v.coefficient.is_one()) return v.x;
    return linear(meaning, graph_.number(0), {{v.coefficient, v.x}});
  }
  Register in_register(Expr e) { return materialize(e, value(e)); }

  Value value(Expr e) {
    if (const auto known = values_.find(e.id()); known != values_.end()) return known->second;
    const Value v = is_constant(e) ? Value{e} : make(e);
    values_.emplace(e.id(), v);
    return v;
  }

  Value make(Expr e) {
    switch (e.kind()) {
      case Kind::sum:
        return make_sum(e);
      case Kind::product:
        return make_product(e);
      case Kind::power:
        return make_power(e);
      default:
        return make_function(e);
    }
  }

  Value make_sum(Expr e) {
    std::map<Register, std::vector<Term>> by_register;
    std::vector<Term> bias{{1, graph_.number(e.constant())}};
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Value v = value(e.operand(i));
      (v.is_constant() ? bias : by_register[v.x]).push_back({e.coefficient(i), v.coefficient});
    }
    std::vector<std::pair<Expr, Register>> terms;
    for (const auto& [x, coefficients] : by_register) {
      const Expr coefficient = graph_.sum(coefficients);
      if (!coefficient.is_zero()) terms.emplace_back(coefficient, x);
    }
    const Expr c = graph_.sum(bias);
    if (terms.empty()) return {c};
    if (terms.size() == 1 && c.is_zero()) return {terms[0].first, terms[0].second};
    return {graph_.number(1), linear(e, c, std::move(terms))};
  }

  struct Factor {
    Register x;
    NodeId node;
  };

  // Multiplies the factors, in pairs: earlier stages first, then the pairs that other products share.
  Register multiply(std::vector<Factor> factors) {
    const auto stage = [this](const Factor& f) { return program_.register_stages[f.x]; };
    while (factors.size() > 1) {
      std::size_t best_i = 0;
      std::size_t best_j = 1;
      std::tuple<int, int> best{INT32_MIN, 0};
      for (std::size_t i = 0; i < factors.size(); ++i) {
        for (std::size_t j = i + 1; j < factors.size(); ++j) {
          const auto nodes = std::minmax(factors[i].node, factors[j].node);
          const auto count = pair_counts_.find({nodes.first, nodes.second});
          const std::tuple<int, int> score{-static_cast<int>(std::max(stage(factors[i]), stage(factors[j]))),
                                           count == pair_counts_.end() ? 0 : count->second};
          if (score > best) std::tie(best, best_i, best_j) = std::make_tuple(score, i, j);
        }
      }
      const auto [x, y] = std::minmax(factors[best_i].x, factors[best_j].x);
      factors[best_i] = {x == y ? emit(Op::square, {}, x) : emit(Op::product, {}, x, y), no_register};
      factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(best_j));
    }
    return factors[0].x;
  }

  Value make_product(Expr e) {
    std::vector<Expr> coefficients;
    std::vector<Factor> numerator;
    std::vector<Factor> denominator;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Expr factor = e.operand(i);
      const bool divides = factor.kind() == Kind::power && factor.operand(1).is_number() &&
                           factor.operand(1).number() == -1 && !is_constant(factor);
      const Value v = value(divides ? factor.operand(0) : factor);
      coefficients.push_back(divides ? graph_.power(v.coefficient, Rational(-1)) : v.coefficient);
      if (!v.is_constant()) (divides ? denominator : numerator).push_back({v.x, factor.id()});
    }
    const Expr coefficient = graph_.product(coefficients);
    if (denominator.empty()) return {coefficient, multiply(std::move(numerator))};
    const Register below = multiply(std::move(denominator));
    if (numerator.empty()) return {coefficient, emit(Op::inverse, {}, below)};
    return {coefficient, emit(Op::quotient, e, multiply(std::move(numerator)), below)};
  }

  // x^n for n >= 1 by repeated squaring: valid at x = 0 too, unlike the recurrence for powers.
  Register integer_power(Register x, unsigned n) {
    Register result = no_register;
    for (Register square = x;; square = emit(Op::square, {}, square)) {
      if ((n & 1U) != 0) {
        const auto [a, b] = std::minmax(result, square);
        result = result == no_register ? square : emit(Op::product, {}, a, b);
      }
      n >>= 1U;
      if (n == 0) return result;
    }
  }

  Value make_power(Expr e) {
    const Expr base = e.operand(0);
    const Expr exponent = e.operand(1);
    if (!is_constant(exponent)) return value(exp(exponent * log(base)));
    const Value v = value(base);
    if (exponent.is_number() && is_integer(exponent.number())) {
      const Rational n = exponent.number();
      const Expr coefficient = graph_.power(v.coefficient, n);
      if (n == -1) return {coefficient, emit(Op::inverse, e, v.x)};
      constexpr int most_squared = 64;
      if (n > 0 && n <= most_squared)
        return {coefficient, integer_power(v.x, static_cast<unsigned>(numerator(n)))};
      return {coefficient, emit(Op::power, e, v.x, no_register, no_register, constant(exponent))};
    }
    const Register x = materialize(base, v);
    const bool root = exponent.is_number() && exponent.number() == Rational(1, 2);
    return {graph_.number(1), root ? emit(Op::sqrt, e, x)
                                   : emit(Op::power, e, x, no_register, no_register, constant(exponent))};
  }

  // The pair (s, c) of sin and cos, or of sinh and cosh, is one instruction.
  Value paired(Op op, Expr meaning, Register x, bool second) {
    const Register first = emit(op, meaning, x);
    return {graph_.number(1), second ? first + 1 : first};
  }

  Value make_function(Expr e) {
    const Expr arg = e.operand(0);
    const auto one_argument = [&](Op op) { return Value{graph_.number(1), emit(op, e, in_register(arg))}; };
    const auto with_companion = [&](Op op, Expr companion) {
      return Value{graph_.number(1), emit(op, e, in_register(arg), in_register(companion))};
    };
    switch (e.function()) {
      case Function::sin:
        return paired(Op::sincos, e, in_register(arg), false);
      case Function::cos:
        return paired(Op::sincos, e, in_register(arg), true);
      case Function::sinh:
        return paired(Op::sinhcosh, e, in_register(arg), false);
      case Function::cosh:
        return paired(Op::sinhcosh, e, in_register(arg), true);
      case Function::tan:
        return one_argument(Op::tan);
      case Function::tanh:
        return one_argument(Op::tanh);
      case Function::exp:
        return one_argument(Op::exp);
      case Function::log:
        return one_argument(Op::log);
      case Function::abs:
        return one_argument(Op::abs);
      case Function::sign:
        return one_argument(Op::sign);
      case Function::asin:
        return with_companion(Op::asin, sqrt(1 - pow(arg, 2)));
      case Function::acos:
        return with_companion(Op::acos, -sqrt(1 - pow(arg, 2)));
      case Function::atan:
        return with_companion(Op::atan, 1 + pow(arg, 2));
      default:
        return make_binary_function(e);
    }
  }

  Value make_binary_function(Expr e) {
    const Expr arg[] = {e.operand(0), e.operand(1)};
    Register x[2];
    for (int i = 0; i < 2; ++i) {  // a constant argument becomes a register that never changes
      x[i] = is_constant(arg[i]) ? constant_register(arg[i]) : in_register(arg[i]);
    }
    if (e.function() == Function::atan2) {
      const Register z = in_register(pow(arg[0], 2) + pow(arg[1], 2));
      return {graph_.number(1), emit(Op::atan2, e, x[0], x[1], z)};
    }
    return {graph_.number(1), emit(e.function() == Function::min ? Op::min : Op::max, e, x[0], x[1])};
  }

  Register constant_register(Expr e) { return linear(e, e, {}); }

  void sort_into_levels() {
    std::vector<std::uint32_t> levels(program_.register_count(), 0);
    for (Instruction& instruction : program_.instructions) {
      std::uint32_t level = 0;
      const auto after = [&](Register x) {
        if (x != no_register && program_.register_stages[x] == instruction.stage)
          level = std::max(level, levels[x]);
      };
      after(instruction.x);
      after(instruction.y);
      after(instruction.z);
      for (std::uint32_t i = 0; i < instruction.term_count; ++i)
        after(program_.terms[instruction.first_term + i].x);
      instruction.level = level + 1;
      levels[instruction.result] = instruction.level;
      if (instruction.second_result != no_register) levels[instruction.second_result] = instruction.level;
    }
    std::stable_sort(program_.instructions.begin(), program_.instructions.end(),
                     [](const Instruction& a, const Instruction& b) {
                       return std::tie(a.stage, a.level, a.op) < std::tie(b.stage, b.level, b.op);
                     });
  }

  Graph& graph_;
  Program program_;
  std::unordered_map<NodeId, Stage> stages_;
  std::unordered_map<NodeId, Value> values_;
  std::unordered_map<NodeId, ConstantId> constant_ids_;
  PairCounts pair_counts_;
  std::map<std::tuple<Op, Register, Register, Register, ConstantId>, Register> emitted_;
  std::map<std::vector<std::uint64_t>, Register> emitted_linear_;
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
