// What is shown and how it is computed by default: outputs, view, solve.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/settings/option.hpp>

#include "checker.hpp"

namespace dalembert {
namespace {

struct SolidKind {
  std::string_view name;
  std::vector<std::size_t> sizes, sizes_in_plane;  // how many numbers it may have
  const char* needs;
  char axis;
};

template <class Fail>
const SolidKind& solid_kind(std::string_view name, const Fail& fail) {
  static const std::vector<SolidKind> kinds{
      {"box", {3}, {2}, "its edges", 'z'},
      {"cylinder", {2}, {1, 2}, "its length and radius; in the plane a radius makes a disk", 'z'},
      {"sphere", {1}, {1}, "its radius", 'z'},
      {"rod", {1, 2}, {1, 2}, "its length and perhaps radius", 'x'},
      {"inertia", {3}, {2}, "the edges of a box of equal inertia", 'z'},
      {"plate", {1}, {1}, "the radius of its rim", 'z'},
      {"frame", {0}, {0}, "none", 'z'}};
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const SolidKind& one) { return one.name == name; });
  if (kind == kinds.end()) fail("needs a shape: box, cylinder, sphere, rod, plate or frame");
  return *kind;
}

}  // namespace

void Checker::check_outputs() {
  std::unordered_set<std::string> seen;
  const Scope& scope = data_.kind == ModelKind::kinematic ? scope::kinematic_output : scope::output;
  for (const auto& [name, text] : draft_.outputs) {
    check_name(name, "an output", report_);
    if (!seen.insert(name.text).second) {
      report_.at_name(name, fmt::format("the output {} is defined already", in_quotes(name.text)));
    }
    if (names_.is_coordinate(name.text)) {
      report_.at_name(name,
                      fmt::format("{} is a coordinate, which every output has anyway; choose another name",
                                  in_quotes(name.text)));
    }
  }
  // Reactions and tensions, which stand behind the user's outputs, may be used in them.
  const auto of_element = [](const NamedText& output) {
    return output.name.text.find('.') != std::string::npos;
  };
  std::vector<Expr> meanings(draft_.outputs.size());
  for (const bool first : {true, false}) {
    for (std::size_t i = 0; i < meanings.size(); ++i) {
      const auto& [name, text] = draft_.outputs[i];
      if (of_element(draft_.outputs[i]) != first) continue;
      meanings[i] = names_.expression(text, scope, "output " + in_quotes(name.text));
      if (first) names_.set_output(name.text, meanings[i]);
    }
  }
  for (std::size_t i = 0; i < meanings.size(); ++i)
    data_.outputs.push_back({draft_.outputs[i].name.text, meanings[i]});
  for (const Text& column : draft_.columns)
    data_.outputs.push_back(
        {column.text, names_.expression(column, scope, "column " + in_quotes(column.text))});
}

void Checker::check_points() {
  std::unordered_set<std::string> seen;
  for (const auto& [name, position] : draft_.points) {
    check_name(name, "a point", report_);
    if (!seen.insert(name.text).second) {
      report_.at_name(name, fmt::format("the point {} is defined already", in_quotes(name.text)));
    }
    const std::size_t size = position.entries.size();
    if (size != 2 && size != 3) {
      const SourceLocation& where = position.where.line > 0 ? position.where : name.where;
      report_.at(where, fmt::format("the point {} has {} coordinate{} instead of two or three",
                                    in_quotes(name.text), size, size == 1 ? "" : "s"));
    }
    data_.view.points.push_back({name.text, row(position, scope::view, "point " + in_quotes(name.text))});
  }
}

void Checker::check_solids() {
  for (const DraftSolid& solid : draft_.solids) {
    const std::string what = "the solid " + in_quotes(solid.name.text);
    const auto fail = [&](const std::string& message) { report_.at_name(solid.name, what + " " + message); };
    const std::size_t dimension = solid.position.entries.size();
    if (dimension != 2 && dimension != 3)
      fail(fmt::format("has {} coordinates instead of two or three", dimension));
    const std::size_t turns = solid.rotation.entries.size();
    if (turns != 0 && turns != (dimension == 2 ? 1U : 4U))
      fail(dimension == 2 ? "must be turned by one angle" : "must be turned by a quaternion of four numbers");
    const SolidKind& kind = solid_kind(solid.shape.text, fail);
    const std::vector<std::size_t>& sizes = dimension == 2 ? kind.sizes_in_plane : kind.sizes;
    if (std::find(sizes.begin(), sizes.end(), solid.size.entries.size()) == sizes.end())
      fail(fmt::format("is a {}, whose size is {}", kind.name, kind.needs));
    const std::string along = solid.along ? solid.along->text : std::string(1, kind.axis);
    if (along != "x" && along != "y" && along != "z") fail("must be along x, y or z");
    if (!solid.turn.entries.empty() && solid.turn.entries.size() != (dimension == 2 ? 1U : 4U))
      fail("must have a 'turn' of one angle, in space of four numbers of a quaternion");
    std::vector<std::vector<Expr>> corners;
    for (const TextRow& corner : solid.corners.rows) {
      if (corner.entries.size() != dimension)
        fail(fmt::format("has a corner without {} coordinates", dimension));
      corners.push_back(row(corner, scope::parameter, "corner of " + what));
    }
    if (corners.empty() == (solid.shape.text == "plate"))
      fail("must have 'corners' as a plate, and only then");
    data_.view.solids.push_back({solid.name.text, solid.shape.text,
                                 row(solid.size, scope::parameter, "size of " + what), along.front(),
                                 row(solid.position, scope::view, "position of " + what),
                                 row(solid.rotation, scope::view, "rotation of " + what),
                                 row(solid.turn, scope::parameter, "turn of " + what), std::move(corners)});
  }
}

void Checker::check_links() {
  std::vector<std::string> points;
  for (const Point& point : data_.view.points) points.push_back(point.name);
  const std::unordered_set<std::string> known(points.begin(), points.end());
  const auto check_point = [&](const Name& name) {
    if (known.contains(name.text)) return;
    report_.at_name(
        name, fmt::format("there is no point {}{}", in_quotes(name.text), suggestion(name.text, points)));
  };
  for (const auto& [from, to] : draft_.links) {
    check_point(from);
    check_point(to);
    data_.view.links.push_back({from.text, to.text});
  }
  for (const Name& name : draft_.traces) {
    check_point(name);
    data_.view.traces.push_back(name.text);
  }
}

// A number may be an expression of parameters.
OptionValue Checker::solve_value(const Option& option, const Text& text) {
  const std::string label = fmt::format("solve {}", option.key);
  OptionValue value;
  switch (type_of(option)) {
    case OptionType::word:
      value = text.text;
      break;
    case OptionType::flag:
      if (text.text != "true" && text.text != "false")
        report_.at_text(text, label, 0, fmt::format("{} must be true or false", option.key));
      value = text.text == "true";
      break;
    case OptionType::number:
    case OptionType::whole_number:
    case OptionType::numbers:
      value = finite_value(names_.expression(text, scope::solve, label), text, label);
      break;
  }
  const std::string fault = fault_of(option, value, option.key);
  if (!fault.empty()) report_.at_text(text, label, 0, fault);
  return value;
}

void Checker::check_solve() {
  std::vector<std::string> keys;
  for (const Option& option : options())
    if (option.in_model) keys.emplace_back(option.key);
  for (const auto& [name, text] : draft_.solve) {
    const Option* const option = find_option(name.text);
    const std::string retired = retired_option(name.text, Spelling::key);
    if (!retired.empty()) report_.at_name(name, retired);
    if (option == nullptr)
      report_.at_name(name, fmt::format("unknown key {} in [solve]{}", in_quotes(name.text),
                                        suggestion(name.text, keys)));
    if (!option->in_model)
      report_.at_name(name, fmt::format("{} is an option of a call, {}, and no key of [solve]",
                                        in_quotes(name.text), spell(*option, Spelling::flag)));
    data_.solve.settings.push_back({option, solve_value(*option, text), text.where});
  }
}

}  // namespace dalembert
