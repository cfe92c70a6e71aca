// dalembert sweep as its user meets it: files, mistakes, kills, full disks.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/program.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;
using test::dalembert;
using test::Finished;
using test::program;
using test::read_file;
using test::run_command;
using test::TemporaryFolder;
using testing::IsSubstring;

const std::string many =
    "sweep pendulum --sample 'theta=uniform(0.1,3)' --sample 'l=normal(1,0.1)' --duration 3 --seed 3 "
    "--collect \"max(theta'), end(rod_tension)\" ";

std::string in(const TemporaryFolder& folder, const std::string& name) {
  return fmt::format("'{}'", (folder.path() / name).string());
}

TEST(Sweep, WritesARowForEachRunAndRepeatsOne) {
  const TemporaryFolder folder;
  const Finished sweep = dalembert("sweep pendulum --vary theta=0.5,1,2 --collect 'end(theta)' -o " +
                                   in(folder, "a.csv") + " -o " + in(folder, "a.h5"));
  EXPECT_EQ(sweep.status, 0) << sweep.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "rows           3 of 3; 3 finished", sweep.messages);
  EXPECT_LE(test::widest_line(sweep.messages), 100U);
  const std::string table = read_file(folder.path() / "a.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')), "row,theta,end(theta),outcome,end_time,steps,reason");
  const std::size_t row = table.find("\n1,1,") + 5;
  const double end = std::stod(table.substr(row));
  for (const char* file : {"a.csv", "a.h5"}) {
    const Finished run =
        dalembert("run pendulum --times 10 --columns theta -o - --quiet --row " + in(folder, file) + ":1");
    EXPECT_EQ(run.status, 0) << run.messages;
    EXPECT_NEAR(std::stod(run.output.substr(run.output.rfind(',') + 1)), end, 1e-12);
  }
  const Finished wrong = dalembert("run pendulum --row " + in(folder, "a.h5") + ":3");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "the study has rows 0 to 2; there is no row 3", wrong.messages);
}

TEST(Sweep, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string file = " -o " + in(folder, "a.csv");
  const auto message = [&](const std::string& arguments) {
    const Finished run = dalembert("sweep pendulum " + arguments + file);
    EXPECT_EQ(run.status, 1);
    return run.messages;
  };
  EXPECT_PRED_FORMAT2(IsSubstring, "'thta' cannot be varied", message("--vary thta=1,2"));
  EXPECT_PRED_FORMAT2(IsSubstring, "did you mean 'theta'?", message("--vary thta=1,2"));
  EXPECT_PRED_FORMAT2(IsSubstring, "'x' is not a number", message("--vary l=1:x:3"));
  EXPECT_PRED_FORMAT2(IsSubstring, "--collect:1:1: error: unknown name 'speed'",
                      message("--vary l=1 --collect 'max(speed)'"));
  EXPECT_PRED_FORMAT2(IsSubstring, "there is no event or contact 'hit': the model has none",
                      message("--vary l=1 --collect 'time(hit)'"));
  EXPECT_PRED_FORMAT2(IsSubstring, "nothing varies", message(""));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

// Killed again and again, then completed: the bytes of an uninterrupted study.
TEST(Sweep, LosesAndDoublesNoRowWhenItIsKilled) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "k.csv";
  ASSERT_EQ(dalembert(many + "--runs 8000 --quiet -o " + in(folder, "whole.csv")).status, 0);
  const std::string call =
      "exec " + program + many + "--runs 8000 --resume --quiet -o '" + file.string() + "'";
  for (int i = 0; i < 4; ++i) {
    const pid_t process = fork();
    if (process == 0) {
      execl("/bin/sh", "sh", "-c", call.c_str(), nullptr);
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(60 + 40 * i));
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  const Finished last = run_command(call);
  EXPECT_EQ(last.status, 0) << last.messages;
  EXPECT_EQ(read_file(file), read_file(folder.path() / "whole.csv"));
  EXPECT_FALSE(fs::exists(file.string() + ".rows"));
}

TEST(Sweep, KeepsWhatFitsOnAFullDisk) {
  const TemporaryFolder folder;
  ASSERT_EQ(dalembert(many + "--runs 5000 --quiet -o " + in(folder, "whole.csv")).status, 0);
  const std::string call = program + many + "--runs 5000 -o " + in(folder, "f.csv");
  const Finished full = run_command("ulimit -f 100; " + call);  // blocks of 512 or 1024 bytes
  EXPECT_EQ(full.status, 2) << full.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "cannot write", full.messages);
  EXPECT_PRED_FORMAT2(IsSubstring, "--resume", full.messages);
  const Finished rest = run_command(call + " --resume");
  EXPECT_EQ(rest.status, 0) << rest.messages;
  EXPECT_EQ(read_file(folder.path() / "f.csv"), read_file(folder.path() / "whole.csv"));
}

TEST(Sweep, EndsWithWhatIsThereWhenItIsInterrupted) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "i.csv";
  const Finished stopped = run_command("timeout --preserve-status -s INT 0.5 " + program + many +
                                       "--runs 100000000 -o '" + file.string() + "'");
  EXPECT_EQ(stopped.status, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "the same call with --resume goes on", stopped.messages);
  EXPECT_PRED_FORMAT2(IsSubstring, "# state: partial", read_file(file));
  EXPECT_TRUE(fs::exists(file.string() + ".rows"));
}

}  // namespace
}  // namespace dalembert
