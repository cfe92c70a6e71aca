#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/comparison_plot.hpp>
#include <dalembert/output/page.hpp>
#include <dalembert/session/compare.hpp>
#include <dalembert/session/layout.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "option_arguments.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct CompareArguments {
  ModelArguments model;
  std::vector<std::string> methods, files, plots;
  std::vector<double> tolerances, steps;
  std::string report;
  OptionArguments options;
  std::size_t samples = 100;
  int digits = 30;
};

void check(const CompareArguments& arguments) {
  for (const double value : arguments.tolerances)
    if (!(value > 0)) throw Error(fmt::format("a tolerance must be positive, not {}", value));
  for (const double value : arguments.steps)
    if (!(value > 0)) throw Error(fmt::format("a step must be positive, not {}", value));
  if (arguments.samples == 0) throw Error("at least one sample is needed to measure errors");
  for (const std::string& file : arguments.files) {
    const std::string suffix = std::filesystem::path(file).extension();
    if (suffix != ".csv" && suffix != ".json")
      throw Error(
          fmt::format("the format of '{}' is not known; write a name that ends in .csv or .json", file));
  }
  for (const std::string& plot : arguments.plots) check_plot_name(plot);
  if (!arguments.report.empty()) check_page_name(arguments.report);
}

CompareOptions make_options(const CompareArguments& arguments, const session::LoadedModel& model) {
  CompareOptions options =
      session::compare_options(model, arguments.options.given(), arguments.methods, Spelling::flag);
  if (!arguments.tolerances.empty()) options.tolerances = arguments.tolerances;
  options.steps = arguments.steps;
  options.samples = arguments.samples;
  options.digits = arguments.digits;
  options.go_on = [] { return !interrupt_asked(); };
  const std::string clear = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  options.note = [clear](const std::string& what) { say(clear + session::wrap_words(what, "Note: ", "  ")); };
  options.progress = [clear](const std::string& what) {
    if (!what.starts_with("reference")) keep_what_is_computed();  // a table begins
    if (!clear.empty()) say(clear + what);
  };
  return options;
}

void write_text(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

int write(const CompareArguments& arguments, const session::ComparisonReport& report) {
  if (isatty(STDERR_FILENO) != 0) say("\r\033[K");
  for (const std::string& file : arguments.files) {
    const bool json = std::filesystem::path(file).extension() == ".json";
    write_text(file, json ? to_json(report) : to_csv(report));
  }
  for (const std::string& plot : arguments.plots)
    write_comparison_plot(plot, heading_of(*report.model.model()), to_page_comparison(report));
  if (!arguments.report.empty()) session::write_page(arguments.report, report);
  fmt::print("{}", to_text(report));
  const ReferenceCheck& reference = report.compared.reference;
  if (report.compared.interrupted) return stopped_early;
  if (reference.confirmed) return done;
  say("dalembert: the reference is " + reference.text + "\n");
  return doubtful;
}

void compare(const CompareArguments& arguments) {
  check(arguments);
  const session::LoadedModel model = arguments.model.load();
  const std::string& source = model.model()->file;
  refuse_to_overwrite(source, arguments.files);
  refuse_to_overwrite(source, arguments.plots);
  refuse_to_overwrite(source, {arguments.report});
  CompareOptions options = make_options(arguments, model);
  MethodsCompared so_far;
  LastResort last_resort([&] {
    so_far.interrupted = true;
    return write(arguments, session::report_of(model, options, so_far));
  });
  last_resort.begin();
  options.computed = [&](const MethodsCompared& compared) {
    const auto held = last_resort.hold();
    so_far = compared;
  };
  const session::ComparisonReport report = session::compare(model, options);
  last_resort.dismiss();
  exit_status() = write(arguments, report);
}

}  // namespace

void add_compare(CLI::App& app) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "methods side by side: time, error, drift");
  arguments->model.add_to(*command);
  command->add_option("--methods", arguments->methods, "names, separated by commas; by default all")
      ->delimiter(',');
  command->add_option("--tolerances", arguments->tolerances, "of methods that choose their steps")
      ->delimiter(',');
  command->add_option("--steps", arguments->steps, "of methods with a constant step")->delimiter(',');
  constexpr std::array<std::string_view, 8> of_runs{"start",       "duration",   "max_step", "stabilization",
                                                    "runge_kutta", "index_form", "formula",  "rho"};
  arguments->options.add_to(*command, of_runs);
  command->add_option("--samples", arguments->samples, "where errors are measured, equally spaced");
  command->add_option("--digits", arguments->digits, "of the reference; 0: doubles");
  command->add_option("-o,--output", arguments->files, "file for the table: .csv or .json; repeatable")
      ->allow_extra_args(false);
  command
      ->add_option("--plot", arguments->plots, "picture of work-precision and drift: .svg, .png; repeatable")
      ->allow_extra_args(false);
  command->add_option("--report", arguments->report, "page with work-precision and drift diagrams (.html)");
  command->footer(
      "Errors are the largest at any sample, beside the largest value of the motion.\n"
      "A method that stops early, or whose own checks doubt it, is marked with a star;\nbelow the table it "
      "says why.\n"
      "Another method has to confirm the reference: else a warning says so, and the\n"
      "exit status is 3.\n"
      "Examples:\n"
      "  dalembert compare slider_crank --methods bdf,ndf,adomian --duration 2\n"
      "  dalembert compare andrews --tolerances 1e-6,1e-9 -o a.csv --plot a.svg");
  command->callback([arguments] { compare(*arguments); });
}

}  // namespace dalembert::app
