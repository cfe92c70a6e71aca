// dalembert check MODEL
#include <memory>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/solve.hpp>

#include "check_kinematic.hpp"
#include "check_report.hpp"
#include "command.hpp"

namespace dalembert::app {
namespace {

struct CheckArguments {
  ModelArguments model;
  bool json = false;
};

void check_kinematic(const Model& model, bool json) {
  const KinematicEquations equations = derive_kinematics(model);
  const KinematicStructure structure = analyse_kinematics(equations);
  fmt::print("{}", json ? to_json(equations, structure).dump(2) + "\n" : to_text(equations, structure));
}

void check(const CheckArguments& arguments) {
  const Model model = arguments.model.load();
  options_of(*model);  // names a method that is not there
  if (model->kind == ModelKind::kinematic) return check_kinematic(model, arguments.json);
  const CheckReport report = make_check_report(model);
  fmt::print("{}", arguments.json ? to_json(report).dump(2) + "\n" : to_text(report));
  if (!report.failure.empty()) throw Error(report.failure, {model->file, 0, 0});
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
