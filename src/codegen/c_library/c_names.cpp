#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <dalembert/codegen/c_names.hpp>

namespace dalembert {
namespace {

constexpr std::size_t longest_identifier = 48;  // compilers tell 63 letters apart, with prefix and number

// Keywords of C and C++, and macros of compilers and of the headers that the text includes.
constexpr std::array reserved_words = std::to_array<std::string_view>({"DBL_EPSILON",
                                                                       "DBL_MAX",
                                                                       "EOF",
                                                                       "FP_NAN",
                                                                       "HUGE_VAL",
                                                                       "INFINITY",
                                                                       "I",
                                                                       "M_E",
                                                                       "M_PI",
                                                                       "NAN",
                                                                       "NULL",
                                                                       "alignas",
                                                                       "alignof",
                                                                       "and",
                                                                       "asm",
                                                                       "auto",
                                                                       "bool",
                                                                       "break",
                                                                       "case",
                                                                       "catch",
                                                                       "char",
                                                                       "class",
                                                                       "complex",
                                                                       "const",
                                                                       "constexpr",
                                                                       "continue",
                                                                       "decltype",
                                                                       "default",
                                                                       "delete",
                                                                       "do",
                                                                       "double",
                                                                       "else",
                                                                       "enum",
                                                                       "errno",
                                                                       "explicit",
                                                                       "export",
                                                                       "extern",
                                                                       "false",
                                                                       "float",
                                                                       "for",
                                                                       "friend",
                                                                       "goto",
                                                                       "if",
                                                                       "imaginary",
                                                                       "inline",
                                                                       "int",
                                                                       "linux",
                                                                       "long",
                                                                       "mutable",
                                                                       "namespace",
                                                                       "new",
                                                                       "noexcept",
                                                                       "not",
                                                                       "nullptr",
                                                                       "operator",
                                                                       "or",
                                                                       "private",
                                                                       "protected",
                                                                       "public",
                                                                       "register",
                                                                       "requires",
                                                                       "restrict",
                                                                       "return",
                                                                       "short",
                                                                       "signed",
                                                                       "sizeof",
                                                                       "static",
                                                                       "struct",
                                                                       "switch",
                                                                       "template",
                                                                       "this",
                                                                       "throw",
                                                                       "true",
                                                                       "try",
                                                                       "typedef",
                                                                       "typeid",
                                                                       "typename",
                                                                       "union",
                                                                       "unix",
                                                                       "unsigned",
                                                                       "using",
                                                                       "virtual",
                                                                       "void",
                                                                       "volatile",
                                                                       "wchar_t",
                                                                       "while",
                                                                       "xor",
                                                                       "char8_t",
                                                                       "char16_t",
                                                                       "char32_t",
                                                                       "co_await",
                                                                       "co_return",
                                                                       "co_yield",
                                                                       "concept",
                                                                       "consteval",
                                                                       "constinit",
                                                                       "typeof",
                                                                       "static_assert",
                                                                       "bitand",
                                                                       "bitor",
                                                                       "compl",
                                                                       "and_eq",
                                                                       "or_eq",
                                                                       "not_eq",
                                                                       "xor_eq",
                                                                       "const_cast",
                                                                       "i386",
                                                                       "thread_local",
                                                                       "dynamic_cast",
                                                                       "static_cast",
                                                                       "reinterpret_cast"});

bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 && (c & 0x80) == 0; }

// The code point that begins at `at`, which goes behind it.
unsigned code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at++);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  unsigned code = more == 3 ? first & 0x07U : more == 2 ? first & 0x0FU : more == 1 ? first & 0x1FU : first;
  for (int i = 0; i < more && at < text.size() && (byte(at) & 0xC0U) == 0x80U; ++i)
    code = code << 6U | (byte(at++) & 0x3FU);
  return code;
}

}  // namespace

std::string c_identifier(std::string_view name) {
  std::string text;
  for (std::size_t at = 0; at < name.size() && text.size() < longest_identifier;) {
    if ((name[at] & 0x80) != 0) {
      text += fmt::format("u{:04x}", code_point(name, at));
      continue;
    }
    const char c = name[at++];
    if (is_plain(c)) {
      text += c;
    } else if (c == '\'') {
      text += "_dot";
    } else if (text.empty() || text.back() != '_') {  // "__" belongs to C++
      text += '_';
    }
  }
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text[0])) == 0) text = "x" + text;
  const bool is_reserved =
      std::find(reserved_words.begin(), reserved_words.end(), text) != reserved_words.end();
  return is_reserved ? text + "_" : text;
}

std::string CNames::add(std::string_view prefix, std::string_view name) {
  const std::string first = std::string(prefix) + c_identifier(name);
  std::string identifier = first;
  for (int number = 2; !taken_.insert(identifier).second; ++number)
    identifier = fmt::format("{}{}{}", first, first.ends_with('_') ? "" : "_", number);
  return identifier;
}

// No end of the comment, no trigraph, no line that goes on.
std::string c_comment(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const char last = result.empty() ? ' ' : result.back();
    if ((last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?')) result += ' ';
    result += c == '\\' || static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result;
}

std::string c_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?' || byte < ' ' || byte >= 0x7F) {
      result += fmt::format("\\{:03o}", byte);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string c_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace dalembert
