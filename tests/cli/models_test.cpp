#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using nlohmann::json;
using test::dalembert;
using test::Finished;

TEST(Models, ListHasEveryFileOfTheFolder) {
  const Finished text = dalembert("models");
  const json list = json::parse(dalembert("models --json").output);
  EXPECT_EQ(text.status, 0);
  EXPECT_LE(test::widest_line(text.output), 80U);
  EXPECT_EQ(list.size(), test::model_names().size());
  for (const json& model : list) {
    EXPECT_NE(model["title"], "");
    EXPECT_NE(text.output.find(model["name"].get<std::string>()), std::string::npos);
  }
}

TEST(Models, ShowPrintsTheFileAsItIs) {
  const std::string file = test::read_file(DALEMBERT_SOURCE_DIR "/models/pendulum.toml");
  EXPECT_EQ(dalembert("models show pendulum").output, file);
  EXPECT_EQ(json::parse(dalembert("models show pendulum --json").output)["text"], file);
}

TEST(Models, ShowOfAnUnknownOneNamesTheNearest) {
  const Finished run = dalembert("models show pendulumm");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.messages.find("did you mean 'pendulum'?"), std::string::npos) << run.messages;
}

}  // namespace
}  // namespace dalembert
