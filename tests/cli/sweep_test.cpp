// dalembert sweep as its user meets it: files, mistakes, kills, full disks.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dalembert/output/table_file.hpp>

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
  EXPECT_PRED_FORMAT2(IsSubstring, "--collect: 'end()' lacks its expression: end(EXPRESSION)",
                      message("--vary l=1 --collect 'end()'"));
  EXPECT_PRED_FORMAT2(IsSubstring, "--collect: 'count()' lacks its event: count(NAME)",
                      message("--vary l=1 --collect 'count()'"));
  EXPECT_PRED_FORMAT2(IsSubstring, "--vary: cannot read the table 'nofile.csv': No such file or directory",
                      message("--vary nofile.csv"));
  EXPECT_PRED_FORMAT2(IsSubstring, "'l' is varied: 'l=3' would have no effect; leave one of them out",
                      message("--vary l=1,2 --set l=3"));
  EXPECT_PRED_FORMAT2(IsSubstring, "'theta'' is varied: 'theta'=1' would have no effect",
                      message("--sample \"theta'=normal(0,1)\" --runs 2 --set \"theta'=1\""));
  EXPECT_PRED_FORMAT2(IsSubstring, "nothing varies", message(""));
  EXPECT_PRED_FORMAT2(IsSubstring, "whole motions are kept in .h5, not in",
                      message("--vary l=1 --collect motion"));
  EXPECT_PRED_FORMAT2(IsSubstring, "--output-step and --times exclude each other",
                      message("--vary l=1 --collect motion --times 1,2 --output-step 0.1"));
  EXPECT_PRED_FORMAT2(IsSubstring, "'-1' is not a whole number",
                      message("--sample 'l=normal(1,0.1)' --runs -1"));
  EXPECT_PRED_FORMAT2(IsSubstring, "cannot create /nowhere/b.csv", message("--vary l=1 -o /nowhere/b.csv"));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Sweep, ReadsTablesOfSpreadsheets) {
  const TemporaryFolder folder;
  const fs::path table = folder.path() / "t.csv";
  const auto sweep = [&](const std::string& text) {
    std::ofstream(table) << text;
    return dalembert("sweep pendulum --duration 1 --vary '" + table.string() + "' -o " + in(folder, "a.csv"));
  };
  EXPECT_EQ(sweep("\xEF\xBB\xBF\"theta\";\"l\"\r\n\"1\";2\r\n0.5;1.5\r\n").status, 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "\n0,1,2,finished,", read_file(folder.path() / "a.csv"));
  EXPECT_PRED_FORMAT2(IsSubstring, "\n1,0.5,1.5,finished,", read_file(folder.path() / "a.csv"));
  EXPECT_PRED_FORMAT2(IsSubstring, "line 2 of the table: a comma within a cell",
                      sweep("theta;l\n1,5;2\n").messages);
  EXPECT_PRED_FORMAT2(IsSubstring, "line 2 of the table: the quotation mark of \"1 is not closed",
                      sweep("theta,l\n\"1,2\n").messages);
}

TEST(Sweep, SaysWhenThereIsNothingToResume) {
  const TemporaryFolder folder;
  const Finished run =
      dalembert("sweep pendulum --vary theta=1,2 --duration 1 --resume -o " + in(folder, "a.csv"));
  EXPECT_EQ(run.status, 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "resumed        nothing: there were no rows yet", run.messages);
}

TEST(Sweep, GivesNoSignToWhatIsNoNumber) {
  const TemporaryFolder folder;
  dalembert("sweep pendulum --vary theta=1 --duration 1 --collect 'end(sqrt(-1-theta^2))' -o " +
            in(folder, "a.csv"));
  EXPECT_PRED_FORMAT2(IsSubstring, "\n0,1,nan,finished", read_file(folder.path() / "a.csv"));
}

// Killed again and again, then completed: the bytes of an uninterrupted study.
TEST(Sweep, LosesAndDoublesNoRowWhenItIsKilled) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "k.csv";
  const fs::path h5 = folder.path() / "k.h5";
  ASSERT_EQ(
      dalembert(many + "--runs 8000 --quiet -o " + in(folder, "whole.csv") + " -o " + in(folder, "whole.h5"))
          .status,
      0);
  const std::string call = "exec " + program + many + "--runs 8000 --resume --quiet -o '" + file.string() +
                           "' -o '" + h5.string() + "'";
  for (int i = 0; i < 4; ++i) {
    const pid_t process = fork();
    if (process == 0) {
      execl("/bin/sh", "sh", "-c", call.c_str(), nullptr);
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(60 + 40 * i));
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    for (const fs::path& one : {file, h5})
      EXPECT_TRUE(!fs::exists(one) || !read_table_text(one, "study").empty()) << one;
  }
  const Finished last = run_command(call);
  EXPECT_EQ(last.status, 0) << last.messages;
  EXPECT_EQ(read_file(file), read_file(folder.path() / "whole.csv"));
  EXPECT_EQ(read_file(h5), read_file(folder.path() / "whole.h5"));
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

// A file system of 300 kB in the middle of the study, then of 9 MB. Its commands see a namespace of mounts of
// their own.
TEST(Sweep, GoesOnWhenAFullDiskHasRoomAgain) {
  const std::string mount = "mount -t tmpfs -o size=300k tmpfs ";
  const TemporaryFolder folder, disk;
  if (run_command("unshare -rm sh -c '" + mount + disk.path().string() + "'").status != 0)
    GTEST_SKIP() << "file systems cannot be mounted";
  for (const char* collect : {"", "--collect motion --output-step 0.1 "}) {
    const std::string call = program + many + "--runs 5000 --quiet " + collect + "-o ";
    ASSERT_EQ(run_command(call + in(folder, "whole.h5")).status, 0);
    std::ofstream(folder.path() / "script")
        << mount << disk.path().string() << " || exit 9\n"
        << call << in(disk, "f.h5") << "\n"
        << "test $? = 2 || exit 8\n"
        << "mount -o remount,size=9m " << disk.path().string() << "\n"
        << call << in(disk, "f.h5") << " --resume || exit 7\n"
        << "cp " << in(disk, "f.h5") << " " << in(folder, "resumed.h5") << "\n";
    const Finished study = run_command("unshare -rm sh " + in(folder, "script"));
    EXPECT_EQ(study.status, 0) << study.messages;
    EXPECT_PRED_FORMAT2(IsSubstring, "cannot write", study.messages);
    EXPECT_PRED_FORMAT2(IsSubstring, "--resume", study.messages);
    EXPECT_EQ(read_file(folder.path() / "resumed.h5"), read_file(folder.path() / "whole.h5"));
  }
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

// OpenMPI does not free what it allocates in modules that it unloads: leaks are none of the program's here.
constexpr const char* start_mpi =
    "env ASAN_OPTIONS=detect_leaks=0 mpirun --allow-run-as-root --oversubscribe ";

// Started by mpirun: empty where that or the module of MPI is not there.
std::string mpirun(const std::string& options = "") {
  const bool has_module = fs::exists(DALEMBERT_BINARY_DIR "/apps/dalembert/dalembert_mpi.so");
  if (!has_module || run_command("mpirun --version").status != 0) return "";
  return std::string(start_mpi) + options + " -n 4 " + program;
}

TEST(SweepByMpi, HasTheSameBytes) {
  const std::string call = mpirun();
  if (call.empty()) GTEST_SKIP() << "no mpirun (package openmpi-bin), or built without MPI (libopenmpi-dev)";
  const TemporaryFolder folder;
  ASSERT_EQ(dalembert(many + "--runs 4000 --quiet -o " + in(folder, "a.csv")).status, 0);
  const Finished run = run_command(call + many + "--runs 4000 -o " + in(folder, "b.csv"));
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "4 processes of 1 thread", run.messages);
  EXPECT_EQ(read_file(folder.path() / "b.csv"), read_file(folder.path() / "a.csv"));
  const Finished wrong = run_command(call + "sweep pendulum --vary thta=1 -o " + in(folder, "c.csv"));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.messages.find("'thta'"), wrong.messages.rfind("'thta'")) << wrong.messages;  // said once
}

// Whose process is killed, everybody's are by mpirun; what they have computed is there.
TEST(SweepByMpi, GoesOnAfterAProcessWasKilled) {
  const std::string call = mpirun();
  if (call.empty()) GTEST_SKIP() << "no mpirun (package openmpi-bin), or built without MPI (libopenmpi-dev)";
  const TemporaryFolder folder;
  ASSERT_EQ(dalembert(many + "--runs 30000 --quiet -o " + in(folder, "a.csv")).status, 0);
  const std::string sweep = many + "--runs 30000 --quiet -o " + in(folder, "b.csv");
  const fs::path rows = folder.path() / "b.csv.rows";
  // the third process ends itself as soon as there are rows
  const Finished killed = run_command(
      std::string(start_mpi) +
      "-n 4 sh -c 'if test $OMPI_COMM_WORLD_RANK = 2; then (while "
      "test $(stat -c %s \"$0\" 2>/dev/null || echo 0) -lt 100000; do sleep 0.01; done; kill -9 $$) & fi; "
      "exec \"$@\"' '" +
      rows.string() + "' " + program + sweep);
  EXPECT_NE(killed.status, 0);
  EXPECT_TRUE(fs::exists(rows));
  const Finished rest = run_command(call + sweep + " --resume");
  EXPECT_EQ(rest.status, 0) << rest.messages;
  EXPECT_EQ(read_file(folder.path() / "b.csv"), read_file(folder.path() / "a.csv"));
}

}  // namespace
}  // namespace dalembert
