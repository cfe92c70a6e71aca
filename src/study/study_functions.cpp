#include "study_functions.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/derive/input_curves.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/substitute.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/output/row.hpp>

namespace dalembert::study {
namespace {

// An output of the model by its name; none: it is no such name.
std::optional<Expr> find_output(const ModelData& model, const std::string& name, std::size_t outputs) {
  for (std::size_t i = 0; i < outputs; ++i)
    if (model.outputs[i].name == name) return model.outputs[i].expression;
  return std::nullopt;
}

// Columns of a run that are no expressions in a model's words.
bool is_special(const ModelData& model, const std::string& text, std::size_t outputs) {
  if (text.starts_with("force(") || find_output(model, text, outputs)) return true;
  if (text != "kinetic" && text != "potential" && text != "energy") return false;
  const auto has = [&](const auto& list) {
    return std::ranges::any_of(list, [&](const auto& one) { return one.name == text; });
  };
  return !has(model.definitions) && !has(model.parameters) && !has(model.coordinates);
}

// v·∂K/∂v − K + V, for models of matrices K
Expr energy_of(const Equations& e, Graph& graph) {
  const Expr K = graph.at(e.K.id());
  if (e.model->kind != ModelKind::energy) return K;
  std::vector<Expr> v;
  for (const Expr& one : e.v) v.push_back(graph.at(one.id()));
  std::vector<Term> terms{{-1, K}, {1, graph.at(e.V.id())}};
  for (const auto& [i, momentum] : gradient(K, SymbolIndex(v))) terms.push_back({1, v[i] * momentum});
  return graph.sum(terms);
}

Expr special(const std::string& text, const ModelData& model, const Equations& e, Graph& graph,
             const ConstraintForces& forces) {
  if (text == "kinetic") return graph.at(e.K.id());
  if (text == "potential") return graph.at(e.V.id());
  if (text == "energy") return energy_of(e, graph);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < e.n() && e.m() > 0; ++i) {
    names.push_back("force(" + model.coordinates[i].name + ")");
    if (names.back() == text) return graph.at(forces.expressions[i].id());
  }
  throw Error(fmt::format("--collect: there is no column '{}'{}", text, suggestion(text, names)));
}

}  // namespace

session::LoadedModel load_for_study(session::ModelSource source, const std::vector<std::string>& varied,
                                    const std::vector<std::string>& functions) {
  const session::LoadedModel plain(source);
  const ModelData& model = *plain.model();
  if (plain.is_kinematic())
    throw Error("a study is of a mechanical model; a kinematic one is run by `dalembert run` alone");
  std::vector<std::string> known;
  for (const Parameter& one : model.parameters) known.push_back(one.name);
  const std::size_t parameters = known.size();
  for (const Coordinate& one : model.coordinates) known.push_back(one.name);
  for (const Coordinate& one : model.coordinates) known.push_back(one.name + "'");
  for (const std::string& setting : source.settings) {
    const std::string name = parse_override(setting).name;
    if (std::ranges::find(varied, name) != varied.end())
      throw Error(
          fmt::format("'{}' is varied: '{}' would have no effect; leave one of them out", name, setting));
  }
  for (const std::string& name : varied) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      throw Error(
          fmt::format("'{}' cannot be varied: the model has no parameter or coordinate of that name{}", name,
                      suggestion(name, known)));
    }
    if (found - known.begin() >= static_cast<std::ptrdiff_t>(parameters)) source.starts.push_back(name);
  }
  for (const std::string& text : functions)
    if (!is_special(model, text, model.outputs.size())) source.columns.push_back(text);
  try {
    return session::LoadedModel(source);
  } catch (const Error& error) {
    if (error.where().file != "--columns") throw;
    throw Error(error.message(), {"--collect", error.where().line, error.where().column}, error.excerpt());
  }
}

StudyFunctions find_functions(const session::LoadedModel& loaded, const std::vector<std::string>& functions) {
  const ModelData& model = *loaded.described();
  const Equations& e = loaded.system().equations();
  const ConstraintForces forces = constraint_forces(e);
  const auto graph = std::make_shared<Graph>(forces.graph);
  std::vector<Expr> expressions;
  const std::size_t own = model.outputs.size() - loaded.source().columns.size();
  std::size_t column = own;
  for (const std::string& text : functions) {
    if (const std::optional<Expr> output = find_output(model, text, own)) {
      expressions.push_back(graph->at(output->id()));
    } else if (is_special(model, text, own)) {
      expressions.push_back(special(text, model, e, *graph, forces));
    } else {
      expressions.push_back(graph->at(model.outputs[column++].expression.id()));
    }
  }
  expressions = substitute(expressions, input_curves(model, *graph));
  graph->freeze();
  return {graph, std::move(expressions)};
}

}  // namespace dalembert::study
