// Coulomb's friction by keys: of contacts, and of [[friction]] where constraints press.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/model/sliding_force.hpp>

#include "checker.hpp"
#include "element_keys.hpp"

namespace dalembert {
namespace {

constexpr std::array<std::string_view, 4> friction_keys{"normal", "slip", "friction", "sticking"};

}  // namespace

// |p| of a force p that presses: of multipliers, or given. Those of contacts, and sizes, are positive as they
// are.
Expr Checker::pressing(const Text& text, const ElementKeys& keys, Friction& friction) {
  const std::string label = "the normal of " + keys.what;
  const Expr given = names_.expression(text, scope::pressure, label);
  const std::unordered_set<NodeId> multipliers = multipliers_of(data_);
  for (const Expr& symbol : symbols_in(given))
    if (!friction.normal && multipliers.contains(symbol.id())) friction.normal = symbol;
  const auto is_parameter = [&](Expr e) {
    return std::ranges::find(data_.parameters, e, &Parameter::symbol) != data_.parameters.end();
  };
  if (std::ranges::all_of(symbols_in(given), is_parameter)) {
    const double number = finite_value(given, text, label);
    if (number < 0)
      report_.at_text(text, label, 0,
                      fmt::format("{} is {}; it must not be negative", label, shortest(number)));
    return given;
  }
  const Expr force = with_sizes(given);
  check_linear(force, label, &text);
  const bool is_contact = std::ranges::find(data_.contacts, force, &Contact::lambda) != data_.contacts.end();
  const bool is_size = std::ranges::find(data_.sizes, force, &MultiplierSize::symbol) != data_.sizes.end();
  if (is_contact || is_size) return force;
  return with_held_signs(data_.graph->call(Function::abs, std::array{force}));
}

void Checker::check_friction(const Element& element) {
  const ElementKeys keys(element, "friction", report_);
  if (data_.kind == ModelKind::kinematic) keys.fail("a kinematic model has no friction");
  keys.allow_only(friction_keys);
  if (!keys.has("friction"))
    keys.fail(fmt::format("{} needs 'friction', the coefficient while it slides", keys.what));
  if (!keys.has("normal"))
    keys.fail(
        fmt::format("{} needs 'normal', what presses: \"lambda(name)\" of a constraint, or several "
                    "whose sizes are added",
                    keys.what));
  Friction friction;
  friction.name = element.name.text;
  friction.where = place_of(Text("", element.name.where));
  check_coulomb(element, keys, friction);
  friction.pressure = data_.graph->number(0);
  for (const Text& text : keys.texts("normal"))
    friction.pressure = friction.pressure + pressing(text, keys, friction);
  if (!friction.normal && friction.slip.size() > 1)
    keys.fail(*keys.find("normal"),
              fmt::format("{} is in space, where a constraint presses: 'normal' needs its lambda(name)",
                          keys.what));
  add_friction(std::move(friction));
}

void Checker::check_frictions() {
  std::unordered_set<std::string> seen;
  for (const Contact& contact : data_.contacts) seen.insert(contact.name);
  for (const Element& element : draft_.frictions) {
    check_name(element.name, "a friction", report_);
    if (!seen.insert(element.name.text).second)
      report_.at_name(element.name,
                      fmt::format("{} names a friction or contact already", in_quotes(element.name.text)));
    check_friction(element);
  }
  for (std::size_t i = 0; i < data_.contacts.size(); ++i) {
    const Contact& contact = data_.contacts[i];
    if (contact.slip.empty()) continue;
    Friction friction;
    static_cast<Coulomb&>(friction) = contact;
    friction.name = contact.name;
    friction.contact = i;
    friction.normal = friction.pressure = contact.lambda;
    friction.where = contact.where;
    add_friction(std::move(friction));
  }
}

// In the plane the sign of the slip; in space whether it slides, and its heading, beside which it is
// watched.
void Checker::take_direction(Friction& friction) {
  const bool in_plane = friction.slip.size() == 1;
  const Expr zero = data_.graph->number(0);
  const std::string word = in_plane ? "direction" : "slides";
  friction.direction =
      hold_sign(fmt::format("{}({})", word, friction.name), in_plane ? friction.slip[0].velocity : zero);
  if (in_plane) return;
  for (std::size_t k = 0; k < friction.slip.size(); ++k)
    friction.heading.push_back(hold_sign(fmt::format("heading_{}({})", k + 1, friction.name), zero));
}

void Checker::add_friction(Friction friction) {
  take_direction(friction);
  for (std::size_t i = 0; i < data_.coordinates.size(); ++i) {
    for (std::size_t k = 0; k < friction.slip.size(); ++k) {
      const Expr arm = derivative(friction.slip[k].velocity, data_.coordinates[i].v);
      data_.generalized_force[i] =
          data_.generalized_force[i] + arm * sliding_force(*data_.graph, data_, friction, k);
    }
  }
  data_.frictions.push_back(std::move(friction));
}

Expr sliding_force(Graph& graph, const ModelData& model, const Friction& friction, std::size_t k) {
  const auto here = [&graph](Expr e) { return graph.at(e.id()); };
  const Expr direction = here(model.held_signs[friction.direction].symbol);
  const Expr pressed = -(here(friction.friction) * direction * here(friction.pressure));
  if (friction.slip.size() == 1) return pressed;
  // with the heading h, of a time before: u = w/(h·w) is smooth where a slip stops on a straight line
  Expr along = 1 - direction;  // not zero while it sticks
  for (std::size_t j = 0; j < friction.slip.size(); ++j)
    along = along + here(model.held_signs[friction.heading[j]].symbol) * here(friction.slip[j].velocity);
  Expr square = 1 - direction;
  for (const Slip& slip : friction.slip) {
    const Expr u = here(slip.velocity) / along;
    square = square + u * u;
  }
  return pressed / sqrt(square) * (here(friction.slip[k].velocity) / along);
}

Expr size_of_multipliers(Graph& graph, const MultiplierSize& size) {
  Expr square = graph.number(0);
  for (const Expr& lambda : size.multipliers) {
    const Expr one = graph.at(lambda.id());
    square = square + one * one;
  }
  return sqrt(square);
}

}  // namespace dalembert
