#include <algorithm>
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
#include <dalembert/base/text.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/comparison_plot.hpp>
#include <dalembert/output/page.hpp>
#include <dalembert/solve/compare.hpp>
#include <dalembert/system/kinematic_system.hpp>

#include "command.hpp"
#include "comparison_text.hpp"
#include "interrupt.hpp"
#include "layout.hpp"
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

// An option that none of the methods would look at is a mistake of the call.
void refuse_idle(const Option& option, const std::vector<std::string>& compared) {
  const auto has_use = [&](const std::string& name) { return takes(find_method(name), option); };
  if (compared.empty() || std::ranges::any_of(compared, has_use)) return;
  throw Error(fmt::format("none of the compared methods has a use for {}; it is for {}",
                          spell(option, Spelling::flag), join(methods_with(option), ", ")));
}

CompareOptions make_options(const CompareArguments& arguments, const ModelData& model) {
  CompareOptions options;
  options.run = options_of(model);
  options.methods = arguments.methods;
  for (const GivenOption& given : arguments.options.given()) {
    refuse_idle(*given.option, options.methods);
    set_option(options.run, *given.option, given.value, Spelling::flag);
  }
  if (!arguments.tolerances.empty()) options.tolerances = arguments.tolerances;
  options.steps = arguments.steps;
  options.samples = arguments.samples;
  options.digits = arguments.digits;
  options.go_on = [] { return !interrupt_asked(); };
  const std::string clear = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  options.note = [clear](const std::string& what) { say(clear + wrap_words(what, "Note: ", "  ")); };
  options.progress = [clear](const std::string& what) {
    if (!what.starts_with("reference")) keep_what_is_computed();  // a table begins
    if (!clear.empty()) say(clear + what);
  };
  return options;
}

void write(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

template <class AnySystem>
void compare(const CompareArguments& arguments, const Model& model) {
  const AnySystem system(model);
  const CompareOptions options = make_options(arguments, *model);
  const MethodsCompared compared = compare_methods(system, options);
  if (isatty(STDERR_FILENO) != 0) say("\r\033[K");
  const std::string reference =
      reference_name(system, options) + (compared.interrupted ? "; interrupted, not all runs are there" : "");
  for (const std::string& file : arguments.files) {
    const bool json = std::filesystem::path(file).extension() == ".json";
    write(file, json ? comparison_json(compared, model->title, reference) : comparison_csv(compared));
  }
  for (const std::string& plot : arguments.plots)
    write_comparison_plot(plot, heading_of(*model), to_page_comparison(compared, reference));
  if (!arguments.report.empty()) {
    RunRecord record(model);
    record.generator = "dalembert " DALEMBERT_VERSION;
    record.settings = arguments.model.settings;
    Page page(record);
    page.has_run = false;
    page.comparison = to_page_comparison(compared, reference);
    write_page(arguments.report, page);
  }
  const ReferenceCheck& check = compared.reference;
  fmt::print("{}t = {:g} to {:g}; errors against {}{}\n\n{}", model->title.empty() ? "" : model->title + ", ",
             options.run.start, options.run.start + options.run.duration, reference,
             check.confirmed ? ", " + check.text : "",
             comparison_table(compared, model->kind == ModelKind::kinematic));
  exit_status() = compared.interrupted ? stopped_early : check.confirmed ? done : doubtful;
  if (!check.confirmed && !compared.interrupted) say("dalembert: the reference is " + check.text + "\n");
}

void compare(const CompareArguments& arguments) {
  check(arguments);
  const Model model = arguments.model.load();
  refuse_to_overwrite(model->file, arguments.files);
  refuse_to_overwrite(model->file, arguments.plots);
  refuse_to_overwrite(model->file, {arguments.report});
  if (model->kind == ModelKind::kinematic) {
    compare<KinematicSystem>(arguments, model);
  } else {
    compare<System>(arguments, model);
  }
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
