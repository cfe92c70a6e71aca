#include "toml_guard.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace dalembert {
namespace {

// One past the end of the string that opens at `begin`; the text's end when it is never closed.
std::size_t string_end(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool escapes = quote == '"';
  const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
  const bool many_lines = text.substr(begin, 3) == triple;
  for (std::size_t i = begin + (many_lines ? 3 : 1); i < text.size(); ++i) {
    if (escapes && text[i] == '\\') {
      ++i;
    } else if (many_lines && text.substr(i, 3) == triple) {
      i += 3;
      for (int extra = 0; extra < 2 && i < text.size() && text[i] == quote; ++extra)
        ++i;  // """""" ends with content
      return i;
    } else if (!many_lines && (text[i] == quote || text[i] == '\n')) {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

TomlExcess find_excess(std::string_view text) {
  int depth = 0;
  int dots = 0;
  std::size_t values = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = string_end(text, i) - 1;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '.') {
      if (++dots >= longest_dotted_key) return {i, "this key has more parts than any model file needs"};
    } else if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) {
      dots = 0;
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') depth = std::max(depth - 1, 0);
      if (depth > deepest_values) return {i, "arrays and tables are nested deeper than any model file needs"};
      if (c != '\n' && ++values > most_values) return {i, "the file has more than 4 million values"};
    }
  }
  return {};
}

}  // namespace dalembert
