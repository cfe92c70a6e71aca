#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <dalembert/model/shipped.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/session/import.hpp>
#include <dalembert/solve/solve.hpp>

#include "bindings.hpp"
#include "failure.hpp"
#include "model_handle.hpp"

namespace nb = nanobind;

namespace dalembert::python {
namespace {

using Strings = std::vector<std::string>;

ModelHandle read(session::ModelSource source) {
  return blame_model([&] { return ModelHandle(std::move(source)); });
}

template <class Items>
Strings names_of(const Items& items) {
  Strings names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

Strings constraints_of(const ModelData& model) {
  Strings names = names_of(model.holonomic);
  for (const Constraint& constraint : model.nonholonomic) names.push_back(constraint.name);
  return names;
}

// Name, group and unit of each.
nb::list columns_of(const ModelHandle& model) {
  nb::list list;
  for (const Column& column : all_columns(model.described()))
    list.append(nb::make_tuple(column.name, std::string(group_name(column.group)), column.unit));
  return list;
}

nb::object python_value(const OptionValue& value) {
  return std::visit([](const auto& one) { return nb::cast(one); }, value);
}

// What the model's [solve] says.
nb::dict defaults_of(const ModelHandle& model) {
  nb::dict values;
  for (const SolveSetting& setting : model.described().solve.settings)
    values[nb::str(setting.option->key.data(), setting.option->key.size())] = python_value(setting.value);
  return values;
}

nb::list shipped() {
  nb::list list;
  for (const ShippedModel& model : shipped_models())
    list.append(nb::make_tuple(model.name, model.title, model.path.string()));
  return list;
}

// Text of the model, warnings, notes.
nb::tuple import_robot(const std::string& file, const Strings& settings, const std::string& base,
                       bool keep_fixed, double friction_speed) {
  UrdfOptions options;
  session::set_joints(settings, options);
  if (base == "fixed") options.base = UrdfOptions::Base::fixed;
  if (base == "floating") options.base = UrdfOptions::Base::floating;
  options.keep_fixed = keep_fixed;
  if (friction_speed > 0) options.friction_speed = friction_speed;
  const ImportedRobot robot = blame_model([&] { return session::import_robot(file, options); });
  return nb::make_tuple(robot.model, robot.warnings, robot.notes);
}

void bind_description(nb::class_<ModelHandle>& model) {
  model.def_prop_ro("title", [](const ModelHandle& self) { return self.described().title; })
      .def_prop_ro("reference", [](const ModelHandle& self) { return self.described().source; })
      .def_prop_ro("text", [](const ModelHandle& self) { return self.source().text; })
      .def_prop_ro("file", [](const ModelHandle& self) { return self.source().file; })
      .def_prop_ro("settings", [](const ModelHandle& self) { return self.source().settings; })
      .def_prop_ro("warnings", [](const ModelHandle& self) { return self.described().warnings; })
      .def_prop_ro("coordinates",
                   [](const ModelHandle& self) { return names_of(self.described().coordinates); })
      .def_prop_ro("constraints", [](const ModelHandle& self) { return constraints_of(self.described()); })
      .def_prop_ro("holonomic", [](const ModelHandle& self) { return self.described().holonomic.size(); })
      .def_prop_ro("events",
                   [](const ModelHandle& self) {
                     Strings names = names_of(self.described().events);
                     for (const Contact& one : self.described().contacts) names.push_back(one.name);
                     return names;
                   })
      .def_prop_ro("outputs", [](const ModelHandle& self) { return names_of(self.described().outputs); })
      .def_prop_ro("is_kinematic",
                   [](const ModelHandle& self) { return self.described().kind == ModelKind::kinematic; })
      .def_prop_ro("columns", columns_of)
      .def_prop_ro("defaults", defaults_of);
}

}  // namespace

void bind_model(nb::module_& module) {
  using release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<ModelHandle> model(module, "Model");
  bind_description(model);
  model.def(
      "with_parameters",
      [](const ModelHandle& self, const std::vector<NamedValue>& values) {
        return blame_model([&] { return self.with_parameters(values); });
      },
      release());
  model.def(
      "with_start",
      [](const ModelHandle& self, const std::vector<NamedValue>& values) {
        return blame_model([&] { return self.with_start(values); });
      },
      release());
  model.def(
      "with_settings",
      [](const ModelHandle& self, const Strings& settings) {
        return blame_model([&] { return self.with_settings(settings); });
      },
      release());
  // Of this object alone, with its values: what parameters are in numbers.
  model.def_prop_ro("parameter_values", [](const ModelHandle& self) {
    nb::dict values;
    const auto known = self->is_kinematic() ? parameter_values<double>(*self->described())
                                            : self->system().parameter_values<double>();
    for (const Parameter& parameter : self->described()->parameters) {
      const bool is_start =
          std::ranges::find(self.source().starts, parameter.name) != self.source().starts.end();
      if (!is_start) values[nb::cast(parameter.name)] = known.at(parameter.symbol.id());
    }
    return values;
  });
  module.def(
      "load",
      [](const std::string& name, const Strings& settings) {
        return read(blame_model([&] { return session::find_source(name, settings); }));
      },
      release());
  module.def(
      "load_text",
      [](const std::string& text, const Strings& settings, const std::string& name) {
        return read({text, name, settings, {}});
      },
      release());
  module.def("shipped", shipped);
  module.def("import_robot", import_robot);
}

}  // namespace dalembert::python
