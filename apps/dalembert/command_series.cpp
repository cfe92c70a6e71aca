#include <memory>
#include <string>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/session/layout.hpp>
#include <dalembert/session/series.hpp>

#include "command.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct SeriesArguments {
  ModelArguments model;
  session::SeriesOptions options;
  bool latex = false;
  bool json = false;
};

void series(const SeriesArguments& arguments) {
  if (arguments.latex && arguments.json) throw Error("--latex and --json exclude each other");
  const session::SeriesReport report =
      session::series(arguments.model.load(), arguments.options, Spelling::flag);
  if (report.is_singular) exit_status() = stopped_early;
  for (const std::string& warning : report.warnings) say(session::wrap_words(warning, "Warning: ", "  "));
  fmt::print("{}", arguments.json    ? to_json(report) + "\n"
                   : arguments.latex ? to_latex(report)
                                     : to_text(report));
}

}  // namespace

void add_series(CLI::App& app) {
  const auto arguments = std::make_shared<SeriesArguments>();
  CLI::App* command = app.add_subcommand("series", "one Adomian expansion: series of q, v, lambda");
  arguments->model.add_to(*command);
  command->add_option("--order", arguments->options.order, "highest power of t")->capture_default_str();
  command->add_option("--digits", arguments->options.digits, "compute in so many decimal digits");
  command->add_flag("--exact", arguments->options.exact, "in rationals, where all values stay rational");
  command->add_flag("--latex", arguments->latex, "as LaTeX");
  command->add_flag("--json", arguments->json, "as JSON");
  command->footer(
      "Examples:\n"
      "  dalembert series two_link_robot --exact --order 8\n"
      "  dalembert series andrews --digits 50 --order 20 --json");
  command->callback([arguments] { series(*arguments); });
}

}  // namespace dalembert::app
