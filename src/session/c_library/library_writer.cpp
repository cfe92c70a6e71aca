#include "library_writer.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>

#include <dalembert/codegen/c_names.hpp>

namespace dalembert::session {
namespace {

CSymbols parameter_texts(const ModelData& model, const CQuantities& names, const std::string& pointer) {
  CSymbols symbols;
  for (std::size_t i = 0; i < model.parameters.size(); ++i)
    symbols.emplace(model.parameters[i].symbol.id(), pointer + names.parameters[i]);
  return symbols;
}

// Parameters within exponents: a power whose exponent varies has no value where its base is negative.
std::set<NodeId> exponent_symbols(const std::vector<Expr>& roots) {
  std::set<NodeId> symbols, seen;
  std::vector<std::pair<Expr, bool>> waiting;
  for (const Expr& root : roots) waiting.emplace_back(root, false);
  std::set<NodeId> seen_within;  // an exponent
  while (!waiting.empty()) {
    const auto [e, is_within] = waiting.back();
    waiting.pop_back();
    if (!(is_within ? seen_within : seen).insert(e.id()).second) continue;
    if (is_within && e.kind() == Kind::symbol) symbols.insert(e.id());
    for (std::size_t i = 0; i < e.size(); ++i)
      waiting.emplace_back(e.operand(i), is_within || (e.kind() == Kind::power && i == 1));
  }
  return symbols;
}

// t, q, v, and as far as they are asked for a, λ; then the parameters, of the stage that is given.
std::vector<ProgramInput> inputs_of(const Equations& e, const std::vector<Expr>& outputs, bool all,
                                    Stage parameters) {
  std::vector<ProgramInput> inputs{{e.t, Stage::position}};
  for (const Expr& q : e.q) inputs.push_back({q, Stage::position});
  for (const Expr& v : e.v) inputs.push_back({v, Stage::velocity});
  if (all) {
    for (const Expr& a : e.a) inputs.push_back({a, Stage::acceleration});
    for (const Expr& lambda : e.lambda) inputs.push_back({lambda, Stage::acceleration});
  }
  const std::set<NodeId> exponents = exponent_symbols(outputs);
  for (const Parameter& parameter : e.model->parameters) {
    const bool stays = exponents.count(parameter.symbol.id()) > 0;
    inputs.push_back({parameter.symbol, stays ? Stage::constant : parameters});
  }
  return inputs;
}

Program compiled(const Equations& equations, const std::vector<Expr>& outputs, bool all, Stage parameters) {
  if (outputs.empty()) return {};
  const Equations e = equations.continued();
  std::vector<ProgramInput> inputs = inputs_of(e, outputs, all, parameters);
  for (ProgramInput& input : inputs) input.symbol = e.graph().at(input.symbol.id());
  Program program = compile(outputs, inputs);
  program.graph = e.own;
  return program;
}

std::vector<Expr> state_expressions(const Equations& e) {
  std::vector<Expr> all;
  for (const auto* matrix : {&e.M, &e.C})
    for (const auto& entry : matrix->entries) all.push_back(entry.value);
  for (const auto* vector : {&e.f, &e.gamma}) all.insert(all.end(), vector->begin(), vector->end());
  return all;
}

std::vector<Expr> observed_expressions(const Equations& e) {
  std::vector<Expr> all{e.K, e.V};
  for (const NamedExpr& output : e.outputs) all.push_back(output.expression);
  return all;
}

// The registers that the wanted ones are computed from, at any order: sums over products of lower orders come
// before what they take their factors from.
std::vector<bool> find_needed(const Program& program, std::vector<Register> waiting) {
  std::vector<const Instruction*> maker(program.register_count(), nullptr);
  for (const Instruction& i : program.instructions) {
    maker[i.result] = &i;
    if (i.second_result != no_register) maker[i.second_result] = &i;
  }
  std::vector<bool> is_needed(program.register_count(), false);
  while (!waiting.empty()) {
    const Register r = waiting.back();
    waiting.pop_back();
    if (r == no_register || is_needed[r]) continue;
    is_needed[r] = true;
    if (maker[r] == nullptr) continue;
    const Instruction& i = *maker[r];
    waiting.insert(waiting.end(), {i.x, i.y, i.z});
    for (std::uint32_t t = i.first_term; t < i.first_term + i.term_count; ++t)
      waiting.push_back(program.terms[t].x);
  }
  return is_needed;
}

// What the recursion needs: the matrices and forces at order 0, and its sums.
Program recursion(const System& system) {
  const ExpansionProgram& e = system.expansion_program();
  std::vector<Register> wanted = wanted_registers(e);
  const auto want = [&](const Scaled& value) { wanted.push_back(value.x); };
  for (const auto* matrix : {&system.dynamics().M, &system.dynamics().C})
    for (const MatrixEntry& entry : *matrix) want(entry.value);
  for (const Scaled& f : system.dynamics().f) want(f);
  Program part = e.program;
  const std::vector<bool> is_needed = find_needed(part, std::move(wanted));
  std::erase_if(part.instructions, [&](const Instruction& i) {
    return !is_needed[i.result] && (i.second_result == no_register || !is_needed[i.second_result]);
  });
  return part;
}

}  // namespace

LibraryWriter::LibraryWriter(const System& system, const Start& start, CLibrary& library,
                             const CodegenOptions& options)
    : system_(system),
      equations_(system.equations()),
      start_(start),
      library_(library),
      names_(library.names),
      symbols_(parameter_texts(system.model(), library.names, "p->")),
      derivatives_(options.derivatives),
      balance_program_(compiled(equations_, system.determined_velocities().forces, false, Stage::constant)),
      series_program_(recursion(system)),
      state_tangent_program_(derivatives_
                                 ? compiled(equations_, state_expressions(equations_), false, Stage::position)
                                 : Program()),
      observed_tangent_program_(
          derivatives_ ? compiled(equations_, observed_expressions(equations_), true, Stage::position)
                       : Program()),
      terms_(system.state().program, symbols_, "derived", helpers_),
      balance_(balance_program_, symbols_, "derived", helpers_),
      series_(series_program_, symbols_, "derived", helpers_),
      observed_(system.observables().program, symbols_, "derived", helpers_),
      state_tangent_(state_tangent_program_, symbols_, "derived", helpers_),
      observed_tangent_(observed_tangent_program_, symbols_, "derived", helpers_) {
  std::vector<bool> depends(system.m(), false);
  for (const std::size_t j : library.dropped) depends[j] = true;
  for (std::size_t j = 0; j < system.m(); ++j)
    if (!depends[j]) active_.push_back(j);
  const auto values = system.parameter_values<double>();
  for (const Parameter& parameter : system.model().parameters)
    parameter_values_.push_back(values.at(parameter.symbol.id()));
}

std::string LibraryWriter::fill(std::string_view text,
                                const std::map<std::string, std::string>& values) const {
  return fill_in(text, names_, values);
}

}  // namespace dalembert::session
