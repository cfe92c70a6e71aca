// Texts that are lists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert::study {

inline std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

/// Items separated by commas that are in no brackets.
inline std::vector<std::string> split_list(std::string_view text, char separator = ',') {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == separator && depth == 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  for (std::string& item : items) item = trimmed(item);
  return items;
}

}  // namespace dalembert::study
