#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/system/expansion_program.hpp>

namespace dalembert {
namespace {

// A number that grows with e: of(c e) = c of(e).
Rational leading_number(Expr e) {
  if (e.is_number()) return e.number();
  return e.kind() == Kind::sum ? e.coefficient(0) : Rational(1);
}

// The number c with a = c b, if there is one.
std::optional<Rational> ratio(Expr a, Expr b) {
  const Rational of_a = leading_number(a);
  const Rational of_b = leading_number(b);
  if (of_a == 0 || of_b == 0 || 1 / of_a * a != 1 / of_b * b) return std::nullopt;
  return of_a / of_b;
}

// x y in a row
struct Product {
  std::uint32_t row;
  Scaled x;
  Register y;
};

class Builder {
 public:
  Builder(Program& program, Graph& graph) : program_(program), graph_(graph) {
    for (Expr& constant : program.constants) constant = graph.at(constant.id());
    for (ConstantId i = 0; i < program.constants.size(); ++i)
      constant_ids_.emplace(program.constants[i].id(), i);
    for (const Instruction& i : program.instructions) {
      if (i.op == Op::linear && i.term_count == 1) multiples_.emplace(i.result, program.terms[i.first_term]);
    }
  }

  Register new_register(Stage stage) {
    program_.register_stages.push_back(stage);
    program_.meaning.emplace_back();
    return static_cast<Register>(program_.register_stages.size() - 1);
  }

  /// start[row] + factor Σ x y, in a register for each row; combinations of y are of the stage after `stage`.
  std::vector<Register> sums(Stage stage, std::span<const Scaled> start, int factor,
                             std::span<const Product> products) {
    collect(stage == Stage::position ? Stage::velocity : Stage::acceleration, factor, products);
    std::vector<Register> results;
    for (std::uint32_t row = 0; row < start.size(); ++row) {
      // products that other rows share come as registers of their own
      std::vector<LinearTerm> terms;
      if (start[row].x != no_register) terms.push_back({start[row].coefficient, start[row].x});
      for (const auto& [key, coefficient] : rows_[row]) {
        if (uses_.at(key) > 1) terms.push_back({constant(coefficient), shared_product(stage, key)});
      }
      Register sum = linear(stage, std::move(terms));
      for (const auto& [key, coefficient] : rows_[row]) {
        if (uses_.at(key) == 1) sum = past_product(stage, key, constant(coefficient), sum);
      }
      results.push_back(sum);
    }
    return results;
  }

  void finish() {
    std::stable_sort(program_.instructions.begin(), program_.instructions.end(),
                     [](const Instruction& a, const Instruction& b) { return a.stage < b.stage; });
  }

 private:
  using Key = std::pair<Register, Register>;  // x, and the combination of y that it multiplies

  ConstantId constant(Expr e) {
    const auto [it, is_new] =
        constant_ids_.try_emplace(e.id(), static_cast<ConstantId>(program_.constants.size()));
    if (is_new) program_.constants.push_back(e);
    return it->second;
  }

  // c + c₁ x varies like c₁ x.
  std::pair<Register, Expr> varying_part(const Scaled& scaled) {
    Register x = scaled.x;
    Expr coefficient = program_.constants[scaled.coefficient];
    for (auto it = multiples_.find(x); it != multiples_.end(); it = multiples_.find(x)) {
      coefficient = coefficient * program_.constants[it->second.coefficient];
      x = it->second.x;
    }
    return {x, coefficient};
  }

  void collect(Stage stage_of_y, int factor, std::span<const Product> products) {
    std::map<std::pair<std::uint32_t, Register>, std::map<Register, Expr>> by_row;  // combinations of y
    for (const Product& product : products) {
      if (product.x.x == no_register) continue;  // a constant has no coefficients beyond order 0
      const auto [x, coefficient] = varying_part(product.x);
      const Expr c = Rational(factor) * coefficient;
      const auto [it, is_new] = by_row[{product.row, x}].try_emplace(product.y, c);
      if (!is_new) it->second = it->second + c;
    }
    rows_.clear();
    uses_.clear();
    for (const auto& [place, combination] : by_row) {
      const auto [y, coefficient] = combined(stage_of_y, combination);
      const Key key{place.second, y};
      rows_[place.first].emplace(key, coefficient);
      ++uses_[key];
    }
  }

  // A register for Σ c y and its coefficient. Combinations that differ by a number are one.
  std::pair<Register, Expr> combined(Stage stage, const std::map<Register, Expr>& combination) {
    const Expr lead = combination.begin()->second;
    if (combination.size() == 1) return {combination.begin()->first, lead};
    const auto is_multiple = [&](const auto& term) { return ratio(term.second, lead).has_value(); };
    const bool alike = std::all_of(combination.begin(), combination.end(), is_multiple);
    std::vector<LinearTerm> terms;
    for (const auto& [y, c] : combination) {
      terms.push_back({constant(alike ? graph_.number(*ratio(c, lead)) : c), y});
    }
    return {linear(stage, std::move(terms)), alike ? lead : graph_.number(1)};
  }

  Register linear(Stage stage, std::vector<LinearTerm> terms) {
    if (terms.empty()) return no_register;
    if (terms.size() == 1 && terms[0].coefficient == 1) return terms[0].x;
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(stage)};
    for (const LinearTerm& term : terms) key.insert(key.end(), {term.coefficient, term.x});
    const auto [known, is_new] = linear_.try_emplace(key, no_register);
    if (!is_new) return known->second;
    Instruction i{.op = Op::linear, .stage = stage};
    i.first_term = static_cast<std::uint32_t>(program_.terms.size());
    i.term_count = static_cast<std::uint32_t>(terms.size());
    program_.terms.insert(program_.terms.end(), terms.begin(), terms.end());
    i.result = known->second = new_register(stage);
    program_.instructions.push_back(i);
    return i.result;
  }

  Register past_product(Stage stage, const Key& key, ConstantId factor, Register sum) {
    Instruction i{.op = Op::past_product, .stage = stage, .x = key.first, .y = key.second, .z = sum};
    i.constant = factor;
    i.result = new_register(stage);
    program_.instructions.push_back(i);
    return i.result;
  }

  Register shared_product(Stage stage, const Key& key) {
    const auto [known, is_new] = shared_.try_emplace({stage, key}, no_register);
    if (is_new) known->second = past_product(stage, key, 1, no_register);
    return known->second;
  }

  Program& program_;
  Graph& graph_;
  std::map<NodeId, ConstantId> constant_ids_;
  std::map<Register, LinearTerm> multiples_;  // results of c + c₁ x
  std::map<std::uint32_t, std::map<Key, Expr>> rows_;
  std::map<Key, int> uses_;
  std::map<std::vector<std::uint32_t>, Register> linear_;
  std::map<std::pair<Stage, Key>, Register> shared_;
};

}  // namespace

ExpansionProgram make_expansion_program(const System& system) {
  const DynamicsProgram& dynamics = system.dynamics();
  ExpansionProgram p;
  p.program = dynamics.program;
  const auto graph = std::make_shared<Graph>(system.equations().own);
  p.program.graph = graph;
  Builder builder(p.program, *graph);
  std::vector<Register> unknowns;
  const std::size_t lambda_end = system.n() + system.m();
  for (std::size_t i = 0; i < lambda_end + system.sizes().size(); ++i) {
    unknowns.push_back(builder.new_register(Stage::acceleration));
  }
  const auto after_v = p.program.inputs.begin() + static_cast<std::ptrdiff_t>(system.input_a(0));
  p.program.inputs.insert(after_v, unknowns.begin(), unknowns.end());

  std::vector<Product> forces;
  std::vector<Product> constraints;
  for (const MatrixEntry& entry : dynamics.M)
    forces.push_back({entry.row, entry.value, unknowns[entry.column]});
  for (const MatrixEntry& entry : system.is_symmetric() ? dynamics.C : dynamics.D)
    forces.push_back({entry.column, entry.value, unknowns[system.n() + entry.row]});
  for (const MatrixEntry& entry : dynamics.B)
    forces.push_back({entry.column, entry.value, unknowns[lambda_end + entry.row]});
  for (const MatrixEntry& entry : dynamics.C) {
    constraints.push_back({entry.row, entry.value, p.program.inputs[system.input_v(entry.column)]});
  }
  p.force = builder.sums(Stage::velocity, dynamics.f, -1, forces);
  p.constraint = builder.sums(Stage::position, dynamics.c, 1, constraints);
  builder.finish();
  return p;
}

std::vector<Register> wanted_registers(const ExpansionProgram& p) {
  std::vector<Register> wanted = p.force;
  wanted.insert(wanted.end(), p.constraint.begin(), p.constraint.end());
  return wanted;
}

}  // namespace dalembert
