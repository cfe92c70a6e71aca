#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/study/collected.hpp>

#include "lists.hpp"

namespace dalembert::study {
namespace {

constexpr std::array<std::pair<std::string_view, Collected::Kind>, 10> words{{
    {"end", Collected::Kind::end},
    {"max", Collected::Kind::max},
    {"min", Collected::Kind::min},
    {"argmax", Collected::Kind::argmax},
    {"argmin", Collected::Kind::argmin},
    {"mean", Collected::Kind::mean},
    {"integral", Collected::Kind::integral},
    {"time", Collected::Kind::time},
    {"count", Collected::Kind::count},
    {"motion", Collected::Kind::motion},
}};

Collected parse_one(const std::string& text) {
  std::vector<std::string> names;
  for (const auto& [word, kind] : words) names.emplace_back(word);
  const std::size_t open = text.find('(');
  const std::string word = trimmed(text.substr(0, open));
  if (text == "motion") return {Collected::Kind::motion, "", text};
  const auto found = std::ranges::find(words, word, &std::pair<std::string_view, Collected::Kind>::first);
  if (open == std::string::npos || found == words.end()) {
    throw Error(
        fmt::format("--collect: '{}' must be one of {} of an expression or event, as max(theta1), time(hit)",
                    text, join(names, ", ")));
  }
  int depth = 0;
  std::size_t close = open;
  for (; close < text.size(); ++close) {
    depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  const std::string inner = trimmed(text.substr(open + 1, close - open - 1));
  if (close + 1 == text.size() && inner.empty()) {
    const bool is_event = found->second == Collected::Kind::time || found->second == Collected::Kind::count;
    throw Error(fmt::format("--collect: '{}' lacks its {}: {}({})", text, is_event ? "event" : "expression",
                            word, is_event ? "NAME" : "EXPRESSION"));
  }
  if (close + 1 != text.size()) {
    throw Error(
        fmt::format("--collect: '{}' must end with the bracket of {}: {}(EXPRESSION)", text, word, word));
  }
  if (split_list(inner).size() != 1)
    throw Error(fmt::format("--collect: {} takes one expression, not '{}'", word, inner));
  return {found->second, inner, text};
}

}  // namespace

bool is_of_motion(Collected::Kind kind) {
  return kind != Collected::Kind::time && kind != Collected::Kind::count;
}

std::vector<Collected> parse_collected(const std::vector<std::string>& texts) {
  std::vector<Collected> list;
  for (const std::string& text : texts) {
    for (const std::string& item : split_list(text)) {
      Collected one = parse_one(item);
      const bool known = std::ranges::any_of(list, [&](const Collected& x) { return x.name == one.name; });
      if (known) throw Error(fmt::format("--collect: '{}' is asked for twice", one.name));
      list.push_back(std::move(one));
    }
  }
  return list;
}

}  // namespace dalembert::study
