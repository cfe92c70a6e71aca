// Calls that are wrong, help and version.
#include <string>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using test::dalembert;
using test::Finished;
using testing::IsSubstring;

void expect_refused(const std::string& arguments, const std::string& message) {
  const Finished run = dalembert(arguments);
  EXPECT_EQ(run.status, 1) << arguments;
  EXPECT_EQ(run.output, "") << arguments;
  EXPECT_PRED_FORMAT2(IsSubstring, message, run.messages) << arguments;
}

TEST(Call, MisspeltCommandsAreCorrected) {
  expect_refused("chek pendulum", "dalembert: unknown command 'chek'; did you mean 'check'?");
}

TEST(Call, MisspeltOptionsAreCorrected) {
  expect_refused("check pendulum --jsn", "unknown option '--jsn'; did you mean '--json'?");
  expect_refused("equations pendulum --latx", "did you mean '--latex'?");
}

TEST(Call, NoCommandNoModelAndTooManyAreRefused) {
  expect_refused("", "--help");
  expect_refused("check", "MODEL is required");
  expect_refused("check pendulum ellipse", "'ellipse' is one argument too many");
  expect_refused("equations pendulum --latex --json", "--json");
}

TEST(Call, UnknownModelsNameTheNearest) { expect_refused("check pendulm", "did you mean 'pendulum'?"); }

TEST(Call, PathsOfNoFileAreNotTakenForShippedModels) {
  expect_refused("check no_such.toml", "no_such.toml: error: cannot read the model file");
}

TEST(Call, SettingsNeedANameThatTheModelHasAndAValue) {
  expect_refused("check pendulum --set l", "--set takes NAME=VALUE");
  expect_refused("check pendulum --set ll=3", "ll");
  expect_refused("check pendulum --set l=", "l");
}

TEST(Call, SettingsMayStandBeforeTheModelAndBeRepeated) {
  const Finished run = dalembert("check --set l=2 --set m=3 pendulum");
  EXPECT_EQ(run.status, 0) << run.messages;
}

TEST(Call, ErrorsOfAModelHaveFileLineAndColumn) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("bad.toml", "[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2 + yy\"\n");
  const Finished run = dalembert("check '" + file.string() + "'");
  EXPECT_EQ(run.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "bad.toml:4:", run.messages);
  EXPECT_PRED_FORMAT2(IsSubstring, "yy", run.messages);
}

TEST(Call, HelpShowsAnExampleOnEveryLevelInEightyColumns) {
  for (const char* command :
       {"", "run", "check", "equations", "series", "models", "models show", "codegen", "fmu"}) {
    const Finished run = dalembert(std::string(command) + " --help");
    EXPECT_EQ(run.status, 0) << command;
    EXPECT_EQ(run.messages, "") << command;
    EXPECT_PRED_FORMAT2(IsSubstring, "Example", run.output) << command;
    EXPECT_PRED_FORMAT2(IsSubstring, "dalembert ", run.output) << command;
    EXPECT_LE(test::widest_line(run.output), 80U) << command << "\n" << run.output;
  }
}

TEST(Call, VersionIsOneLine) {
  const Finished run = dalembert("--version");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output.substr(0, 10), "dalembert ");
}

TEST(Call, OutputThatCannotBeWrittenIsAnError) {
  if (test::run_command("test -w /dev/full").status != 0) GTEST_SKIP() << "no /dev/full";
  for (const char* call : {"check pendulum", "equations andrews --json", "models show pendulum"}) {
    const Finished run = dalembert(std::string(call) + " > /dev/full");
    EXPECT_EQ(run.status, 2) << call;
    EXPECT_PRED_FORMAT2(IsSubstring, "dalembert: cannot write", run.messages);
  }
}

}  // namespace
}  // namespace dalembert
