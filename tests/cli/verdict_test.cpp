// What a user sees of a run that its own checks contradict, and of a reference that nobody confirms.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using nlohmann::json;
using test::dalembert;
using test::Finished;
using test::read_file;
using test::TemporaryFolder;
using testing::IsNotSubstring;
using testing::IsSubstring;

// A barrier of width 1e-9 at x = 0: rk4 steps over it, and the energy jumps by 2.
constexpr const char* jump = R"toml(title = "Jump"
[coordinates]
x = { position = -0.99995, velocity = 1 }
[energy]
kinetic = "x'^2/2"
potential = "tanh(1e9*x)"
[solve]
method = "rk4"
duration = 2
)toml";

TEST(Doubtful, IsSaidOnTheFirstLineAndByTheExitStatus) {
  const TemporaryFolder folder;
  const std::string file = folder.write("jump.toml", jump);
  for (const char* quiet : {"", " --quiet"}) {
    const Finished run = dalembert("run '" + file + "' -o none" + quiet);
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(run.messages.substr(0, run.messages.find('\n')), "Jump: doubtful, do not trust these numbers");
    EXPECT_PRED_FORMAT2(IsSubstring, "outcome        doubtful at t = 2\n", run.messages);
    EXPECT_PRED_FORMAT2(IsSubstring, "doubt          the energy changes by 2.0e+00", run.messages);
    EXPECT_PRED_FORMAT2(IsNotSubstring, "finished", run.messages);
  }
}

TEST(Doubtful, IsInEveryFile) {
  const TemporaryFolder folder;
  const std::string file = folder.write("jump.toml", jump);
  const std::string stem = folder.path() / "out";
  const Finished run = dalembert("run '" + file + "' --json -o " + stem + ".csv -o " + stem +
                                 ".json --report " + stem + ".html --plot " + stem + ".svg");
  EXPECT_EQ(run.status, 3);
  const std::string printed = run.output.empty() ? run.messages : run.output;
  EXPECT_EQ(json::parse(printed)["outcome"], "doubtful");
  EXPECT_EQ(json::parse(printed)["doubts"].size(), 1U);
  const json kept = json::parse(read_file(stem + ".json"));
  EXPECT_EQ(kept["summary"]["outcome"], "doubtful");
  EXPECT_EQ(kept["partial"], false);  // it is whole
  EXPECT_PRED_FORMAT2(IsSubstring, "\n# doubtful: the energy changes by 2.0e+00", read_file(stem + ".csv"));
  EXPECT_PRED_FORMAT2(IsSubstring, "\"outcome\":\"doubtful\"", read_file(stem + ".html"));
  EXPECT_PRED_FORMAT2(IsSubstring, "Jump (doubtful)", read_file(stem + ".svg"));
}

TEST(Doubtful, IsMarkedInAComparison) {
  const Finished run =
      dalembert("compare pendulum_cartesian --methods euler,dop853 --tolerances 1e-9 --steps 0.01");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "* euler 1e-02: doubtful: the energy changes by", run.output);
  EXPECT_PRED_FORMAT2(IsNotSubstring, "* dop853", run.output);
}

TEST(Reference, IsConfirmedByAnIndependentMethod) {
  const TemporaryFolder folder;
  const std::string stem = folder.path() / "out";
  const Finished run = dalembert("compare slider_crank --duration 1 --methods dop853 --tolerances 1e-9 -o " +
                                 stem + ".json -o " + stem + ".csv");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "errors against adomian with 30 digits, confirmed by dop853 to ",
                      run.output);
  EXPECT_EQ(json::parse(read_file(stem + ".json"))["reference_confirmed"], true);
  EXPECT_PRED_FORMAT2(IsNotSubstring, "# reference", read_file(stem + ".csv"));
  const Finished kinematic = dalembert("compare ellipse --duration 1 --methods rk4");
  EXPECT_PRED_FORMAT2(IsSubstring, "errors against dop853 at 1e-14, confirmed by dopri5 to ",
                      kinematic.output);
}

// After 100 s a double pendulum has forgotten its start as far as doubles know it.
TEST(Reference, ThatNobodyCanConfirmIsSaidEverywhere) {
  const TemporaryFolder folder;
  const std::string stem = folder.path() / "out";
  const Finished run =
      dalembert("compare double_pendulum --duration 100 --digits 60 --methods rk4 --steps 0.01 -o " + stem +
                ".json -o " + stem + ".csv --report " + stem + ".html");
  EXPECT_EQ(run.status, 3) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "WARNING: the reference is not confirmed: dop853 finds the motion only to",
                      run.output);
  EXPECT_EQ(json::parse(read_file(stem + ".json"))["reference_confirmed"], false);
  EXPECT_PRED_FORMAT2(IsSubstring, "\n# reference not confirmed: dop853", read_file(stem + ".csv"));
  EXPECT_PRED_FORMAT2(IsSubstring, "\"confirmed\":false", read_file(stem + ".html"));
}

TEST(Reference, AnInterruptBeforeItIsThereEndsCleanly) {
  const TemporaryFolder folder;
  const std::string json_file = folder.path() / "x.json";
  // the reference would take minutes
  const Finished run =
      test::run_command("('" DALEMBERT_BINARY_DIR
                        "/apps/dalembert/dalembert' compare pendulum --duration 100000 --methods rk4 -o '" +
                        json_file + "' & sleep 1; kill -INT $!; wait $!)");
  EXPECT_EQ(run.status, 130) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "nothing is written", run.messages);
  EXPECT_FALSE(std::filesystem::exists(json_file));
}

}  // namespace
}  // namespace dalembert
