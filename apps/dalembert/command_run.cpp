#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/kinematic_system.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "layout.hpp"
#include "limit_watch.hpp"
#include "option_arguments.hpp"
#include "progress_bar.hpp"
#include "run_output.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct RunArguments {
  ModelArguments model;
  OutputArguments output;
  OptionArguments options;
  bool every_step = false;
  bool quiet = false;
};

SolveOptions make_options(const RunArguments& arguments, const ModelData& model) {
  if (arguments.every_step && arguments.options.has("output_step"))
    throw Error("--every-step samples at the steps of the method: --every contradicts it");
  if (arguments.options.has("times") && (arguments.options.has("output_step") || arguments.every_step))
    throw Error("--times says when to sample: --every and --every-step contradict it");
  SolveOptions options = options_for(model, arguments.options.given(), Spelling::flag);
  options.estimate_error = true;
  if (arguments.every_step) options.output_step = 0;
  return options;
}

// What a reader of a file wants to know of the call; its samples say when they are.
std::vector<std::pair<std::string, std::string>> options_text(const SolveOptions& solve_options) {
  std::vector<std::pair<std::string, std::string>> list{{"method", solve_options.method},
                                                        {"start", shortest(solve_options.start)},
                                                        {"duration", shortest(solve_options.duration)}};
  for (const Option& option : options()) {
    const bool is_there =
        std::ranges::any_of(list, [&](const auto& entry) { return entry.first == option.key; });
    if (is_there || option.key == "output_step" || option.key == "times") continue;
    if (const auto value = get_option(solve_options, option)) list.emplace_back(option.key, text_of(*value));
  }
  return list;
}

// A model as what its kind makes of it.
class AnySystem {
 public:
  explicit AnySystem(const Model& model) {
    if (model->kind == ModelKind::kinematic) {
      kinematic_.emplace(model);
    } else {
      mechanical_.emplace(model);
    }
  }

  /// −Cᵀ λ; kinematic systems have none.
  std::vector<Expr> forces() const {
    return mechanical_ ? constraint_forces(mechanical_->equations()) : std::vector<Expr>{};
  }
  template <class Take>
  RunReport simulate(const SolveOptions& options, const Take& take) const {
    if (kinematic_) return solve(*kinematic_, options, SampleSink<double>(take));
    if (options.digits > 0) return solve(*mechanical_, options, SampleSink<Real>(take));
    return solve(*mechanical_, options, SampleSink<double>(take));
  }

 private:
  std::optional<System> mechanical_;
  std::optional<KinematicSystem> kinematic_;
};

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
    say(summary_text(record.report, *record.model, files, use_colour()));
  }
}

void run(const RunArguments& arguments) {
  ModelText text = arguments.model.read();
  const std::future<void> loading = arguments.output.start_loading();
  std::future<PageEquations> equations;
  if (!arguments.output.report.empty()) equations = start_page_equations(text);
  const Model model = arguments.output.load_with_columns(text);
  const AnySystem system(model);
  SolveOptions options = make_options(arguments, *model);
  std::optional<DigitsScope> precision;  // of forces and outputs too
  if (options.digits > 0) {
    if (equations.valid()) equations.wait();  // its thread reads a model in digits of its own
    precision.emplace(working_digits(complete(options)));
  }
  RunOutput output(arguments.output, arguments.model.model, model, system.forces(), options.digits,
                   std::move(equations));
  RunRecord record(model);
  record.generator = "dalembert " DALEMBERT_VERSION;
  record.settings = arguments.model.settings;
  record.options = options_text(options);
  record.asked_end_time = options.start + options.duration;
  LimitWatch limits(*model);
  const auto take = [&](const auto& sample) {
    limits.look(sample);
    keep_what_is_computed();
    output.take(sample);
    return !interrupt_asked();
  };
  {
    ProgressBar bar;
    options.progress = [&](const Progress& progress) {
      bar.show(progress);
      return !interrupt_asked();
    };
    record.report = system.simulate(options, take);
    limits.add_note(record.report);
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
