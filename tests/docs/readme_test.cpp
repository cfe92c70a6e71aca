// The programs and models that the README shows are files that are compiled and run.
#include <array>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "docs/content.hpp"

namespace {

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), count);
  pclose(pipe);
  return text;
}

TEST(Readme, ShowsTheProgramAndTheModelAsTheyAre) {
  const std::string readme = content("README.md");
  ASSERT_FALSE(readme.empty());
  for (const char* file : {"examples/pendulum.cpp", "examples/my_pendulum.toml"}) {
    const std::string text = content(file);
    ASSERT_FALSE(text.empty()) << file;
    EXPECT_NE(readme.find(text), std::string::npos) << file << " is not quoted";
  }
}

TEST(Readme, ItsProgramPrintsWhatItSays) {
  const std::string printed = output_of(std::string(DALEMBERT_BINARY_DIR) + "/examples/example_pendulum");
  ASSERT_FALSE(printed.empty());
  EXPECT_NE(content("README.md").find(printed), std::string::npos) << printed;
}

TEST(SessionPage, ShowsItsProgramAndWhatItPrints) {
  const std::string page = content("docs/session.md");
  EXPECT_NE(page.find(content("examples/session.cpp")), std::string::npos);
  const std::string printed = output_of(std::string(DALEMBERT_BINARY_DIR) + "/examples/example_session");
  ASSERT_FALSE(printed.empty());
  EXPECT_NE(page.find(printed), std::string::npos) << printed;
}

}  // namespace
