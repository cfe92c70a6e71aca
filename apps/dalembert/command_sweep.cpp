// dalembert sweep MODEL
#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/session/layout.hpp>
#include <dalembert/study/executor.hpp>
#include <dalembert/study/messages.hpp>
#include <dalembert/study/process_executor.hpp>
#include <dalembert/study/sweep.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "option_arguments.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct SweepArguments {
  ModelArguments model;
  study::Variation variation;
  std::vector<std::string> collect, files;
  std::string report;
  OptionArguments options;
  int threads = 0;
  bool resume = false;
  bool quiet = false;
};

// A table is read at once: the study is repeated from what it was.
std::string with_table(const std::string& vary) {
  if (vary.find('=') != std::string::npos || !vary.ends_with(".csv")) return vary;
  try {
    return study::Variation::table_mark + read_text(vary);
  } catch (const Error& error) {
    const std::string& message = error.message();
    const std::string reason = message.substr(std::min(message.find(": "), message.size()));
    throw Error(fmt::format("--vary: cannot read the table '{}'{}", vary, reason));
  }
}

study::StudyDescription describe_study(const SweepArguments& arguments) {
  study::StudyDescription study;
  study.model = arguments.model.find();
  study.variation = arguments.variation;
  for (std::string& vary : study.variation.vary) vary = with_table(vary);
  study.collect = arguments.collect;
  study.options = arguments.options.given();
  return study;
}

// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./+:,@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// A line on a terminal, several times a second.
class SweepLine {
 public:
  SweepLine() : terminal_(isatty(STDERR_FILENO) != 0) {}
  ~SweepLine() {
    if (drawn_) say("\r\033[K");
  }
  SweepLine(const SweepLine&) = delete;
  SweepLine& operator=(const SweepLine&) = delete;

  void show(const study::SweepProgress& progress) {
    constexpr auto interval = std::chrono::milliseconds(100);
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - last_ < interval) return;
    last_ = now;
    drawn_ = true;
    const double rate = static_cast<double>(progress.rows - progress.rows_before) / progress.seconds;
    say(fmt::format("\r{} of {} runs, {:.4g} per second, {} left\033[K", progress.rows, progress.all_rows,
                    rate, duration_text(static_cast<double>(progress.all_rows - progress.rows) / rate)));
  }

 private:
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

study::Study make_study(const SweepArguments& arguments) {
  if (arguments.files.empty()) throw Error("-o says where the study goes: a file .h5, .parquet or .csv");
  std::vector<std::string> written = arguments.files;
  if (!arguments.report.empty()) written.push_back(arguments.report);
  refuse_to_overwrite(arguments.model.find().file, written);
  return study::Study(describe_study(arguments));
}

study::SweepReport sweep_by(study::Executor& executor, const study::Study& of,
                            const SweepArguments& arguments, const std::function<void()>& computed = {}) {
  study::SweepOptions options;
  options.files = arguments.files;
  options.page = arguments.report;
  options.row_call = {fmt::format("dalembert run {} --row {}:", shell_word(arguments.model.model),
                                  shell_word(arguments.files.front())),
                      ""};
  options.resume = arguments.resume;
  options.go_on = [] { return !interrupt_asked(); };
  options.computed = computed;
  SweepLine line;
  options.progress = [&](const study::SweepProgress& progress) { line.show(progress); };
  keep_what_is_computed();
  return study::sweep(of, executor, options);
}

void tell(const study::SweepReport& report, bool quiet) {
  exit_status() = report.is_complete() ? done : stopped_early;
  if (!quiet || exit_status() != done) say(to_text(report));
}

void sweep_by_threads(const SweepArguments& arguments) {
  const study::Study of = make_study(arguments);
  study::ThreadExecutor executor(arguments.threads);
  LastResort last_resort([&] {
    say(session::wrap_words(fmt::format("interrupted within runs that take long; the same call with --resume "
                                        "goes on, {}.rows has what is computed",
                                        arguments.files.front()),
                            "dalembert: ", "  "));
    return stopped_early;
  });
  last_resort.begin();
  study::SweepReport report = sweep_by(executor, of, arguments, [&] { last_resort.dismiss(); });
  report.threads = executor.threads();
  tell(report, arguments.quiet);
}

// Started by mpirun: all processes get the same call and make the same study of it.
void sweep_by_processes(const SweepArguments& arguments) {
  const study::Study of = make_study(arguments);
  const std::unique_ptr<study::Messages> messages = study::make_mpi_messages();
  const study::ProcessSettings settings{.threads = std::max(arguments.threads, 1)};
  if (messages->rank() > 0) {
    keep_what_is_computed();
    return study::follow(of, *messages, settings, [] { return !interrupt_asked(); });
  }
  study::LeadingExecutor executor(*messages, settings);
  study::SweepReport report = sweep_by(executor, of, arguments);
  report.processes = executor.processes();
  report.threads = settings.threads;
  if (!executor.trouble().empty()) say(fmt::format("dalembert: {}\n", executor.trouble()));
  tell(report, arguments.quiet);
}

void sweep(const SweepArguments& arguments) {
  const study::ProcessPlace place = study::find_process_place();
  if (place.size == 1) return sweep_by_threads(arguments);
  try {
    sweep_by_processes(arguments);
  } catch (const OutputError&) {
    throw;
  } catch (const Error&) {
    if (place.rank == 0) throw;  // the others need not say the same
    exit_status() = wrong_call;
  }
}

void add_variation(CLI::App& command, study::Variation& variation) {
  command
      .add_option(
          "--vary", variation.vary,
          "parameter or start value over a grid: l1=0.1:0.5:50,\nm=log(1,100,20), l1=0.1,0.2,0.3; or a "
          "file .csv with\nnames in its first line; repeatable: all combinations")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  command
      .add_option("--sample", variation.samples,
                  "drawn at random: normal(MEAN,DEVIATION),\nuniform(A,B), lognormal(MEAN,DEVIATION),\n"
                  "triangular(A,MODE,B); repeatable")
      ->type_name("NAME=DISTRIBUTION")
      ->allow_extra_args(false);
  const auto whole = [](const std::string& text) -> std::string {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? "" : fmt::format("'{}' is not a whole number of 0 or more", text);
  };
  command.add_option("--runs", variation.runs, "how many samples, at each point of the grid")->check(whole);
  command.add_option("--seed", variation.seed, "of random numbers (default: 0)")->check(whole);
  command.add_flag("--sobol", variation.sobol, "samples by Sobol's sequence");
  command.add_flag("--sobol-indices", variation.indices,
                   "which sample makes how much of the variance;\nruns times (samples + 2) runs");
}

}  // namespace

void add_sweep(CLI::App& app) {
  const auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command = app.add_subcommand("sweep", "many runs over parameters and start values");
  arguments->model.add_to(*command);
  add_variation(*command, arguments->variation);
  command
      ->add_option(
          "--collect", arguments->collect,
          "kept of each run: end, max, min, argmax, argmin,\nmean, integral of an expression, time, "
          "count of\nan event; motion(x): the curve of x at the output\ntimes, motion: of all coordinates "
          "and velocities;\nseparated by commas, repeatable")
      ->type_name("LIST")
      ->allow_extra_args(false);
  command->add_option("-o,--output", arguments->files, "file of the study: .h5, .parquet, .csv; repeatable")
      ->allow_extra_args(false);
  command->add_option("--report", arguments->report,
                      "page (.html) with histograms, scatter plots, heat maps,\nextremes");
  command->add_flag("--resume", arguments->resume, "go on with a study that was stopped or killed");
  constexpr std::array<std::string_view, 10> of_runs{"start",     "duration",  "output_step", "times",
                                                     "tolerance", "order",     "max_step",    "max_steps",
                                                     "native",    "projection"};
  arguments->options.add_to(*command, of_runs);
  command
      ->add_option("--threads", arguments->threads,
                   "that share the runs (default: all; 1 in each process\nof mpirun)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", arguments->quiet, "no summary");
  command->footer(
      "Runs that fail are rows with their reason. Numbers do not depend on threads.\n"
      "Exit status: 0 all rows are there; 1 the model or the call is wrong; 2 stopped:\n"
      "what is computed is kept, --resume goes on.\n"
      "One row again: dalembert run MODEL --row study.h5:123\n"
      "Several machines: mpirun -n 64 dalembert sweep ...\n"
      "Examples:\n"
      "  dalembert sweep pendulum --vary theta=0.1:3:30 --collect \"max(theta')\" -o a.csv\n"
      "  dalembert sweep slider_crank --sample \"l1=normal(0.2,0.001)\" --runs 10000\n"
      "    --sample \"l2=normal(1,0.005)\" --collect \"max(slider), end(theta1)\" -o b.h5");
  command->callback([arguments] { sweep(*arguments); });
}

}  // namespace dalembert::app
