#include "toml_guard.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

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

bool is_ascii(char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; }

// The first character behind a backslash and the white space that follows it.
std::size_t behind_escape(std::string_view text, std::size_t backslash) {
  return std::min(text.find_first_not_of(" \t\r\n", backslash + 1), text.size());
}

// Follows a TOML text outside strings and comments. What the parser cannot be given is a mistake here: it
// recurses over keys and values, and it has no defined behaviour for a letter beyond ASCII where white space
// may stand.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  TomlMistake run() {
    while (place_ < text_.size() && mistake_.message.empty()) step();
    return mistake_;
  }

 private:
  void step() {
    const char c = text_[place_];
    if (c == '"' || c == '\'') {
      // a quote inside a bare value opens no text: what follows it is not quoted
      if (!may_begin() && !(last_ == '.' && !in_value_)) return fail("no text can begin here");
      skip_string();
      last_ = c;
    } else if (c == '#') {
      place_ = std::min(text_.find('\n', place_), text_.size());
    } else {
      if (!is_ascii(c)) fail("letters beyond ASCII may stand in quotes and in comments only");
      if (c == '.' && ++dots_ >= longest_dotted_key)
        fail("this key has more parts than any model file needs");
      if ((c == '[' || c == '{') && !may_begin()) fail("no array or table can begin here");
      if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) separate(c);
      if (std::string_view(" \t\r").find(c) == std::string_view::npos) last_ = c;
      ++place_;
    }
  }

  // A value or a key begins behind these alone; elsewhere a quote or a bracket is a slip inside a bare word.
  bool may_begin() const { return std::string_view("=,[{\n").find(last_) != std::string_view::npos; }

  void separate(char c) {
    dots_ = 0;
    follow_brackets(c);
    if (open_.size() > static_cast<std::size_t>(deepest_values))
      fail("arrays and tables are nested deeper than any model file needs");
    if (c != '\n' && ++values_ > most_values) fail("the file has more values than any model needs");
  }

  // Where a value stands, a dot is no dot of a key and another = is a slip.
  void follow_brackets(char c) {
    const bool in_table = !open_.empty() && open_.back() == '{';
    if (c == '=' && in_value_) fail("an = cannot stand in a value; a text needs quotes");
    if (c == '=') in_value_ = true;
    if (c == '{' || (c == ',' && in_table) || (c == '\n' && open_.empty())) in_value_ = false;
    if (c == '[' || c == '{') open_ += c;
    if ((c == ']' || c == '}') && !open_.empty()) open_.pop_back();
    if (c == '}') in_value_ = true;
  }

  // Past the end of the string that opens here.
  void skip_string() {
    const char quote = text_[place_];
    const std::string_view triple = quote == '"' ? R"(""")" : "'''";
    const bool many_lines = text_.substr(place_, 3) == triple;
    place_ += many_lines ? 3 : 1;
    for (; place_ < text_.size(); ++place_) {
      const char c = text_[place_];
      if (!many_lines && c == '\n') {
        if (text_[place_ - 1] == '\r') --place_;
        return fail("this text is not closed at the end of its line");
      }
      if (quote == '"' && c == '\\') {
        const std::size_t next = behind_escape(text_, place_);
        if (next < text_.size() && !is_ascii(text_[next])) {
          place_ = next;
          return fail("letters beyond ASCII may not follow a backslash");
        }
        if (many_lines || text_.substr(place_ + 1, 1) != "\n") ++place_;
      } else if (many_lines && text_.substr(place_, 3) == triple) {
        place_ += 3;  // up to two more quotes are content
        for (int extra = 0; extra < 2 && place_ < text_.size() && text_[place_] == quote; ++extra) ++place_;
        return;
      } else if (!many_lines && c == quote) {
        ++place_;
        return;
      }
    }
  }

  void fail(std::string message) { mistake_ = {place_, std::move(message)}; }

  std::string_view text_;
  std::size_t place_ = 0;
  char last_ = '\n';       // the last character that is not blank
  bool in_value_ = false;  // behind an =
  std::string open_;       // brackets
  int dots_ = 0;
  std::size_t values_ = 0;
  TomlMistake mistake_;
};

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < result.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) result[i] = '?';
    i += std::max<std::size_t>(length, 1);
  }
  return result;
}

TomlMistake find_mistake(std::string_view text) {
  TomlMistake mistake = find_invalid_utf8(text);
  return mistake.offset != std::string_view::npos ? mistake : Scan(text).run();
}

}  // namespace dalembert
