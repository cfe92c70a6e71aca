// dalembert fmu MODEL -o model.fmu
#include <memory>
#include <string>

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/session/fmu.hpp>

#include "command.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct FmuArguments {
  ModelArguments model;
  std::string file;
  std::string version = "3.0";
  bool no_binary = false;
  session::FmuOptions options;
};

void make(FmuArguments& arguments) {
  const session::ModelSource source = arguments.model.find();
  refuse_to_overwrite(source.file, {arguments.file});
  refuse_impossible_places({arguments.file});
  arguments.options.version =
      arguments.version.starts_with('2') ? session::FmiVersion::two : session::FmiVersion::three;
  arguments.options.binary = !arguments.no_binary;
  const session::Fmu fmu = session::make_fmu(session::LoadedModel(source), arguments.options);
  session::write_archive(arguments.file, fmu.files);
  for (const std::string& note : fmu.notes) say(fmt::format("note: {}\n", printable(note)));
  say(fmt::format("written {}\n", printable(arguments.file)));
}

}  // namespace

void add_fmu(CLI::App& app) {
  CLI::App* command = app.add_subcommand("fmu", "write the model as a unit for other tools (FMI)");
  const auto arguments = std::make_shared<FmuArguments>();
  session::FmuOptions& options = arguments->options;
  arguments->model.add_to(*command);
  command->add_option("-o,--output", arguments->file, "the unit, model.fmu")->required();
  command->add_option("--fmi", arguments->version, "version of the interface: 3.0 (default) or 2.0")
      ->check(CLI::IsMember({"3.0", "3", "2.0", "2"}))
      ->type_name("VERSION");
  command
      ->add_option("--input", options.inputs,
                   "a parameter that changes from outside while it\nruns; repeatable, or separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  command->add_option("--name", options.library.name, "of the unit; the model's when absent");
  command
      ->add_option("--order", options.library.order,
                   "of the series, from 2 to 60; what the tolerance\nasks for when absent")
      ->type_name("INT");
  command
      ->add_option("--tolerance", options.library.tolerance,
                   "of a step, unless the simulator gives one; the\nmodel's when absent, or 1e-10")
      ->type_name("FLOAT");
  command->add_flag("--no-binary", arguments->no_binary, "sources alone, nothing compiled for this machine");
  command->footer(
      "Examples:\n"
      "  dalembert fmu slider_crank -o crank.fmu\n"
      "  dalembert fmu slider_crank -o crank.fmu --fmi 2.0 --input torque");
  command->callback([arguments] { make(*arguments); });
}

}  // namespace dalembert::app
