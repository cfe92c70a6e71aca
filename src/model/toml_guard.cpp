#include "toml_guard.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace dalembert {
namespace {

// How many bytes the UTF-8 character at the front of `text` has; 0 when it is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [text](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&byte](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return continues(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool overlong = first == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = first == 0xEDU && byte(1) > 0x9FU;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool overlong = first == 0xF0U && byte(1) < 0x90U;
    const bool beyond = first == 0xF4U && byte(1) > 0x8FU;
    return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

TomlMistake find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) {
      return {i, fmt::format("the byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(text[i]))};
    }
    i += length;
  }
  return {};
}

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
      i += 3;  // up to two more quotes are content
      for (int extra = 0; extra < 2 && i < text.size() && text[i] == quote; ++extra) ++i;
      return i;
    } else if (!many_lines && (text[i] == quote || text[i] == '\n')) {
      return i + 1;
    }
  }
  return text.size();
}

TomlMistake find_excess(std::string_view text) {
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
      if (c != '\n' && ++values > most_values) return {i, "the file has more values than any model needs"};
    }
  }
  return {};
}

}  // namespace

TomlMistake find_mistake(std::string_view text) {
  TomlMistake mistake = find_invalid_utf8(text);
  return mistake.offset != std::string_view::npos ? mistake : find_excess(text);
}

}  // namespace dalembert
