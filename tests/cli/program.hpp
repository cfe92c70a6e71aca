// The built program as its user meets it.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "temporary_folder.hpp"

namespace dalembert::test {

struct Finished {
  int status = -1;
  std::string output;    ///< standard output
  std::string messages;  ///< standard error
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Finished run_command(const std::string& command) {
  const TemporaryFolder folder;
  const std::string messages = folder.path() / "messages";
  Finished run;
  FILE* pipe = popen((command + " 2>'" + messages + "'").c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    run.output.append(buffer.data(), count);
  }
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.messages = read_file(messages);
  return run;
}

/// Quoted, with a space behind it.
inline const std::string program = "'" DALEMBERT_BINARY_DIR "/apps/dalembert/dalembert' ";

inline Finished dalembert(const std::string& arguments) { return run_command(program + arguments); }

inline std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(DALEMBERT_SOURCE_DIR "/models")) {
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  }
  return names;
}

/// The longest line in columns of UTF-8 text.
inline std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::size_t columns = 0;
  for (const char c : text) {
    if (c == '\n') columns = 0;
    if (c != '\n' && (c & 0xC0) != 0x80) widest = std::max(widest, ++columns);
  }
  return widest;
}

}  // namespace dalembert::test
