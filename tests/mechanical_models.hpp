// The shipped models that have equations of motion. Every test of a program lists them before it starts, so
// their files are only looked at, not read as models.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace dalembert::test {

inline std::vector<std::string> mechanical_models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(DALEMBERT_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find("kind = \"kinematic\"") == std::string::npos) names.push_back(entry.path().stem().string());
  }
  return names;
}

}  // namespace dalembert::test
