#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace dalembert {

/// The words of a text, which blanks separate.
inline std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    if (blank > 0) words.push_back(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return words;
}

}  // namespace dalembert
