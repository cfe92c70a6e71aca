// Files of a run, what happens to them when something goes wrong, and what a terminal shows.
#include <algorithm>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using test::dalembert;
using test::Finished;
using test::program;
using test::read_file;
using test::run_command;
using test::TemporaryFolder;
using testing::IsSubstring;

std::size_t entries(const TemporaryFolder& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++count;
  return count;
}

TEST(Run, WritesSeveralFilesAtOnceEachWhole) {
  const TemporaryFolder folder;
  const std::string stem = folder.path() / "crank";
  const Finished run = dalembert("run slider_crank --duration 1 -o " + stem + ".csv -o " + stem +
                                 ".json --plot " + stem + ".svg --columns 'theta*,lambda,g'");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(
      read_file(stem + ".csv").substr(0, 97),
      "t,theta1,theta2,theta1',theta2',theta1'',theta2'',lambda(slider_on_axis),g(slider_on_axis)\n0,0.78");
  const std::string picture = read_file(stem + ".svg");
  EXPECT_PRED_FORMAT2(IsSubstring, ">coordinates</text>", picture);
  EXPECT_PRED_FORMAT2(IsSubstring, ">|g|</text>", picture);
  EXPECT_PRED_FORMAT2(IsSubstring, "</svg>\n", picture);
  EXPECT_EQ(entries(folder), 3U);
}

TEST(Run, WritesNothingButTheSummaryWhenAskedTo) {
  const TemporaryFolder folder;
  const Finished run =
      run_command("cd '" + folder.path().string() + "' && " + program + "run pendulum -o none --duration 1");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_EQ(run.output, "");
  EXPECT_PRED_FORMAT2(IsSubstring, "finished at t = 1", run.messages);
  EXPECT_EQ(entries(folder), 0U);
}

TEST(Run, AFormatThatIsNotKnownAndAnUnknownColumnAreRefusedBeforeTheRun) {
  const TemporaryFolder folder;
  EXPECT_EQ(dalembert("run pendulum -o '" + (folder.path() / "x.txt").string() + "'").status, 1);
  EXPECT_EQ(dalembert("run pendulum --plot '" + (folder.path() / "x.pdf").string() + "'").status, 1);
  const Finished run =
      dalembert("run pendulum --columns thetta -o '" + (folder.path() / "x.csv").string() + "'");
  EXPECT_EQ(run.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "no column 'thetta'; did you mean 'theta'?", run.messages);
  EXPECT_EQ(entries(folder), 0U);
}

TEST(Run, AnUnwritablePlaceIsAnErrorWithTheSystemsReason) {
  for (const char* suffix : {".csv", ".json", ".npz", ".h5"}) {
    const Finished run = dalembert(std::string("run pendulum -o /nonexistent/x") + suffix);
    EXPECT_EQ(run.status, 1) << suffix;
    EXPECT_PRED_FORMAT2(IsSubstring, "No such file or directory", run.messages);
  }
  for (const char* call : {"run pendulum --duration 1e9 --report /nonexistent/x.html",
                           "run pendulum --duration 1e9 --plot /proc/x.svg", "codegen pendulum -o /proc/x",
                           "codegen pendulum -o /nonexistent/x", "fmu pendulum -o /nonexistent/x.fmu"}) {
    const Finished run = dalembert(call);  // before anything is computed
    EXPECT_EQ(run.status, 1) << call;
    EXPECT_PRED_FORMAT2(IsSubstring, "dalembert: cannot ", run.messages);
    EXPECT_PRED_FORMAT2(IsSubstring, "No such file or directory", run.messages);
  }
  const Finished full = run_command(program + "run pendulum > /dev/full");
  EXPECT_EQ(full.status, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "No space left on device", full.messages);
}

TEST(Run, AFileThatCannotGrowLeavesNothingBehind) {
  for (const char* name : {"x.csv", "x.json", "x.npz", "x.h5"}) {
    const TemporaryFolder folder;
    // 100 blocks of 512 bytes
    const Finished run = run_command("ulimit -f 100; " + program + "run pendulum --every 0.0005 -o '" +
                                     (folder.path() / name).string() + "'");
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_PRED_FORMAT2(IsSubstring, "File too large", run.messages);
    EXPECT_EQ(std::count(run.messages.begin(), run.messages.end(), '\n'), 1) << run.messages;
    EXPECT_EQ(entries(folder), 0U) << name;
  }
}

TEST(Run, AnInterruptKeepsWhatWasComputedAndMarksItAsPartial) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "x.csv";
  // the signal comes when the file has begun
  const Finished run = run_command("(" + program + "run pendulum --duration 1e9 --every 0.5 -o '" + file +
                                   "' & while [ ! -s '" + folder.path().string() +
                                   "'/x.csv.*-$!.tmp ]; do sleep 0.02; done; kill -INT $!; wait $!)");
  EXPECT_EQ(run.status, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "interrupted at t = ", run.messages);
  const std::string text = read_file(file);
  EXPECT_PRED_FORMAT2(IsSubstring, "\n0.5,", text);
  const std::size_t last = text.rfind('\n', text.size() - 2);
  EXPECT_EQ(text.substr(last + 1, 27), "# partial: interrupted at t");
  EXPECT_EQ(entries(folder), 1U);
}

TEST(Run, ColourIsForTerminalsAloneAndCanBeRefused) {
  const TemporaryFolder folder;
  const std::string call = program + "run pendulum --duration 0.1 -o " + (folder.path() / "x.csv").string();
  const std::string escape = "\033[";
  EXPECT_EQ(run_command(call).messages.find(escape), std::string::npos);
  const auto at_terminal = [&](const std::string& environment) {
    return run_command("TERM=xterm " + environment + " script -qec \"" + call + "\" /dev/null").output;
  };
  EXPECT_PRED_FORMAT2(IsSubstring, "\033[32mfinished\033[0m", at_terminal(""));
  EXPECT_EQ(at_terminal("NO_COLOR=1").find("\033[32m"), std::string::npos);
}

TEST(Run, OutputsThatContradictEachOtherAreMistakes) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "x.csv").string();
  const auto expect_refusal = [](const std::string& options, const std::string& words) {
    const Finished run = dalembert("run pendulum_cartesian --duration 1 " + options);
    EXPECT_EQ(run.status, 1) << options;
    EXPECT_NE(run.messages.find(words), std::string::npos) << options << "\n" << run.messages;
  };
  expect_refusal("-o " + file + " -o " + file, "x.csv' is given twice");
  expect_refusal("-o " + file + " -o " + (folder.path() / "." / "x.csv").string(), "x.csv' is given twice");
  std::filesystem::create_symlink("x.csv", folder.path() / "link.csv");
  expect_refusal("-o " + file + " -o " + (folder.path() / "link.csv").string(), "link.csv' is given twice");
  expect_refusal("-o none -o " + file, "other files with -o contradict it");
  expect_refusal("-o none --against x", "--plot is missing");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Run, JsonOfTheSummaryStandsAloneOnStandardOutput) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "x.csv").string();
  const auto expect_summary = [](const std::string& text) {
    EXPECT_EQ(nlohmann::json::parse(text).at("outcome"), "finished") << text;
  };
  const Finished alone = dalembert("run pendulum --duration 1 --json");
  expect_summary(alone.output);
  EXPECT_EQ(alone.messages, "");
  const Finished with_file = dalembert("run pendulum --duration 1 --json -o " + file);
  expect_summary(with_file.output);
  EXPECT_EQ(read_file(file).substr(0, 8), "t,theta,");
  const Finished with_samples = dalembert("run pendulum --duration 1 --json -o -");
  EXPECT_EQ(with_samples.output.substr(0, 8), "t,theta,");
  expect_summary(with_samples.messages);
}

TEST(Run, ResultsDoNotReplaceTheModel) {
  const TemporaryFolder folder;
  const std::string text = "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n";
  const auto expect_refusal = [&](const std::string& name, const std::string& call) {
    const std::string model = folder.write(name, text).string();
    const Finished run = dalembert(call + " '" + model + "' " + "'" + model + "'");
    EXPECT_EQ(run.status, 1) << call;
    EXPECT_PRED_FORMAT2(IsSubstring, "is what is read", run.messages);
    EXPECT_EQ(read_file(model), text);
  };
  expect_refusal("a.csv", "run -o");
  expect_refusal("a.svg", "run --plot");
  expect_refusal("a.html", "run --report");
  expect_refusal("b.csv", "compare -o");
  expect_refusal("a.urdf", "import -o");
  std::filesystem::create_symlink("a.csv", folder.path() / "link.csv");
  const Finished linked = dalembert("run '" + (folder.path() / "a.csv").string() + "' -o '" +
                                    (folder.path() / "link.csv").string() + "'");
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(read_file(folder.path() / "a.csv"), text);
}

TEST(Run, AModelWithoutATitleIsCalledByItsFile) {
  const TemporaryFolder folder;
  const std::string model = (folder.path() / "free.toml").string();
  std::ofstream(model) << "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n[solve]\nduration = 1\n";
  const std::string plot = (folder.path() / "x.svg").string();
  const Finished run = dalembert("run " + model + " -o none --max-steps 2 --plot " + plot);
  EXPECT_EQ(run.messages.substr(0, 5), "free\n") << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, ">free (stopped early)</text>", read_file(plot));
  EXPECT_EQ(dalembert("series " + model).output.substr(0, 5), "free\n");
  const Finished empty = dalembert("run " + model + " -o none --columns outputs --plot " + plot);
  EXPECT_EQ(empty.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "there is nothing to draw", empty.messages);
}

TEST(Run, OptionsThatTheMethodHasNoUseForAreMistakes) {
  const auto expect_refusal = [](const std::string& options, const std::string& words) {
    const Finished run = dalembert("run pendulum_cartesian --duration 1 -o none " + options);
    EXPECT_EQ(run.status, 1) << options;
    EXPECT_NE(run.messages.find(words), std::string::npos) << options << "\n" << run.messages;
  };
  expect_refusal("--method adomian --stabilization baumgarte",
                 "method 'adomian' has no use for --stabilization");
  expect_refusal("--method bdf --no-projection", "method 'bdf' has no use for --no-projection");
  expect_refusal("--every 1e-20", "an output step of 1e-20 gives more than 1e+15 samples");
  expect_refusal("--method rk4 --rho 0.5", "--rho; it is for generalized_alpha");
  expect_refusal("--method rk4 --tolerance 1e-3", "has no use for --tolerance");
  expect_refusal("--method euler --order 5", "--order; it is for adomian, bdf, ndf");
  expect_refusal("--method dop853 --alpha 3", "gains of --stabilization baumgarte");
  expect_refusal("--method dop853 --stabilization baumgarte --alpha -3", "must not be negative");
  expect_refusal("--method dop853 --stabilization projection --no-projection", "contradicts");
  expect_refusal("--max-step 0", "--max-step must be positive");
  expect_refusal("--max-steps 0", "--max-steps must be positive");
  expect_refusal("--threads 0", "--threads must be positive");
  expect_refusal("--threads 1000", "the number of threads must be between 1 and 256, not 1000");
  expect_refusal("--method rk4 --threads 2", "method 'rk4' has no use for --threads");
  expect_refusal("--digits 0", "--digits must be positive");
  expect_refusal("--times 0.5 --every 0.1", "--times says when to sample");
  expect_refusal("--every-step --every 0.1", "--every contradicts it");
  expect_refusal("--report page.pdf", "'page.pdf' is no name of a report page");
}

TEST(Run, NumbersThatNoRunCanBeMadeOfAreMistakes) {
  const auto expect_refusal = [](const std::string& options, const std::string& words) {
    const Finished run = dalembert("run pendulum_cartesian -o none " + options);
    EXPECT_EQ(run.status, 1) << options;
    EXPECT_NE(run.messages.find(words), std::string::npos) << options << "\n" << run.messages;
  };
  expect_refusal("--start 1e17 --duration 1", "the duration of 1 is too short near t = 1e+17");
  expect_refusal("--start 1e12 --duration 0.1", "the duration of 0.1 is too short");
  expect_refusal("--start 1e9 --duration 1e6 --every 1e-8", "the output step of 1e-08 is too short");
  expect_refusal("--start 1e9 --duration 1e9 --max-step 1e-8", "the longest step of 1e-08 is too short");
  expect_refusal("--start 1e9 --duration 1e9 --method rk4 --step 1e-8", "the step of 1e-08 is too short");
  expect_refusal("--start 1e308 --duration 1e308 --every 1e307", "beyond the largest number");
  expect_refusal("--max-steps -1", "--max-steps must be positive");
  expect_refusal("--order -1", "--order must be positive");
  for (const char* option :
       {"--start", "--duration", "--tolerance", "--max-step", "--output-step", "--times"}) {
    for (const char* value : {"''", "nan", "inf", "-inf", "1e999"}) {
      expect_refusal(std::string(option) + " " + value, option);
    }
  }
}

TEST(Run, CountsInAModelAreWholeNumbers) {
  const TemporaryFolder folder;
  for (const auto& [line, words] :
       {std::pair{"order = 1e300", "the order must be between 1 and 1000"},
        std::pair{"order = 2.5", "order must be a whole number up to 1000"},
        std::pair{"max_steps = 1e20", "the number of steps must be between 1 and"},
        std::pair{"threads = 1e10", "threads must be between 1 and 256"}}) {
    const auto model =
        folder.write("free.toml", std::string("[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n") +
                                      "[solve]\nduration = 1\n" + line + "\n");
    const Finished run = dalembert("run -o none '" + model.string() + "'");
    EXPECT_EQ(run.status, 1) << line;
    EXPECT_PRED_FORMAT2(IsSubstring, words, run.messages);
    EXPECT_PRED_FORMAT2(IsSubstring, "free.toml:7:", run.messages);
  }
}

TEST(Run, WithoutProjectionExplicitMethodsDrift) {
  const auto residual = [](const std::string& options) {
    const Finished run =
        dalembert("run pendulum_cartesian --duration 5 --method rk4 --step 0.02 --json -o none " + options);
    EXPECT_EQ(run.status, 0) << run.messages;
    return nlohmann::json::parse(run.output).at("max_position_residual").get<double>();
  };
  EXPECT_LT(residual(""), 1e-14);
  EXPECT_GT(residual("--no-projection"), 1e-9);
  EXPECT_EQ(residual("--no-projection"), residual("--stabilization none"));
}

}  // namespace
}  // namespace dalembert
