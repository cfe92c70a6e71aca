#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>

#include "temporary_folder.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ShippedModels, AllOfThemAreReadAndPassEveryCheck) {
  const std::vector<ShippedModel> models = shipped_models();
  EXPECT_GE(models.size(), 15U);
  for (const ShippedModel& shipped : models) {
    SCOPED_TRACE(shipped.path.string());
    try {
      const Model model = read_model(shipped.path);
      EXPECT_FALSE(model->title.empty());
      EXPECT_EQ(model->title, shipped.title);
      EXPECT_FALSE(model->source.empty());
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(ShippedModels, AreFoundByNameAndByPath) {
  const fs::path pendulum = DALEMBERT_SOURCE_DIR "/models/pendulum.toml";
  EXPECT_TRUE(fs::equivalent(find_model("pendulum"), pendulum));
  EXPECT_EQ(find_model(pendulum.string()), pendulum);
}

TEST(ShippedModels, MisspeltNamesAreErrorsWithTheNearestOne) {
  EXPECT_EQ(message_of([] { find_model("pendulun"); }),
            "error: there is no file and no shipped model 'pendulun'; did you mean 'pendulum'?");
}

TEST(ShippedModels, PathsAreFilesThatReadingComplainsAbout) {
  for (const char* path : {"no_such.toml", "./no_such", "pendulm/a.toml"}) {
    EXPECT_EQ(message_of([path] { read_model(find_model(path)); }),
              std::string(path) + ": error: cannot read the model file: No such file or directory");
  }
}

TEST(ShippedModels, FoldersOfTheEnvironmentComeFirst) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "pendulum.toml") << "title = \"mine\"\n";
  std::ofstream(folder.path() / "broken.toml") << "title = \n";
  setenv("DALEMBERT_MODELS", (":/no/such/folder:" + folder.path().string()).c_str(), 1);
  const std::vector<ShippedModel> models = shipped_models();
  const fs::path found = find_model("pendulum");
  unsetenv("DALEMBERT_MODELS");
  EXPECT_EQ(found, folder.path() / "pendulum.toml");
  const auto title = [&models](const std::string& name) {
    const auto it = std::find_if(models.begin(), models.end(),
                                 [&](const ShippedModel& model) { return model.name == name; });
    return it == models.end() ? "missing" : it->title;
  };
  EXPECT_EQ(title("pendulum"), "mine");
  EXPECT_EQ(title("broken"), "");
  EXPECT_EQ(title("slider_crank"), "Slider-crank");
}

TEST(ModelFile, ThatCannotBeReadIsAnErrorWithTheReason) {
  EXPECT_EQ(message_of([] { read_model("no/such/file.toml"); }),
            "no/such/file.toml: error: cannot read the model file: No such file or directory");
  EXPECT_EQ(message_of([] { read_model(DALEMBERT_SOURCE_DIR "/models"); }),
            DALEMBERT_SOURCE_DIR "/models: error: cannot read the model file: it is a directory");
}

TEST(ModelFile, OverSixtyFourMegabytesIsAnError) {
  EXPECT_EQ(message_of([] { read_model("/dev/zero"); }),
            "/dev/zero: error: cannot read the model file: it is larger than 64 MB");
  EXPECT_EQ(message_of([] { read_model_text(std::string((64U << 20U) + 1, '\n'), "large"); }),
            "large: error: the file is larger than 64 MB");
}

}  // namespace
}  // namespace dalembert
