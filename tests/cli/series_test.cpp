#include <string>
#include <utility>
#include <vector>

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

// x'' = F from x = 0, x' = 1: where F switches at the start, the series is that of t >= 0
TEST(Series, AStartOnASwitchTakesTheSideThatTheMotionGoesTo) {
  const test::TemporaryFolder folder;
  const std::vector<std::pair<std::string, json>> cases{
      {"abs(t)", {"0", "1", "0", "1/6", "0", "0"}},
      {"sign(t)", {"0", "1", "1/2", "0", "0", "0"}},
      {"-sign(x)", {"0", "1", "-1/2", "0", "0", "0"}},
      {"abs(x)", {"0", "1", "0", "1/6", "0", "1/120"}},        // sinh t
      {"abs(sin(t))", {"0", "1", "0", "1/6", "0", "-1/120"}},  // 2 t - sin t
      {"min(t, -t)", {"0", "1", "0", "-1/6", "0", "0"}},
      {"-sign(x - t)", {"0", "1", "0", "0", "0", "0"}},                 // stays on it
      {"t - 2*sign(x' - 1 + t/3)", {"0", "1", "-1/6", "0", "0", "0"}},  // slides along x' = 1 - t/3
      {"t/2 - 2*sign(1 - x')*(-1)", {"0", "1", "0", "0", "0", "0"}},    // sticks at x' = 1
  };
  for (const auto& [force, coefficients] : cases) {
    const auto file = folder.write("kink.toml", R"toml([coordinates]
x = { position = 0, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = ")toml" + force + "\"\n");
    const Finished run = dalembert("series --exact --json --order 5 '" + file.string() + "'");
    EXPECT_EQ(json::parse(run.output)["coefficients"]["x"], coefficients) << force;
    EXPECT_PRED_FORMAT2(IsSubstring, "switches at t = 0: the series is that of the", run.messages);
    const json numbers = json::parse(dalembert("series --json --order 5 '" + file.string() + "'").output);
    const std::string third = numbers["coefficients"]["x"][3];
    EXPECT_EQ(third.substr(0, 5), coefficients[3] == "0"     ? "0"
                                  : coefficients[3] == "1/6" ? "0.166"
                                                             : "-0.16");
  }
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
  const std::string singular = message("2", "1", "acos(x)");  // which has a value there, but no derivative
  EXPECT_PRED_FORMAT2(IsSubstring, "the force on 'x' at the start has no series", singular);
  EXPECT_PRED_FORMAT2(IsSubstring, "--set", singular);
}

}  // namespace
}  // namespace dalembert
