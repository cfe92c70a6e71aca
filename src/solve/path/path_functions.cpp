#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/substitute.hpp>
#include <dalembert/model/sliding_force.hpp>
#include <dalembert/solve/path_functions.hpp>
#include <dalembert/tape/series_plan.hpp>

namespace dalembert {

namespace {

// Of all calls with branches that an output depends on.
std::vector<PathFunctions::Argument> arguments_of(const Program& program, const Scaled& output) {
  std::vector<PathFunctions::Argument> arguments;
  if (output.x == no_register) return arguments;
  const std::vector<Register> wanted{output.x};
  for (const Instruction& call : part_of(program, wanted).instructions) {
    if (!has_branches(call.op)) continue;
    const Register y = branch_of(call.op) == Branch::comparison ? call.y : no_register;
    arguments.push_back({call.x, y, call.stage == Stage::acceleration});
  }
  return arguments;
}

// The force of friction is the multiplier of the slip while it sticks, and what it is sliding else: one of
// the two is zero.
std::vector<Expr> with_friction(const ModelData& model, Graph& graph, std::span<const Expr> functions) {
  std::unordered_map<NodeId, Expr> forces, sizes;
  for (const MultiplierSize& size : model.sizes)
    sizes.emplace(size.symbol.id(), size_of_multipliers(graph, size));
  for (const Friction& friction : model.frictions) {
    if (!friction.own) continue;
    for (std::size_t k = 0; k < friction.slip.size(); ++k) {
      const Expr lambda = graph.at(friction.slip[k].lambda.id());
      forces.emplace(lambda.id(), lambda + substitute(sliding_force(graph, model, friction, k), sizes));
    }
  }
  std::vector<Expr> result;
  for (const Expr& one : functions) result.push_back(substitute(graph.at(one.id()), forces));
  return result;
}

}  // namespace

PathFunctions::PathFunctions(const Model& described, std::shared_ptr<const Graph> base,
                             std::span<const Expr> functions)
    : coordinates(described->coordinates.size()) {
  const ModelData& model = *described;
  const auto graph = std::make_shared<Graph>(base ? std::move(base) : model.graph);
  std::vector<ProgramInput> inputs{{graph->at(model.time.id()), Stage::position}};
  for (const Coordinate& one : model.coordinates) inputs.push_back({one.q, Stage::position});
  for (const Coordinate& one : model.coordinates) inputs.push_back({one.v, Stage::velocity});
  for (const Coordinate& one : model.coordinates) inputs.push_back({one.a, Stage::acceleration});
  const auto add_multiplier = [&](const std::string& name, Expr lambda) {
    inputs.push_back({lambda, Stage::acceleration});
    multipliers.push_back(name);
  };
  for (const auto* constraints :
       {&model.holonomic, &model.nonholonomic, &model.disabled_holonomic, &model.disabled_nonholonomic}) {
    for (const Constraint& one : *constraints) add_multiplier(one.name, one.lambda);
  }
  for (const Contact& one : model.contacts) add_multiplier(one.name, one.lambda);
  for (const Friction& friction : model.frictions)
    for (const Slip& one : friction.slip) add_multiplier(one.name, one.lambda);
  for (const Parameter& one : model.parameters) inputs.push_back({one.symbol, Stage::constant});
  for (const HeldSign& one : model.held_signs) inputs.push_back({one.symbol, Stage::constant});
  for (const Input& one : model.inputs) {
    inputs.push_back({one.origin, Stage::constant});
    for (const Expr& coefficient : one.coefficients) inputs.push_back({coefficient, Stage::constant});
  }
  program = compile(with_friction(model, *graph, functions), inputs);
  graph->freeze();
  program.graph = graph;
  for (const Scaled& output : program.outputs) {
    of_accelerations.push_back(output.x != no_register &&
                               program.register_stages[output.x] == Stage::acceleration);
    arguments.push_back(arguments_of(program, output));
  }
  constants = FlatExpressions(program.constants);
  series_plan = make_series_plan(program);
  value_plan = make_value_plan(program);
}

std::vector<std::size_t> PathFunctions::rows_in(const System& system) const {
  std::vector<std::size_t> rows(multipliers.size(), no_row);
  for (std::size_t j = 0; j < system.m(); ++j) {
    const auto found = std::ranges::find(multipliers, system.constraint_name(j));
    if (found != multipliers.end()) rows[static_cast<std::size_t>(found - multipliers.begin())] = j;
  }
  return rows;
}

}  // namespace dalembert
