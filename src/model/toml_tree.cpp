#include "toml_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "toml_guard.hpp"

namespace dalembert {
namespace {

SourceLocation place(const toml::source_position& position) {
  return {"", static_cast<int>(position.line), static_cast<int>(position.column)};
}

// The first character of a text, which the parser places at its opening quote.
SourceLocation content_place(const toml::node& node, const SourceText& source) {
  SourceLocation result = place(node.source().begin);
  const std::size_t opening = source.offset(result.line, result.column);
  const std::size_t content = source.string_content(opening);
  if (content > opening && source.text()[content - 1] == '\n') return {"", result.line + 1, 1};
  result.column += static_cast<int>(content - opening);
  return result;
}

// A number as it is written, so that no digit is lost; 0xFF and the like by their value.
std::string number_text(const toml::node& node, const SourceText& source) {
  const SourceLocation begin = place(node.source().begin);
  const std::string_view rest = source.text().substr(source.offset(begin.line, begin.column));
  std::string written(rest.substr(0, rest.find_first_not_of("0123456789abcdefinoxABCDEF+-._")));
  std::erase(written, '_');
  if (written.starts_with('+')) written.erase(0, 1);
  const std::string_view digits = std::string_view(written).substr(written.starts_with('-') ? 1 : 0);
  const bool other_base = digits.starts_with("0x") || digits.starts_with("0o") || digits.starts_with("0b");
  return other_base ? std::to_string(node.value<std::int64_t>().value_or(0)) : written;
}

TomlNode convert(const toml::node& node, const SourceText& source);

// The parser keeps a table sorted by its keys.
TomlNode convert_table(const toml::table& table, const SourceText& source) {
  struct Entry {
    const toml::key* key;
    const toml::node* value;
  };
  std::vector<Entry> entries;
  for (const auto& [key, value] : table) entries.push_back({&key, &value});
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.key->source().begin < b.key->source().begin; });
  TomlNode result;
  for (const Entry& entry : entries) {
    result.children.push_back(convert(*entry.value, source));
    result.children.back().key = entry.key->str();
    result.children.back().key_where = place(entry.key->source().begin);
  }
  return result;
}

TomlNode convert(const toml::node& node, const SourceText& source) {
  TomlNode result;
  if (const toml::table* table = node.as_table()) result = convert_table(*table, source);
  result.where = place(node.source().begin);
  if (const toml::array* array = node.as_array()) {
    result.type = TomlType::array;
    for (const toml::node& entry : *array) result.children.push_back(convert(entry, source));
  } else if (const auto* text = node.as_string()) {
    result.type = TomlType::text;
    result.text = text->get();
    result.where = content_place(node, source);
  } else if (node.is_number()) {
    result.type = TomlType::number;
    result.text = number_text(node, source);
  } else if (const auto* boolean = node.as_boolean()) {
    result.type = TomlType::boolean;
    result.truth = boolean->get();
  } else if (!node.is_table()) {
    result.type = TomlType::time;
  }
  return result;
}

// What the parser says, a little shorter.
std::string shorter(std::string_view description, std::string_view rest) {
  constexpr std::string_view prefix = "Error while parsing ";
  const bool ends_line = rest.empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
  if (description.find("control characters") != std::string_view::npos && ends_line) {
    return "this text is not closed at the end of its line";
  }
  if (description.starts_with(prefix)) description.remove_prefix(prefix.size());
  return fmt::format("this is no TOML: {}", description);
}

}  // namespace

TomlNode parse_toml(const SourceText& source) {
  const auto fail = [&source](std::size_t offset, const std::string& message) {
    throw Error(message, source.place(offset), source.excerpt(offset));
  };
  const TomlMistake mistake = find_mistake(source.text());
  if (mistake.offset != std::string_view::npos) {
    const std::string shown = valid_utf8(source.text());
    throw Error(mistake.message, source.place(mistake.offset), SourceText("", shown).excerpt(mistake.offset));
  }
  try {
    return convert(toml::parse(source.text()), source);
  } catch (const toml::parse_error& error) {
    const SourceLocation where = place(error.source().begin);
    const std::size_t offset = source.offset(where.line, where.column);
    fail(offset, shorter(error.description(), source.text().substr(offset)));
  }
  return {};
}

}  // namespace dalembert
