#include "file_values.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

std::string_view type_name(TomlType type) {
  constexpr std::array<std::string_view, 6> names{"a table",  "an array",  "a text",
                                                  "a number", "a boolean", "a date or time"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace

const std::vector<TomlNode>& FileValues::table(const TomlNode& node) const {
  if (node.type != TomlType::table) wrong_type(node, in_quotes(node.key), "a table");
  return node.children;
}

const std::vector<TomlNode>& FileValues::array(const TomlNode& node, std::string_view what,
                                               std::string_view of) const {
  if (node.type != TomlType::array) wrong_type(node, what, fmt::format("an array of {}", of));
  return node.children;
}

Text FileValues::expression(const TomlNode& node, std::string_view what) const {
  if (node.type != TomlType::text && node.type != TomlType::number) {
    wrong_type(node, what, "a text in quotes or a number");
  }
  return {node.text, node.where};
}

Text FileValues::words(const TomlNode& node, std::string_view what) const {
  if (node.type != TomlType::text) wrong_type(node, what, "a text in quotes");
  return {node.text, node.where};
}

bool FileValues::flag(const TomlNode& node) const {
  if (node.type != TomlType::boolean) wrong_type(node, in_quotes(node.key), "true or false");
  return node.truth;
}

void FileValues::wrong_type(const TomlNode& node, std::string_view what, std::string_view expected) const {
  report_.at(node.where, fmt::format("{} must be {}, not {}", what, expected, type_name(node.type)));
}

TextRow FileValues::row(const TomlNode& node, std::string_view what) const {
  TextRow result({}, node.where);
  for (const TomlNode& entry : array(node, what, "expressions"))
    result.entries.push_back(expression(entry, what));
  return result;
}

TextMatrix FileValues::matrix(const TomlNode& node) const {
  TextMatrix result({}, node.where);
  const std::string what = in_quotes(node.key);
  for (const TomlNode& entry : array(node, what, "rows")) {
    result.rows.push_back(row(entry, fmt::format("a row of {}", what)));
  }
  return result;
}

std::vector<NamedText> FileValues::named_expressions(const TomlNode& node) const {
  std::vector<NamedText> result;
  for (const TomlNode& entry : table(node)) {
    result.push_back({key_of(entry), expression(entry, in_quotes(entry.key))});
  }
  return result;
}

Value FileValues::any_value(const TomlNode& node) const {
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

}  // namespace dalembert
