#include "overrides.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/bodies/assemble.hpp>
#include <dalembert/draft/reporter.hpp>

#include "model_file.hpp"

namespace dalembert {
namespace {

[[noreturn]] void fail_unknown(const ModelDraft& draft, const std::string& name) {
  if (std::ranges::find(draft.inputs, name, [](const Element& e) { return e.name.text; }) !=
      draft.inputs.end())
    throw Error(
        fmt::format("--set {0}: {1} is an input, a function of time: --set \"{0}={{ times = [0, 1], "
                    "values = [3, 3] }}\"",
                    name, in_quotes(name)));
  std::vector<std::string> known;
  for (const NamedText& parameter : draft.parameters) known.push_back(parameter.name.text);
  for (const Element& input : draft.inputs) known.push_back(input.name.text);
  for (const DraftCoordinate& coordinate : draft.coordinates) known.push_back(coordinate.name.text);
  for (const DraftCoordinate& coordinate : draft.coordinates) known.push_back(coordinate.name.text + "'");
  throw Error(fmt::format("--set {}: the model has no parameter or coordinate {}{}", name, in_quotes(name),
                          suggestion(name, known)));
}

Text value_of(const Override& change) { return {change.value, {"--set " + change.name, 0, 0}}; }

bool set_parameter(ModelDraft& draft, const Override& change) {
  const auto parameter = std::find_if(draft.parameters.begin(), draft.parameters.end(),
                                      [&](const NamedText& p) { return p.name.text == change.name; });
  if (parameter == draft.parameters.end()) return false;
  parameter->value = value_of(change);
  return true;
}

void forget_places(Value& value, const SourceLocation& where) {
  value.where = value.text.where = where;
  for (Value& part : value.array) forget_places(part, where);
  for (Entry& entry : value.table) forget_places(entry.value, where);
}

// A table { times = ..., values = ... } in place of an input or a parameter.
bool set_input(ModelDraft& draft, const Override& change) {
  if (!change.value.starts_with('{')) return false;
  const SourceLocation where{"--set " + change.name, 0, 0};
  Element input =
      parse_model_file(fmt::format("[inputs]\n\"{}\" = {}", change.name, change.value), where.file)
          .inputs.front();
  input.name.where = where;
  for (Entry& entry : input.entries) {
    entry.key.where = where;
    if (entry.key.text == "file" && !entry.value.text.text.empty())  // from where the call is made
      entry.value.text.text = std::filesystem::absolute(entry.value.text.text).string();
    forget_places(entry.value, where);
  }
  const auto known =
      std::ranges::find(draft.inputs, change.name, [](const Element& e) { return e.name.text; });
  if (known != draft.inputs.end()) {
    *known = std::move(input);
    return true;
  }
  const auto is_it = [&](const NamedText& parameter) { return parameter.name.text == change.name; };
  if (std::erase_if(draft.parameters, is_it) == 0) fail_unknown(draft, change.name);
  draft.inputs.push_back(std::move(input));
  return true;
}

void set_start(ModelDraft& draft, const Override& change) {
  const Text value = value_of(change);
  const bool is_velocity = change.name.ends_with("'");
  const std::string name = change.name.substr(0, change.name.size() - (is_velocity ? 1 : 0));
  const auto coordinate = std::find_if(draft.coordinates.begin(), draft.coordinates.end(),
                                       [&](const DraftCoordinate& c) { return c.name.text == name; });
  if (coordinate == draft.coordinates.end()) fail_unknown(draft, change.name);
  if (is_velocity) {
    coordinate->start.velocity = value;
  } else {
    coordinate->start.position = value;
  }
}

}  // namespace

Override parse_override(std::string_view text) {
  const std::size_t equals = text.find('=');
  const auto trimmed = [](std::string_view part) {
    const std::size_t begin = std::min(part.find_first_not_of(" \t"), part.size());
    return std::string(part.substr(begin, part.find_last_not_of(" \t") + 1 - begin));
  };
  if (equals != std::string_view::npos) {
    Override result{trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
    if (!result.name.empty() && !result.value.empty()) return result;
  }
  throw Error(fmt::format("--set takes NAME=VALUE, for instance l1=0.3, not {}", in_quotes(text)));
}

// Bodies are assembled with the parameters' values; the coordinates are there only then.
void apply_overrides(ModelDraft& draft, const std::vector<Override>& overrides) {
  std::vector<Override> of_start;
  for (const Override& change : overrides) {
    if (!set_input(draft, change) && !set_parameter(draft, change)) of_start.push_back(change);
  }
  if (has_bodies(draft)) draft = assemble_bodies(std::move(draft));
  for (const Override& change : of_start) set_start(draft, change);
}

}  // namespace dalembert
