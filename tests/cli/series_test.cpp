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

// x'' = sqrt(t): x = 4/15 t^(5/2), whose third derivative is infinite at 0
TEST(Series, CoefficientsThatAreNotFiniteAreLeftOutAndSaid) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("root.toml", R"toml([coordinates]
x = { position = 0.5, velocity = 0.3 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "sqrt(t)"
)toml");
  for (const std::string option : {"", "--latex", "--json", "--digits 30"}) {
    const Finished run = dalembert("series --order 5 " + option + " '" + file.string() + "'");
    EXPECT_EQ(run.status, 2) << option;
    EXPECT_PRED_FORMAT2(IsSubstring, "coefficients that are not finite", run.messages);
    EXPECT_EQ(run.output.find("nan"), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("inf"), std::string::npos) << run.output;
    EXPECT_PRED_FORMAT2(IsSubstring, "0.3", run.output);
  }
  const json report = json::parse(dalembert("series --json --order 5 '" + file.string() + "'").output);
  EXPECT_EQ(report["coefficients"]["x"], (json{"0.5", "0.3", "0"}));
  EXPECT_EQ(report["warnings"].size(), 1U);
}

TEST(Series, ExactOnesNameThePlaceOfAnIrrationalValue) {
  const test::TemporaryFolder folder;
  const auto message = [&](const std::string& parameter, const std::string& position,
                           const std::string& force) {
    const auto file = folder.write(
        "place.toml", "[parameters]\nk = \"" + parameter + "\"\n[coordinates]\nx = { position = \"" +
                          position + "\" }\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"k*" + force +
                          "\"\n");
    const Finished run = dalembert("series --exact '" + file.string() + "'");
    EXPECT_EQ(run.status, 1);
    return run.messages;
  };
  EXPECT_PRED_FORMAT2(IsSubstring, "parameter 'k'", message("sqrt(2)", "1", "x"));
  EXPECT_PRED_FORMAT2(IsSubstring, "the start position of 'x'", message("2", "pi/2", "x"));
  EXPECT_PRED_FORMAT2(IsSubstring, "the force on 'x'", message("2", "1", "sin(x)"));
}

}  // namespace
}  // namespace dalembert
