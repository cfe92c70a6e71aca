#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/printable.hpp>
#include <dalembert/import/urdf.hpp>
#include <dalembert/model/draft.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/output/atomic_file.hpp>

#include "command.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct ImportArguments {
  std::string robot;
  std::string file;
  std::vector<std::string> settings;
  std::vector<double> base, base_velocity;
  bool floating = false, fixed = false, keep_fixed = false;
  std::optional<double> friction_speed;
};

std::string read_file(const std::string& name) {
  const auto fail = [&name](const std::string& reason) {
    throw Error(fmt::format("cannot read the file: {}", reason), {name, 0, 0});
  };
  std::error_code unreadable;
  if (std::filesystem::is_directory(name, unreadable)) fail("it is a directory");
  errno = 0;
  std::ifstream stream(name, std::ios::binary);
  if (!stream) fail(std::generic_category().message(errno));
  return {std::istreambuf_iterator<char>(stream), {}};
}

// elbow=0.5 is a position, elbow'=1 a velocity.
void read_settings(const std::vector<std::string>& settings, UrdfOptions& options) {
  for (const std::string& setting : settings) {
    const Override joint = parse_override(setting);
    const bool is_velocity = joint.name.ends_with("'");
    JointValues& values = is_velocity ? options.velocities : options.start;
    const std::string name = joint.name.substr(0, joint.name.size() - (is_velocity ? 1 : 0));
    std::size_t used = 0;
    try {
      values[name] = std::stod(joint.value, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != joint.value.size())
      throw Error(fmt::format("--set {}: '{}' is no number", joint.name, joint.value));
  }
}

UrdfOptions options_of(const ImportArguments& arguments) {
  UrdfOptions options;
  read_settings(arguments.settings, options);
  if (arguments.floating) options.base = UrdfOptions::Base::floating;
  if (arguments.fixed) options.base = UrdfOptions::Base::fixed;
  std::copy(arguments.base.begin(), arguments.base.end(), options.base_pose.begin());
  std::copy(arguments.base_velocity.begin(), arguments.base_velocity.end(), options.base_velocity.begin());
  options.keep_fixed = arguments.keep_fixed;
  const std::filesystem::path folder = std::filesystem::path(arguments.robot).parent_path();
  options.folder = folder.empty() ? "." : folder.string();
  options.friction_speed = arguments.friction_speed;
  return options;
}

// What is written can be read. Errors name the file alone: places would be those of the model's text.
ImportedRobot import_robot(const ImportArguments& arguments) {
  const std::string xml = read_file(arguments.robot);
  const UrdfOptions options = options_of(arguments);
  try {
    ImportedRobot imported = import_urdf(xml, options);
    read_model_text(imported.model, arguments.robot);
    return imported;
  } catch (const Error& error) {
    throw Error(error.message(), {arguments.robot, 0, 0});
  }
}

void import(const ImportArguments& arguments) {
  refuse_to_overwrite(arguments.robot, {arguments.file});
  const ImportedRobot imported = import_robot(arguments);
  const std::string& model = imported.model;
  for (const std::string& warning : imported.warnings) say(fmt::format("warning: {}\n", printable(warning)));
  for (const std::string& note : imported.notes) say(fmt::format("note: {}\n", printable(note)));
  if (arguments.file.empty()) {
    fmt::print("{}", model);
    return;
  }
  AtomicFile file(arguments.file);
  file.write(model);
  file.commit();
  say(fmt::format("written {}\n", printable(arguments.file)));
}

void add_base_options(CLI::App& command, ImportArguments& arguments) {
  CLI::Option* floating = command.add_flag("--floating", arguments.floating,
                                           "the root link moves freely: the default where it has a mass, "
                                           "or\nsomething fixed to it has, and is not "
                                           "called 'world'");
  command.add_flag("--fixed", arguments.fixed, "the root link is the ground")->excludes(floating);
  command.add_option("--base", arguments.base, "place of the root link: X,Y,Z or X,Y,Z,ROLL,PITCH,YAW")
      ->delimiter(',')
      ->expected(3, 6)
      ->type_name("NUMBERS");
  command
      .add_option("--base-velocity", arguments.base_velocity,
                  "of a floating root link: VX,VY,VZ or with angular velocity\nVX,VY,VZ,WX,WY,WZ")
      ->delimiter(',')
      ->expected(3, 6)
      ->type_name("NUMBERS");
}

}  // namespace

void add_import(CLI::App& app) {
  CLI::App* command = app.add_subcommand("import", "make a model file of a robot in URDF");
  command->footer(
      "Example: dalembert import arm.urdf -o arm.toml, then dalembert run arm.toml --set torque_elbow=2");
  auto arguments = std::make_shared<ImportArguments>();
  command->add_option("FILE", arguments->robot, "a robot in URDF")->required();
  command->add_option("-o,--output", arguments->file, "the model file; standard output when absent");
  command
      ->add_option("--set", arguments->settings,
                   "start value of a joint, elbow=0.5, or its velocity,\n\"elbow'=1\"; repeatable")
      ->type_name("JOINT=VALUE")
      ->allow_extra_args(false);
  add_base_options(*command, *arguments);
  command->add_flag(
      "--keep-fixed", arguments->keep_fixed,
      "fixed links of some mass stay bodies, with the reactions of\ntheir welds; else they are one "
      "with what they are fixed to");
  command
      ->add_option("--friction", arguments->friction_speed,
                   "apply Coulomb friction f as -f*tanh(v/SPEED); else it is a\ncomment")
      ->type_name("SPEED")
      ->check(CLI::PositiveNumber);
  command->callback([arguments] {
    import(*arguments);
    exit_status() = done;
  });
}

}  // namespace dalembert::app
