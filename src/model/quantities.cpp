// The units of a model: those that were given, those that follow from them, and where they contradict each
// other.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/draft/reporter.hpp>

#include "checker.hpp"
#include "dimensions.hpp"

namespace dalembert {
namespace {

struct BaseUnits {
  Unit length, mass, time;
  Unit force() const { return mass * length / (time * time); }
  Unit energy() const { return force() * length; }
};

// "SI", or units of length, mass and time: "mm, t, s".
BaseUnits parse_system(std::string_view text) {
  if (text == "SI") text = "m, kg, s";
  std::vector<Unit> units;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    units.push_back(parse_unit(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  const std::array<const char*, 3> wanted{"m", "kg", "s"};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (units.size() != wanted.size() || !units[i].has_dimension_of(parse_unit(wanted[i])))
      throw Error("a system is \"SI\" or its units of length, mass and time, as in \"mm, t, s\"");
  }
  return {units[0], units[1], units[2]};
}

// deg becomes deg/s.
UnitLabel rate_of(const UnitLabel& label, const UnitLabel& time, int order) {
  UnitLabel result = make_label(label.unit / power(time.unit, order));
  const bool simple = label.text.find_first_of(" /*") == std::string::npos && label.text != "1";
  const std::string below = "/" + time.text + (order == 2 ? "²" : "");
  if (simple) result.text = label.text + below;
  result.shown = simple ? label.shown + below : result.text;
  result.scale = simple ? label.scale : 1;
  return result;
}

// Joule of what does work along an angle.
UnitLabel force_label(const Unit& unit) {
  UnitLabel label = make_label(unit);
  if (label.text == "J") label.text = label.shown = "N m";
  return label;
}

class Quantities {
 public:
  Quantities(const ModelDraft& draft, ModelData& data, const Reporter& report)
      : draft_(draft), data_(data), report_(report), dimensions_(!draft.kinetic_of_bodies.empty()) {}

  void work_out() {
    read_given();
    set_time();
    set_parameters();
    set_inputs();
    set_coordinates();
    check_definitions();
    check_dynamics();
    set_constraints();
    set_contacts();
    set_outputs();
    set_places();
    refuse_unused();
  }

 private:
  struct Given {
    Name name;
    UnitLabel label;
    bool used = false;
  };

  void read_given() {
    for (const auto& [name, text] : draft_.units) {
      try {
        if (name.text == "system") {
          system_ = parse_system(text.text);
          continue;
        }
        const bool repeated = std::any_of(given_.begin(), given_.end(), [&own = name.text](const Given& one) {
          return one.name.text == own;
        });
        if (repeated) report_.at_name(name, fmt::format("{} has a unit already", in_quotes(name.text)));
        given_.push_back({name, parse_unit_label(text.text)});
      } catch (const Error& error) {
        if (error.where().line > 0) throw;
        report_.at_text(text, "unit of " + in_quotes(name.text), 0, error.message());
      }
    }
  }

  // A name wins over patterns, and one without ' is for no velocity.
  std::optional<UnitLabel> given(const std::string& name) {
    std::optional<UnitLabel> found;
    const auto has_prime = [](std::string_view text) { return text.find('\'') != std::string_view::npos; };
    for (Given& one : given_) {
      const bool exact = one.name.text == name;
      const bool fits = has_prime(one.name.text) == has_prime(name) && fits_pattern(one.name.text, name);
      if (!exact && !fits) continue;
      one.used = true;
      if (exact) return one.label;
      if (!found) found = one.label;
    }
    return found;
  }

  void refuse_unused() {
    std::vector<std::string> names;
    for (const auto& quantity : data_.units) names.push_back(quantity.first);
    for (const Parameter& parameter : data_.parameters) names.push_back(parameter.name);
    for (const Input& input : data_.inputs) names.push_back(input.name);
    for (const NamedExpr& definition : data_.definitions) names.push_back(definition.name);
    for (const Given& one : given_) {
      if (!one.used) {
        report_.at_name(one.name, fmt::format("a unit is given to {}, which the model does not have{}",
                                              in_quotes(one.name.text), suggestion(one.name.text, names)));
      }
    }
  }

  void warn(const Text& text, const std::string& what, const std::string& message) {
    const std::string file = text.where.file.empty() ? draft_.file : text.where.file;
    const std::string place =
        text.where.line > 0 ? fmt::format("{}:{}:{}: ", file, text.where.line, text.where.column) : "";
    data_.warnings.push_back(fmt::format("{}units of {}: {}", place, what, message));
  }

  // The unit that follows for an expression of the user, who is told of conflicts in it.
  enum class From { file, call };
  std::optional<Unit> check(Expr e, const Text& text, const std::string& what, From from = From::file) {
    const std::optional<Unit> unit = dimensions_.infer(e);
    const bool is_users = text.where.line > 0 || from == From::call;
    if (!dimensions_.conflict().empty() && is_users) warn(text, what, dimensions_.conflict());
    return unit;
  }

  void expect(const std::optional<Unit>& found, const std::optional<Unit>& wanted, const Text& text,
              const std::string& what) {
    if (!found || !wanted || found->equals(*wanted) || text.where.line == 0) return;
    warn(text, what, fmt::format("it is in {}, not in {}", unit_text(*found), unit_text(*wanted)));
  }

  void set(const std::string& column, const UnitLabel& otherwise) {
    data_.units[column] = given(column).value_or(otherwise);
  }

  void set_time() {
    time_ = given("t").value_or(make_label(system_ ? system_->time : parse_unit("s")));
    data_.units["t"] = time_;
    dimensions_.set(data_.time, time_.unit);
  }

  void set_parameters() {
    for (std::size_t i = 0; i < data_.parameters.size(); ++i) {
      const Parameter& parameter = data_.parameters[i];
      const Text& text = draft_.parameters[i].value;
      const std::string what = "parameter " + in_quotes(parameter.name);
      // a number that is given is one in its unit
      const auto follows = parameter.value.is_number() ? std::nullopt : check(parameter.value, text, what);
      const auto label = given(parameter.name);
      if (label) expect(follows, label->unit, text, what);
      if (!label && !follows) continue;
      dimensions_.set(parameter.symbol, label ? label->unit : *follows);
      data_.units[parameter.name] = label ? *label : make_label(*follows);
    }
  }

  void set_inputs() {
    for (const Input& input : data_.inputs) {
      const auto label = given(input.name);
      if (!label) continue;
      for (std::size_t k = 0; k < input.derivatives.size(); ++k)
        dimensions_.set(input.derivatives[k], label->unit / power(time_.unit, static_cast<int>(k)));
    }
  }

  // x, y, z, angle, e0 ... of a body, the angle of a joint.
  std::optional<UnitLabel> of_body(std::string_view name) const {
    if (!system_ || draft_.kinetic_of_bodies.empty()) return {};
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return {};
    const std::string_view part = name.substr(dot + 1);
    if (part == "x" || part == "y" || part == "z" || part == "slide") return make_label(system_->length);
    if (part == "angle") return parse_unit_label("rad");
    if (part.starts_with("e") && part.size() == 2) return make_label(Unit{});
    if (part.starts_with("force_") || part == "tension") return force_label(system_->force());
    if (part.starts_with("moment")) return force_label(system_->energy());
    return {};
  }

  void set_coordinates() {
    for (const Coordinate& coordinate : data_.coordinates) {
      auto label = given(coordinate.name);
      if (!label) label = of_body(coordinate.name);
      const std::array<Expr, 3> symbols{coordinate.q, coordinate.v, coordinate.a};
      std::string name = coordinate.name;
      for (int order = 0; order < 3; ++order, name += "'") {
        if (!label) {
          given(name);
          continue;
        }
        const UnitLabel follows = order == 0 ? *label : rate_of(*label, time_, order);
        if (order < 2 || data_.kind != ModelKind::kinematic) set(name, follows);
        dimensions_.set(symbols[static_cast<std::size_t>(order)], follows.unit);
      }
    }
  }

  void check_definitions() {
    for (std::size_t i = 0; i < data_.definitions.size(); ++i) {
      const NamedExpr& definition = data_.definitions[i];
      const Text& text = draft_.definitions[i].value;
      const std::string what = "definition " + in_quotes(definition.name);
      const auto follows = check(definition.expression, text, what);
      if (const auto label = given(definition.name)) {
        expect(follows, label->unit, text, what);
        definitions_[definition.name] = *label;
      } else if (follows) {
        definitions_[definition.name] = make_label(*follows);
      }
    }
  }

  void check_dynamics() {
    energy_ = system_ ? std::optional(system_->energy()) : std::nullopt;
    const auto energy = [&](const std::optional<Text>& text, Expr e, const char* what) {
      if (!text || e.is_zero()) return;
      const auto follows = check(e, *text, what);
      if (!energy_) energy_ = follows;
      expect(follows, energy_, *text, what);
    };
    energy(draft_.kinetic, data_.kinetic, "kinetic energy");
    energy(draft_.potential, data_.potential, "potential energy");
    if (draft_.dissipation && !data_.dissipation.is_zero()) {
      const auto follows = check(data_.dissipation, *draft_.dissipation, "dissipation");
      if (energy_) expect(follows, *energy_ / time_.unit, *draft_.dissipation, "dissipation");
    }
    if (data_.kind == ModelKind::kinematic) return;
    for (const char* name : {"kinetic", "potential", "energy", "work"}) {
      const auto label = given(name);
      if (label || energy_) data_.units[name] = label ? *label : make_label(*energy_);
    }
    for (std::size_t i = 0; i < data_.coordinates.size(); ++i) {
      const auto unit = force_on(i);
      const std::string column = "force(" + data_.coordinates[i].name + ")";
      const auto label = given(column);
      if (label || unit) data_.units[column] = label ? *label : force_label(*unit);
    }
    for (const auto& [name, text] : draft_.forces) check_force(name, text);
  }

  std::optional<Unit> force_on(std::size_t coordinate) const {
    const auto it = data_.units.find(data_.coordinates[coordinate].name);
    if (!energy_ || it == data_.units.end()) return {};
    return *energy_ / it->second.unit;
  }

  void check_force(const Name& name, const Text& text) {
    for (std::size_t i = 0; i < data_.coordinates.size(); ++i) {
      if (data_.coordinates[i].name != name.text) continue;
      const std::string what = "force on " + in_quotes(name.text);
      expect(check(data_.generalized_force[i], text, what), force_on(i), text, what);
    }
  }

  void set_constraints() {
    const auto each = [&](const std::vector<Constraint>& constraints, const std::vector<NamedText>& texts,
                          bool holonomic) {
      for (const Constraint& one : constraints) {
        const Text& text = std::ranges::find(texts, one.name, [](const NamedText& named) {
                             return std::string_view(named.name.text);
                           })->value;
        const auto residual = check(one.residual, text, "constraint " + in_quotes(one.name));
        std::optional<UnitLabel> level, rate, force;
        if (residual && dimensions_.conflict().empty()) {
          level = make_label(*residual);
          rate = holonomic ? rate_of(*level, time_, 1) : *level;
          if (energy_) force = force_label(*energy_ / (holonomic ? *residual : *residual * time_.unit));
        }
        if (holonomic) put("g(" + one.name + ")", level);
        put("gv(" + one.name + ")", rate);
        if (data_.kind == ModelKind::kinematic) continue;
        const auto label = put("lambda(" + one.name + ")", force);
        if (label) dimensions_.set(one.lambda, label->unit);
      }
    };
    each(data_.holonomic, draft_.holonomic, true);
    each(data_.nonholonomic, draft_.nonholonomic, false);
  }

  std::optional<UnitLabel> put(const std::string& column, const std::optional<UnitLabel>& follows) {
    auto label = given(column);
    if (!label) label = follows;
    if (label) data_.units[column] = *label;
    return label;
  }

  // What does work along a gap or a slip.
  void set_contacts() {
    const auto conjugate = [&](Expr lambda, Expr along, const Unit& time) {
      const auto unit = dimensions_.infer(along);
      const bool known = unit && energy_ && dimensions_.conflict().empty();
      const auto label =
          put(lambda.name(), known ? std::optional(force_label(*energy_ / (*unit * time))) : std::nullopt);
      if (label) dimensions_.set(lambda, label->unit);
    };
    for (const Contact& contact : data_.contacts) {
      conjugate(contact.lambda, contact.gap, Unit{});
      for (const Slip& slip : contact.slip) conjugate(slip.lambda, slip.velocity, time_.unit);
    }
    for (const Friction& friction : data_.frictions)
      for (const Slip& slip : friction.slip) conjugate(slip.lambda, slip.velocity, time_.unit);
  }

  void set_outputs() {
    for (std::size_t i = 0; i < data_.outputs.size(); ++i) {
      const NamedExpr& output = data_.outputs[i];
      const std::size_t written = draft_.outputs.size();
      const From from = i < written ? From::file : From::call;
      const Text& text = from == From::file ? draft_.outputs[i].value : draft_.columns[i - written];
      const std::string what = (from == From::file ? "output " : "column ") + in_quotes(output.name);
      auto follows = check(output.expression, text, what, from);
      auto label = given(output.name);
      if (label) expect(follows, label->unit, text, what);
      if (!label) label = of_body(output.name);
      if (!label && follows) label = shown_like(output.expression, *follows);
      const bool energy = output.name == "kinetic" || output.name == "potential" || output.name == "energy" ||
                          output.name == "work";
      if (label) data_.units[energy ? "output(" + output.name + ")" : output.name] = *label;
    }
    for (const auto& [name, label] : definitions_) data_.units.try_emplace(name, label);
  }

  // Of the view's points, so that a scene knows the unit of its lengths.
  void set_places() {
    for (const Point& point : data_.view.points) {
      for (std::size_t i = 0; i < point.position.size(); ++i) {
        if (const auto unit = dimensions_.infer(point.position[i]); unit && !point.position[i].is_number())
          data_.units[fmt::format("view({}).{}", point.name, "xyz"[i])] =
              shown_like(point.position[i], *unit);
      }
    }
  }

  // What is a coordinate or definition is shown like it.
  UnitLabel shown_like(Expr e, const Unit& unit) const {
    for (const Coordinate& coordinate : data_.coordinates) {
      if (coordinate.q == e) return data_.units.at(coordinate.name);
      if (coordinate.v == e) return data_.units.at(coordinate.name + "'");
    }
    for (const NamedExpr& definition : data_.definitions) {
      const auto it = definitions_.find(definition.name);
      if (definition.expression == e && it != definitions_.end()) return it->second;
    }
    return make_label(unit);
  }

  const ModelDraft& draft_;
  ModelData& data_;
  const Reporter& report_;
  Dimensions dimensions_;
  std::vector<Given> given_;
  std::optional<BaseUnits> system_;
  UnitLabel time_;
  std::optional<Unit> energy_;
  std::map<std::string, UnitLabel> definitions_;
};

}  // namespace

void Checker::check_units() {
  if (!draft_.units.empty()) Quantities(draft_, data_, report_).work_out();
}

}  // namespace dalembert
