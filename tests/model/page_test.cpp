// docs/model-file.md says what is true.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

namespace dalembert {
namespace {

// The ```toml blocks of the page about the model file.
std::vector<std::string> blocks_of_the_page() {
  std::ifstream page(DALEMBERT_SOURCE_DIR "/docs/model-file.md");
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```toml") blocks.emplace_back();
    if (inside && line != "```") blocks.back() += line + '\n';
    inside = line == "```toml" || (inside && line != "```");
  }
  return blocks;
}

TEST(ModelFilePage, CompleteExamplesAreModels) {
  int complete = 0;
  for (const std::string& block : blocks_of_the_page()) {
    if (block.find("[coordinates]") == std::string::npos) continue;
    if (block.find("[energy]") == std::string::npos && block.find("[kinematics]") == std::string::npos)
      continue;
    ++complete;
    EXPECT_NO_THROW(read_model_text(block)) << block;
  }
  EXPECT_EQ(complete, 2);
}

// Sections of the page that belong to one model, put together.
TEST(ModelFilePage, SectionsMakeAModelTogether) {
  std::string text;
  for (const std::string& block : blocks_of_the_page()) {
    const bool other =
        block.find("[equations]") != std::string::npos || block.find("kinematic\"\n") != std::string::npos;
    if (!other && block.find("x = 1") == std::string::npos) text += block;
  }
  text += "[solve]\nmethod = \"adomian\"\n";
  const std::string missing = "x = 1\ny = 0\nphi = 0\n";  // of the nonholonomic example
  text.insert(text.find("s = 0\n"), missing);
  const std::string parameters = "m = 1\nJ = 1\ng = 9.81\nd = 0.1\ntorque = 1\n";
  text.insert(text.find("l1 = 0.2"), parameters);
  EXPECT_NO_THROW(read_model_text(text)) << text;
}

}  // namespace
}  // namespace dalembert
