#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/study/study.hpp>

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;

OptionValue option_value(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number()) return json.get<double>();
  if (json.is_array()) return json.get<std::vector<double>>();
  return json.get<std::string>();
}

}  // namespace

std::string to_json(const StudyDescription& study) {
  Json options = Json::object();
  for (const auto& [option, value] : study.options)
    options[std::string(option->key)] = std::visit([](const auto& x) { return Json(x); }, value);
  const Variation& varies = study.variation;
  Json json{{"generator", "dalembert " DALEMBERT_VERSION},
            {"model", study.model.file},
            {"text", study.model.text},
            {"settings", study.model.settings},
            {"vary", varies.vary},
            {"sample", varies.samples},
            {"runs", varies.runs},
            {"seed", varies.seed},
            {"sobol", varies.sobol},
            {"sobol_indices", varies.indices},
            {"collect", study.collect},
            {"options", options}};
  if (!study.inputs.empty()) json["inputs"] = study.inputs;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

StudyDescription from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    StudyDescription study;
    study.model.file = json.at("model");
    study.model.text = json.at("text");
    study.model.settings = json.at("settings").get<std::vector<std::string>>();
    study.variation = {json.at("vary").get<std::vector<std::string>>(),
                       json.at("sample").get<std::vector<std::string>>(),
                       json.at("runs").get<std::uint64_t>(),
                       json.at("seed").get<std::uint64_t>(),
                       json.at("sobol").get<bool>(),
                       json.at("sobol_indices").get<bool>()};
    study.collect = json.at("collect").get<std::vector<std::string>>();
    for (const auto& [key, value] : json.at("options").items())
      study.options.push_back(give(key, option_value(value)));
    study.inputs = json.value("inputs", study.inputs);
    return study;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("this is not the description of a study: {}", error.what()));
  }
}

std::string difference(const std::string& text, const StudyDescription& description) {
  constexpr std::array<std::pair<const char*, const char*>, 12> words{{
      {"generator", "the program's version"},
      {"text", "the model"},
      {"settings", "--set"},
      {"inputs", "the data of inputs"},
      {"vary", "--vary"},
      {"sample", "--sample"},
      {"runs", "--runs"},
      {"seed", "--seed"},
      {"sobol", "--sobol"},
      {"sobol_indices", "--sobol-indices"},
      {"collect", "--collect"},
      {"options", "options of runs"},
  }};
  const Json found = Json::parse(text, nullptr, false), wanted = Json::parse(to_json(description));
  if (!found.is_object()) return "all of it";
  std::vector<std::string> others;
  for (const auto& [key, word] : words)
    if (found.value(key, Json()) != wanted.value(key, Json())) others.emplace_back(word);
  return join(others, ", ");
}

}  // namespace dalembert::study
