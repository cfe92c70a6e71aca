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
#include <dalembert/draft/source_text.hpp>
#include <dalembert/settings/option.hpp>

#include "file_values.hpp"
#include "toml_guard.hpp"
#include "toml_tree.hpp"
#include "view_file.hpp"

namespace dalembert {
namespace {

class Reader : private FileValues {
 public:
  explicit Reader(ModelDraft& draft) : FileValues(draft) {}

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
  void inputs(const TomlNode& node);
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
  void event(const TomlNode& node) { draft_.events = elements(node, "event"); }
  void contact(const TomlNode& node) { draft_.contacts = elements(node, "contact"); }
  void friction(const TomlNode& node) { draft_.frictions = elements(node, "friction"); }
  void disabled(const TomlNode& node);
  void holonomic(const TomlNode& node) { draft_.holonomic = constraint_list(node, "g"); }
  void nonholonomic(const TomlNode& node) { draft_.nonholonomic = constraint_list(node, "a"); }
  void kinematics(const TomlNode& node);
  void kinematic_c(const TomlNode& node) { draft_.kinematic_c = expression(node, in_quotes(node.key)); }
  void kinematic_C(const TomlNode& node) { draft_.kinematic_C = matrix(node); }
  void kinematic_K(const TomlNode& node) { draft_.kinematic_K = matrix(node); }
  void outputs(const TomlNode& node) { draft_.outputs = quantities(node); }
  void view(const TomlNode& node) { read_view(draft_, node); }
  Text solve_value(const TomlNode& entry) const;
  void solve(const TomlNode& node);
  void units(const TomlNode& node);

  DraftCoordinate coordinate(const TomlNode& node);
  std::vector<Element> elements(const TomlNode& node, std::string_view prefix) const;
  Element element(const TomlNode& node, const std::string& default_name) const;
  std::vector<NamedText> quantities(const TomlNode& node);
  std::vector<NamedText> constraint_list(const TomlNode& node, std::string_view prefix) const;
};

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
      Key{"inputs", &Reader::inputs},
      Key{"coordinates", &Reader::coordinates},
      Key{"definitions", &Reader::definitions},
      Key{"energy", &Reader::energy},
      Key{"equations", &Reader::equations},
      Key{"forces", &Reader::forces},
      Key{"constraints", &Reader::constraints},
      Key{"kinematics", &Reader::kinematics},
      Key{"event", &Reader::event},
      Key{"contact", &Reader::contact},
      Key{"friction", &Reader::friction},
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

void Reader::inputs(const TomlNode& node) {
  for (const TomlNode& entry : table(node)) {
    Element input{key_of(entry), {}};
    for (const TomlNode& part : table(entry)) {
      input.entries.push_back({key_of(part), any_value(part)});
      if (part.key == "unit") draft_.units.push_back({key_of(entry), words(part, "'unit'")});
    }
    draft_.inputs.push_back(std::move(input));
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

// [[body]], [[joint]], [[force]], [[event]], [[contact]]
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
                                   Key{"nonholonomic", &Reader::nonholonomic},
                                   Key{"disabled", &Reader::disabled}};
  dispatch(node, keys, "[constraints]");
}

void Reader::disabled(const TomlNode& node) {
  for (const TomlNode& entry : array(node, "'disabled'", "names of constraints")) {
    const Text name = words(entry, "a name in 'disabled'");
    draft_.disabled.push_back({name.text, name.where});
  }
}

void Reader::kinematics(const TomlNode& node) {
  static constexpr std::array keys{Key{"c", &Reader::kinematic_c}, Key{"C", &Reader::kinematic_C},
                                   Key{"K", &Reader::kinematic_K}};
  draft_.kinematics_where = node.key_where;
  dispatch(node, keys, "[kinematics]");
}

Text Reader::solve_value(const TomlNode& entry) const {
  const std::string what = in_quotes(entry.key);
  const Option* const option = find_option(entry.key);
  if (option == nullptr) return expression(entry, what);
  switch (type_of(*option)) {
    case OptionType::word:
      return words(entry, what);
    case OptionType::flag:
      return {flag(entry) ? "true" : "false", entry.where};
    case OptionType::number:
    case OptionType::whole_number:
    case OptionType::numbers:
      break;
  }
  return expression(entry, what);
}

void Reader::solve(const TomlNode& node) {
  for (const TomlNode& entry : table(node)) {
    draft_.solve.push_back({key_of(entry), solve_value(entry)});
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
