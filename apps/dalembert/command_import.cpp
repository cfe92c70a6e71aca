#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/import/urdf.hpp>
#include <dalembert/model/draft.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/output/atomic_file.hpp>

#include "command.hpp"

namespace dalembert::app {
namespace {

struct ImportArguments {
  std::string robot;
  std::string file;
  std::vector<std::string> settings;
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

JointValues joint_values(const std::vector<std::string>& settings) {
  JointValues values;
  for (const std::string& setting : settings) {
    const Override joint = parse_override(setting);
    std::size_t used = 0;
    try {
      values[joint.name] = std::stod(joint.value, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != joint.value.size())
      throw Error(fmt::format("--set {}: '{}' is no number", joint.name, joint.value));
  }
  return values;
}

// What is written can be read. Errors name the file alone: places would be those of the model's text.
ImportedRobot import_robot(const ImportArguments& arguments) {
  const std::string xml = read_file(arguments.robot);
  const JointValues start = joint_values(arguments.settings);
  try {
    ImportedRobot imported = import_urdf(xml, start);
    read_model_text(imported.model, arguments.robot);
    return imported;
  } catch (const Error& error) {
    throw Error(error.message(), {arguments.robot, 0, 0});
  }
}

void import(const ImportArguments& arguments) {
  const ImportedRobot imported = import_robot(arguments);
  const std::string& model = imported.model;
  for (const std::string& note : imported.notes) std::cerr << "note: " << note << '\n';
  if (arguments.file.empty()) {
    std::cout << model;
    return;
  }
  AtomicFile file(arguments.file);
  file.write(model);
  file.commit();
  std::cerr << "written " << arguments.file << '\n';
}

}  // namespace

void add_import(CLI::App& app) {
  CLI::App* command = app.add_subcommand("import", "make a model file of a robot in URDF");
  command->footer(
      "Example: dalembert import arm.urdf -o arm.toml, then dalembert run arm.toml --set torque_elbow=2");
  auto arguments = std::make_shared<ImportArguments>();
  command->add_option("FILE", arguments->robot, "a robot in URDF")->required();
  command->add_option("-o,--output", arguments->file, "the model file; standard output when absent");
  command->add_option("--set", arguments->settings, "start value of a joint: elbow=0.5; repeatable")
      ->type_name("JOINT=VALUE")
      ->allow_extra_args(false);
  command->callback([arguments] {
    import(*arguments);
    exit_status() = done;
  });
}

}  // namespace dalembert::app
