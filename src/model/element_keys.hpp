// Keys and values of what a model file describes by a table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/draft/reporter.hpp>

namespace dalembert {

inline const SourceLocation& place_of_value(const Value& value) {
  return value.where.line > 0 ? value.where : value.text.where;
}

// The keys of an event, a contact or an input, with errors at their places.
class ElementKeys {
 public:
  ElementKeys(const Element& element, std::string_view kind, const Reporter& report)
      : element_(element),
        what(fmt::format("the {} {}", kind, in_quotes(element.name.text))),
        report_(report) {}

  /// `others` are known, too, where they may stand.
  void allow_only(std::span<const std::string_view> keys,
                  std::span<const std::string_view> others = {}) const {
    std::vector<std::string> known(keys.begin(), keys.end());
    known.insert(known.end(), others.begin(), others.end());
    for (const auto& [key, value] : element_.entries) {
      if (std::find(keys.begin(), keys.end(), key.text) == keys.end())
        report_.at_name(key, fmt::format("unknown key {} of {}{}", in_quotes(key.text), what,
                                         suggestion(key.text, known)));
    }
  }
  const Value* find(std::string_view key) const {
    const auto found = std::find_if(element_.entries.begin(), element_.entries.end(),
                                    [&](const Entry& entry) { return entry.key.text == key; });
    return found == element_.entries.end() ? nullptr : &found->value;
  }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  [[noreturn]] void fail(const Value& value, const std::string& message) const {
    const SourceLocation& where = place_of_value(value);
    where.line > 0 ? report_.at(where, message) : report_.at_name(element_.name, message);
  }
  [[noreturn]] void fail(const std::string& message) const { report_.at_name(element_.name, message); }

  const Text& text(const Value& value, std::string_view key) const {
    if (value.type != Value::Type::text)
      fail(value, fmt::format("'{}' of {} must be an expression", key, what));
    return value.text;
  }
  bool flag(std::string_view key, bool otherwise) const {
    const Value* const value = find(key);
    if (value == nullptr) return otherwise;
    if (value->type != Value::Type::flag)
      fail(*value, fmt::format("'{}' of {} must be true or false", key, what));
    return value->flag;
  }
  // One or several.
  std::vector<Text> texts(std::string_view key) const {
    const Value* const value = find(key);
    if (value == nullptr) return {};
    if (value->type != Value::Type::array) return {text(*value, key)};
    std::vector<Text> result;
    for (const Value& one : value->array) result.push_back(text(one, key));
    return result;
  }
  int whole_number(std::string_view key, int otherwise, int least) const {
    const Value* const value = find(key);
    if (value == nullptr) return otherwise;
    const std::string& digits = text(*value, key).text;
    const std::size_t sign = digits.starts_with('-') ? 1 : 0;
    constexpr std::size_t longest = 9;
    const bool is_whole = digits.size() > sign && digits.size() <= longest &&
                          std::all_of(digits.begin() + static_cast<std::ptrdiff_t>(sign), digits.end(),
                                      [](char c) { return c >= '0' && c <= '9'; });
    if (!is_whole || std::stoi(digits) < least)
      fail(*value, fmt::format("'{}' of {} must be a whole number{}", key, what,
                               least > 0 ? fmt::format(" of at least {}", least) : ""));
    return std::stoi(digits);
  }
  // The place of one of the words in their list.
  std::size_t word(std::string_view key, std::span<const std::string> words, std::size_t otherwise) const {
    const Value* const value = find(key);
    if (value == nullptr) return otherwise;
    const std::string& given = text(*value, key).text;
    const auto found = std::find(words.begin(), words.end(), given);
    if (found == words.end())
      fail(*value,
           fmt::format("unknown {} {} of {}{}", key, in_quotes(given), what, suggestion(given, words)));
    return static_cast<std::size_t>(found - words.begin());
  }

 private:
  const Element& element_;

 public:
  const std::string what;

 private:
  const Reporter& report_;
};

}  // namespace dalembert
