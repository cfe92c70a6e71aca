// Events: when they are, and what they change.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/differentiate.hpp>

#include "checker.hpp"
#include "element_keys.hpp"

namespace dalembert {
namespace {

constexpr std::array<std::string_view, 11> event_keys{"when",   "direction", "after",  "every",
                                                      "count",  "priority",  "stop",   "set",
                                                      "enable", "disable",   "enabled"};

}  // namespace

void Checker::check_disabled() const {
  std::vector<std::string> names;
  for (const auto* list : {&draft_.holonomic, &draft_.nonholonomic})
    for (const NamedText& constraint : *list) names.push_back(constraint.name.text);
  for (const Name& name : draft_.disabled) {
    if (std::find(names.begin(), names.end(), name.text) == names.end())
      report_.at_name(name, fmt::format("there is no constraint {}{}", in_quotes(name.text),
                                        suggestion(name.text, names)));
  }
}

bool Checker::is_disabled(const Name& constraint) const {
  return std::any_of(draft_.disabled.begin(), draft_.disabled.end(),
                     [&](const Name& name) { return name.text == constraint.text; });
}

// What enable and disable may name, and what it is.
std::vector<std::string> Checker::switchable_names() const {
  std::vector<std::string> names;
  for (const auto* list : {&draft_.holonomic, &draft_.nonholonomic})
    for (const NamedText& constraint : *list) names.push_back(constraint.name.text);
  for (const auto* list : {&draft_.contacts, &draft_.events})
    for (const Element& element : *list) names.push_back(element.name.text);
  for (const NamedText& force : draft_.forces) names.push_back("force(" + force.name.text + ")");
  return names;
}

Assignment Checker::assignment(const Name& target, const Text& text, const std::string& what) {
  const bool is_velocity = target.text.ends_with('\'');
  const std::string name = target.text.substr(0, target.text.size() - (is_velocity ? 1 : 0));
  Assignment result{is_velocity ? Assignment::Target::velocity : Assignment::Target::position, 0,
                    names_.expression(text, scope::event, fmt::format("{} in {}", target.text, what))};
  std::vector<std::string> known;
  for (std::size_t i = 0; i < data_.coordinates.size(); ++i) {
    result.index = i;
    if (data_.coordinates[i].name == name) return result;
    known.push_back(data_.coordinates[i].name);
    known.push_back(data_.coordinates[i].name + "'");
  }
  result.target = Assignment::Target::parameter;
  for (std::size_t i = 0; i < data_.parameters.size(); ++i) {
    result.index = i;
    if (data_.parameters[i].name == target.text) return result;
    known.push_back(data_.parameters[i].name);
  }
  report_.at_name(target, fmt::format("{} sets {}, which is no coordinate, velocity or parameter{}", what,
                                      in_quotes(target.text), suggestion(target.text, known)));
}

// Constraints and the picture keep the values of the start.
void Checker::refuse_frozen_parameter(const Name& target, std::size_t index) const {
  std::vector<Expr> frozen;
  for (const auto* list :
       {&data_.holonomic, &data_.nonholonomic, &data_.disabled_holonomic, &data_.disabled_nonholonomic})
    for (const Constraint& constraint : *list) frozen.push_back(constraint.residual);
  for (const Contact& contact : data_.contacts) {
    frozen.insert(frozen.end(), {contact.gap, contact.restitution, contact.friction, contact.sticking});
    for (const Slip& slip : contact.slip) frozen.push_back(slip.velocity);
  }
  for (const Friction& friction : data_.frictions) {
    frozen.insert(frozen.end(), {friction.friction, friction.sticking});
    for (const Slip& slip : friction.slip) frozen.push_back(slip.velocity);
  }
  for (const Point& point : data_.view.points)
    frozen.insert(frozen.end(), point.position.begin(), point.position.end());
  for (const Solid& solid : data_.view.solids) {
    for (const auto* part : {&solid.position, &solid.rotation, &solid.size, &solid.turn})
      frozen.insert(frozen.end(), part->begin(), part->end());
  }
  for (const Figure& figure : data_.view.figures) {
    for (const FigureValue& value : figure.values)
      frozen.insert(frozen.end(), value.entries.begin(), value.entries.end());
  }
  for (std::size_t i = data_.parameters.size();
       i-- > index;) {  // those that follow from others are behind them
    const Parameter& one = data_.parameters[i];
    const std::vector<Expr> symbols = symbols_in(frozen);
    if (std::find(symbols.begin(), symbols.end(), one.symbol) == symbols.end()) continue;
    if (i == index)
      report_.at_name(target, fmt::format("the parameter {} is part of a constraint, a contact or the view: "
                                          "an event cannot change it",
                                          in_quotes(target.text)));
    frozen.push_back(one.value);
  }
}

void Checker::check_event_times(const EventTexts& texts, Event& event) {
  const auto time = [&](const std::optional<Text>& text, const char* key) -> std::optional<Expr> {
    if (!text) return std::nullopt;
    const std::string label = fmt::format("'{}' of {}", key, texts.what);
    const Expr e = names_.expression(*text, scope::event_time, label);
    const double value = finite_value(e, *text, label);
    if (std::string_view(key) == "every" && !(value > 0))
      report_.at_text(*text, label, 0, fmt::format("{} is {}; it must be positive", label, shortest(value)));
    return e;
  };
  event.after = time(texts.after, "after");
  event.every = time(texts.every, "every");
}

void Checker::check_event(const Element& element) {
  const ElementKeys keys(element, "event", report_);
  if (data_.kind == ModelKind::kinematic) keys.fail("a kinematic model has no events");
  keys.allow_only(event_keys);
  Event event;
  event.name = element.name.text;
  event.where = place_of(Text("", element.name.where));
  for (const Text& text : keys.texts("when")) {
    event.when.push_back(names_.expression(text, scope::event, "'when' of " + keys.what));
    if (event.when.back().is_number())
      report_.at_text(text, "'when' of " + keys.what, 0,
                      fmt::format("'when' of {} is constant: it never changes its sign", keys.what));
  }
  const std::array<std::string, 3> directions{"both", "rising", "falling"};
  event.direction = static_cast<Crossing>(keys.word("direction", directions, 0));
  EventTexts texts{keys.what, {}, {}};
  if (const Value* const after = keys.find("after")) texts.after = keys.text(*after, "after");
  if (const Value* const every = keys.find("every")) texts.every = keys.text(*every, "every");
  check_event_times(texts, event);
  if (event.when.empty() && !event.after && !event.every)
    keys.fail(fmt::format("{} needs 'when', a function whose sign changes, or times by 'after' and 'every'",
                          keys.what));
  if (!event.when.empty() && event.every)
    keys.fail(*keys.find("every"),
              fmt::format("{} has 'when' and 'every': it is at one or the other", keys.what));
  if (event.when.empty() && keys.has("direction"))
    keys.fail(*keys.find("direction"), fmt::format("{} is at times: it has no direction", keys.what));
  event.count = static_cast<std::size_t>(keys.whole_number("count", 0, 1));
  event.priority = keys.whole_number("priority", 0, -1000000);
  event.stop = keys.flag("stop", false);
  event.starts_enabled = keys.flag("enabled", true);
  if (const Value* const set = keys.find("set")) {
    if (set->type != Value::Type::table)
      keys.fail(*set,
                fmt::format("'set' of {} must be a table of new values: {{ \"x'\" = \"-x'\" }}", keys.what));
    for (const auto& [target, value] : set->table) {
      event.set.push_back(assignment(target, keys.text(value, "set"), keys.what));
      if (event.set.back().target == Assignment::Target::parameter)
        refuse_frozen_parameter(target, event.set.back().index);
    }
  }
  const std::vector<std::string> known = switchable_names();
  for (const bool on : {true, false}) {
    for (const Text& name : keys.texts(on ? "enable" : "disable")) {
      if (std::find(known.begin(), known.end(), name.text) == known.end())
        report_.at_text(name, keys.what, 0,
                        fmt::format("{} names {}, which is no constraint, contact, event or force(x){}",
                                    keys.what, in_quotes(name.text), suggestion(name.text, known)));
      (on ? event.enable : event.disable).push_back(name.text);
    }
  }
  data_.events.push_back(std::move(event));
}

void Checker::check_events() {
  std::unordered_set<std::string> seen;
  for (const Element& element : draft_.events) {
    check_name(element.name, "an event", report_);
    if (!seen.insert(element.name.text).second)
      report_.at_name(element.name,
                      fmt::format("the event {} is defined already", in_quotes(element.name.text)));
    const auto same = [&](const auto& one) { return one.name.text == element.name.text; };
    if (std::ranges::any_of(draft_.holonomic, same) || std::ranges::any_of(draft_.nonholonomic, same) ||
        std::ranges::any_of(draft_.contacts, same) || std::ranges::any_of(draft_.frictions, same))
      report_.at_name(element.name, fmt::format("{} names a constraint, contact or friction already",
                                                in_quotes(element.name.text)));
  }
  for (const NamedExpr& output : data_.outputs) names_.set_output(output.name, output.expression);
  for (const Element& element : draft_.events) check_event(element);
}

}  // namespace dalembert
