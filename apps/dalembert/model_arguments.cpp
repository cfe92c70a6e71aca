#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>

#include "command.hpp"

namespace dalembert::app {

void ModelArguments::add_to(CLI::App& command) {
  command.add_option("MODEL", model, "a model file, or a shipped model's name")->required();
  command
      .add_option("--set", settings,
                  "replace a parameter or a start value:\nl1=0.3, theta1=pi/4, \"theta1'=2\"; put data in\n"
                  "its place: \"torque={ file = 'drive.csv' }\";\nrepeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void refuse_to_overwrite(const std::string& source, const std::vector<std::string>& results) {
  for (const std::string& result : results) {
    std::error_code not_there;
    if (std::filesystem::equivalent(source, result, not_there))
      throw Error(fmt::format("'{}' is what is read: a result there would replace it", result));
  }
}

void refuse_impossible_places(const std::vector<std::string>& results) {
  for (const std::string& result : results) {
    if (result == "-") continue;
    try {
      const AtomicFile tried(result, FileAccess::random);  // nobody reads a pipe twice
    } catch (const OutputError& error) {
      throw Error(error.message());
    }
  }
}

}  // namespace dalembert::app
