#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <dalembert/base/error.hpp>
#include <dalembert/base/printable.hpp>

namespace dalembert {
namespace {

std::string describe(const std::string& message, const SourceLocation& where, const std::string& excerpt) {
  std::string text;
  if (!where.file.empty()) text += printable(where.file) + ':';
  if (where.line > 0) text += std::to_string(where.line) + ':';
  if (where.line > 0 && where.column > 0) text += std::to_string(where.column) + ':';
  if (!text.empty()) text += ' ';
  text += "error: " + message;
  if (!excerpt.empty()) text += '\n' + excerpt;
  return text;
}

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

Error::Error(std::string message, SourceLocation where, std::string excerpt)
    : std::runtime_error(describe(message = printable(message, LineBreaks::keep), where, excerpt)),
      message_(std::move(message)),
      where_(std::move(where)),
      excerpt_(std::move(excerpt)) {}

std::string caret_excerpt(const std::string& line, int column) {
  constexpr std::size_t width = 76;
  std::size_t place = static_cast<std::size_t>(std::max(column, 1)) - 1;
  place = std::min(place, line.size());
  std::size_t begin = place > width / 2 && line.size() > width ? place - width / 2 : 0;
  while (begin > 0 && begin < line.size() && continues_utf8(line[begin])) --begin;
  std::size_t end = std::min(line.size(), begin + width);
  while (end < line.size() && continues_utf8(line[end])) ++end;

  std::string indent;
  for (std::size_t i = begin; i < std::min(place, end); ++i) {
    if (!continues_utf8(line[i])) indent += ' ';
  }
  return "  " + printable(std::string_view(line).substr(begin, end - begin)) + "\n  " + indent + '^';
}

}  // namespace dalembert
