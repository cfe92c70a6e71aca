// What files, pages and pictures cost: `dalembert run` with each of them beside the same run without, `-o
// none`, which computes the same samples and writes nothing.
//     bench_output PROGRAM [repetitions]
// Times are those of the whole process, from its start to its end, medians of repeated runs:
//     wall       by the clock; on a busy machine that of the others as well
//     busiest    processor time of the thread that computes, or of the others together if that is more
//     processor  of all threads, user and system

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work_precision.hpp"

extern char** environ;

namespace dalembert::bench {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

struct Times {
  double wall, busiest, processor;
};

// Processor time of the first thread of a process that has ended and was not yet waited for.
double first_thread(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/schedstat");
  double nanoseconds = 0;
  file >> nanoseconds;
  return 1e-9 * nanoseconds;
}

// Of a process from its start to its end; a failure ends the benchmark.
Times time_of(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  rusage usage{};
  const auto start = std::chrono::steady_clock::now();
  siginfo_t ended{};
  double first = 0;
  bool ran = posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0 &&
             waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  if (ran) first = first_thread(child);
  ran = ran && wait4(child, &status, 0, &usage) == child && status == 0;
  if (!ran) {
    std::fprintf(stderr, "%s does not run\n", words.front().c_str());
    std::exit(1);
  }
  const double processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return {wall.count(), std::max(first, processor - first), processor};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Times median(const std::vector<Times>& runs) {
  const auto median_of = [&](double Times::*part) {
    std::vector<double> values;
    for (const Times& run : runs) values.push_back(run.*part);
    return median(values);
  };
  return {median_of(&Times::wall), median_of(&Times::busiest), median_of(&Times::processor)};
}

std::string text(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

struct Motion {
  const char* model;
  double duration;
  int samples;
};

struct Target {
  const char* name;
  std::vector<std::string> options;
};

class Comparison {
 public:
  Comparison(std::string program, int repetitions)
      : program_(std::move(program)), repetitions_(static_cast<std::size_t>(repetitions)) {}

  void run(const Motion& motion, const std::vector<Target>& targets) const {
    // in turns, so that a busy moment of the machine meets all of them
    std::vector<std::vector<Times>> times(targets.size());
    for (std::size_t i = 0; i < repetitions_; ++i) {
      for (std::size_t k = 0; k < targets.size(); ++k) times[k].push_back(time(motion, targets[k].options));
    }
    const Times without = median(times[0]);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const Times with = median(times[k]);
      std::printf("%-20s %8d  %-8s %9.2f %6.2f %14.2f %6.2f %16.2f %6.2f\n", motion.model, motion.samples,
                  targets[k].name, 1e3 * with.wall, with.wall / without.wall, 1e3 * with.busiest,
                  with.busiest / without.busiest, 1e3 * with.processor, with.processor / without.processor);
    }
  }

 private:
  Times time(const Motion& motion, const std::vector<std::string>& options) const {
    std::vector<std::string> words{program_,     "run",
                                   motion.model, "--quiet",
                                   "--duration", text(motion.duration),
                                   "--every",    text(motion.duration / motion.samples)};
    words.insert(words.end(), options.begin(), options.end());
    std::filesystem::remove(options.back());  // to replace an old file takes time of its own
    return time_of(words);
  }

  std::string program_;
  std::size_t repetitions_;
};

void compare_outputs(const std::string& program, int repetitions) {
  print_environment("Dalembert alone");
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("dalembert-output-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto file = [&](const char* suffix) { return (folder / "run").string() + suffix; };
  const std::vector<Target> targets{{"none", {"-o", "none"}},          {"csv", {"-o", file(".csv")}},
                                    {"json", {"-o", file(".json")}},   {"npz", {"-o", file(".npz")}},
                                    {"h5", {"-o", file(".h5")}},       {"svg", {"--plot", file(".svg")}},
                                    {"png", {"--plot", file(".png")}}, {"page", {"--report", file(".html")}}};
  std::printf("%-20s %8s  %-8s %9s %6s %14s %6s %16s %6s\n", "model", "samples", "output", "wall (ms)",
              "ratio", "busiest (ms)", "ratio", "processor (ms)", "ratio");
  const Comparison comparison(program, repetitions);
  for (const int samples : {1000, 100'000}) {
    for (const Motion& motion : {Motion{"slider_crank", 10, samples},
                                 {"andrews", 0.03, samples},
                                 {"pendulum_cartesian", 10, samples}}) {
      comparison.run(motion, targets);
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_output PROGRAM [repetitions]\n");
    return 1;
  }
  dalembert::bench::compare_outputs(argv[1], argc > 2 ? std::atoi(argv[2]) : 11);
}
