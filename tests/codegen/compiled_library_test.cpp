// Compiling, loading and keeping generated code; runs with it and without.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/codegen/compiled_library.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>

#include "temporary_folder.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

const std::string answer = "int answer(void) { return 42; }\n";

int answer_of(const std::shared_ptr<const CompiledLibrary>& library) {
  return reinterpret_cast<int (*)()>(library->find("answer"))();
}

// A cache of its own, and the compiler of the system.
class CompiledCode : public testing::Test {
 protected:
  CompiledCode() : cache_before_(std::getenv("XDG_CACHE_HOME")) {
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  ~CompiledCode() override {
    setenv("XDG_CACHE_HOME", cache_before_.c_str(), 1);
    unsetenv("CC");
  }
  fs::path cache() const { return folder_.path() / "dalembert"; }
  std::vector<fs::path> libraries() const {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(cache())) {
      if (entry.path().extension() == ".so") found.push_back(entry.path());
    }
    return found;
  }
  test::TemporaryFolder folder_;

 private:
  std::string cache_before_;
};

TEST_F(CompiledCode, IsFoundAgain) {
  CCompiler compiler;
  EXPECT_EQ(compiler.find(answer), nullptr);
  const auto made = compiler.compile(answer);
  ASSERT_NE(made, nullptr) << compiler.reason();
  EXPECT_EQ(answer_of(made), 42);
  EXPECT_EQ(made->find("question"), nullptr);
  const auto found = CCompiler().find(answer);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(answer_of(found), 42);
  EXPECT_EQ(CCompiler().find(answer + " "), nullptr) << "another text is other code";
  EXPECT_EQ(libraries().size(), 1U);
}

TEST_F(CompiledCode, IsForItsUserAlone) {
  ASSERT_NE(CCompiler().compile(answer), nullptr);
  EXPECT_EQ(fs::status(cache()).permissions() & (fs::perms::group_all | fs::perms::others_all),
            fs::perms::none);
  fs::permissions(cache(), fs::perms::all);
  EXPECT_EQ(CCompiler().find(answer), nullptr) << "in a folder where others may write nothing is trusted";
  EXPECT_NE(CCompiler().compile(answer), nullptr) << "but it is compiled, for this process";
  fs::permissions(cache(), fs::perms::owner_all);
  fs::permissions(libraries()[0], fs::perms::all);
  EXPECT_EQ(CCompiler().find(answer), nullptr);
}

TEST_F(CompiledCode, CountsOnlyWithWhatItWasMadeFrom) {
  ASSERT_NE(CCompiler().compile(answer), nullptr);
  for (const fs::directory_entry& entry : fs::directory_iterator(cache())) {
    if (entry.path().extension() == ".origin") std::ofstream(entry.path(), std::ios::app) << "more";
  }
  EXPECT_EQ(CCompiler().find(answer), nullptr);
  const auto again = CCompiler().compile(answer);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(answer_of(again), 42);
}

TEST_F(CompiledCode, ThatIsDamagedIsMadeAgain) {
  ASSERT_NE(CCompiler().compile(answer), nullptr);
  std::ofstream(libraries()[0]) << "no library";
  CCompiler compiler;
  const auto again = compiler.compile(answer);
  ASSERT_NE(again, nullptr) << compiler.reason();
  EXPECT_EQ(answer_of(again), 42);
}

TEST_F(CompiledCode, MayBeMadeByManyAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> answers(4, 0);
  for (int& result : answers) {
    threads.emplace_back([&result] {
      if (const auto library = CCompiler().compile(answer)) result = answer_of(library);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answers, std::vector<int>(4, 42));
  EXPECT_EQ(libraries().size(), 1U);
}

TEST_F(CompiledCode, ThatDoesNotCompileTellsWhy) {
  CCompiler compiler;
  EXPECT_EQ(compiler.compile("int answer(void) { return no_such_name; }\n"), nullptr);
  EXPECT_NE(compiler.reason().find("no_such_name"), std::string::npos) << compiler.reason();
}

TEST_F(CompiledCode, ComesFromTheCompilerInCC) {
  setenv("CC", "false", 1);
  CCompiler compiler;
  EXPECT_EQ(compiler.compile(answer), nullptr);
  EXPECT_NE(compiler.reason().find("false failed"), std::string::npos) << compiler.reason();
  setenv("CC", "no-such-compiler", 1);  // then the usual ones
  EXPECT_NE(CCompiler().compile(answer), nullptr);
}

TEST_F(CompiledCode, IsNotWaitedForWhenStopped) {
  const fs::path program = folder_.write("sleeper", "#!/bin/sh\nexec sleep 100\n");
  fs::permissions(program, fs::perms::owner_all);
  setenv("CC", program.c_str(), 1);
  CCompiler compiler;
  EXPECT_EQ(compiler.compile(answer, [] { return true; }), nullptr);
  EXPECT_EQ(compiler.reason(), "the compiler was stopped");
}

struct End {
  RunReport report;
  std::vector<double> q;
};

End run(const System& system, const std::string& native) {
  SolveOptions options = options_of(system.model());  // Andrews' mechanism turns thousands of times in 2 s
  options.duration = std::min(options.duration, 2.0);
  options.native = native;
  End end;
  end.report = solve(system, options, SampleSink<double>([&](const Sample<double>& s) {
                       end.q.assign(s.q.begin(), s.q.end());
                       return true;
                     }));
  return end;
}

TEST_F(CompiledCode, RunsHaveTheSameMotion) {
  for (const char* const name : {"pendulum", "slider_crank", "double_pendulum", "andrews", "four_bar"}) {
    const System system(read_model(find_model(name)));
    const End off = run(system, "off");
    const End on = run(system, "on");
    EXPECT_EQ(on.report.outcome, off.report.outcome) << name;
    EXPECT_EQ(run(system, "on").q, on.q) << name << ": the same bits every time";
    ASSERT_EQ(on.q.size(), off.q.size());
    for (std::size_t i = 0; i < on.q.size(); ++i)
      EXPECT_NEAR(on.q[i], off.q[i], 1e-9 * std::max(1.0, std::abs(off.q[i]))) << name;
  }
}

TEST_F(CompiledCode, IsAskedForInVainWithoutACompiler) {
  const System system(read_model(find_model("pendulum")));
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.path().c_str(), 1);
  std::string message;
  try {
    run(system, "on");
  } catch (const Error& error) {
    message = error.message();
  }
  const End automatic = run(system, "auto");
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(message, "no native code: there is no C compiler (CC, cc, gcc, clang)");
  EXPECT_EQ(automatic.q, run(system, "off").q);
}

}  // namespace
}  // namespace dalembert
