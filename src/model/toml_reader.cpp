#include "toml_reader.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <dalembert/base/text.hpp>

#include "reporter.hpp"
#include "source_text.hpp"
#include "toml_guard.hpp"

namespace dalembert {
namespace {

struct Entry {
  Name key;
  const toml::node* value;
};

class Reader {
 public:
  explicit Reader(ModelDraft& draft) : draft_(draft), source_(draft.file, draft.text), report_(draft) {}

  void read(const toml::table& root);

 private:
  using Section = void (Reader::*)(const Entry&);
  struct Key {
    std::string_view name;
    Section read;
  };

  // Calls what belongs to each key; an unknown one is an error.
  void dispatch(const toml::table& table, std::span<const Key> keys, const std::string& where);

  void title(const Entry& entry) { draft_.title = plain_text(entry).text; }
  void source(const Entry& entry) { draft_.source = plain_text(entry).text; }
  void kind(const Entry& entry) { draft_.kind = plain_text(entry); }
  void parameters(const Entry& entry) { draft_.parameters = named_texts(entry); }
  void coordinates(const Entry& entry);
  void definitions(const Entry& entry) { draft_.definitions = named_texts(entry); }
  void energy(const Entry& entry);
  void kinetic(const Entry& entry) { draft_.kinetic = text(entry); }
  void potential(const Entry& entry) { draft_.potential = text(entry); }
  void dissipation(const Entry& entry) { draft_.dissipation = text(entry); }
  void equations(const Entry& entry);
  void mass(const Entry& entry) { draft_.mass = matrix(entry); }
  void force(const Entry& entry) { draft_.force = row(*entry.value, in_quotes(entry.key.text)); }
  void forces(const Entry& entry) { draft_.forces = named_texts(entry); }
  void constraints(const Entry& entry);
  void holonomic(const Entry& entry) { draft_.holonomic = constraint_list(entry, "g"); }
  void nonholonomic(const Entry& entry) { draft_.nonholonomic = constraint_list(entry, "a"); }
  void kinematics(const Entry& entry);
  void kinematic_c(const Entry& entry) { draft_.kinematic_c = text(entry); }
  void kinematic_C(const Entry& entry) { draft_.kinematic_C = matrix(entry); }
  void kinematic_K(const Entry& entry) { draft_.kinematic_K = matrix(entry); }
  void outputs(const Entry& entry) { draft_.outputs = named_texts(entry); }
  void view(const Entry& entry);
  void points(const Entry& entry);
  void links(const Entry& entry);
  void traces(const Entry& entry);
  void solve(const Entry& entry);

  DraftCoordinate coordinate(const Entry& entry);
  std::vector<NamedText> named_texts(const Entry& entry);
  std::vector<NamedText> constraint_list(const Entry& entry, const std::string& prefix);
  TextRow row(const toml::node& node, std::string_view what);
  TextMatrix matrix(const Entry& entry);
  Name point_name(const toml::node& node, std::string_view what);

  // Values with their places; `what` names the value in errors.
  const toml::table& table(const Entry& entry);
  const toml::array& array(const toml::node& node, std::string_view what, std::string_view of);
  Text text(const Entry& entry) { return text(*entry.value, in_quotes(entry.key.text)); }
  Text text(const toml::node& node, std::string_view what);
  Text plain_text(const Entry& entry) { return plain_text(*entry.value, in_quotes(entry.key.text)); }
  Text plain_text(const toml::node& node, std::string_view what);
  bool flag(const Entry& entry);
  std::string number_text(const toml::node& node) const;

  std::vector<Entry> entries(const toml::table& table) const;
  SourceLocation where(const toml::node& node) const { return place(node.source().begin); }
  SourceLocation place(const toml::source_position& position) const {
    return {draft_.file, static_cast<int>(position.line), static_cast<int>(position.column)};
  }
  SourceLocation content_place(const toml::node& string) const;
  [[noreturn]] void wrong_type(const toml::node& node, std::string_view what,
                               std::string_view expected) const;

  ModelDraft& draft_;
  SourceText source_;
  Reporter report_;
};

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

void Reader::read(const toml::table& root) {
  static constexpr std::array keys{
      Key{"title", &Reader::title},
      Key{"source", &Reader::source},
      Key{"kind", &Reader::kind},
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
  };
  dispatch(root, keys, "the model file");
}

void Reader::dispatch(const toml::table& table, std::span<const Key> keys, const std::string& where) {
  for (const Entry& entry : entries(table)) {
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == entry.key.text; });
    if (key == keys.end()) {
      std::vector<std::string> names;
      for (const Key& known : keys) names.emplace_back(known.name);
      report_.at_name(entry.key, fmt::format("unknown key {} in {}{}", in_quotes(entry.key.text), where,
                                             suggestion(entry.key.text, names)));
    }
    (this->*key->read)(entry);
  }
}

void Reader::coordinates(const Entry& section) {
  for (const Entry& entry : entries(table(section))) draft_.coordinates.push_back(coordinate(entry));
}

DraftCoordinate Reader::coordinate(const Entry& entry) {
  DraftCoordinate result{entry.key, {}};
  if (!entry.value->is_table()) {
    result.start.position = text(*entry.value, in_quotes(entry.key.text));
    return result;
  }
  const std::vector<std::string> known{"position", "velocity", "guess", "fixed"};
  for (const Entry& part : entries(*entry.value->as_table())) {
    const std::string& key = part.key.text;
    if (key == "position") {
      result.start.position = text(part);
    } else if (key == "velocity") {
      result.start.velocity = text(part);
    } else if (key == "guess") {
      result.start.guess = flag(part);
    } else if (key == "fixed") {
      result.start.fixed = flag(part);
    } else {
      report_.at_name(part.key, fmt::format("unknown key {} of the coordinate {}{}", in_quotes(key),
                                            in_quotes(entry.key.text), suggestion(key, known)));
    }
  }
  return result;
}

void Reader::energy(const Entry& entry) {
  static constexpr std::array keys{Key{"kinetic", &Reader::kinetic}, Key{"potential", &Reader::potential},
                                   Key{"dissipation", &Reader::dissipation}};
  draft_.energy_where = entry.key.where;
  dispatch(table(entry), keys, "[energy]");
}

void Reader::equations(const Entry& entry) {
  static constexpr std::array keys{Key{"mass", &Reader::mass}, Key{"force", &Reader::force}};
  draft_.equations_where = entry.key.where;
  dispatch(table(entry), keys, "[equations]");
}

void Reader::constraints(const Entry& entry) {
  static constexpr std::array keys{Key{"holonomic", &Reader::holonomic},
                                   Key{"nonholonomic", &Reader::nonholonomic}};
  dispatch(table(entry), keys, "[constraints]");
}

void Reader::kinematics(const Entry& entry) {
  static constexpr std::array keys{Key{"c", &Reader::kinematic_c}, Key{"C", &Reader::kinematic_C},
                                   Key{"K", &Reader::kinematic_K}};
  draft_.kinematics_where = entry.key.where;
  dispatch(table(entry), keys, "[kinematics]");
}

void Reader::view(const Entry& entry) {
  static constexpr std::array keys{Key{"points", &Reader::points}, Key{"links", &Reader::links},
                                   Key{"traces", &Reader::traces}};
  dispatch(table(entry), keys, "[view]");
}

void Reader::points(const Entry& section) {
  for (const Entry& entry : entries(table(section))) {
    draft_.points.push_back({entry.key, row(*entry.value, in_quotes(entry.key.text))});
  }
}

void Reader::links(const Entry& entry) {
  for (const toml::node& pair : array(*entry.value, "'links'", "pairs of points")) {
    const toml::array& names = array(pair, "a link", "two points");
    if (names.size() != 2)
      report_.at(where(pair), fmt::format("a link joins 2 points, not {}", names.size()));
    draft_.links.push_back(
        {point_name(names[0], "the end of a link"), point_name(names[1], "the end of a link")});
  }
}

void Reader::traces(const Entry& entry) {
  for (const toml::node& name : array(*entry.value, "'traces'", "points")) {
    draft_.traces.push_back(point_name(name, "a trace"));
  }
}

void Reader::solve(const Entry& section) {
  for (const Entry& entry : entries(table(section))) {
    const bool is_text = entry.key.text == "method";
    draft_.solve.push_back({entry.key, is_text ? plain_text(entry) : text(entry)});
  }
}

std::vector<NamedText> Reader::named_texts(const Entry& section) {
  std::vector<NamedText> result;
  for (const Entry& entry : entries(table(section))) result.push_back({entry.key, text(entry)});
  return result;
}

// A table of named constraints, or an array whose members are named prefix1, prefix2, ...
std::vector<NamedText> Reader::constraint_list(const Entry& entry, const std::string& prefix) {
  if (const toml::array* list = entry.value->as_array()) {
    std::vector<NamedText> result;
    for (const toml::node& node : *list) {
      const Text equation = text(node, "a constraint");
      result.push_back({Name(prefix + std::to_string(result.size() + 1), equation.where), equation});
    }
    return result;
  }
  if (!entry.value->is_table()) {
    wrong_type(*entry.value, in_quotes(entry.key.text), "a table of named constraints or an array of them");
  }
  return named_texts(entry);
}

TextRow Reader::row(const toml::node& node, std::string_view what) {
  TextRow result({}, where(node));
  for (const toml::node& entry : array(node, what, "expressions"))
    result.entries.push_back(text(entry, what));
  return result;
}

TextMatrix Reader::matrix(const Entry& entry) {
  TextMatrix result({}, where(*entry.value));
  for (const toml::node& node : array(*entry.value, in_quotes(entry.key.text), "rows")) {
    result.rows.push_back(row(node, fmt::format("a row of {}", in_quotes(entry.key.text))));
  }
  return result;
}

Name Reader::point_name(const toml::node& node, std::string_view what) {
  const Text name = plain_text(node, what);
  return {name.text, name.where};
}

const toml::table& Reader::table(const Entry& entry) {
  if (!entry.value->is_table()) wrong_type(*entry.value, in_quotes(entry.key.text), "a table");
  return *entry.value->as_table();
}

const toml::array& Reader::array(const toml::node& node, std::string_view what, std::string_view of) {
  if (!node.is_array()) wrong_type(node, what, fmt::format("an array of {}", of));
  return *node.as_array();
}

Text Reader::text(const toml::node& node, std::string_view what) {
  if (const auto* string = node.as_string()) return {string->get(), content_place(node)};
  if (!node.is_number()) wrong_type(node, what, "a text in quotes or a number");
  return {number_text(node), where(node)};
}

Text Reader::plain_text(const toml::node& node, std::string_view what) {
  const auto* string = node.as_string();
  if (string == nullptr) wrong_type(node, what, "a text in quotes");
  return {string->get(), content_place(node)};
}

bool Reader::flag(const Entry& entry) {
  const auto* value = entry.value->as_boolean();
  if (value == nullptr) wrong_type(*entry.value, in_quotes(entry.key.text), "true or false");
  return value->get();
}

// A number as it is written, so that no digit is lost; 0xFF and the like by their value.
std::string Reader::number_text(const toml::node& node) const {
  const toml::source_position& begin = node.source().begin;
  const std::string_view rest =
      source_.text().substr(source_.offset(static_cast<int>(begin.line), static_cast<int>(begin.column)));
  std::string written(rest.substr(0, rest.find_first_not_of("0123456789abcdefinoxABCDEF+-._")));
  std::erase(written, '_');
  if (written.starts_with('+')) written.erase(0, 1);
  const std::string_view digits = std::string_view(written).substr(written.starts_with('-') ? 1 : 0);
  const bool other_base = digits.starts_with("0x") || digits.starts_with("0o") || digits.starts_with("0b");
  return other_base ? std::to_string(node.value<std::int64_t>().value_or(0)) : written;
}

std::vector<Entry> Reader::entries(const toml::table& table) const {
  std::vector<Entry> result;
  for (const auto& [key, value] : table) {
    result.push_back({Name(std::string(key.str()), place(key.source().begin)), &value});
  }
  std::sort(result.begin(), result.end(), [](const Entry& a, const Entry& b) {  // the table is sorted by name
    return std::pair(a.key.where.line, a.key.where.column) < std::pair(b.key.where.line, b.key.where.column);
  });
  return result;
}

SourceLocation Reader::content_place(const toml::node& string) const {
  SourceLocation result = where(string);
  const std::size_t opening = source_.offset(result.line, result.column);
  const std::size_t content = source_.string_content(opening);
  if (content > opening && source_.text()[content - 1] == '\n') return {draft_.file, result.line + 1, 1};
  result.column += static_cast<int>(content - opening);
  return result;
}

void Reader::wrong_type(const toml::node& node, std::string_view what, std::string_view expected) const {
  report_.at(where(node), fmt::format("{} must be {}, not {}", what, expected, type_name(node)));
}

}  // namespace

ModelDraft parse_model_file(std::string text, std::string file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  ModelDraft draft;
  draft.file = std::move(file);
  draft.text = std::move(text);
  const SourceText source(draft.file, draft.text);
  if (draft.text.size() > longest_model_file) {
    throw Error(fmt::format("the file is larger than {} MB", longest_model_file >> 20U), {draft.file, 0, 0});
  }
  const TomlExcess excess = find_excess(draft.text);
  if (excess.offset != std::string_view::npos) {
    throw Error(std::string(excess.message), source.place(excess.offset), source.excerpt(excess.offset));
  }
  try {
    const toml::table root = toml::parse(draft.text);
    Reader(draft).read(root);
  } catch (const toml::parse_error& error) {
    const toml::source_position& begin = error.source().begin;
    const std::size_t offset = source.offset(static_cast<int>(begin.line), static_cast<int>(begin.column));
    throw Error(std::string(error.description()), source.place(offset), source.excerpt(offset));
  }
  return draft;
}

std::string title_of_model_file(const std::string& text) {
  if (find_excess(text).offset != std::string_view::npos) return "";
  try {
    return toml::parse(text)["title"].value_or(std::string());
  } catch (const toml::parse_error&) {
    return "";
  }
}

}  // namespace dalembert
