#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/session/import.hpp>

namespace dalembert::session {
namespace {

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

}  // namespace

void set_joints(std::span<const std::string> settings, UrdfOptions& options, Spelling spelling) {
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
      throw Error(fmt::format("{} {}: '{}' is no number", spelling == Spelling::flag ? "--set" : "joint",
                              joint.name, joint.value));
  }
}

// Errors name the file alone: places would be those of the model's text.
ImportedRobot import_robot(const std::string& file, UrdfOptions options) {
  const std::string xml = read_file(file);
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  options.folder = folder.empty() ? "." : folder.string();
  try {
    ImportedRobot imported = import_urdf(xml, options);
    read_model_text(imported.model, file);
    return imported;
  } catch (const Error& error) {
    throw Error(error.message(), {file, 0, 0});
  }
}

}  // namespace dalembert::session
