// dalembert check MODEL
#include <memory>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/session/check.hpp>

#include "command.hpp"

namespace dalembert::app {
namespace {

struct CheckArguments {
  ModelArguments model;
  bool json = false;
};

void check(const CheckArguments& arguments) {
  const session::LoadedModel model = arguments.model.load();
  const session::CheckReport report = session::check(model);
  fmt::print("{}", arguments.json ? to_json(report) + "\n" : to_text(report));
  if (report.failure.empty()) return;
  const SourceLocation& where = report.failure_where;
  throw Error(report.failure, {model.model()->file, where.line, where.column});
}

}  // namespace

void add_check(CLI::App& app) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "start, degrees of freedom, index, redundancy");
  arguments->model.add_to(*command);
  command->add_flag("--json", arguments->json, "as JSON");
  command->footer(
      "Examples:\n"
      "  dalembert check four_bar\n"
      "  dalembert check my.toml --set l1=0.3 --json");
  command->callback([arguments] { check(*arguments); });
}

}  // namespace dalembert::app
