#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>

#include "command.hpp"

namespace dalembert::app {

void ModelArguments::add_to(CLI::App& command) {
  command.add_option("MODEL", model, "a model file, or a shipped model's name")->required();
  command
      .add_option("--set", settings,
                  "replace a parameter or a start value:\nl1=0.3, theta1=pi/4, \"theta1'=2\"; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

Model ModelArguments::load() const {
  std::vector<Override> overrides;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(fmt::format("--set takes NAME=VALUE, for instance l1=0.3, not '{}'", setting));
    }
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return read_model(find_model(model), overrides);
}

}  // namespace dalembert::app
