// Options of runs on the command line: every one of the schema.
#include <string>

#include <dalembert/solve/solve.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using test::dalembert;
using test::Finished;
using testing::IsSubstring;

TEST(RunOptions, HelpListsEveryOptionAndWhichMethodTakesIt) {
  const std::string help = dalembert("run --help").output;
  for (const Option& option : options()) {
    const std::string flag = spell(option, Spelling::flag);
    EXPECT_NE(help.find("\n  " + flag), std::string::npos) << flag;
    EXPECT_NE(help.find(std::string(option.help.substr(0, 20))), std::string::npos) << flag;
  }
  for (const Method& method : methods())
    EXPECT_PRED_FORMAT2(IsSubstring, "\n  " + std::string(method.name) + ' ', help);
}

TEST(RunOptions, TheFormerFormulationNamesBothOfToday) {
  for (const char* call : {"run pendulum --formulation ggl", "run pendulum --formulation=rk4",
                           "compare pendulum --formulation ggl"}) {
    const Finished run = dalembert(call);
    EXPECT_EQ(run.status, 1) << call;
    EXPECT_PRED_FORMAT2(IsSubstring, "'--formulation' is now two options: --index-form (index1, ",
                        run.messages);
    EXPECT_PRED_FORMAT2(IsSubstring, "and --runge-kutta (euler, ", run.messages);
  }
}

TEST(RunOptions, EachNamesAFormOrARungeKuttaMethod) {
  const auto refusal = [](const std::string& options) {
    return dalembert("run pendulum_cartesian --duration 0.1 -o none " + options).messages;
  };
  EXPECT_PRED_FORMAT2(IsSubstring, "there is no index form 'rk4'; known: index1, index2, ggl",
                      refusal("--method bdf --index-form rk4"));
  EXPECT_PRED_FORMAT2(IsSubstring, "there is no Runge-Kutta method 'ggl'",
                      refusal("--method partition --runge-kutta ggl"));
  EXPECT_PRED_FORMAT2(IsSubstring, "method 'bdf' has no use for --runge-kutta; it is for nullspace, ",
                      refusal("--method bdf --runge-kutta rk4"));
  EXPECT_PRED_FORMAT2(IsSubstring, "method 'bdf' chooses its steps itself; --max-step limits them",
                      refusal("--method bdf --index-form ggl --step 0.01"));
}

TEST(RunOptions, ThatTakeANumberSayWhatIsNone) {
  const auto refusal = [](const std::string& options) {
    const Finished run = dalembert("run pendulum -o none " + options);
    EXPECT_EQ(run.status, 1) << options;
    return run.messages;
  };
  for (const char* flag : {"--duration", "--times", "--tolerance"})
    EXPECT_PRED_FORMAT2(IsSubstring, std::string(flag) + ": 'abc' is no number; write one as 0.5 or 1e-3",
                        refusal(std::string(flag) + " abc"));
  EXPECT_PRED_FORMAT2(IsSubstring, "--times: 'b' is no number", refusal("--times 1,b"));
  EXPECT_PRED_FORMAT2(IsSubstring, "--max-steps: '1.5' is no whole number", refusal("--max-steps 1.5"));
  EXPECT_PRED_FORMAT2(IsSubstring, "--max-steps: 'abc' is no number", refusal("--max-steps abc"));
}

TEST(RunOptions, GivenTwiceAreNamedWithTheirValues) {
  const auto refusal = [](const std::string& options) {
    return dalembert("run pendulum -o none " + options).messages;
  };
  EXPECT_PRED_FORMAT2(IsSubstring, "dalembert: --duration can be given once, not 2 times: 1, 2\n",
                      refusal("--duration 1 --duration 2"));
  EXPECT_PRED_FORMAT2(IsSubstring, "--output-step or --every can be given once, not 2 times: 0.1, 0.2",
                      refusal("--every 0.1 --output-step 0.2"));
}

TEST(RunOptions, SceneCanBeAskedForSeveralTimes) {
  const Finished run = dalembert("run pendulum -o none --scene t=0 a.svg --scene soon b.svg");
  EXPECT_EQ(run.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "'soon' is no list of times", run.messages);
}

TEST(RunOptions, OfAModelAreUsedByTheMethodsThatTakeThem) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("pendulum.toml",
                                 "[coordinates]\nx = 1\ny = 0\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
                                 "potential = \"9.81*y\"\n[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]\n"
                                 "[solve]\nmethod = \"partition\"\nrunge_kutta = \"rk4\"\nstep = 0.01\n"
                                 "stabilization = \"none\"\nduration = 1\n");
  const Finished run = dalembert("run -o none '" + file.string() + "'");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "partition, 100 steps", run.messages);
  const Finished other = dalembert("run -o none --method adomian '" + file.string() + "'");
  EXPECT_EQ(other.status, 0) << other.messages;
}

}  // namespace
}  // namespace dalembert
