#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <dalembert/draft/source_text.hpp>

namespace dalembert {
namespace {

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// What one step of a string's text stands for: how many bytes are read, and how many they decode to.
struct Piece {
  std::size_t written;
  std::size_t decoded;
};

std::size_t utf8_length(std::uint32_t code_point) {
  if (code_point < 0x80U) return 1;
  if (code_point < 0x800U) return 2;
  return code_point < 0x10000U ? 3 : 4;
}

// \uXXXX and \UXXXXXXXX are the UTF-8 bytes of one character; a backslash before a line's end swallows all
// white space that follows; the others are one byte.
Piece escape(std::string_view rest) {
  if (rest.size() < 2) return {rest.size(), 1};
  const std::size_t digits = rest[1] == 'u' ? 4 : rest[1] == 'U' ? 8 : 0;
  if (digits > 0) {
    std::uint32_t code_point = 0;
    for (const char digit : rest.substr(2, digits)) {
      const std::size_t value = std::string_view("0123456789abcdef").find(static_cast<char>(digit | 0x20));
      code_point = code_point * 16 + static_cast<std::uint32_t>(value & 0xFU);
    }
    return {std::min(rest.size(), 2 + digits), utf8_length(code_point)};
  }
  if (std::string_view(" \t\r\n").find(rest[1]) != std::string_view::npos) {
    const std::size_t end = rest.find_first_not_of(" \t\r\n", 1);
    return {std::min(end, rest.size()), 0};
  }
  return {2, 1};
}

enum class Quoting { none, literal, basic };

// How the value that starts at `first` is written: by what stands before it.
Quoting quoting(std::string_view text, std::size_t first) {
  std::string_view before = text.substr(0, first);
  if (before.ends_with("\n")) {  // the line end after an opening """ or ''' is no content
    before.remove_suffix(1);
    if (before.ends_with("\r")) before.remove_suffix(1);
    if (before.ends_with("'''")) return Quoting::literal;
    return before.ends_with("\"\"\"") ? Quoting::basic : Quoting::none;
  }
  if (before.ends_with("'")) return Quoting::literal;
  return before.ends_with("\"") ? Quoting::basic : Quoting::none;
}

}  // namespace

SourceText::SourceText(std::string_view file, std::string_view text) : file_(file), text_(text) {
  lines_.push_back(0);
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1)) {
    lines_.push_back(end + 1);
  }
}

std::string_view SourceText::line(std::size_t index) const {
  const std::size_t end = index + 1 < lines_.size() ? lines_[index + 1] - 1 : text_.size();
  std::string_view line = text_.substr(lines_[index], end - lines_[index]);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t SourceText::line_of(std::size_t offset) const {
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), offset);
  return static_cast<std::size_t>(after - lines_.begin()) - 1;
}

std::size_t SourceText::offset(int line, int column) const {
  const std::size_t index = std::min(static_cast<std::size_t>(std::max(line, 1)) - 1, lines_.size() - 1);
  if (index != cursor_.line || column < cursor_.column) cursor_ = {index, 1, lines_[index]};
  const std::size_t end = lines_[index] + this->line(index).size();
  while (cursor_.column < column && cursor_.offset < end) {
    ++cursor_.offset;
    while (cursor_.offset < end && continues_utf8(text_[cursor_.offset])) ++cursor_.offset;
    ++cursor_.column;
  }
  return cursor_.offset;
}

SourceLocation SourceText::place(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t index = line_of(offset);
  const std::string_view before = text_.substr(lines_[index], offset - lines_[index]);
  const auto characters =
      std::count_if(before.begin(), before.end(), [](char c) { return !continues_utf8(c); });
  return {std::string(file_), static_cast<int>(index) + 1, static_cast<int>(characters) + 1};
}

std::size_t SourceText::string_content(std::size_t opening) const {
  const std::string_view rest = text_.substr(std::min(opening, text_.size()));
  if (rest.starts_with("\"\"\"") || rest.starts_with("'''")) {
    if (rest.substr(3).starts_with("\r\n")) return opening + 5;
    return rest.substr(3).starts_with("\n") ? opening + 4 : opening + 3;
  }
  return rest.starts_with("\"") || rest.starts_with("'") ? opening + 1 : opening;
}

std::size_t SourceText::inside_value(std::size_t first, std::size_t inside) const {
  const Quoting kind = quoting(text_, first);
  std::size_t written = first;
  std::size_t decoded = 0;
  while (written < text_.size()) {
    const std::string_view rest = text_.substr(written);
    Piece piece{1, 1};
    if (kind == Quoting::basic && rest[0] == '\\') piece = escape(rest);
    if (kind != Quoting::none && rest.starts_with("\r\n")) piece = {2, 1};
    if (decoded + piece.decoded > inside) break;
    written += piece.written;
    decoded += piece.decoded;
  }
  return written;
}

std::string SourceText::excerpt(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t index = line_of(offset);
  return caret_excerpt(std::string(line(index)), static_cast<int>(offset - lines_[index]) + 1);
}

}  // namespace dalembert
