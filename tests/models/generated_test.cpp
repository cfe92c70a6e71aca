// Model files made by a tool are what the tool makes today.
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace {

const std::string root = DALEMBERT_SOURCE_DIR;

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Output {
  std::string text;
  int status = -1;
};

Output output_of(const std::string& command) {
  Output output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.text.append(buffer.data(), count);
  }
  output.status = pclose(pipe);
  return output;
}

void expect_current(const std::string& model, const std::string& tool) {
  const Output made = output_of("'" + root + "'/tools/" + tool);
  ASSERT_EQ(made.status, 0) << tool;
  EXPECT_TRUE(made.text == file_text(root + "/models/" + model))
      << "models/" << model << " is not what tools/" << tool << " makes; run tools/" << tool << " > models/"
      << model;
}

TEST(GeneratedModels, ChainOfTenLinksIsCurrent) { expect_current("chain10.toml", "make_chain 10"); }

TEST(GeneratedModels, FeketePointsAreCurrent) { expect_current("fekete.toml", "make_fekete"); }

TEST(GeneratedModels, FourBarsInARowAreCurrent) {
  expect_current("iftomm_a02.toml", "make_four_bars 2");
  expect_current("iftomm_a02_n40.toml", "make_four_bars 40 --duration 20");
}

TEST(GeneratedModels, ChainOfNoLinksIsRefused) {
  EXPECT_NE(output_of("'" + root + "'/tools/make_chain 0 2>/dev/null").status, 0);
}

}  // namespace
