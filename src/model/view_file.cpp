#include "view_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/draft/figure_kinds.hpp>

#include "file_values.hpp"

namespace dalembert {
namespace {

class ViewReader : private FileValues {
 public:
  explicit ViewReader(ModelDraft& draft) : FileValues(draft) {}

  void view(const TomlNode& node);

 private:
  struct Key {
    std::string_view name;
    void (ViewReader::*read)(const TomlNode&);
  };

  void points(const TomlNode& node);
  void solids(const TomlNode& node);
  void frames(const TomlNode& node);
  void figures(const TomlNode& node, const FigureKind& kind);
  void links(const TomlNode& node);
  void traces(const TomlNode& node);
  Name point_name(const TomlNode& node, std::string_view what) const;
};

void ViewReader::view(const TomlNode& node) {
  static constexpr std::array keys{Key{"points", &ViewReader::points}, Key{"solids", &ViewReader::solids},
                                   Key{"frames", &ViewReader::frames}, Key{"links", &ViewReader::links},
                                   Key{"traces", &ViewReader::traces}};
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  for (const FigureKind& kind : figure_kinds()) names.emplace_back(kind.key);
  for (const TomlNode& entry : table(node)) {
    const auto* const key =
        std::find_if(keys.begin(), keys.end(), [&](const Key& one) { return one.name == entry.key; });
    const auto kinds = figure_kinds();
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const FigureKind& one) { return one.key == entry.key; });
    if (key != keys.end()) {
      (this->*key->read)(entry);
    } else if (kind != kinds.end()) {
      figures(entry, *kind);
    } else {
      report_.at(entry.key_where, fmt::format("unknown key {} in [view]{}", in_quotes(entry.key),
                                              suggestion(entry.key, names)));
    }
  }
}

// A list of what holds each, or a table by names with everything that they have.
void ViewReader::figures(const TomlNode& node, const FigureKind& kind) {
  const auto add = [&](Name name, std::vector<Entry> entries) {
    draft_.figures.push_back({std::string(kind.name), {std::move(name), std::move(entries)}});
  };
  if (kind.most == 0) return add({node.key, node.key_where}, {{{"vector", node.where}, any_value(node)}});
  if (node.type == TomlType::array) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const TomlNode& one = node.children[i];
      add({fmt::format("{}{}", kind.name, i + 1), one.where}, {{{"at", one.where}, any_value(one)}});
    }
    return;
  }
  for (const TomlNode& entry : table(node)) {
    std::vector<Entry> entries;
    for (const TomlNode& part : table(entry)) entries.push_back({key_of(part), any_value(part)});
    add(key_of(entry), std::move(entries));
  }
}

void ViewReader::frames(const TomlNode& node) {
  const std::size_t first = draft_.solids.size();
  solids(node);
  for (std::size_t i = first; i < draft_.solids.size(); ++i) {
    if (!draft_.solids[i].shape.text.empty())
      report_.at_name(draft_.solids[i].name, "a frame has no shape; write it under 'solids'");
    draft_.solids[i].shape = "frame";
  }
}

void ViewReader::points(const TomlNode& node) {
  for (const TomlNode& entry : table(node)) {
    draft_.points.push_back({key_of(entry), row(entry, in_quotes(entry.key))});
  }
}

void ViewReader::solids(const TomlNode& node) {
  const std::vector<std::string> known{"shape", "size", "along", "position", "rotation", "turn", "corners"};
  for (const TomlNode& entry : table(node)) {
    DraftSolid& solid = draft_.solids.emplace_back();
    solid.name = key_of(entry);
    for (const TomlNode& part : table(entry)) {
      const std::string what = in_quotes(part.key);
      if (part.key == "shape") {
        solid.shape = words(part, what);
      } else if (part.key == "along") {
        solid.along = words(part, what);
      } else if (part.key == "size") {
        solid.size = row(part, what);
      } else if (part.key == "position") {
        solid.position = row(part, what);
      } else if (part.key == "rotation") {
        solid.rotation = row(part, what);
      } else if (part.key == "turn") {
        solid.turn = row(part, what);
      } else if (part.key == "corners") {
        solid.corners = matrix(part);
      } else {
        report_.at_name(key_of(part), fmt::format("unknown key {} of the solid {}{}", what,
                                                  in_quotes(entry.key), suggestion(part.key, known)));
      }
    }
  }
}

void ViewReader::links(const TomlNode& node) {
  for (const TomlNode& pair : array(node, "'links'", "pairs of points")) {
    const std::vector<TomlNode>& ends = array(pair, "a link", "two points");
    if (ends.size() != 2) report_.at(pair.where, fmt::format("a link joins 2 points, not {}", ends.size()));
    draft_.links.push_back(
        {point_name(ends[0], "the end of a link"), point_name(ends[1], "the end of a link")});
  }
}

void ViewReader::traces(const TomlNode& node) {
  for (const TomlNode& name : array(node, "'traces'", "points")) {
    draft_.traces.push_back(point_name(name, "a trace"));
  }
}

Name ViewReader::point_name(const TomlNode& node, std::string_view what) const {
  const Text name = words(node, what);
  return {name.text, name.where};
}

}  // namespace

void read_view(ModelDraft& draft, const TomlNode& node) { ViewReader(draft).view(node); }

}  // namespace dalembert
