// dalembert codegen MODEL -o DIR
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/session/codegen.hpp>

#include "command.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct CodegenArguments {
  ModelArguments model;
  std::string folder;
  session::CodegenOptions options;
};

void generate(const CodegenArguments& arguments) {
  const session::LoadedModel model = arguments.model.load();
  session::check_folder(arguments.folder);
  const session::CLibrary library = session::codegen(model, arguments.options);
  session::write_folder(arguments.folder, library.files);
  for (const std::string& note : library.notes) say(fmt::format("note: {}\n", printable(note)));
  say(fmt::format("written {}\n", printable(arguments.folder)));
}

}  // namespace

void add_codegen(CLI::App& app) {
  CLI::App* command = app.add_subcommand("codegen", "write the model as a C99 library");
  const auto arguments = std::make_shared<CodegenArguments>();
  session::CodegenOptions& options = arguments->options;
  arguments->model.add_to(*command);
  command->add_option("-o,--output", arguments->folder, "its folder: new, empty, or of such a library")
      ->required()
      ->type_name("DIR");
  command->add_option("--name", options.name, "what names in C begin with; the model's when\nabsent");
  command
      ->add_option("--order", options.order,
                   "of the series, from 2 to 60; what the tolerance\nasks for when absent")
      ->type_name("INT");
  command
      ->add_option("--tolerance", options.tolerance,
                   "of a step, relative; the model's when absent, or\n1e-10")
      ->type_name("FLOAT");
  command->add_flag("--derivatives", options.derivatives,
                    "with directional derivatives of accelerations,\nforces and outputs");
  command->footer(
      "Examples:\n"
      "  dalembert codegen slider_crank -o crank\n"
      "  dalembert codegen slider_crank -o crank --order 6  # for real time");
  command->callback([arguments] { generate(*arguments); });
}

}  // namespace dalembert::app
