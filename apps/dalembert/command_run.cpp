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
#include "progress_bar.hpp"
#include "run_output.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct RunArguments {
  ModelArguments model;
  OutputArguments output;
  std::optional<std::string> method;
  std::optional<std::string> stabilization, formulation, formula;
  std::optional<double> start, duration, tolerance, step, output_step, max_step, alpha, beta, rho;
  std::vector<double> times;
  std::optional<int> order;
  std::optional<int> digits;
  std::optional<int> threads;
  std::optional<std::int64_t> max_steps;
  bool every_step = false;
  bool no_projection = false;
  bool quiet = false;
};

void require_positive(const char* option, const auto& value) {
  if (value && !(*value > 0)) throw Error(fmt::format("{} must be positive", option));
}

// An option that the method would not look at is a mistake of the call.
void refuse_idle_options(const RunArguments& arguments, const SolveOptions& options) {
  const std::vector<std::string> explicit_methods = {"euler",  "heun",   "kutta3",    "rk4",
                                                     "dopri5", "dop853", "nullspace", "augmented_lagrangian"};
  std::vector<std::string> adaptive;
  for (const Method& method : methods()) {
    if (method.tolerance > 0) adaptive.emplace_back(method.name);
  }
  std::vector<std::string> projecting = explicit_methods;
  projecting.insert(projecting.begin(), "adomian");
  struct Idle {
    const char* option;
    bool given;
    std::vector<std::string> methods;
  };
  const std::vector<Idle> options_of_some = {
      {"--stabilization", arguments.stabilization && options.method != "partition", explicit_methods},
      {"--alpha", arguments.alpha.has_value(), explicit_methods},
      {"--beta", arguments.beta.has_value(), explicit_methods},
      {"--formula", arguments.formula.has_value(), {"ndf"}},
      {"--rho", arguments.rho.has_value(), {"generalized_alpha"}},
      {"--order", arguments.order.has_value(), {"adomian", "bdf", "ndf"}},
      {"--threads", arguments.threads.has_value(), {"adomian"}},
      {"--tolerance", arguments.tolerance.has_value(), adaptive},
      {"--no-projection", arguments.no_projection, projecting}};
  for (const Idle& idle : options_of_some) {
    const auto& list = idle.methods;
    if (!idle.given || std::find(list.begin(), list.end(), options.method) != list.end()) continue;
    throw Error(fmt::format("method '{}' has no use for {}; it is for {}", options.method, idle.option,
                            join(list, ", ")));
  }
  const bool has_gains = arguments.alpha || arguments.beta;
  if (has_gains && options.stabilization != Stabilization::baumgarte) {
    throw Error("--alpha and --beta are gains of --stabilization baumgarte");
  }
}

// What must be positive, and what must not be negative.
void check_numbers(const RunArguments& arguments) {
  require_positive("--tolerance", arguments.tolerance);
  require_positive("--step", arguments.step);
  require_positive("--output-step", arguments.output_step);
  require_positive("--max-step", arguments.max_step);
  require_positive("--max-steps", arguments.max_steps);
  require_positive("--order", arguments.order);
  require_positive("--digits", arguments.digits);
  require_positive("--threads", arguments.threads);
  if (arguments.every_step && arguments.output_step) {
    throw Error("--every-step samples at the steps of the method: --every contradicts it");
  }
  if (!arguments.times.empty() && (arguments.output_step || arguments.every_step)) {
    throw Error("--times says when to sample: --every and --every-step contradict it");
  }
  if (arguments.alpha.value_or(0) < 0 || arguments.beta.value_or(0) < 0) {
    throw Error("--alpha and --beta must not be negative: residuals would grow");
  }
}

// Explicit methods project unless another stabilization was chosen.
void switch_projection_off(const RunArguments& arguments, SolveOptions& options) {
  options.project = false;
  if (options.method == "adomian") return;
  if (arguments.stabilization.value_or("none") != "none") {
    throw Error(fmt::format("--no-projection contradicts --stabilization {}", *arguments.stabilization));
  }
  options.stabilization = Stabilization::none;
}

SolveOptions make_options(const RunArguments& arguments, const ModelData& model) {
  check_numbers(arguments);
  SolveOptions options = options_of(model);
  options.estimate_error = true;
  const bool own_output_step = model.solve.output_step.has_value();
  if (arguments.method) options.method = *arguments.method;
  if (arguments.start) options.start = *arguments.start;
  if (arguments.duration) options.duration = *arguments.duration;
  if (arguments.tolerance) options.tolerance = *arguments.tolerance;
  if (arguments.step) options.step = *arguments.step;
  if (arguments.step && arguments.formulation.value_or("").empty() &&
      find_method(options.method).tolerance > 0) {
    throw Error(fmt::format("method '{}' chooses its steps itself; --max-step limits them", options.method));
  }
  if (arguments.stabilization) options.stabilization = find_stabilization(*arguments.stabilization);
  if (arguments.formulation) options.formulation = *arguments.formulation;
  if (arguments.formula) options.formula = *arguments.formula;
  if (arguments.alpha) options.alpha = arguments.alpha;
  if (arguments.beta) options.beta = arguments.beta;
  if (arguments.rho) options.rho = arguments.rho;
  if (!own_output_step) options.output_step = std::abs(options.duration) / 1000;
  if (arguments.output_step) options.output_step = *arguments.output_step;
  if (arguments.every_step) options.output_step = 0;
  if (arguments.max_step) options.max_step = *arguments.max_step;
  options.output_times = arguments.times;
  if (arguments.order) options.order = *arguments.order;
  options.digits = arguments.digits.value_or(0);
  if (arguments.threads) options.threads = *arguments.threads;
  if (arguments.max_steps) options.max_steps = static_cast<std::size_t>(*arguments.max_steps);
  refuse_idle_options(arguments, options);
  if (arguments.no_projection) switch_projection_off(arguments, options);
  return options;
}

// What a reader of a file wants to know of the call.
std::vector<std::pair<std::string, std::string>> options_text(const SolveOptions& options) {
  std::vector<std::pair<std::string, std::string>> list{{"method", options.method},
                                                        {"start", shortest(options.start)},
                                                        {"duration", shortest(options.duration)}};
  if (options.tolerance > 0) list.emplace_back("tolerance", shortest(options.tolerance));
  if (options.step > 0) list.emplace_back("step", shortest(options.step));
  if (options.order > 0) list.emplace_back("order", std::to_string(options.order));
  if (options.digits > 0) list.emplace_back("digits", std::to_string(options.digits));
  if (!options.formulation.empty()) list.emplace_back("formulation", options.formulation);
  if (!options.project) list.emplace_back("projection", "no");
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
    if (kinematic_) {
      if (options.digits > 0) throw Error("kinematic systems are computed in doubles only");
      return solve(*kinematic_, options, SampleSink<double>(take));
    }
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

std::string method_list() {
  std::string text = "Methods:\n";
  const std::string indent(24, ' ');
  for (const Method& method : methods())
    text += wrap_words(method.summary, fmt::format("  {:21} ", method.name), indent);
  return text;
}

}  // namespace

void add_run(CLI::App& app) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "simulate a model and write its motion");
  arguments->model.add_to(*command);
  arguments->output.add_to(*command);
  command->add_option("--method", arguments->method, "method of integration, see below");
  command->add_option("--start", arguments->start, "start time");
  command->add_option("--duration", arguments->duration, "time to simulate; negative: backwards");
  command->add_option("--tolerance", arguments->tolerance, "relative error allowed per step");
  command->add_option("--step", arguments->step, "step of methods with a constant step");
  command->add_option("--stabilization", arguments->stabilization,
                      "of explicit methods: none, baumgarte, linear,\nprojection");
  command->add_option("--alpha", arguments->alpha, "Baumgarte gain of the velocity");
  command->add_option("--beta", arguments->beta, "Baumgarte gain of the position");
  command->add_option("--formulation", arguments->formulation, "of methods that know several");
  command->add_option("--formula", arguments->formula, "of ndf: ndf or bdf");
  command->add_option("--rho", arguments->rho, "spectral radius at infinity of generalized_alpha");
  command->add_option("--output-step,--every", arguments->output_step, "time between samples");
  command->add_option("--times", arguments->times, "sample times, separated by commas")->delimiter(',');
  command->add_flag("--every-step", arguments->every_step, "a sample at the end of every step of the method");
  command->add_option("--order", arguments->order, "order of the series; by default chosen by cost");
  command->add_option("--digits", arguments->digits, "compute in so many decimal digits");
  command->add_option(
      "--threads", arguments->threads,
      "of adomian on large models, the same numbers\non any number; by default as many as pay");
  command->add_option("--max-step", arguments->max_step, "longest step; by default the duration / 20");
  command->add_option("--max-steps", arguments->max_steps, "stop after so many steps");
  command->add_flag("--no-projection", arguments->no_projection,
                    "do not return to the constraints after each step");
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
