// Trajectories per second of studies at the error 1e-9, beside loops of single runs, heyoka's ensembles in
// batches and SciPy.
//     bench_study [a Python that has heyoka and SciPy, or "" [part of a model's name]]
//
// Everybody gets the same rows. The reference is a run with 20 digits and the tolerance 1e-15; a contestant's
// tolerance is the largest power of ten with which the largest error of the first rows stays below 1e-9.
// Times are processor times, the least of several.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/session/run.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/study/executor.hpp>

#include "error_norm.hpp"
#include "work_precision.hpp"

namespace dalembert::bench {
namespace {

struct Problem {
  const char* model;
  const char* sample;
  double duration;
  std::uint64_t runs;
};
constexpr Problem problems[] = {{"double_pendulum", "theta1=uniform(1,1.5)", 10, 1024},
                                {"slider_crank", "torque=normal(10,0.1)", 10, 256},
                                {"four_bar", "l2=normal(0.35,0.001)", 5, 512},
                                {"andrews", "mom=normal(0.033,0.0003)", 0.03, 512}};
constexpr double wanted_error = 1e-9;
constexpr std::size_t reference_rows = 4;
constexpr int repetitions = 3;

double process_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What a way of running rows gives: q and v at the end of the first of them.
using Ends = std::vector<std::vector<double>>;

class Rows {
 public:
  explicit Rows(const Problem& problem) : problem_(problem), source_(session::find_source(problem.model)) {
    const study::Study study = make_study(1e-9);
    for (std::uint64_t row = 0; row < problem.runs; ++row) {
      values_.emplace_back(1);
      study.plan().eval(row, values_.back());
    }
    name_ = study.plan().names()[0];
    for (std::size_t row = 0; row < reference_rows; ++row) {
      session::ModelSource own = source_;
      own.settings = study::settings_of(study.plan(), row);
      const session::Motion motion =
          session::run(session::LoadedModel(own),
                       {give("digits", 20.0), give("duration", problem.duration), give("tolerance", 1e-15)});
      std::vector<double>& end = reference_.emplace_back();
      for (const char* suffix : {"", "'"})
        for (const std::string& name : coordinates()) end.push_back(motion.column(name + suffix).back());
    }
  }

  study::Study make_study(double tolerance, bool native = false) const {
    std::string ends;
    for (const char* suffix : {"", "'"})
      for (const std::string& name : coordinates())
        ends += fmt::format("{}end({}{})", ends.empty() ? "" : ", ", name, suffix);
    return study::Study({source_,
                         {.samples = {problem_.sample}, .runs = problem_.runs, .seed = 1},
                         {ends},
                         {give("duration", problem_.duration), give("tolerance", tolerance),
                          give("native", std::string(native ? "on" : "off"))}});
  }
  std::vector<std::string> coordinates() const {
    std::vector<std::string> names;
    const session::LoadedModel model(source_);
    for (const Coordinate& q : model.model()->coordinates) names.push_back(q.name);
    return names;
  }

  double error(const Ends& ends) const {
    double error = 0;
    for (std::size_t row = 0; row < reference_rows; ++row) {
      const std::span<const double> own(ends.at(row)), exact(reference_[row]);
      const std::size_t n = exact.size() / 2;
      error = std::max(error, state_error(own.first(n), own.subspan(n), exact.first(n), exact.subspan(n),
                                          largest(exact.subspan(n))));
    }
    return error;
  }

  BatchCase at(std::size_t row) const { return {{}, {}, {{name_, values_[row][0]}}}; }
  std::size_t size() const { return values_.size(); }
  const Problem& problem() const { return problem_; }

  /// For rivals: value that varies, reference, by row.
  void write(const std::filesystem::path& file) const {
    std::ofstream out(file);
    for (std::size_t row = 0; row < size(); ++row) {
      out << fmt::format("{:.17g}", values_[row][0]);
      for (std::size_t i = 0; row < reference_rows && i < reference_[row].size(); ++i)
        out << fmt::format(" {:.17g}", reference_[row][i]);
      out << '\n';
    }
  }

 private:
  Problem problem_;
  session::ModelSource source_;
  std::string name_;
  std::vector<std::vector<double>> values_, reference_;
};

struct Rate {
  double tolerance = 0, error = 0, per_second = 0, per_second_of_wall = 0;
};

double wall_seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// `make(tolerance)` gives what runs all rows once and returns the first ends.
using Way = std::function<std::function<Ends()>(double tolerance)>;

std::optional<Rate> measure(const Rows& rows, const Way& make) {
  for (double tolerance = 1e-9; tolerance > 1e-14; tolerance /= 10) {
    const std::function<Ends()> run = make(tolerance);
    Rate rate{tolerance, rows.error(run())};
    if (!(rate.error <= wanted_error)) continue;
    for (int i = 0; i < repetitions; ++i) {
      const double begin = process_seconds(), wall = wall_seconds();
      run();
      const auto count = static_cast<double>(rows.size());
      rate.per_second = std::max(rate.per_second, count / (process_seconds() - begin));
      rate.per_second_of_wall = std::max(rate.per_second_of_wall, count / (wall_seconds() - wall));
    }
    return rate;
  }
  return std::nullopt;
}

std::function<Ends()> by_study(const Rows& rows, double tolerance, bool native, int threads) {
  const auto study = std::make_shared<study::Study>(rows.make_study(tolerance, native));
  return [study, threads] {
    study::ThreadExecutor executor(threads);
    Ends ends(reference_rows);
    std::uint64_t number = 0;
    executor.run(
        *study, [&] { return number < study->blocks() ? std::optional(number++) : std::nullopt; },
        [&](study::RowBlock&& block) {
          if (block.first != 0) return;
          const std::size_t width = study->columns().size();
          for (std::size_t row = 0; row < reference_rows; ++row) {
            const auto first = block.values.begin() + static_cast<std::ptrdiff_t>(row * width) + 1;
            ends[row].assign(first, first + static_cast<std::ptrdiff_t>(width) - 4);
          }
        },
        [] { return true; });
    return ends;
  };
}

SolveOptions options_of_runs(const Rows& rows, const System& system, double tolerance) {
  SolveOptions options = options_of(system.model());
  options.duration = rows.problem().duration;
  options.tolerance = tolerance;
  options.output_times = {options.duration};
  options.output_step = 0;
  options.estimate_error = false;
  options.native = "off";
  return options;
}

// Each a call of its own: without lanes, with nothing that calls share.
std::function<Ends()> one_by_one(const Rows& rows, double tolerance, bool in_batches) {
  const auto study = std::make_shared<study::Study>(rows.make_study(tolerance));
  return [study, &rows, tolerance, in_batches] {
    const System& system = study->model().system();
    const SolveOptions options = options_of_runs(rows, system, tolerance);
    Ends ends(reference_rows);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const BatchCase one = rows.at(row);
      std::vector<double> end;
      const auto keep = [&](const Sample<double>& sample) {
        end.assign(sample.q.begin(), sample.q.end());
        end.insert(end.end(), sample.v.begin(), sample.v.end());
        return true;
      };
      if (in_batches) {
        solve_batch(system, std::span(&one, 1), options, [&](const BatchSample& sample) { keep(sample); });
      } else {
        solve(system.with_parameters(one.parameters), options, SampleSink<double>(keep));
      }
      if (row < reference_rows) ends[row] = end;
    }
    return ends;
  };
}

void print(const std::string& name, const std::optional<Rate>& rate) {
  if (!rate) return (void)std::printf("  %-34s 1e-9 is not reached\n", name.c_str());
  std::printf("  %-34s %9.0e %9.1e %12.0f\n", name.c_str(), rate->tolerance, rate->error, rate->per_second);
  std::fflush(stdout);
}

// Lines "name: tolerance error rate".
void print_rivals(const Rows& rows, const std::string& python) {
  if (python.empty()) return;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("bench_study_{}.txt", getpid());
  rows.write(file);
  const std::string command = fmt::format("'{}' '{}' {} {} '{}'", python, DALEMBERT_STUDY_RIVALS,
                                          rows.problem().model, rows.problem().duration, file.string());
  std::fflush(stdout);
  if (std::FILE* const pipe = popen(command.c_str(), "r")) {
    char name[64];
    Rate rate;
    while (std::fscanf(pipe, " %63[^:]: %lf %lf %lf", name, &rate.tolerance, &rate.error, &rate.per_second) ==
           4)
      print(name, rate.per_second > 0 ? std::optional(rate) : std::nullopt);
    pclose(pipe);
  }
  std::filesystem::remove(file);
}

void compare_threads(const Rows& rows, bool native) {
  std::vector<std::optional<Rate>> by_threads;
  for (const int threads : {1, 2}) {
    by_threads.push_back(
        measure(rows, [&](double tolerance) { return by_study(rows, tolerance, native, threads); }));
    print(fmt::format("study{}, {} thread{}, a core", native ? ", native" : "", threads,
                      threads > 1 ? "s" : ""),
          by_threads.back());
  }
  if (!by_threads[0] || !by_threads[1]) return;
  const auto &one = *by_threads[0], &two = *by_threads[1];
  std::printf("  two threads: %.2f of the rate of one on each core; wall time %.0f and %.0f runs/s\n",
              two.per_second / one.per_second, one.per_second_of_wall, two.per_second_of_wall);
}

void compare(const Problem& problem, const std::string& python) {
  const Rows rows(problem);
  std::printf("\n%s, %s, %g s, %zu runs\n", problem.model, problem.sample, problem.duration, rows.size());
  std::printf("  %-34s %9s %9s %12s\n", "", "tolerance", "error", "runs/s");
  print("single runs, one after the other",
        measure(rows, [&](double tolerance) { return one_by_one(rows, tolerance, false); }));
  print("batches of one", measure(rows, [&](double tolerance) { return one_by_one(rows, tolerance, true); }));
  for (const bool native : {false, true}) compare_threads(rows, native);
  print_rivals(rows, python);
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  using namespace dalembert::bench;
  const std::string python = argc > 1 ? argv[1] : "", filter = argc > 2 ? argv[2] : "";
  print_environment("processor time, least of 3");
  for (const Problem& problem : problems)
    if (std::string(problem.model).find(filter) != std::string::npos) compare(problem, python);
}
