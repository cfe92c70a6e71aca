#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/bodies/assemble.hpp>
#include <dalembert/expr/evaluate.hpp>

#include "checker.hpp"

namespace dalembert {
namespace {

ModelData empty_model(const ModelDraft& draft) {
  ModelData data;
  data.graph = std::make_shared<Graph>();
  data.title = printable(draft.title);
  data.source = printable(draft.source);
  data.file = draft.file;
  data.text = draft.text;
  data.warnings = draft.warnings;
  data.time = data.graph->symbol("t");
  data.kinetic = data.potential = data.dissipation = data.graph->number(0);
  return data;
}

}  // namespace

Model make_model(const ModelDraft& draft) {
  if (!has_bodies(draft)) return Checker(draft).check();
  const ModelDraft assembled = assemble_bodies(draft);
  return Checker(assembled).check();
}

Checker::Checker(const ModelDraft& draft)
    : draft_(draft), report_(draft), data_(empty_model(draft)), names_(*data_.graph, report_) {}

Model Checker::check() {
  refuse_unknown_kind();
  declare_names();
  check_kind();
  check_parameters();
  check_inputs();
  check_coordinates();
  check_definitions();
  check_energy();
  check_equations();
  check_forces();
  check_disabled();
  check_holonomic();
  check_nonholonomic();
  check_kinematics();
  check_contacts();
  check_multiplier_forces();
  check_frictions();
  check_outputs();
  check_points();
  check_solids();
  check_links();
  check_figures();
  check_events();
  check_solve();
  check_units();
  data_.graph->freeze();
  return Model(std::move(data_));
}

void Checker::declare_names() {
  const auto declare_slips = [this](const Element& element) {
    for (const std::string& name : slip_names(element)) {
      names_.declare_contact({name, element.name.where});
      names_.set_waiting(name);
    }
  };
  for (const NamedText& parameter : draft_.parameters) names_.declare_parameter(parameter.name);
  for (const Element& input : draft_.inputs) names_.declare_input(input.name);
  for (const DraftCoordinate& coordinate : draft_.coordinates) names_.declare_coordinate(coordinate.name);
  for (const NamedText& definition : draft_.definitions) names_.declare_definition(definition.name);
  for (const NamedText& constraint : draft_.holonomic) names_.declare_constraint(constraint.name);
  for (const NamedText& constraint : draft_.nonholonomic) names_.declare_constraint(constraint.name);
  for (const Name& constraint : draft_.disabled) names_.set_waiting(constraint.text);
  for (const Element& contact : draft_.contacts) {
    names_.declare_contact(contact.name);
    names_.set_waiting(contact.name.text);
    declare_slips(contact);
  }
  for (const Element& friction : draft_.frictions) declare_slips(friction);
  if (draft_.coordinates.empty()) report_.at_model("the model has no coordinates");
}

void Checker::refuse_unknown_kind() const {
  const std::array<std::string, 2> kinds{"mechanical", "kinematic"};
  if (!draft_.kind || draft_.kind->text == kinds[0] || draft_.kind->text == kinds[1]) return;
  const std::string& kind = draft_.kind->text;
  report_.at_text(*draft_.kind, "kind", 0,
                  fmt::format("unknown kind {}{}", in_quotes(kind), suggestion(kind, kinds)));
}

void Checker::check_kind() {
  if (draft_.kind && draft_.kind->text == "kinematic") {
    data_.kind = ModelKind::kinematic;
    if (!draft_.kinematics_where) report_.at_model("a kinematic model needs [kinematics]");
    if (draft_.energy_where) report_.at(*draft_.energy_where, "a kinematic model has no energy");
    if (draft_.equations_where) report_.at(*draft_.equations_where, "a kinematic model has no [equations]");
    return;
  }
  if (draft_.kinematics_where) {
    report_.at(*draft_.kinematics_where, "[kinematics] needs kind = \"kinematic\" at the top of the file");
  }
  if (draft_.energy_where && draft_.equations_where) {
    report_.at(*draft_.equations_where, "give the system by its energy or by its equations, not by both");
  }
  if (!draft_.energy_where && !draft_.equations_where) {
    report_.at_model("the model needs [energy] with 'kinetic', or [equations] with 'mass' and 'force'");
  }
  data_.kind = draft_.energy_where ? ModelKind::energy : ModelKind::matrices;
}

double Checker::finite_value(Expr e, const Text& text, const std::string& label) const {
  double value = 0;
  try {
    value = evaluate<double>(e, values_);
  } catch (const Error& error) {
    report_.at_text(text, label, 0, error.message());
  }
  if (!std::isfinite(value)) {
    const std::string_view kind = std::isnan(value) ? "not a number" : "infinite";
    report_.at_text(text, label, 0, fmt::format("the value is {}; it must be a finite number", kind));
  }
  return value;
}

void Checker::check_parameters() {
  for (const auto& [name, text] : draft_.parameters) {
    const std::string label = "parameter " + in_quotes(name.text);
    const Expr value = names_.expression(text, scope::parameter, label);
    const Expr symbol = data_.graph->symbol(name.text);
    values_[symbol.id()] = finite_value(value, text, label);
    data_.parameters.push_back({name.text, symbol, value});
    names_.set_parameter_known(name.text);
  }
}

void Checker::check_coordinates() {
  Graph& graph = *data_.graph;
  for (const auto& [name, start] : draft_.coordinates) {
    const std::string label = "start of " + in_quotes(name.text);
    Coordinate coordinate{name.text,
                          graph.symbol(name.text),
                          graph.symbol(name.text + "'"),
                          graph.symbol(name.text + "''"),
                          names_.expression(start.position, scope::start, label),
                          graph.number(0),
                          start.guess,
                          !start.velocity,
                          start.fixed};
    finite_value(coordinate.position, start.position, label);
    if (start.velocity) {
      if (data_.kind == ModelKind::kinematic) {
        report_.at_text(*start.velocity, label, 0,
                        "a kinematic model has no start velocities: they follow from it");
      }
      coordinate.velocity = names_.expression(*start.velocity, scope::start, label);
      finite_value(coordinate.velocity, *start.velocity, label);
    }
    if (start.guess && start.fixed) {
      report_.at_name(name, fmt::format("{} cannot be both guess and fixed", in_quotes(name.text)));
    }
    data_.coordinates.push_back(coordinate);
  }
}

void Checker::check_definitions() {
  for (const auto& [name, text] : draft_.definitions) {
    const Expr e = names_.expression(text, scope::definition, "definition " + in_quotes(name.text));
    names_.set_definition(name.text, e);
    data_.definitions.push_back({name.text, e});
  }
}

}  // namespace dalembert
