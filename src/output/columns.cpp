#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/output/columns.hpp>

namespace dalembert {
namespace {

using Groups = std::vector<ColumnGroup>;

struct GroupWord {
  std::string_view word;
  Groups groups;
};

const std::vector<GroupWord>& group_words() {
  using enum ColumnGroup;
  static const std::vector<GroupWord> words{
      {"q", {q}},
      {"v", {v}},
      {"a", {a}},
      {"lambda", {lambda}},
      {"force", {force}},
      {"outputs", {output}},
      {"energies", {energy}},
      {"g", {g}},
      {"gv", {gv}},
      {"residuals", {g, gv}},
      {"all", {time, q, v, a, lambda, force, output, energy, g, gv}},
  };
  return words;
}

constexpr std::array<std::string_view, 4> energies{"kinetic", "potential", "energy", "work"};

bool is_energy(std::string_view name) {
  return std::find(energies.begin(), energies.end(), name) != energies.end();
}

Column in_units(const ModelData& model, Column column) {
  if (const auto label = model.units.find(column.name); label != model.units.end()) {
    column.unit = label->second.text;
    column.shown = label->second.shown;
    column.scale = label->second.scale;
  }
  return column;
}

class Builder {
 public:
  explicit Builder(const ModelData& model) : model_(model) {}

  void add(ColumnGroup group, const std::string& name) {
    const std::size_t index = group == group_ ? index_ + 1 : 0;
    group_ = group;
    index_ = index;
    // an output may be called like an energy
    const bool taken = group == ColumnGroup::output && is_energy(name);
    columns_.push_back(
        in_units(model_, {taken ? fmt::format("{}({})", group_name(group), name) : name, group, index}));
  }
  std::vector<Column> take() { return std::move(columns_); }

 private:
  const ModelData& model_;
  std::vector<Column> columns_;
  ColumnGroup group_ = ColumnGroup::view;
  std::size_t index_ = 0;
};

// Marks what a pattern asks for; false when there is nothing.
bool mark(std::string_view pattern, std::span<const Column> columns, std::vector<bool>& chosen) {
  bool found = false;
  const auto mark_if = [&](const auto& wanted) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!wanted(columns[i])) continue;
      chosen[i] = true;
      found = true;
    }
  };
  mark_if([&](const Column& column) { return column.name == pattern; });
  if (found) return true;
  for (const GroupWord& word : group_words()) {
    if (word.word != pattern) continue;
    mark_if([&](const Column& column) {
      return std::find(word.groups.begin(), word.groups.end(), column.group) != word.groups.end();
    });
    return true;  // a group may be empty
  }
  mark_if([&](const Column& column) { return fits_pattern(pattern, column.name); });
  return found;
}

std::vector<std::string> known_names(std::span<const Column> columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  for (const GroupWord& word : group_words()) names.emplace_back(word.word);
  return names;
}

}  // namespace

std::string_view group_name(ColumnGroup group) {
  constexpr std::array<std::string_view, 11> names{"time",   "q",      "v", "a",  "lambda", "force",
                                                   "output", "energy", "g", "gv", "view"};
  return names[static_cast<std::size_t>(group)];
}

std::vector<Column> all_columns(const ModelData& model) {
  using enum ColumnGroup;
  const bool mechanical = model.kind != ModelKind::kinematic;
  Builder builder(model);
  builder.add(time, "t");
  for (const Coordinate& coordinate : model.coordinates) builder.add(q, coordinate.name);
  for (const Coordinate& coordinate : model.coordinates) builder.add(v, coordinate.name + "'");
  if (mechanical) {
    for (const Coordinate& coordinate : model.coordinates) builder.add(a, coordinate.name + "''");
    for (const auto* constraints : {&model.holonomic, &model.nonholonomic}) {
      for (const Constraint& constraint : *constraints)
        builder.add(lambda, "lambda(" + constraint.name + ")");
    }
    if (!model.holonomic.empty() || !model.nonholonomic.empty()) {
      for (const Coordinate& coordinate : model.coordinates)
        builder.add(force, "force(" + coordinate.name + ")");
    }
  }
  for (const NamedExpr& one : model.outputs) builder.add(output, one.name);
  if (mechanical) {
    for (const std::string_view name : energies) builder.add(energy, std::string(name));
  }
  for (const Constraint& constraint : model.holonomic) builder.add(g, "g(" + constraint.name + ")");
  for (const auto* constraints : {&model.holonomic, &model.nonholonomic}) {
    for (const Constraint& constraint : *constraints) builder.add(gv, "gv(" + constraint.name + ")");
  }
  return builder.take();
}

std::vector<NamedExpr> solid_places(const ModelData& model, const Solid& solid) {
  std::vector<NamedExpr> list;
  const auto add = [&](Expr value, const std::string& part) {
    for (const Coordinate& coordinate : model.coordinates) {
      if (coordinate.q == value) return list.push_back({coordinate.name, value});
    }
    list.push_back({fmt::format("view({}).{}", solid.name, part), value});
  };
  for (std::size_t i = 0; i < solid.position.size(); ++i) add(solid.position[i], std::string(1, "xyz"[i]));
  for (std::size_t i = 0; i < solid.rotation.size(); ++i)
    add(solid.rotation[i], solid.rotation.size() == 1 ? "angle" : fmt::format("e{}", i));
  return list;
}

namespace {

bool moves(const ModelData& model, Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    return std::none_of(model.parameters.begin(), model.parameters.end(),
                        [&](const Parameter& one) { return one.symbol == symbol; });
  });
}

// The column that a run has anyway, or one of the view.
std::string column_of(const ModelData& model, Expr e, const std::string& otherwise) {
  for (const Coordinate& coordinate : model.coordinates) {
    if (coordinate.q == e) return coordinate.name;
  }
  for (const NamedExpr& output : model.outputs) {
    if (output.expression == e && !is_energy(output.name)) return output.name;
  }
  return otherwise;
}

}  // namespace

std::vector<NamedExpr> figure_numbers(const ModelData& model, const Figure& figure) {
  std::vector<NamedExpr> list;
  const auto add = [&](Expr e, const std::string& part) {
    const std::string own = fmt::format("view({} {}).{}", figure.kind, figure.name, part);
    list.push_back({moves(model, e) ? column_of(model, e, own) : "", e});
  };
  for (std::size_t i = 0; i < figure.at.size(); ++i) {
    for (std::size_t k = 0; k < figure.at[i].place.size(); ++k)
      add(figure.at[i].place[k], fmt::format("at{}{}", i + 1, "xyz"[k]));
  }
  for (const FigureValue& value : figure.values) {
    for (std::size_t k = 0; k < value.entries.size(); ++k)
      add(value.entries[k], fmt::format("{}{}", value.key, k + 1));
  }
  return list;
}

std::vector<NamedExpr> view_expressions(const ModelData& model) {
  std::vector<NamedExpr> list;
  for (const Point& point : model.view.points) {
    for (std::size_t i = 0; i < point.position.size(); ++i)
      list.push_back({fmt::format("view({}).{}", point.name, "xyz"[i]), point.position[i]});
  }
  for (const Solid& solid : model.view.solids) {
    for (NamedExpr& place : solid_places(model, solid)) {
      if (place.name.starts_with("view(")) list.push_back(std::move(place));
    }
  }
  for (const Figure& figure : model.view.figures) {
    for (NamedExpr& number : figure_numbers(model, figure)) {
      if (number.name.starts_with("view(")) list.push_back(std::move(number));
    }
  }
  constexpr std::size_t most_contacts = 40;  // whose states a reader can follow
  if (model.contacts.size() <= most_contacts)
    for (const Contact& contact : model.contacts)
      list.push_back({fmt::format("gap({})", contact.name), contact.gap});
  return list;
}

std::vector<Column> view_columns(const ModelData& model) {
  std::vector<Column> columns;
  for (const NamedExpr& one : view_expressions(model))
    columns.push_back(in_units(model, {one.name, ColumnGroup::view, columns.size()}));
  return columns;
}

std::vector<Column> choose_columns(const ModelData& model, std::span<const std::string> patterns) {
  std::vector<Column> columns = all_columns(model);
  if (patterns.empty()) return columns;
  std::vector<bool> chosen(columns.size(), false);
  chosen[0] = true;
  for (const std::string& pattern : patterns) {
    if (!mark(pattern, columns, chosen)) {
      throw Error(
          fmt::format("there is no column '{}'{}", pattern, suggestion(pattern, known_names(columns))));
    }
  }
  std::vector<Column> result;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (chosen[i]) result.push_back(std::move(columns[i]));
  }
  return result;
}

bool has_column(const ModelData& model, const std::string& pattern) {
  const std::vector<Column> columns = all_columns(model);
  std::vector<bool> chosen(columns.size(), false);
  return mark(pattern, columns, chosen);
}

bool has_units(std::span<const Column> columns) {
  return std::any_of(columns.begin(), columns.end(),
                     [](const Column& column) { return !column.unit.empty(); });
}

std::string name_with_unit(const Column& column) {
  return column.shown.empty() ? column.name : fmt::format("{} [{}]", column.name, column.shown);
}

std::string column_latex(const Column& column) {
  using enum ColumnGroup;
  const auto inner = [&] {
    const std::size_t open = column.name.find('(');
    return column.name.substr(open + 1, column.name.size() - open - 2);
  };
  switch (column.group) {
    case time:
    case q:
    case v:
    case a:
    case lambda:
      return latex_name(column.name);
    case force:
      return "(-C^{\\mathsf T}\\lambda)_{" + latex_name(inner()) + "}";
    case output:
    case energy:
    case g:
    case gv:
    case view:
      break;
  }
  return "";
}

}  // namespace dalembert
