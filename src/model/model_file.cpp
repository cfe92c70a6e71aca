#include "model_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/draft/figure_kinds.hpp>
#include <dalembert/draft/reporter.hpp>
#include <dalembert/draft/source_text.hpp>

#include "toml_guard.hpp"
#include "toml_tree.hpp"

namespace dalembert {
namespace {

class Reader {
 public:
  explicit Reader(ModelDraft& draft) : draft_(draft), report_(draft) {}

  void read(const TomlNode& root);

 private:
  struct Key {
    std::string_view name;
    void (Reader::*read)(const TomlNode&);
  };

  // Calls what belongs to each key; an unknown one is an error.
  void dispatch(const TomlNode& node, std::span<const Key> keys, std::string_view where);

  void title(const TomlNode& node) { draft_.title = words(node, in_quotes(node.key)).text; }
  void source(const TomlNode& node) { draft_.source = words(node, in_quotes(node.key)).text; }
  void kind(const TomlNode& node) { draft_.kind = words(node, in_quotes(node.key)); }
  void space(const TomlNode& node) { draft_.space = words(node, in_quotes(node.key)); }
  void reactions(const TomlNode& node) { draft_.reactions = words(node, in_quotes(node.key)); }
  void body(const TomlNode& node) { draft_.bodies = elements(node, "body"); }
  void joint(const TomlNode& node) { draft_.joints = elements(node, "joint"); }
  void force_element(const TomlNode& node) { draft_.force_elements = elements(node, "force"); }
  void parameters(const TomlNode& node) { draft_.parameters = quantities(node); }
  void coordinates(const TomlNode& node);
  void definitions(const TomlNode& node) { draft_.definitions = quantities(node); }
  void energy(const TomlNode& node);
  void kinetic(const TomlNode& node) { draft_.kinetic = expression(node, in_quotes(node.key)); }
  void potential(const TomlNode& node) { draft_.potential = expression(node, in_quotes(node.key)); }
  void dissipation(const TomlNode& node) { draft_.dissipation = expression(node, in_quotes(node.key)); }
  void equations(const TomlNode& node);
  void mass(const TomlNode& node) { draft_.mass = matrix(node); }
  void force(const TomlNode& node) { draft_.force = row(node, in_quotes(node.key)); }
  void forces(const TomlNode& node) { draft_.forces = named_expressions(node); }
  void constraints(const TomlNode& node);
  void holonomic(const TomlNode& node) { draft_.holonomic = constraint_list(node, "g"); }
  void nonholonomic(const TomlNode& node) { draft_.nonholonomic = constraint_list(node, "a"); }
  void kinematics(const TomlNode& node);
  void kinematic_c(const TomlNode& node) { draft_.kinematic_c = expression(node, in_quotes(node.key)); }
  void kinematic_C(const TomlNode& node) { draft_.kinematic_C = matrix(node); }
  void kinematic_K(const TomlNode& node) { draft_.kinematic_K = matrix(node); }
  void outputs(const TomlNode& node) { draft_.outputs = quantities(node); }
  void view(const TomlNode& node);
  void points(const TomlNode& node);
  void solids(const TomlNode& node);
  void frames(const TomlNode& node);
  void figures(const TomlNode& node, const FigureKind& kind);
  void links(const TomlNode& node);
  void traces(const TomlNode& node);
  void solve(const TomlNode& node);
  void units(const TomlNode& node);

  DraftCoordinate coordinate(const TomlNode& node);
  std::vector<Element> elements(const TomlNode& node, std::string_view prefix) const;
  Element element(const TomlNode& node, const std::string& default_name) const;
  Value any_value(const TomlNode& node) const;
  std::vector<NamedText> named_expressions(const TomlNode& node) const;
  std::vector<NamedText> quantities(const TomlNode& node);
  std::vector<NamedText> constraint_list(const TomlNode& node, std::string_view prefix) const;
  TextRow row(const TomlNode& node, std::string_view what) const;
  TextMatrix matrix(const TomlNode& node) const;
  Name point_name(const TomlNode& node, std::string_view what) const;

  // Values of a type; `what` names the value in errors.
  const std::vector<TomlNode>& table(const TomlNode& node) const;
  const std::vector<TomlNode>& array(const TomlNode& node, std::string_view what, std::string_view of) const;
  Text expression(const TomlNode& node, std::string_view what) const;
  Text words(const TomlNode& node, std::string_view what) const;
  bool flag(const TomlNode& node) const;
  [[noreturn]] void wrong_type(const TomlNode& node, std::string_view what, std::string_view expected) const;

  ModelDraft& draft_;
  Reporter report_;
};

Name key_of(const TomlNode& node) { return {node.key, node.key_where}; }

std::string_view type_name(TomlType type) {
  constexpr std::array<std::string_view, 6> names{"a table",  "an array",  "a text",
                                                  "a number", "a boolean", "a date or time"};
  return names[static_cast<std::size_t>(type)];
}

void Reader::read(const TomlNode& root) {
  static constexpr std::array keys{
      Key{"title", &Reader::title},
      Key{"source", &Reader::source},
      Key{"kind", &Reader::kind},
      Key{"space", &Reader::space},
      Key{"reactions", &Reader::reactions},
      Key{"body", &Reader::body},
      Key{"joint", &Reader::joint},
      Key{"force", &Reader::force_element},
      Key{"parameters", &Reader::parameters},
      Key{"coordinates", &Reader::coordinates},
      Key{"definitions", &Reader::definitions},
      Key{"energy", &Reader::energy},
      Key{"equations", &Reader::equations},
      Key{"forces", &Reader::forces},
      Key{"constraints", &Reader::constraints},
      Key{"kinematics", &Reader::kinematics},
      Key{"outputs", &Reader::outputs},
      Key{"view", &Reader::view},
      Key{"solve", &Reader::solve},
      Key{"units", &Reader::units},
  };
  dispatch(root, keys, "the model file");
}

void Reader::dispatch(const TomlNode& node, std::span<const Key> keys, std::string_view where) {
  for (const TomlNode& entry : table(node)) {
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&entry](const Key& k) { return k.name == entry.key; });
    if (key == keys.end()) {
      std::vector<std::string> names;
      for (const Key& known : keys) names.emplace_back(known.name);
      report_.at(entry.key_where, fmt::format("unknown key {} in {}{}", in_quotes(entry.key), where,
                                              suggestion(entry.key, names)));
    }
    (this->*key->read)(entry);
  }
}

void Reader::coordinates(const TomlNode& node) {
  for (const TomlNode& entry : table(node)) draft_.coordinates.push_back(coordinate(entry));
}

DraftCoordinate Reader::coordinate(const TomlNode& node) {
  DraftCoordinate result{key_of(node), {}};
  if (node.type != TomlType::table) {
    result.start.position = expression(node, in_quotes(node.key));
    return result;
  }
  for (const TomlNode& part : node.children) {
    if (part.key == "position") {
      result.start.position = expression(part, "'position'");
    } else if (part.key == "velocity") {
      result.start.velocity = expression(part, "'velocity'");
    } else if (part.key == "guess") {
      result.start.guess = flag(part);
    } else if (part.key == "fixed") {
      result.start.fixed = flag(part);
    } else if (part.key == "unit") {
      draft_.units.push_back({key_of(node), words(part, "'unit'")});
    } else {
      const std::array<std::string, 5> known{"position", "velocity", "guess", "fixed", "unit"};
      report_.at(part.key_where, fmt::format("unknown key {} of the coordinate {}{}", in_quotes(part.key),
                                             in_quotes(node.key), suggestion(part.key, known)));
    }
  }
  return result;
}

// [[body]], [[joint]], [[force]]
std::vector<Element> Reader::elements(const TomlNode& node, std::string_view prefix) const {
  const bool is_list = node.type == TomlType::array &&
                       std::all_of(node.children.begin(), node.children.end(),
                                   [](const TomlNode& child) { return child.type == TomlType::table; });
  if (!is_list) {
    report_.at(node.key_where.line > 0 ? node.key_where : node.where,
               fmt::format("write [[{0}]] once for each {0}", prefix));
  }
  std::vector<Element> result;
  for (const TomlNode& child : node.children)
    result.push_back(element(child, fmt::format("{}{}", prefix, result.size() + 1)));
  return result;
}

Element Reader::element(const TomlNode& node, const std::string& default_name) const {
  Element result{{default_name, node.where}, {}};
  for (const TomlNode& entry : node.children) {
    if (entry.key == "name") {
      const Text name = words(entry, "'name'");
      result.name = {name.text, name.where};
    } else {
      result.entries.push_back({key_of(entry), any_value(entry)});
    }
  }
  return result;
}

Value Reader::any_value(const TomlNode& node) const {
  Value result;
  if (node.type == TomlType::boolean) {
    result = Value(node.truth);
  } else if (node.type == TomlType::array) {
    result.type = Value::Type::array;
    for (const TomlNode& entry : node.children) result.array.push_back(any_value(entry));
  } else if (node.type == TomlType::table) {
    result.type = Value::Type::table;
    for (const TomlNode& entry : node.children) result.table.push_back({key_of(entry), any_value(entry)});
  } else {
    result = Value(expression(node, in_quotes(node.key)));
  }
  result.where = node.where;
  return result;
}

void Reader::energy(const TomlNode& node) {
  static constexpr std::array keys{Key{"kinetic", &Reader::kinetic}, Key{"potential", &Reader::potential},
                                   Key{"dissipation", &Reader::dissipation}};
  draft_.energy_where = node.key_where;
  dispatch(node, keys, "[energy]");
}

void Reader::equations(const TomlNode& node) {
  static constexpr std::array keys{Key{"mass", &Reader::mass}, Key{"force", &Reader::force}};
  draft_.equations_where = node.key_where;
  dispatch(node, keys, "[equations]");
}

void Reader::constraints(const TomlNode& node) {
  static constexpr std::array keys{Key{"holonomic", &Reader::holonomic},
                                   Key{"nonholonomic", &Reader::nonholonomic}};
  dispatch(node, keys, "[constraints]");
}

void Reader::kinematics(const TomlNode& node) {
  static constexpr std::array keys{Key{"c", &Reader::kinematic_c}, Key{"C", &Reader::kinematic_C},
                                   Key{"K", &Reader::kinematic_K}};
  draft_.kinematics_where = node.key_where;
  dispatch(node, keys, "[kinematics]");
}

void Reader::view(const TomlNode& node) {
  static constexpr std::array keys{Key{"points", &Reader::points}, Key{"solids", &Reader::solids},
                                   Key{"frames", &Reader::frames}, Key{"links", &Reader::links},
                                   Key{"traces", &Reader::traces}};
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  for (const FigureKind& kind : figure_kinds()) names.emplace_back(kind.key);
  for (const TomlNode& entry : table(node)) {
    const auto* const key =
        std::find_if(keys.begin(), keys.end(), [&](const Key& one) { return one.name == entry.key; });
    const auto kinds = figure_kinds();
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const FigureKind& one) { return one.key == entry.key; });
    if (key != keys.end()) {
      (this->*key->read)(entry);
    } else if (kind != kinds.end()) {
      figures(entry, *kind);
    } else {
      report_.at(entry.key_where, fmt::format("unknown key {} in [view]{}", in_quotes(entry.key),
                                              suggestion(entry.key, names)));
    }
  }
}

// A list of what holds each, or a table by names with everything that they have.
void Reader::figures(const TomlNode& node, const FigureKind& kind) {
  const auto add = [&](Name name, std::vector<Entry> entries) {
    draft_.figures.push_back({std::string(kind.name), {std::move(name), std::move(entries)}});
  };
  if (kind.most == 0) return add({node.key, node.key_where}, {{{"vector", node.where}, any_value(node)}});
  if (node.type == TomlType::array) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const TomlNode& one = node.children[i];
      add({fmt::format("{}{}", kind.name, i + 1), one.where}, {{{"at", one.where}, any_value(one)}});
    }
    return;
  }
  for (const TomlNode& entry : table(node)) {
    std::vector<Entry> entries;
    for (const TomlNode& part : table(entry)) entries.push_back({key_of(part), any_value(part)});
    add(key_of(entry), std::move(entries));
  }
}

void Reader::frames(const TomlNode& node) {
  const std::size_t first = draft_.solids.size();
  solids(node);
  for (std::size_t i = first; i < draft_.solids.size(); ++i) {
    if (!draft_.solids[i].shape.text.empty())
      report_.at_name(draft_.solids[i].name, "a frame has no shape; write it under 'solids'");
    draft_.solids[i].shape = "frame";
  }
}

void Reader::points(const TomlNode& node) {
  for (const TomlNode& entry : table(node)) {
    draft_.points.push_back({key_of(entry), row(entry, in_quotes(entry.key))});
  }
}

void Reader::solids(const TomlNode& node) {
  const std::vector<std::string> known{"shape", "size", "along", "position", "rotation", "turn", "corners"};
  for (const TomlNode& entry : table(node)) {
    DraftSolid& solid = draft_.solids.emplace_back();
    solid.name = key_of(entry);
    for (const TomlNode& part : table(entry)) {
      const std::string what = in_quotes(part.key);
      if (part.key == "shape") {
        solid.shape = words(part, what);
      } else if (part.key == "along") {
        solid.along = words(part, what);
      } else if (part.key == "size") {
        solid.size = row(part, what);
      } else if (part.key == "position") {
        solid.position = row(part, what);
      } else if (part.key == "rotation") {
        solid.rotation = row(part, what);
      } else if (part.key == "turn") {
        solid.turn = row(part, what);
      } else if (part.key == "corners") {
        solid.corners = matrix(part);
      } else {
        report_.at_name(key_of(part), fmt::format("unknown key {} of the solid {}{}", what,
                                                  in_quotes(entry.key), suggestion(part.key, known)));
      }
    }
  }
}

void Reader::links(const TomlNode& node) {
  for (const TomlNode& pair : array(node, "'links'", "pairs of points")) {
    const std::vector<TomlNode>& ends = array(pair, "a link", "two points");
    if (ends.size() != 2) report_.at(pair.where, fmt::format("a link joins 2 points, not {}", ends.size()));
    draft_.links.push_back(
        {point_name(ends[0], "the end of a link"), point_name(ends[1], "the end of a link")});
  }
}

void Reader::traces(const TomlNode& node) {
  for (const TomlNode& name : array(node, "'traces'", "points")) {
    draft_.traces.push_back(point_name(name, "a trace"));
  }
}

void Reader::solve(const TomlNode& node) {
  for (const TomlNode& entry : table(node)) {
    const std::string what = in_quotes(entry.key);
    draft_.solve.push_back(
        {key_of(entry), entry.key == "method" ? words(entry, what) : expression(entry, what)});
  }
}

// Further units of what has one beside it already win: they stand behind it.
void Reader::units(const TomlNode& node) {
  for (const TomlNode& entry : table(node))
    draft_.units.push_back({key_of(entry), words(entry, in_quotes(entry.key))});
}

// Expressions by name, each perhaps with its unit: l = { value = 0.2, unit = "m" }.
std::vector<NamedText> Reader::quantities(const TomlNode& node) {
  std::vector<NamedText> result;
  for (const TomlNode& entry : table(node)) {
    if (entry.type != TomlType::table) {
      result.push_back({key_of(entry), expression(entry, in_quotes(entry.key))});
      continue;
    }
    const std::array<std::string, 2> known{"value", "unit"};
    const TomlNode* value = nullptr;
    for (const TomlNode& part : entry.children) {
      if (part.key == "value") {
        value = &part;
      } else if (part.key == "unit") {
        draft_.units.push_back({key_of(entry), words(part, "'unit'")});
      } else {
        report_.at(part.key_where, fmt::format("unknown key {} of {}{}", in_quotes(part.key),
                                               in_quotes(entry.key), suggestion(part.key, known)));
      }
    }
    if (value == nullptr)
      report_.at(entry.key_where,
                 fmt::format("{} needs a value: {{ value = ..., unit = \"...\" }}", in_quotes(entry.key)));
    result.push_back({key_of(entry), expression(*value, "'value'")});
  }
  return result;
}

std::vector<NamedText> Reader::named_expressions(const TomlNode& node) const {
  std::vector<NamedText> result;
  for (const TomlNode& entry : table(node)) {
    result.push_back({key_of(entry), expression(entry, in_quotes(entry.key))});
  }
  return result;
}

// A table of named constraints, or an array whose members are named prefix1, prefix2, ...
std::vector<NamedText> Reader::constraint_list(const TomlNode& node, std::string_view prefix) const {
  if (node.type == TomlType::table) return named_expressions(node);
  if (node.type != TomlType::array) {
    wrong_type(node, in_quotes(node.key), "a table of named constraints or an array of them");
  }
  std::vector<NamedText> result;
  for (const TomlNode& entry : node.children) {
    const Text equation = expression(entry, "a constraint");
    result.push_back({Name(fmt::format("{}{}", prefix, result.size() + 1), equation.where), equation});
  }
  return result;
}

TextRow Reader::row(const TomlNode& node, std::string_view what) const {
  TextRow result({}, node.where);
  for (const TomlNode& entry : array(node, what, "expressions"))
    result.entries.push_back(expression(entry, what));
  return result;
}

TextMatrix Reader::matrix(const TomlNode& node) const {
  TextMatrix result({}, node.where);
  const std::string what = in_quotes(node.key);
  for (const TomlNode& entry : array(node, what, "rows")) {
    result.rows.push_back(row(entry, fmt::format("a row of {}", what)));
  }
  return result;
}

Name Reader::point_name(const TomlNode& node, std::string_view what) const {
  const Text name = words(node, what);
  return {name.text, name.where};
}

const std::vector<TomlNode>& Reader::table(const TomlNode& node) const {
  if (node.type != TomlType::table) wrong_type(node, in_quotes(node.key), "a table");
  return node.children;
}

const std::vector<TomlNode>& Reader::array(const TomlNode& node, std::string_view what,
                                           std::string_view of) const {
  if (node.type != TomlType::array) wrong_type(node, what, fmt::format("an array of {}", of));
  return node.children;
}

Text Reader::expression(const TomlNode& node, std::string_view what) const {
  if (node.type != TomlType::text && node.type != TomlType::number) {
    wrong_type(node, what, "a text in quotes or a number");
  }
  return {node.text, node.where};
}

Text Reader::words(const TomlNode& node, std::string_view what) const {
  if (node.type != TomlType::text) wrong_type(node, what, "a text in quotes");
  return {node.text, node.where};
}

bool Reader::flag(const TomlNode& node) const {
  if (node.type != TomlType::boolean) wrong_type(node, in_quotes(node.key), "true or false");
  return node.truth;
}

void Reader::wrong_type(const TomlNode& node, std::string_view what, std::string_view expected) const {
  report_.at(node.where, fmt::format("{} must be {}, not {}", what, expected, type_name(node.type)));
}

}  // namespace

ModelDraft parse_model_file(std::string text, std::string file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  if (text.size() > longest_model_file) {
    throw Error(fmt::format("the file is larger than {} MB", longest_model_file >> 20U), {file, 0, 0});
  }
  ModelDraft draft;
  draft.file = std::move(file);
  draft.text = std::move(text);
  Reader(draft).read(parse_toml(SourceText(draft.file, draft.text)));
  return draft;
}

std::string title_of_model_file(const std::string& text) {
  try {
    for (const TomlNode& entry : parse_toml(SourceText("", text)).children) {
      if (entry.key == "title") return printable(entry.text);
    }
  } catch (const Error&) {
    return "";
  }
  return "";
}

}  // namespace dalembert
