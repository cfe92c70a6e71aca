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
