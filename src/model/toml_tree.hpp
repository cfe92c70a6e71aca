// A TOML text as a plain tree: entries in the order of the file, every key and value with its place.
#pragma once

#include <string>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/draft/source_text.hpp>

namespace dalembert {

enum class TomlType { table, array, text, number, boolean, time };

struct TomlNode {
  TomlType type = TomlType::table;
  std::string key;           ///< in a table
  SourceLocation key_where;  ///< places are of lines and columns alone
  SourceLocation where;      ///< a text's first character behind the quotes
  std::string text;          ///< of a text, or of a number as it is written
  bool truth = false;        ///< of a boolean
  std::vector<TomlNode> children;
};

/// Throws Error with place and excerpt for what is no TOML or exceeds the limits of toml_guard.hpp.
TomlNode parse_toml(const SourceText& source);

}  // namespace dalembert
