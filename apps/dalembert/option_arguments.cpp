#include "option_arguments.hpp"

#include <cstddef>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/session/layout.hpp>

namespace dalembert::app {
namespace {

// In the lines of the help's right column.
std::string in_lines(const std::string& text) {
  constexpr std::size_t left_column = 30;
  const std::string indent(left_column, ' ');
  std::string lines = session::wrap_words(text, indent, indent).substr(left_column);
  lines.pop_back();
  for (std::size_t at = 0; (at = lines.find('\n' + indent, at)) != std::string::npos;)
    lines.erase(at + 1, left_column);
  return lines;
}

std::string help_of(const Option& option) {
  constexpr std::size_t few = 3;  // else the list of methods says it
  if (type_of(option) == OptionType::flag) return in_lines("do not " + std::string(option.help));
  std::string text(option.help);
  if (!option.choices.empty()) text += ": " + describe_values(option);
  const std::vector<std::string> methods = methods_with(option);
  if (methods.size() <= few) text += "; of " + join(methods, ", ");
  if (!option.otherwise.empty()) text += fmt::format(" (default: {})", option.otherwise);
  return in_lines(text);
}

template <class Values>
void collect(const Values& values, const Option& option, std::vector<GivenOption>& given) {
  const auto found = values.find(option.key);
  if (found == values.end() || !found->second) return;
  if constexpr (std::is_same_v<typename Values::mapped_type, bool>) {
    given.push_back({&option, false});
  } else if constexpr (std::is_same_v<typename Values::mapped_type, std::optional<std::int64_t>>) {
    given.push_back({&option, static_cast<double>(*found->second)});
  } else {
    given.push_back({&option, *found->second});
  }
}

}  // namespace

void OptionArguments::add_to(CLI::App& command) {
  for (const Option& option : options()) add(command, option);
}

void OptionArguments::add_to(CLI::App& command, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) add(command, *find_option(key));
}

void OptionArguments::add(CLI::App& command, const Option& option) {
  std::string flags = spell(option, Spelling::flag);
  if (!option.other_flag.empty()) flags += fmt::format(",--{}", option.other_flag);
  const std::string help = help_of(option);
  switch (type_of(option)) {
    case OptionType::flag:
      command.add_flag(flags, flags_[option.key], help);
      break;
    case OptionType::number:
      command.add_option(flags, numbers_[option.key], help);
      break;
    case OptionType::whole_number:
      command.add_option(flags, whole_numbers_[option.key], help);
      break;
    case OptionType::word:
      command.add_option(flags, words_[option.key], help);
      break;
    case OptionType::numbers:
      command.add_option(flags, lists_[option.key], help)->delimiter(',');
      break;
  }
}

std::vector<GivenOption> OptionArguments::given() const {
  std::vector<GivenOption> given;
  for (const Option& option : options()) {
    collect(words_, option, given);
    collect(numbers_, option, given);
    collect(whole_numbers_, option, given);
    collect(flags_, option, given);
    const auto list = lists_.find(option.key);
    if (list != lists_.end() && !list->second.empty()) given.push_back({&option, list->second});
  }
  return given;
}

bool OptionArguments::has(std::string_view key) const {
  for (const GivenOption& one : given())
    if (one.option->key == key) return true;
  return false;
}

std::string method_list() {
  std::string text = "Methods:\n";
  const std::string indent(24, ' ');
  for (const Method& method : methods()) {
    std::vector<std::string> flags;
    for (const std::string_view key : method.options)
      flags.push_back(spell(*find_option(key), Spelling::flag));
    text += session::wrap_words(method.summary, fmt::format("  {:21} ", method.name), indent);
    text += session::wrap_words("takes " + join(flags, ", "), indent, indent);
  }
  return text;
}

}  // namespace dalembert::app
