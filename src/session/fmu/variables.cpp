#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

#include "fmu_variables.hpp"

namespace dalembert::session {
namespace {

// Whether any parameter stands in it.
bool depends_on_parameters(Expr e) {
  if (e.kind() == Kind::symbol) return true;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (depends_on_parameters(e.operand(i))) return true;
  return false;
}

class VariableList {
 public:
  explicit VariableList(const FmuParts& parts)
      : parts_(parts), system_(parts.model.system()), model_(system_.model()) {}

  std::vector<FmuVariable> make() {
    add({.name = "time",
         .description = "",
         .unit = "s",
         .causality = "independent",
         .variability = "continuous"});
    add_parameters();
    add_motion();
    const std::size_t n = system_.n(), m = system_.m();
    for (std::size_t j = 0; j < m; ++j)
      add_output("lambda(" + system_.constraint_name(j) + ")", "multiplier of the constraint");
    for (std::size_t i = 0; i < n && m > 0; ++i)
      add_output("force(" + system_.coordinate_name(i) + ")", "generalized constraint force");
    for (const NamedExpr& output : model_.outputs) add_output(output.name, "output");
    add_output("kinetic", "kinetic energy");
    add_output("potential", "potential energy");
    return std::move(list_);
  }

 private:
  void add(FmuVariable variable) {
    const auto unit = model_.units.find(variable.name);
    if (variable.unit.empty() && unit != model_.units.end()) variable.unit = unit->second.text;
    const std::string name = variable.name;
    for (int number = 2; !names_.insert(variable.name).second; ++number)
      variable.name = fmt::format("{}_{}", name, number);
    list_.push_back(std::move(variable));
  }
  void add_output(const std::string& name, const std::string& description) {
    add({.name = name,
         .description = description,
         .unit = "",
         .causality = "output",
         .variability = "continuous",
         .initial = "calculated"});
  }

  void add_parameters() {
    const auto& inputs = parts_.options.inputs;
    const auto values = system_.parameter_values<double>();
    for (const Parameter& parameter : model_.parameters) {
      FmuVariable variable{.name = parameter.name,
                           .description = "parameter",
                           .unit = "",
                           .causality = "parameter",
                           .variability = "fixed",
                           .initial = "exact",
                           .start = values.at(parameter.symbol.id())};
      if (std::find(inputs.begin(), inputs.end(), parameter.name) != inputs.end()) {
        variable.causality = "input";
        variable.variability = "continuous";
        variable.initial = "";
      } else if (depends_on_parameters(parameter.value)) {
        variable.causality = "calculatedParameter";
        variable.initial = "calculated";
        variable.start.reset();
      }
      add(std::move(variable));
    }
  }

  // q, v, dq/dt, a
  void add_motion() {
    const std::size_t n = system_.n(), q = list_.size(), v = q + n;
    for (const bool is_velocity : {false, true}) {
      for (std::size_t i = 0; i < n; ++i) {
        add({.name = system_.coordinate_name(i) + (is_velocity ? "'" : ""),
             .description = is_velocity ? "velocity" : "coordinate",
             .unit = "",
             .causality = "output",
             .variability = "continuous",
             .initial = "exact",
             .start = is_velocity ? parts_.start.v[i] : parts_.start.q[i]});
      }
    }
    for (const bool is_acceleration : {false, true}) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::string name = system_.coordinate_name(i);
        add({.name = is_acceleration ? name + "''" : "der(" + name + ")",
             .description = is_acceleration ? "acceleration" : "derivative of the coordinate",
             .unit = "",
             .causality = "local",
             .variability = "continuous",
             .initial = "calculated",
             .start = {},
             .derivative_of = (is_acceleration ? v : q) + i});
      }
    }
  }

  const FmuParts& parts_;
  const System& system_;
  const ModelData& model_;
  std::vector<FmuVariable> list_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<FmuVariable> list_variables(const FmuParts& parts) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parts.model.model()->parameters) names.push_back(parameter.name);
  for (const std::string& input : parts.options.inputs) {
    if (std::find(names.begin(), names.end(), input) == names.end())
      throw Error(fmt::format("--input: there is no parameter '{}'{}", input, suggestion(input, names)));
  }
  return VariableList(parts).make();
}

}  // namespace dalembert::session
