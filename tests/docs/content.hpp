#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

/// The bytes of a file, its path relative to the project's root or absolute.
inline std::string content(const std::filesystem::path& file) {
  std::ifstream stream(std::filesystem::path(DALEMBERT_SOURCE_DIR) / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The first group of each match.
inline std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i)
    found.push_back((*i)[1]);
  return found;
}
