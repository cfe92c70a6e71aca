#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

namespace dalembert {
namespace {

TEST(ShippedModels, AllOfThemAreReadAndPassEveryCheck) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DALEMBERT_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().string());
    ++count;
    try {
      const Model model = read_model(entry.path());
      EXPECT_FALSE(model->title.empty());
      EXPECT_FALSE(model->source.empty());
      EXPECT_FALSE(model->coordinates.empty());
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(count, 15);
}

}  // namespace
}  // namespace dalembert
