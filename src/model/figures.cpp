// What the animation draws beside points, links and solids: each figure with what holds it and its sizes.
#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/base/words.hpp>
#include <dalembert/draft/figure_kinds.hpp>

#include "checker.hpp"

namespace dalembert {
namespace {

std::vector<std::string> texts_of(const std::vector<std::string_view>& words) {
  return {words.begin(), words.end()};
}

const Value* find(const Element& element, std::string_view key) {
  const auto entry = std::find_if(element.entries.begin(), element.entries.end(),
                                  [&](const Entry& one) { return one.key.text == key; });
  return entry == element.entries.end() ? nullptr : &entry->value;
}

}  // namespace

// Two or three: of the first point or solid, else of the first place that a figure names.
std::size_t Checker::view_dimension() const {
  if (!data_.view.points.empty()) return data_.view.points.front().position.size();
  if (!data_.view.solids.empty()) return data_.view.solids.front().position.size();
  return 0;
}

std::vector<Expr> Checker::figure_row(const Value& value, const std::string& what, std::size_t count,
                                      const Scope& scope) {
  const bool is_row =
      value.type == Value::Type::array &&
      (count == 0 ? value.array.size() == 2 || value.array.size() == 3 : value.array.size() == count);
  if (!is_row) {
    report_.at(value.where, fmt::format("{} must be an array of {} expressions", what,
                                        count == 0 ? "two or three" : std::to_string(count)));
  }
  std::vector<Expr> result;
  for (const Value& entry : value.array) {
    if (entry.type != Value::Type::text)
      report_.at(entry.where, fmt::format("{} must hold expressions", what));
    result.push_back(names_.expression(entry.text, scope, what));
  }
  return result;
}

// "A": a point or a solid; ["x", "y"]: a place; { frame = "cart", place = [0, 1] }: a place of a solid.
FigureAnchor Checker::anchor(const Value& value, const std::string& what) {
  const auto is_solid = [this](const std::string& name) {
    return std::any_of(data_.view.solids.begin(), data_.view.solids.end(),
                       [&](const Solid& one) { return one.name == name; });
  };
  const auto unknown = [&](const Value& name, bool points) {
    std::vector<std::string> known;
    if (points)
      std::transform(data_.view.points.begin(), data_.view.points.end(), std::back_inserter(known),
                     [](const Point& p) { return p.name; });
    std::transform(data_.view.solids.begin(), data_.view.solids.end(), std::back_inserter(known),
                   [](const Solid& s) { return s.name; });
    report_.at_text(name.text, what, 0,
                    fmt::format("there is no {} {}{}", points ? "point or solid" : "solid or frame",
                                in_quotes(name.text.text), suggestion(name.text.text, known)));
  };
  const std::size_t dimension = view_dimension();
  if (value.type == Value::Type::text) {
    const std::string& name = value.text.text;
    for (const Point& point : data_.view.points) {
      if (point.name == name) return {name, "", {}};
    }
    if (!is_solid(name)) unknown(value, true);
    return {"", name, std::vector<Expr>(dimension, data_.graph->number(0))};
  }
  if (value.type == Value::Type::array)
    return {"", "", figure_row(value, "the place of " + what, dimension, scope::view)};
  const Element parts{{}, value.table};
  const Value* const frame = find(parts, "frame");
  const Value* const place = find(parts, "place");
  if (value.type != Value::Type::table || frame == nullptr || place == nullptr || value.table.size() != 2 ||
      frame->type != Value::Type::text) {
    report_.at(value.where,
               fmt::format("{} must be at a point or solid by its name, at a place [\"x\", \"y\"], or at a "
                           "place of a solid, {{ frame = \"name\", place = [\"x\", \"y\"] }}",
                           what));
  }
  if (!is_solid(frame->text.text)) unknown(*frame, false);
  return {"", frame->text.text, figure_row(*place, "the place of " + what, dimension, scope::parameter)};
}

std::vector<FigureAnchor> Checker::anchors(const DraftFigure& drawn, const FigureKind& kind,
                                           const std::string& what) {
  std::vector<FigureAnchor> result;
  const Value* const at = find(drawn.element, "at");
  const Name& name = drawn.element.name;
  if (at == nullptr && kind.most == 0) return result;
  if (at == nullptr) report_.at_name(name, fmt::format("{} needs 'at', what it is drawn at", what));
  if (kind.most == 1) return {anchor(*at, what)};
  if (at->type != Value::Type::array) report_.at(at->where, fmt::format("'at' of {} must be an array", what));
  for (const Value& one : at->array) result.push_back(anchor(one, what));
  if (result.size() < kind.least || result.size() > kind.most) {
    const std::string wanted =
        kind.least == kind.most ? std::to_string(kind.least) : fmt::format("at least {}", kind.least);
    report_.at(at->where, fmt::format("{} is drawn at {} points, not {}", what, wanted, result.size()));
  }
  return result;
}

FigureValue Checker::figure_value(const Entry& entry, const std::string& what, std::size_t dimension) {
  const FigureKey& key = figure_key(entry.key.text);
  Scope moving = scope::figure;
  moving.dynamics = data_.kind != ModelKind::kinematic;
  const Scope& allowed = key.moves ? moving : scope::parameter;
  const std::string label = fmt::format("{} of {}", in_quotes(key.name), what);
  if (key.count == FigureKey::Count::vector)
    return {entry.key.text, figure_row(entry.value, label, dimension, allowed)};
  if (entry.value.type != Value::Type::text)
    report_.at(entry.value.where, fmt::format("{} must be an expression", label));
  return {entry.key.text, {names_.expression(entry.value.text, allowed, label)}};
}

void Checker::check_figure(const DraftFigure& drawn) {
  const FigureKind& kind = *find_figure_kind(drawn.kind);
  const Name& name = drawn.element.name;
  const std::string what = fmt::format("the {} {}", kind.name, in_quotes(name.text));
  const std::vector<std::string_view> needed = split_words(kind.needs);
  std::vector<std::string> known = texts_of(needed);
  for (const std::string_view word : split_words(kind.may_have)) known.emplace_back(word);
  if (kind.most > 0) known.emplace_back("at");
  Figure figure{drawn.kind, name.text, anchors(drawn, kind, what), {}, {}};
  std::size_t dimension = view_dimension();
  if (!figure.at.empty() && !figure.at.front().place.empty()) dimension = figure.at.front().place.size();
  for (const Entry& entry : drawn.element.entries) {
    if (std::find(known.begin(), known.end(), entry.key.text) == known.end()) {
      report_.at_name(entry.key, fmt::format("unknown key {} of {}{}", in_quotes(entry.key.text), what,
                                             suggestion(entry.key.text, known)));
    }
    if (entry.key.text == "at") continue;
    if (figure_key(entry.key.text).count == FigureKey::Count::word) {
      figure.quantity = entry.value.text.text;
    } else {
      figure.values.push_back(figure_value(entry, what, dimension));
    }
  }
  for (const std::string_view key : needed) {
    if (find(drawn.element, key) == nullptr)
      report_.at_name(name, fmt::format("{} needs {}", what, in_quotes(key)));
  }
  data_.view.figures.push_back(std::move(figure));
}

void Checker::check_figures() {
  std::unordered_set<std::string> seen;
  for (const DraftFigure& drawn : draft_.figures) {
    const Name& name = drawn.element.name;
    check_name(name, "a figure", report_);
    if (!seen.insert(drawn.kind + " " + name.text).second)
      report_.at_name(name, fmt::format("the {} {} is there already", drawn.kind, in_quotes(name.text)));
    check_figure(drawn);
  }
}

}  // namespace dalembert
