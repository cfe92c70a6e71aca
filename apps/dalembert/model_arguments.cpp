#include <filesystem>
#include <string>
#include <vector>

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

ModelText ModelArguments::read() const {
  ModelText result;
  for (const std::string& setting : settings) result.overrides.push_back(parse_override(setting));
  const std::filesystem::path file = find_model(model);
  result.file = file.string();
  result.text = read_text(file);
  return result;
}

}  // namespace dalembert::app
