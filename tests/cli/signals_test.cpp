// Signals that end a program, readers that go away, streams that are closed.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
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
using Clock = std::chrono::steady_clock;

// The program beside the test; standard error in a file.
class Running {
 public:
  Running(const std::string& arguments, const fs::path& messages) {
    const std::string call = "exec " + program + arguments + " 2>'" + messages.string() + "'";
    process_ = fork();
    if (process_ == 0) {
      execl("/bin/sh", "sh", "-c", call.c_str(), nullptr);
      _exit(127);
    }
  }
  void send(int signal) const { kill(process_, signal); }
  /// The status of wait(), 0 while it runs; waits 20 s at most.
  int wait() {
    for (int i = 0; i < 2000; ++i) {
      int status = 0;
      if (waitpid(process_, &status, WNOHANG) == process_) return status;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    return -1;
  }

 private:
  pid_t process_;
};

bool appears(const fs::path& folder, const std::string& begin) {
  for (int i = 0; i < 2000; ++i) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      std::error_code gone;
      if (entry.path().filename().string().starts_with(begin) && entry.file_size(gone) > 0 && !gone)
        return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

class EndingSignal : public testing::TestWithParam<int> {};

TEST_P(EndingSignal, KeepsWhatARunHasComputedHoweverOftenItComes) {
  const TemporaryFolder folder;
  const TemporaryFolder aside;
  const fs::path file = folder.path() / "x.csv";
  Running run("run pendulum --duration 1e9 --every 0.5 -o '" + file.string() + "'",
              aside.path() / "messages");
  ASSERT_TRUE(appears(folder.path(), "x.csv."));
  for (int i = 0; i < 5; ++i) run.send(GetParam());
  const int status = run.wait();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
  EXPECT_PRED_FORMAT2(IsSubstring, "interrupted at t = ", read_file(aside.path() / "messages"));
  EXPECT_PRED_FORMAT2(IsSubstring, "\n# partial: interrupted at t", read_file(file));
  EXPECT_EQ(entries(folder.path()), 1U);
}

// A pipe that nobody reads holds the program before it has computed anything.
TEST_P(EndingSignal, EndsTheProgramAtOnceWhereNothingIsComputed) {
  const TemporaryFolder folder;
  const TemporaryFolder aside;
  ASSERT_EQ(mkfifo((aside.path() / "pipe.json").c_str(), 0600), 0);
  Running run("run pendulum -o '" + (folder.path() / "x.csv").string() + "' -o '" +
                  (aside.path() / "pipe.json").string() + "'",
              aside.path() / "messages");
  for (int i = 0; i < 2000 && entries(folder.path()) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(entries(folder.path()), 1U);
  run.send(GetParam());
  const int status = run.wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == GetParam()) << status;
  EXPECT_PRED_FORMAT2(IsSubstring, "nothing is written", read_file(aside.path() / "messages"));
  EXPECT_EQ(entries(folder.path()), 0U);
}

INSTANTIATE_TEST_SUITE_P(Signals, EndingSignal, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU),
                         [](const auto& info) { return std::string(sigabbrev_np(info.param)); });

// A step of this run takes minutes; how long its start takes depends on the machine.
TEST(Signals, KeepWhatIsComputedThoughAStepTakesLong) {
  const TemporaryFolder folder;
  const TemporaryFolder aside;
  const fs::path file = folder.path() / "x.csv";
  int status = 0;
  for (auto start = std::chrono::milliseconds(200); start < std::chrono::seconds(30); start *= 2) {
    Running run("run pendulum --digits 3000 -o '" + file.string() + "'", aside.path() / "messages");
    std::this_thread::sleep_for(start);
    run.send(SIGTERM);
    status = run.wait();
    if (!WIFSIGNALED(status)) break;  // else nothing was computed
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
  EXPECT_PRED_FORMAT2(IsSubstring, "interrupted within a step that takes long",
                      read_file(aside.path() / "messages"));
  EXPECT_PRED_FORMAT2(IsSubstring, "\n# partial: interrupted at t = 0", read_file(file));
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(Signals, ThatEndTheMakingOfAUnitLeaveNothingBehind) {
  const TemporaryFolder folder;
  const TemporaryFolder aside;
  const fs::path begun = aside.path() / "begun";
  const fs::path compiler =
      aside.write("slow-compiler", "#!/bin/sh\ntouch '" + begun.string() + "'\nexec sleep 2\n");
  fs::permissions(compiler, fs::perms::owner_all);
  setenv("CC", compiler.c_str(), 1);
  setenv("TMPDIR", folder.path().c_str(), 1);
  Running run("fmu pendulum -o '" + (aside.path() / "k.fmu").string() + "'", aside.path() / "messages");
  unsetenv("TMPDIR");
  unsetenv("CC");
  for (int i = 0; i < 2000 && !fs::exists(begun); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(fs::exists(begun));
  EXPECT_EQ(entries(folder.path()), 1U);
  run.send(SIGTERM);
  const int status = run.wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  EXPECT_EQ(entries(folder.path()), 0U);
  EXPECT_EQ(entries(aside.path()), 3U);  // no unit, and no beginning of one
}

TEST(Signals, HangingUpIsIgnoredWhereNohupWantsIt) {
  const TemporaryFolder folder;
  const TemporaryFolder aside;
  const fs::path file = folder.path() / "x.csv";
  std::signal(SIGHUP, SIG_IGN);  // is inherited
  Running run("run pendulum --duration 1e9 --every 0.5 -o '" + file.string() + "'",
              aside.path() / "messages");
  std::signal(SIGHUP, SIG_DFL);
  ASSERT_TRUE(appears(folder.path(), "x.csv."));
  run.send(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(fs::exists(file));  // it goes on
  run.send(SIGTERM);
  EXPECT_EQ(WEXITSTATUS(run.wait()), 2);
}

TEST(Signals, ARunEndsThoughNobodyReadsItsPipe) {
  const TemporaryFolder aside;
  const fs::path pipe = aside.path() / "pipe.csv";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Running run("run pendulum --duration 1e9 --every 0.5 -o '" + pipe.string() + "'",
              aside.path() / "messages");
  const int reader = open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
  char first = 0;
  EXPECT_EQ(read(reader, &first, 1), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // until the pipe is full
  run.send(SIGTERM);
  EXPECT_EQ(WEXITSTATUS(run.wait()), 2);
  close(reader);
}

TEST(Streams, AReaderThatHasEnoughEndsTheProgramWithoutAWord) {
  for (const char* call :
       {"run pendulum --duration 1e4", "equations andrews --json", "models show andrews"}) {
    const Finished run = run_command("sh -c \"(" + program + call + "; echo status $? >&2) | head -n 1\"");
    EXPECT_TRUE(run.messages == "status 141\n" || run.messages == "status 0\n") << run.messages;
  }
}

TEST(Streams, AReaderThatHasEnoughDoesNotHarmTheOtherFiles) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "x.csv";
  const Finished run = run_command(program + "run pendulum --duration 100 --every 1e-3 --quiet -o - -o '" +
                                   file.string() + "' | head -n 1");
  EXPECT_EQ(run.messages, "");
  EXPECT_PRED_FORMAT2(IsSubstring, "\n100,", read_file(file));
}

TEST(Streams, ClosedOnesAreNoReasonToCrashNorToWriteMessagesIntoFiles) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "x.csv";
  const Finished run = run_command("sh -c \"" + program + "run pendulum --duration 1 -o '" + file.string() +
                                   "' 0<&- 1>&- 2>&-\"");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(read_file(file).substr(0, 8), "t,theta,");
  EXPECT_EQ(read_file(file).find("outcome"), std::string::npos);
  EXPECT_EQ(run_command("sh -c \"" + program + "check pendulum >&-\"").status, 2);
  EXPECT_EQ(run_command("sh -c \"" + program + "check pendulm 2>&-\"").status, 1);
}

}  // namespace
}  // namespace dalembert
