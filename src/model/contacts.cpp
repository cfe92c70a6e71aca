// Contacts: gaps that stay open, what impacts give back, friction.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/differentiate.hpp>

#include "checker.hpp"
#include "element_keys.hpp"
#include "identity.hpp"

namespace dalembert {
namespace {

constexpr std::array<std::string_view, 7> contact_keys{"gap",      "restitution", "law",    "friction",
                                                       "sticking", "slip",        "enabled"};
constexpr std::array<std::string_view, 6> keys_between_bodies{"between", "points", "normal",
                                                              "radius",  "radii",  "inside"};

}  // namespace

// What lambda(...) may name: the force of a contact, and those of its friction.
std::vector<std::string> slip_names(const Element& contact) {
  for (const auto& [key, value] : contact.entries) {
    if (key.text != "slip") continue;
    const std::string name = contact.name.text + ".slip";
    if (value.type != Value::Type::array || value.array.size() == 1) return {name};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < value.array.size(); ++i) names.push_back(fmt::format("{}_{}", name, i + 1));
    return names;
  }
  return {};
}

// The sliding velocity: linear in the velocities, one expression in the plane, two in space.
void Checker::check_slip(const Element& element, const ElementKeys& keys, Coulomb& law) {
  const std::vector<Text> texts = keys.texts("slip");
  const std::vector<std::string> names = slip_names(element);
  if (texts.size() > 2 || texts.empty())
    keys.fail(*keys.find("slip"), fmt::format("the slip of {} is one expression, in space two", keys.what));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string label = "slip of " + keys.what;
    const Expr slip = names_.expression(texts[i], scope::nonholonomic, label);
    if (!names_.contains_velocity(slip))
      report_.at_text(texts[i], label, 0, fmt::format("the slip of {} contains no velocity", keys.what));
    const Expr linear = linear_in_velocities(slip, data_);
    if (!linear)
      report_.at_text(texts[i], label, 0,
                      fmt::format("the slip of {} is not linear in the velocities", keys.what));
    law.slip.push_back({names[i], linear, data_.graph->symbol("lambda(" + names[i] + ")")});
  }
}

namespace {

// Of an expression that is linear with constant slopes, by its symbols; empty: it is not.
std::vector<Expr> constant_row(const ModelData& model, Expr e, bool of_velocities) {
  std::vector<Expr> row;
  for (const Coordinate& one : model.coordinates) {
    row.push_back(derivative(e, of_velocities ? one.v : one.q));
    for (const Expr& symbol : symbols_in(row.back()))
      if (std::ranges::find(model.parameters, symbol, &Parameter::symbol) == model.parameters.end())
        return {};
  }
  return row;
}

// Whether these coordinates are those of one point mass: of equal inertia, without others in their momenta.
bool are_of_a_point(const ModelData& model, const std::vector<std::size_t>& used) {
  for (const std::size_t i : used) {
    const Expr momentum = derivative(model.kinetic, model.coordinates[i].v);
    const Expr first = derivative(model.kinetic, model.coordinates[used[0]].v);
    for (std::size_t j = 0; j < model.coordinates.size(); ++j) {
      const Expr inertia = derivative(momentum, model.coordinates[j].v);
      const bool fits = j == i
                            ? !inertia.is_zero() && inertia == derivative(first, model.coordinates[used[0]].v)
                            : inertia.is_zero();
      if (!fits) return false;
    }
  }
  return true;
}

}  // namespace

// Where the contact is that of a point, its slips are seen to be at right angles to its gap and to each
// other, and of one scale. Elsewhere coordinates do not tell.
void Checker::check_right_angles(const ElementKeys& keys, const Contact& contact) const {
  if (data_.kind != ModelKind::energy || !data_.kinetic) return;
  std::vector<std::vector<Expr>> rows{constant_row(data_, contact.gap, false)};
  for (const Slip& slip : contact.slip) rows.push_back(constant_row(data_, slip.velocity, true));
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < data_.coordinates.size(); ++i) {
    for (const std::vector<Expr>& row : rows) {
      if (row.empty()) return;
      if (!row[i].is_zero() && (used.empty() || used.back() != i)) used.push_back(i);
    }
  }
  const Value& value = *keys.find("slip");
  const auto product = [&](std::size_t a, std::size_t b) {
    Expr sum = data_.graph->number(0);
    for (const std::size_t i : used) sum = sum + rows[a][i] * rows[b][i];
    return finite_value(sum, value.text, "slip of " + keys.what);
  };
  constexpr double enough = 1e-6;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      if (std::abs(product(a, b)) <= enough * std::sqrt(product(a, a) * product(b, b))) continue;
      if (!are_of_a_point(data_, used)) return;
      keys.fail(value,
                a == 0 ? fmt::format("the slip of {} is not at right angles to its gap: it is the velocity "
                                     "along the surface",
                                     keys.what)
                       : fmt::format("the two slips of {} are not at right angles", keys.what));
    }
  }
  if (rows.size() == 3 && std::abs(product(1, 1) - product(2, 2)) > enough * product(1, 1) &&
      are_of_a_point(data_, used))
    keys.fail(value, fmt::format("the two slips of {} are not velocities of one scale", keys.what));
}

// Coefficients of sliding and sticking.
void Checker::check_coulomb(const Element& element, const ElementKeys& keys, Coulomb& law) {
  law.friction = law.sticking = data_.graph->number(0);
  const auto coefficient = [&](const Value& value, const char* key) {
    const std::string label = fmt::format("{} of {}", key, keys.what);
    const Text& text = keys.text(value, key);
    const Expr e = names_.expression(text, scope::friction, label);
    const double number = finite_value(e, text, label);
    if (number < 0)
      keys.fail(value,
                fmt::format("the {} of {} is {}; it must not be negative", key, keys.what, shortest(number)));
    return std::pair(e, number);
  };
  const Value* const sliding = keys.find("friction");
  if (sliding == nullptr) {
    for (const char* key : {"sticking", "slip"})
      if (keys.has(key))
        keys.fail(*keys.find(key), fmt::format("{} has '{}' but no 'friction'", keys.what, key));
    return;
  }
  const auto [friction, least] = coefficient(*sliding, "friction");
  law.friction = law.sticking = friction;
  if (const Value* const value = keys.find("sticking")) {
    const auto [sticking, number] = coefficient(*value, "sticking");
    if (number < least)
      keys.fail(*value, fmt::format("the sticking of {} is {}; it must be at least its friction, {}",
                                    keys.what, shortest(number), shortest(least)));
    law.sticking = sticking;
  }
  if (!keys.has("slip"))
    keys.fail(*sliding,
              fmt::format("{} has friction: it needs 'slip', the velocity with which it slides", keys.what));
  check_slip(element, keys, law);
}

void Checker::check_contacts() {
  for (const Element& element : draft_.contacts) {
    const ElementKeys keys(element, "contact", report_);
    if (data_.kind == ModelKind::kinematic) keys.fail("a kinematic model has no contacts");
    if (keys.has("between"))
      keys.fail(*keys.find("between"),
                fmt::format("{} is between bodies, and the model has none", keys.what));
    keys.allow_only(contact_keys, keys_between_bodies);
    const Value* const gap = keys.find("gap");
    if (gap == nullptr)
      keys.fail(fmt::format("{} needs its 'gap', a function of the coordinates", keys.what));
    Contact contact;
    contact.name = element.name.text;
    contact.where = place_of(Text("", element.name.where));
    contact.gap = names_.expression(keys.text(*gap, "gap"), scope::gap, "gap of " + keys.what);
    if (!names_.contains_coordinate(contact.gap))
      keys.fail(*gap, fmt::format("the gap of {} contains no coordinate", keys.what));
    contact.lambda = data_.graph->symbol("lambda(" + contact.name + ")");
    contact.restitution = data_.graph->number(0);
    if (const Value* const value = keys.find("restitution")) {
      const std::string label = "restitution of " + keys.what;
      const Text& text = keys.text(*value, "restitution");
      contact.restitution = names_.expression(text, scope::restitution, label);
      const double number = finite_value(contact.restitution, text, label);
      if (number < 0 || number > 1)
        keys.fail(*value, fmt::format("the restitution of {} is {}; it must be between 0 and 1", keys.what,
                                      shortest(number)));
    }
    check_coulomb(element, keys, contact);
    if (!contact.slip.empty()) check_right_angles(keys, contact);
    const std::array<std::string, 2> laws{"newton", "poisson"};
    contact.law = static_cast<Contact::Law>(keys.word("law", laws, 0));
    contact.starts_enabled = keys.flag("enabled", true);
    data_.contacts.push_back(std::move(contact));
  }
}

}  // namespace dalembert
