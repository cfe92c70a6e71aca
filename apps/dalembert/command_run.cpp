#include <ctime>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/output/table_file.hpp>
#include <dalembert/session/partial_report.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/session/run_output.hpp>
#include <dalembert/session/summary.hpp>
#include <dalembert/study/study.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "option_arguments.hpp"
#include "output_arguments.hpp"
#include "progress_bar.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct RunArguments {
  ModelArguments model;
  OutputArguments output;
  OptionArguments options;
  std::string row;  ///< of a study: FILE:NUMBER
  bool every_step = false;
  bool quiet = false;
};

// The row of a study: its values are settings, its options those of the run.
std::vector<GivenOption> take_row(const std::string& row, session::ModelSource& source) {
  const std::size_t colon = row.rfind(':');
  const std::string number = colon == std::string::npos ? "" : row.substr(colon + 1);
  if (number.empty() || number.size() > 15 || number.find_first_not_of("0123456789") != std::string::npos)
    throw Error(fmt::format("--row takes FILE:NUMBER, as study.h5:123, not '{}'", row));
  const study::StudyDescription of = study::from_json(read_table_text(row.substr(0, colon), "study"));
  if (of.model.text != source.text)
    throw Error(fmt::format("the study is of another model: {}, or it was changed", of.model.file));
  std::vector<std::string> settings = of.model.settings;
  settings.insert(settings.end(), source.settings.begin(), source.settings.end());
  const std::vector<std::string> varied =
      study::settings_of(study::StudyPlan(of.variation), std::stoull(number));
  settings.insert(settings.end(), varied.begin(), varied.end());
  source.settings = std::move(settings);
  return of.options;
}

SolveOptions make_options(const RunArguments& arguments, const ModelData& model,
                          std::vector<GivenOption> given) {
  if (arguments.every_step && arguments.options.has("output_step"))
    throw Error("--every-step samples at the steps of the method: --every contradicts it");
  if (arguments.options.has("times") && (arguments.options.has("output_step") || arguments.every_step))
    throw Error("--times says when to sample: --every and --every-step contradict it");
  for (const GivenOption& one : arguments.options.given()) {
    std::erase_if(given, [&](const GivenOption& of_row) { return of_row.option == one.option; });
    given.push_back(one);
  }
  SolveOptions options = options_for(model, given, Spelling::flag);
  options.estimate_error = true;
  if (arguments.every_step) options.output_step = 0;
  return options;
}

// JSON alone on standard output; where that has samples, on standard error as the summary for people.
void tell(const RunArguments& arguments, const RunRecord& record, const std::vector<std::string>& files) {
  if (arguments.output.json) {
    const std::string text = report_json(record.report, record.model->title, 2) + "\n";
    if (arguments.output.has_samples_on_standard_output()) {
      say(text);
    } else {
      fmt::print("{}", text);
    }
  } else if (!arguments.quiet || exit_status() != done) {
    say(session::summary_text(record.report, *record.model, files, use_colour()));
  }
}

void run(const RunArguments& arguments) {
  const std::future<void> loading = arguments.output.start_loading();
  session::ModelSource source = arguments.model.find();
  std::vector<GivenOption> of_row;
  if (!arguments.row.empty()) of_row = take_row(arguments.row, source);
  const session::LoadedModel loaded = arguments.output.load_with_columns(std::move(source));
  const Model& model = loaded.model();
  SolveOptions options = make_options(arguments, *model, std::move(of_row));
  const session::OutputOptions outputs = arguments.output.options(arguments.model.model);
  refuse_to_overwrite(model->file, outputs.all());
  refuse_impossible_places(outputs.all());
  std::optional<DigitsScope> precision;  // of forces and outputs too
  if (options.digits > 0) precision.emplace(working_digits(complete(options)));
  session::RunOutput output(loaded, outputs, options.digits);
  RunRecord record = session::make_record(loaded, options);
  output.ask_for_motion(options);
  session::PartialReport so_far(options);
  LastResort last_resort([&] {
    record.report = so_far.left_within_a_step();
    output.finish_without_motion(record);
    exit_status() = stopped_early;
    tell(arguments, record, output.written());
    return stopped_early;
  });
  // Where steps take long, so has the start: a hundred steps of 10 ms are within a second.
  constexpr std::clock_t quick = CLOCKS_PER_SEC / 100;
  const auto take = [&, first = true](const auto& sample) mutable {
    if (first && (options.digits > 0 || std::clock() > quick)) last_resort.begin();
    first = false;
    const auto held = last_resort.hold();
    keep_what_is_computed();
    so_far.take(sample);
    output.take(sample);
    return !interrupt_asked();
  };
  {
    ProgressBar bar;
    options.progress = [&](const Progress& progress) {
      if (std::clock() > quick) last_resort.begin();
      const auto held = last_resort.hold();
      so_far.take(progress);
      bar.show(progress);
      return !interrupt_asked();
    };
    RunReport report = session::run(loaded, options, {take, take});
    last_resort.dismiss();
    record.report = std::move(report);
  }
  output.finish(record);
  exit_status() = record.partial() ? stopped_early : record.doubtful() ? doubtful : done;
  tell(arguments, record, output.written());
}

}  // namespace

void add_run(CLI::App& app) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "simulate a model and write its motion");
  arguments->model.add_to(*command);
  arguments->output.add_to(*command);
  arguments->options.add_to(*command);
  command->add_option("--row", arguments->row, "as row NUMBER of a study was run: study.h5:123")
      ->type_name("FILE:NUMBER");
  command->add_flag("--every-step", arguments->every_step, "a sample at the end of every step of the method");
  command->add_flag("--quiet", arguments->quiet, "no summary");
  command->add_flag("--json", arguments->output.json,
                    "the summary as JSON on standard output; samples\nonly where -o says");
  command->footer(method_list() +
                  "\nNumbers go to the file or to standard output, the summary to standard error.\n"
                  "Exit status: 0 done; 1 the model or the call is wrong; 2 stopped early;\n"
                  "3 the end was reached, but energy balance or constraints contradict it.\n"
                  "Examples:\n"
                  "  dalembert run slider_crank -o crank.csv --report crank.html\n"
                  "  dalembert run andrews --times 0.01,0.02,0.03 --digits 30 -o andrews.csv\n"
                  "  dalembert run pendulum --set l=0.5 --duration 100 | head");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace dalembert::app
