#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/codegen/c_names.hpp>
#include <dalembert/session/codegen.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>

#include "c_library/library_writer.hpp"

namespace dalembert::session {
namespace {

void refuse_what_has_no_form(const ModelData& model) {
  if (model.kind == ModelKind::kinematic)
    throw Error("a kinematic model has no equations of motion that could be written as C");
  const auto refuse = [](const char* what, const std::string& name) {
    throw Error(fmt::format("the model has {} '{}': a motion with events or friction cannot be written as C",
                            what, name));
  };
  if (!model.events.empty()) refuse("the event", model.events.front().name);
  if (!model.contacts.empty()) refuse("the contact", model.contacts.front().name);
  if (!model.frictions.empty()) refuse("the friction", model.frictions.front().name);
  if (!model.inputs.empty()) {
    const Input& input = model.inputs.front();
    throw Error(
        fmt::format("the input '{0}' is given by data, which cannot be written as C; make '{0}' a parameter, "
                    "which the caller of the library sets, or of a unit --input {0}",
                    input.name),
        {model.file, input.where.line, input.where.column});
  }
  if (!model.sizes.empty())
    throw Error("the model has forces of sizes of multipliers, which cannot be written as C");
}

// Constraints that depend on others at the start and around it.
std::vector<std::size_t> find_dependent(const System& system, const Start& start) {
  const Structure structure = analyse_structure(system, start);
  if (!structure.contradictions.empty() || !structure.inertia.missing.empty() || !structure.singular.empty())
    throw Error("the equations are singular at the start; `dalembert check` says where");
  std::vector<std::size_t> dependent;
  for (const DependentConstraint& row : structure.redundant) dependent.push_back(row.constraint);
  std::sort(dependent.begin(), dependent.end());
  return dependent;
}

CQuantities name_quantities(const System& system, const std::string& name) {
  const ModelData& model = system.model();
  CQuantities names;
  names.prefix = c_identifier(name);
  names.upper = names.prefix;
  for (char& c : names.upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  CNames fields, enumerators;
  for (const char* taken : {"COORDINATES", "CONSTRAINTS", "HOLONOMIC", "INDEPENDENT", "OUTPUTS", "ORDER",
                            "Q_SIZE", "LAMBDA_SIZE", "OUTPUT_SIZE", "UNKNOWNS"})
    enumerators.add(names.upper + "_", taken);
  for (const Parameter& parameter : model.parameters)
    names.parameters.push_back(fields.add("", parameter.name));
  for (const Coordinate& coordinate : model.coordinates)
    names.coordinates.push_back(enumerators.add(names.upper + "_Q_", coordinate.name));
  for (std::size_t j = 0; j < system.m(); ++j)
    names.constraints.push_back(enumerators.add(names.upper + "_LAMBDA_", system.constraint_name(j)));
  for (const NamedExpr& output : model.outputs)
    names.outputs.push_back(enumerators.add(names.upper + "_OUTPUT_", output.name));
  return names;
}

// p = ⌈1 − ½ ln tol⌉, as of [jorbazou2005]
int order_for(double tolerance) {
  return std::clamp(static_cast<int>(std::ceil(1 - std::log(tolerance) / 2)), least_order, most_order);
}

void choose_order(const CodegenOptions& options, const ModelData& model, CLibrary& library) {
  library.tolerance = options.tolerance.value_or(model.solve.number("tolerance").value_or(1e-10));
  if (!(library.tolerance > 0 && library.tolerance < 1))
    throw Error(fmt::format("the tolerance must be between 0 and 1, not {}", library.tolerance));
  library.tolerance = std::max(library.tolerance, 1e-15);
  library.order = options.order.value_or(order_for(library.tolerance));
  if (library.order < least_order || library.order > most_order)
    throw Error(
        fmt::format("the order must be between {} and {}, not {}", least_order, most_order, library.order));
}

void add_notes(const System& system, CLibrary& library) {
  for (const std::size_t j : library.dropped) {
    library.notes.push_back(fmt::format(
        "the constraint '{}' depends on the others at the start: its multiplier is zero, steps check that "
        "it holds",
        system.constraint_name(j)));
  }
  if (system.switches().calls.empty()) return;
  library.notes.push_back(
      fmt::format("'{}' has a kink or a jump, which a series cannot cross: steps that the series chooses end "
                  "there, but a fixed step across it has an error of its first order",
                  system.switches().calls.front().text));
}

}  // namespace

CLibrary codegen(const LoadedModel& loaded, const CodegenOptions& options) {
  const LoadedModel& model = loaded.own();
  refuse_what_has_no_form(*model.model());
  const System& system = model.system();
  const Start start = find_start(system);
  CLibrary library;
  const std::string stem = std::filesystem::path(system.model().file).stem().string();
  library.names = name_quantities(system, !options.name.empty() ? options.name
                                          : stem.empty()        ? "model"
                                                                : stem);
  library.dropped = find_dependent(system, start);
  choose_order(options, system.model(), library);
  add_notes(system, library);
  LibraryWriter writer(system, start, library, options);
  const std::string source = writer.source();
  library.files = {{"model.h", writer.header()},
                   {"model.c", source},
                   {"main.c", writer.example()},
                   {"CMakeLists.txt", writer.build_file()},
                   {"README.md", writer.readme()}};
  return library;
}

}  // namespace dalembert::session
