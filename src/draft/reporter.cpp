#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/draft/reporter.hpp>

namespace dalembert {
namespace {

// The byte of `text` at a line and column (in bytes) of its own.
std::size_t byte_of(std::string_view text, int line, int column) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) begin = text.find('\n', begin) + 1;
  return begin + static_cast<std::size_t>(std::max(column, 1)) - 1;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

const SourceText& Reporter::source() const {
  if (!source_) source_.emplace(draft_.file, draft_.text);
  return *source_;
}

void Reporter::at_text(const Text& text, const std::string& label, std::size_t inside,
                       const std::string& message) const {
  if (text.where.line > 0 && !draft_.text.empty()) {
    const std::size_t first = source().offset(text.where.line, text.where.column);
    const std::size_t byte = source().inside_value(first, inside);
    throw Error(message, source().place(byte), source().excerpt(byte));
  }
  const std::string& name = text.where.file.empty() ? label : text.where.file;
  const SourceText itself(name, text.text);
  SourceLocation where = itself.place(inside);
  if (where.line == 1 && text.where.column > 0) where.column += text.where.column - 1;
  if (text.where.line > 0) where.line += text.where.line - 1;
  throw Error(message, where, text.text.empty() ? "" : itself.excerpt(inside));
}

void Reporter::at(const SourceLocation& where, const std::string& message) const {
  SourceLocation place = where;
  if (place.file.empty()) place.file = draft_.file;
  if (place.line == 0 || draft_.text.empty()) throw Error(message, place);
  const std::size_t byte = source().offset(place.line, place.column);
  throw Error(message, place, source().excerpt(byte));
}

void Reporter::at_model(const std::string& message) const {
  if (draft_.file.empty()) throw Error(message);
  throw Error(message, {draft_.file, 1, 1});
}

void Reporter::from_parser(const Text& text, const std::string& label, const Error& error) const {
  at_text(text, label, byte_of(text.text, error.where().line, error.where().column), error.message());
}

std::size_t find_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
    if (begins && ends) return at;
  }
  return 0;
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::size_t end = std::min(word.size(), longest);
  while (end < word.size() && end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) --end;
  const std::string shown = printable(word.substr(0, end));
  if (shown.ends_with('\'')) return shown;
  return fmt::format("'{}{}'", shown, end < word.size() ? "..." : "");
}

}  // namespace dalembert
