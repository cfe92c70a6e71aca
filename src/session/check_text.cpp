// The report of `dalembert check` for people.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/session/check.hpp>
#include <dalembert/session/layout.hpp>
#include <dalembert/system/start_changes.hpp>

#include "check_kinematic.hpp"

namespace dalembert::session {
namespace {

constexpr std::size_t most_rows = 60;  // of a table; JSON has them all

// Numbers of the start with their units, where a model has any.
class Quantities {
 public:
  explicit Quantities(const ModelData& model)
      : columns_(all_columns(model)), has_units_(has_units(columns_)) {}

  std::string unit(ColumnGroup group, std::size_t index) const {
    const auto found = std::ranges::find_if(
        columns_, [&](const Column& column) { return column.group == group && column.index == index; });
    return found == columns_.end() ? "" : found->unit;
  }
  std::string unit(const std::string& name) const {
    const auto found = std::ranges::find(columns_, name, &Column::name);
    return found == columns_.end() ? "" : found->unit;
  }
  std::string text(double value, const std::string& unit) const {
    constexpr int digits = 8;  // that leave room for a unit
    return has_units_ ? behind(number(value, digits), unit) : number(value);
  }
  static std::string behind(const std::string& text, const std::string& unit) {
    return unit.empty() ? text : text + " " + unit;
  }
  std::string row(const std::string& name, const std::vector<std::string>& cells) const {
    return table_row(name, cells, has_units_ ? with_units : TableWidths{});
  }

 private:
  std::vector<Column> columns_;
  bool has_units_;
};

std::string names_or_all(const System& system, const std::vector<std::size_t>& which) {
  if (which.size() == system.n()) return "all";
  if (which.empty()) return "none";
  std::vector<std::string> names;
  for (const std::size_t i : which) names.push_back(system.coordinate_name(i));
  return join(names, ", ");
}

std::string fact(const std::string& label, const std::string& value) {
  const std::string indent = fmt::format("  {:<21}", label);
  return wrap_words(value, indent, std::string(indent.size(), ' '));
}

std::string describe_head(const ModelData& model) {
  std::string out;
  if (!model.title.empty()) out += wrap_words(model.title, "", "");
  if (!model.source.empty()) out += wrap_words(model.source, "  ", "  ");
  return out.empty() ? out : out + "\n";
}

std::string describe_index(const Structure& structure) {
  if (!structure.index) return "undetermined";
  switch (*structure.index) {
    case 0:
      return "0 (an ordinary differential equation)";
    case 1:
      return "1 (motions without inertia follow from the forces)";
    case 2:
      return "2 (constraints on velocities)";
    default:
      return "3 (constraints on positions)";
  }
}

std::string describe_freedom(const Structure& structure) {
  std::string count = std::to_string(structure.degrees_of_freedom);
  if (structure.degrees_of_freedom == structure.configuration_freedom) return count;
  return fmt::format("{} of velocity, {} of position", count, structure.configuration_freedom);
}

std::string coefficients(const Coulomb& law, const System& system) {
  const auto value = [&](Expr e) { return number(evaluate<double>(e, system.parameter_values<double>())); };
  const std::string sliding = value(law.friction), sticking = value(law.sticking);
  return sliding == sticking ? sliding : fmt::format("{}, sticking {}", sliding, sticking);
}

// What may open and close, and where something rubs.
std::string describe_contacts(const System& system) {
  const ModelData& model = system.model();
  std::string out;
  std::vector<std::string> contacts, frictions;
  for (const Contact& contact : model.contacts) contacts.push_back(contact.name);
  for (const Friction& friction : model.frictions)
    if (friction.own)
      frictions.push_back(fmt::format("{} ({})", friction.name, coefficients(friction, system)));
  if (!contacts.empty())
    out += fact("contacts", fmt::format("{}: {}", contacts.size(), join(contacts, ", ")));
  if (!frictions.empty())
    out += fact("friction", fmt::format("{}: {}", frictions.size(), join(frictions, ", ")));
  return out;
}

std::string describe_facts(const CheckReport& report) {
  const System& system = report.model.system();
  const Structure& structure = report.structure;
  std::string out = fact("coordinates", std::to_string(system.n()));
  out += fact("constraints", system.m() == 0 ? "none"
                                             : fmt::format("{} ({} holonomic, {} nonholonomic), rank {}",
                                                           system.m(), system.holonomic(),
                                                           system.m() - system.holonomic(), structure.rank));
  out += fact("degrees of freedom", describe_freedom(structure));
  out += fact("index", describe_index(structure));
  const bool chosen = structure.free_velocities.size() == structure.degrees_of_freedom;
  if (system.m() > 0 && chosen) {
    out += fact("free positions", names_or_all(system, structure.free_positions));
    out += fact("free velocities", names_or_all(system, structure.free_velocities));
  }
  return out + describe_contacts(system) + "\n";
}

std::string hidden_rows(std::size_t count) {
  return count <= most_rows ? "" : fmt::format("  ... and {} more (--json lists all)\n", count - most_rows);
}

std::string change_table(const std::vector<StartChange>& changes, const Quantities& quantities) {
  std::string out;
  for (std::size_t i = 0; i < std::min(changes.size(), most_rows); ++i) {
    const StartChange& change = changes[i];
    const std::string unit = quantities.unit(change.name);
    const std::string to = fmt::format("-> {}", quantities.text(change.to, unit));
    out += quantities.row(change.name, {quantities.text(change.from, unit), to,
                                        fmt::format("by {:.3g}", change.to - change.from)});
  }
  return out + hidden_rows(changes.size()) + "\n";
}

std::string describe_changes(const CheckReport& report, const Quantities& quantities) {
  const Start& start = report.start;
  const StartChanges changes = sort_changes(report.model.system(), start);
  const std::string at =
      "Start at t = " + Quantities::behind(number(start.t), quantities.unit(ColumnGroup::time, 0));
  if (changes.given.empty() && changes.found.empty()) return at + ", consistent as given:\n";
  std::string effort;
  if (start.iterations == 1) effort = " (1 Newton iteration)";
  if (start.iterations > 1) effort = fmt::format(" ({} Newton iterations)", start.iterations);
  std::string out;
  if (!changes.given.empty()) {
    out += wrap_words(at + "; the given values did not meet the constraints and were changed" + effort + ":",
                      "", "");
    out += change_table(changes.given, quantities);
  }
  if (!changes.found.empty()) {
    const std::string before = changes.given.empty() ? at + "; guesses" : "Guesses";
    const std::string after = changes.given.empty() ? effort : "";
    out += wrap_words(before + " and values that were not given follow from the constraints" + after + ":",
                      "", "");
    out += change_table(changes.found, quantities);
  }
  return out;
}

std::string coordinate_table(const CheckReport& report, const Quantities& quantities) {
  const Start& start = report.start;
  std::string out =
      quantities.row("coordinate", {"position", "velocity", start.a.empty() ? "" : "acceleration"});
  const auto cell = [&](const std::vector<double>& values, ColumnGroup group, std::size_t i) {
    return values.empty() ? "" : quantities.text(values[i], quantities.unit(group, i));
  };
  for (std::size_t i = 0; i < std::min(start.q.size(), most_rows); ++i) {
    out += quantities.row(report.model.system().coordinate_name(i),
                          {cell(start.q, ColumnGroup::q, i), cell(start.v, ColumnGroup::v, i),
                           cell(start.a, ColumnGroup::a, i)});
  }
  return out + hidden_rows(start.q.size()) + "\n";
}

std::string constraint_table(const CheckReport& report, const Quantities& quantities) {
  const Start& start = report.start;
  const System& system = report.model.system();
  if (system.m() == 0) return "";
  const std::string lambda = start.lambda.empty() ? "" : "lambda";
  std::string out = quantities.row("constraint", {lambda, "residual of g", "of C v + c"});
  for (std::size_t j = 0; j < std::min(system.m(), most_rows); ++j) {
    const auto small = [&](double value, ColumnGroup group) {
      return Quantities::behind(residual(value), quantities.unit(group, j));
    };
    const std::string multiplier =
        start.lambda.empty() ? "" : quantities.text(start.lambda[j], quantities.unit(ColumnGroup::lambda, j));
    out += quantities.row(system.constraint_name(j),
                          {multiplier, j < start.g.size() ? small(start.g[j], ColumnGroup::g) : "",
                           small(start.velocity[j], ColumnGroup::gv)});
  }
  out += hidden_rows(system.m());
  return out + fmt::format("  {}: the constraint force is -C^T lambda.\n\n", multiplier_convention);
}

}  // namespace

std::string to_text(const CheckReport& report) {
  if (report.kinematic) return kinematic_text(report);
  std::string out = describe_head(report.model.system().model()) + describe_facts(report);
  const Quantities quantities(report.model.system().model());
  out += describe_changes(report, quantities) + coordinate_table(report, quantities);
  out += constraint_table(report, quantities);
  for (const std::string& warning : report.warnings) out += wrap_words(warning, "Warning: ", "  ");
  while (out.size() > 1 && out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace dalembert::session
