#include <string>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using nlohmann::json;
using test::dalembert;
using test::Finished;
using testing::IsSubstring;

TEST(Series, FunctionsWithKinksAreNamedInAWarning) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("rub.toml", R"toml([coordinates]
x = { position = 0, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-sign(x')"
)toml");
  const Finished run = dalembert("series --json --order 3 '" + file.string() + "'");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "Warning: 'sign(x')' has a kink or a jump", run.messages);
  const json report = json::parse(run.output);
  EXPECT_EQ(report["warnings"].size(), 1U);
  EXPECT_EQ(report["coefficients"]["x"], (json{"0", "1", "-0.5", "0"}));  // t − t²/2
  EXPECT_TRUE(json::parse(dalembert("series --json pendulum").output)["warnings"].empty());
}

}  // namespace
}  // namespace dalembert
