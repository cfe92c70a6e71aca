// Every error of the model file, by the examples in tests/model/errors: the first line of each says place and
// message.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>

namespace dalembert {
namespace {

const std::string root = DALEMBERT_SOURCE_DIR;

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(root + "/tests/model/errors")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ModelFileErrors, AreReportedAtTheirPlacesWithTheirMessages) {
  EXPECT_GE(examples().size(), 140U);
  for (const std::filesystem::path& file : examples()) {
    const std::string text = file_text(file);
    const std::string expected = text.substr(0, text.find('\n'));
    try {
      read_model(file);
      ADD_FAILURE() << file << ": no error; expected " << expected;
    } catch (const Error& error) {
      const SourceLocation& where = error.where();
      EXPECT_EQ(fmt::format("# {}:{}: {}", where.line, where.column, error.message()), expected) << file;
      EXPECT_EQ(where.file, file.string());
    }
  }
}

TEST(ModelFileErrors, ShowTheLineWithACaretUnderThePlace) {
  for (const std::filesystem::path& file : examples()) {
    const std::string text = file_text(file);
    try {
      read_model(file);
    } catch (const Error& error) {
      const SourceLocation& where = error.where();
      if (where.line == 1) continue;  // of the whole file
      std::istringstream lines(text);
      std::string line;
      for (int i = 0; i < where.line; ++i) std::getline(lines, line);
      const bool plain = std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
      if (!plain || line.size() > 70) continue;  // those are tested with caret_excerpt
      EXPECT_EQ(error.excerpt(), fmt::format("  {}\n  {:>{}}", line, '^', where.column)) << file;
    }
  }
}

TEST(ErrorsPage, IsMadeFromTheExamplesOfToday) {
  const std::string command = "'" + root + "/tools/make_errors_page'";
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string made;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    made.append(buffer.data(), count);
  ASSERT_EQ(pclose(pipe), 0);
  EXPECT_TRUE(made == file_text(root + "/docs/errors.md")) << "run tools/make_errors_page > docs/errors.md";
}

}  // namespace
}  // namespace dalembert
