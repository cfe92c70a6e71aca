#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/session/import.hpp>

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
  std::string limits = "report";
  std::string friction;
};

UrdfOptions options_of(const ImportArguments& arguments) {
  UrdfOptions options;
  session::set_joints(arguments.settings, options, Spelling::flag);
  if (arguments.floating) options.base = UrdfOptions::Base::floating;
  if (arguments.fixed) options.base = UrdfOptions::Base::fixed;
  std::copy(arguments.base.begin(), arguments.base.end(), options.base_pose.begin());
  std::copy(arguments.base_velocity.begin(), arguments.base_velocity.end(), options.base_velocity.begin());
  options.keep_fixed = arguments.keep_fixed;
  options.limits_stop = arguments.limits == "stop";
  options.dry_friction = arguments.friction == "dry";
  if (!options.dry_friction && !arguments.friction.empty())
    options.friction_speed = std::stod(arguments.friction);
  return options;
}

void import(const ImportArguments& arguments) {
  refuse_to_overwrite(arguments.robot, {arguments.file});
  const ImportedRobot imported = session::import_robot(arguments.robot, options_of(arguments));
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
      ->add_option("--limits", arguments->limits,
                   "stop: limits of position hold the joints, as contacts;\nreport: a run says where "
                   "joints go beyond them (default)")
      ->check(CLI::IsMember({"stop", "report"}));
  command
      ->add_option("--friction", arguments->friction,
                   "dry: joints stick and slide with their Coulomb friction f, by\n[[friction]]; SPEED: "
                   "-f*tanh(v/SPEED); else it is a comment")
      ->type_name("dry|SPEED")
      ->check([](const std::string& text) -> std::string {
        const bool is_dry = text == "dry" || CLI::PositiveNumber(text).empty();
        return is_dry ? "" : "needs 'dry' or a speed above 0, not '" + text + "'";
      });
  command->callback([arguments] {
    import(*arguments);
    exit_status() = done;
  });
}

}  // namespace dalembert::app
