#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// The bytes of a file, its path relative to the project's root or absolute.
inline std::string content(const std::filesystem::path& file) {
  std::ifstream stream(std::filesystem::path(DALEMBERT_SOURCE_DIR) / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
