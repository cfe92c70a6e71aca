// dalembert equations MODEL
#include <memory>

#include <fmt/format.h>

#include <dalembert/session/equations.hpp>

#include "command.hpp"

namespace dalembert::app {
namespace {

struct EquationsArguments {
  ModelArguments model;
  bool latex = false;
  bool numbers = false;
  bool json = false;
};

void show_equations(const EquationsArguments& arguments) {
  const session::EquationsPage page =
      session::equations(arguments.model.load(), {.numbers = arguments.numbers});
  if (arguments.json) {
    fmt::print("{}\n", to_json(page));
  } else {
    fmt::print("{}", arguments.latex ? to_latex(page) : to_text(page));
  }
}

}  // namespace

void add_equations(CLI::App& app) {
  const auto arguments = std::make_shared<EquationsArguments>();
  CLI::App* command = app.add_subcommand("equations", "the equations of motion: M, f, g, C, gamma");
  arguments->model.add_to(*command);
  CLI::Option* latex = command->add_flag("--latex", arguments->latex, "as LaTeX (amsmath or KaTeX)");
  command->add_flag("--numbers", arguments->numbers, "with the values of the parameters put in");
  command->add_flag("--json", arguments->json, "as JSON, each entry as text and as LaTeX")->excludes(latex);
  command->footer(
      "Examples:\n"
      "  dalembert equations slider_crank\n"
      "  dalembert equations slider_crank --latex --numbers > equations.tex");
  command->callback([arguments] { show_equations(*arguments); });
}

}  // namespace dalembert::app
