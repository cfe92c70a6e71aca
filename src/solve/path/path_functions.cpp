#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

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
  for (const Parameter& one : model.parameters) inputs.push_back({one.symbol, Stage::constant});
  program = compile(functions, inputs);
  graph->freeze();
  program.graph = graph;
  for (const Scaled& output : program.outputs) {
    of_accelerations.push_back(output.x != no_register &&
                               program.register_stages[output.x] == Stage::acceleration);
    arguments.push_back(arguments_of(program, output));
  }
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
