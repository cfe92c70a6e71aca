#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>

#include "command.hpp"

namespace dalembert::app {

void ModelArguments::add_to(CLI::App& command) {
  command.add_option("MODEL", model, "a model file, or the name of a shipped model (see 'dalembert models')")
      ->required();
  command
      .add_option("--set", settings, "replace a parameter or a start value: --set l1=0.3 --set \"theta1'=2\"")
      ->type_name("NAME=VALUE");
}

Model ModelArguments::load() const {
  std::vector<Override> overrides;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(fmt::format("--set takes NAME=VALUE, not '{}'", setting));
    }
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return read_model(find_model(model), overrides);
}

}  // namespace dalembert::app
