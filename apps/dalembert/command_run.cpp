#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/csv.hpp>
#include <dalembert/solve/solve.hpp>

#include "command.hpp"
#include "progress_bar.hpp"
#include "summary.hpp"

namespace dalembert::app {
namespace {

volatile std::sig_atomic_t interrupt_asked = 0;
void ask_interrupt(int) { interrupt_asked = 1; }

struct RunArguments {
  ModelArguments model;
  std::string output;
  std::optional<std::string> method;
  std::optional<std::string> stabilization, formulation;
  std::optional<double> start, duration, tolerance, step, output_step, max_step, alpha, beta, rho;
  std::vector<double> times;
  std::optional<int> order;
  int digits = 0;
  std::optional<std::size_t> max_steps;
  bool every_step = false;
  bool no_projection = false;
  bool quiet = false;
  bool json = false;
};

SolveOptions make_options(const RunArguments& arguments, const ModelData& model) {
  SolveOptions options = options_of(model);
  const bool own_output_step = model.solve.output_step.has_value();
  if (arguments.method) options.method = *arguments.method;
  if (arguments.start) options.start = *arguments.start;
  if (arguments.duration) options.duration = *arguments.duration;
  if (arguments.tolerance && !(*arguments.tolerance > 0)) throw Error("--tolerance must be positive");
  if (arguments.tolerance) options.tolerance = *arguments.tolerance;
  if (arguments.step && !(*arguments.step > 0)) throw Error("--step must be positive");
  if (arguments.step) options.step = *arguments.step;
  if (arguments.step && arguments.formulation.value_or("").empty() &&
      find_method(options.method).tolerance > 0) {
    throw Error(fmt::format("method '{}' chooses its steps itself; --max-step limits them", options.method));
  }
  if (arguments.stabilization) options.stabilization = find_stabilization(*arguments.stabilization);
  if (arguments.formulation) options.formulation = *arguments.formulation;
  if (arguments.alpha) options.alpha = arguments.alpha;
  if (arguments.beta) options.beta = arguments.beta;
  if (arguments.rho) options.rho = arguments.rho;
  if (!own_output_step) options.output_step = std::abs(options.duration) / 1000;
  if (arguments.output_step) options.output_step = *arguments.output_step;
  if (arguments.output_step && !(*arguments.output_step > 0)) throw Error("--output-step must be positive");
  if (arguments.every_step) options.output_step = 0;
  if (arguments.max_step) options.max_step = *arguments.max_step;
  options.output_times = arguments.times;
  if (arguments.order) options.order = *arguments.order;
  options.digits = arguments.digits;
  if (arguments.max_steps) options.max_steps = *arguments.max_steps;
  options.project = !arguments.no_projection;
  return options;
}

// Where the numbers go: the named file, or standard output when it is not a terminal, or STEM.csv beside the
// user.
class Destination {
 public:
  Destination(const std::string& output, const std::string& model) {
    std::string path = output;
    if (path.empty() && isatty(STDOUT_FILENO) != 0)
      path = std::filesystem::path(model).stem().string() + ".csv";
    if (path.empty() || path == "-") return;
    name_ = path;
    if (std::filesystem::path(path).extension() != ".csv") {
      throw Error(fmt::format("the format of '{}' is not known; write a name that ends in .csv", path));
    }
    file_ = std::make_unique<AtomicFile>(path);
  }
  void write(std::string_view text) {
    if (file_) {
      file_->write(text);
    } else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
      throw OutputError("cannot write to standard output");
    }
  }
  void commit() {
    if (file_) file_->commit();
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::unique_ptr<AtomicFile> file_;
};

void run(const RunArguments& arguments) {
  const Model model = arguments.model.load();
  const System system(model);
  SolveOptions options = make_options(arguments, *model);
  Destination destination(arguments.output, arguments.model.model);
  CsvWriter writer(
      *model, [&](std::string_view text) { destination.write(text); }, options.digits);
  ProgressBar bar;
  options.progress = [&](const Progress& progress) {
    bar.show(progress);
    return interrupt_asked == 0;
  };
  std::signal(SIGINT, ask_interrupt);
  const auto take = [&](const auto& sample) {
    writer.add(sample);
    return interrupt_asked == 0;
  };
  const RunReport report = options.digits > 0 ? solve(system, options, SampleSink<Real>(take))
                                              : solve(system, options, SampleSink<double>(take));
  writer.flush();
  destination.commit();
  exit_status() = report.outcome == Outcome::finished ? done : stopped_early;
  if (arguments.json) {
    fmt::print(stderr, "{}\n", summary_json(report, *model));
  } else if (!arguments.quiet || report.outcome != Outcome::finished) {
    fmt::print(stderr, "{}", summary_text(report, *model, destination.name()));
  }
}

std::string method_list() {
  std::string text = "Methods:\n";
  for (const Method& method : methods()) text += fmt::format("  {:21} {}\n", method.name, method.summary);
  return text;
}

}  // namespace

void add_run(CLI::App& app) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "simulate a model and write its motion");
  arguments->model.add_to(*command);
  command->add_option("-o,--output", arguments->output, "file for the numbers (.csv); '-': standard output");
  command->add_option("--method", arguments->method, "method of integration, see below");
  command->add_option("--start", arguments->start, "start time");
  command->add_option("--duration", arguments->duration, "time to simulate; negative: backwards");
  command->add_option("--tolerance", arguments->tolerance, "relative error allowed per step");
  command->add_option("--step", arguments->step, "step of methods with a constant step");
  command->add_option("--stabilization", arguments->stabilization,
                      "of explicit methods: none, baumgarte, linear, projection");
  command->add_option("--alpha", arguments->alpha, "Baumgarte gain of the velocity");
  command->add_option("--beta", arguments->beta, "Baumgarte gain of the position");
  command->add_option("--formulation", arguments->formulation, "of methods that know several");
  command->add_option("--rho", arguments->rho, "spectral radius at infinity of generalized_alpha");
  command->add_option("--output-step,--every", arguments->output_step, "time between samples");
  command->add_option("--times", arguments->times, "sample times, separated by commas")->delimiter(',');
  command->add_flag("--every-step", arguments->every_step, "a sample at the end of every step of the method");
  command->add_option("--order", arguments->order, "order of the series; by default chosen by cost");
  command->add_option("--digits", arguments->digits, "compute in so many decimal digits");
  command->add_option("--max-step", arguments->max_step, "longest step");
  command->add_option("--max-steps", arguments->max_steps, "stop after so many steps");
  command->add_flag("--no-projection", arguments->no_projection,
                    "do not return to the constraints after each step");
  command->add_flag("--quiet", arguments->quiet, "no summary");
  command->add_flag("--json", arguments->json, "the summary as JSON");
  command->footer(method_list() +
                  "\nNumbers go to the file or to standard output, the summary to standard error.\n"
                  "Examples:\n"
                  "  dalembert run slider_crank -o crank.csv\n"
                  "  dalembert run andrews --times 0.01,0.02,0.03 --digits 30 -o andrews.csv\n"
                  "  dalembert run pendulum --set l=0.5 --duration 100 | head");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace dalembert::app
