// dalembert models, dalembert models show NAME
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/printable.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/session/layout.hpp>

#include "command.hpp"

namespace dalembert::app {
namespace {

using Json = nlohmann::ordered_json;

struct ModelsArguments {
  std::string name;
  bool json = false;
};

void list_models(bool json) {
  constexpr std::size_t name_width = 27;
  Json list = Json::array();
  for (const ShippedModel& model : shipped_models()) {
    if (json) {
      list.push_back({{"name", model.name}, {"title", model.title}, {"path", model.path.string()}});
    } else {
      fmt::print("{}", session::wrap_words(model.title, fmt::format("{:<{}}", model.name, name_width),
                                           std::string(name_width, ' ')));
    }
  }
  if (json) fmt::print("{}\n", list.dump(2, ' ', false, Json::error_handler_t::replace));
}

void show_model(const ModelsArguments& arguments) {
  const std::filesystem::path path = find_model(arguments.name);
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error("cannot read the file", {path.string(), 0, 0});
  if (arguments.json) {
    const Json json{{"name", path.stem().string()}, {"path", path.string()}, {"text", text.str()}};
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    // a file goes on byte by byte; a terminal would obey what it finds in it
    const bool terminal = isatty(STDOUT_FILENO) != 0;
    fmt::print("{}", terminal ? printable(text.str(), LineBreaks::keep) : text.str());
  }
}

}  // namespace

void add_models(CLI::App& app) {
  const auto arguments = std::make_shared<ModelsArguments>();
  CLI::App* command = app.add_subcommand("models", "list the shipped models, or print one");
  command->add_flag("--json", arguments->json, "as JSON");
  CLI::App* show = command->add_subcommand("show", "print a model file");
  show->add_option("NAME", arguments->name, "a shipped model's name, or a file")->required();
  show->add_flag("--json", arguments->json, "as JSON");
  show->footer("Example:\n  dalembert models show pendulum > my.toml");
  command->footer(
      "Examples:\n"
      "  dalembert models\n"
      "  dalembert models show pendulum > my.toml");
  command->callback([arguments, show] {
    if (show->parsed()) {
      show_model(*arguments);
    } else {
      list_models(arguments->json);
    }
  });
}

}  // namespace dalembert::app
