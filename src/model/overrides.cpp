#include "overrides.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "reporter.hpp"

namespace dalembert {
namespace {

[[noreturn]] void fail_unknown(const ModelDraft& draft, const std::string& name) {
  std::vector<std::string> known;
  for (const NamedText& parameter : draft.parameters) known.push_back(parameter.name.text);
  for (const DraftCoordinate& coordinate : draft.coordinates) known.push_back(coordinate.name.text);
  for (const DraftCoordinate& coordinate : draft.coordinates) known.push_back(coordinate.name.text + "'");
  throw Error(fmt::format("--set {}: the model has no parameter or coordinate {}{}", name, in_quotes(name),
                          suggestion(name, known)));
}

void apply(ModelDraft& draft, const Override& change) {
  const Text value(change.value, {"--set " + change.name, 0, 0});
  const auto parameter = std::find_if(draft.parameters.begin(), draft.parameters.end(),
                                      [&](const NamedText& p) { return p.name.text == change.name; });
  if (parameter != draft.parameters.end()) {
    parameter->value = value;
    return;
  }
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
  throw Error(fmt::format("--set needs name=value, not {}", in_quotes(text)));
}

void apply_overrides(ModelDraft& draft, const std::vector<Override>& overrides) {
  for (const Override& change : overrides) apply(draft, change);
}

}  // namespace dalembert
