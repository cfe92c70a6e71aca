// Contacts between bodies by their names: which pairs, and what touches.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {
namespace {

// What says where they touch, and what any contact may have.
constexpr std::array<std::string_view, 6> shape_keys_of_contact{"between", "points", "normal",
                                                                "radius",  "radii",  "inside"};
constexpr std::array<std::string_view, 5> law_keys_of_contact{"restitution", "law", "friction", "sticking",
                                                              "enabled"};

bool is_pattern(const std::string& name) { return name.find_first_of("*?") != std::string::npos; }

const Entry* find_entry(const Element& element, std::string_view key) {
  const auto found =
      std::ranges::find_if(element.entries, [&](const Entry& entry) { return entry.key.text == key; });
  return found == element.entries.end() ? nullptr : &*found;
}

}  // namespace

void Assembly::add_contacts() {
  std::vector<Element> stops = std::move(contacts_);
  contacts_.clear();
  for (const Element& element : draft_.contacts) {
    if (find_entry(element, "between") != nullptr) {
      add_contact(element);
    } else {
      contacts_.push_back(element);
    }
  }
  contacts_.insert(contacts_.end(), stops.begin(), stops.end());
  draft_.contacts = std::move(contacts_);
}

void Assembly::add_contact(const Element& element) {
  check_name(element.name, "contact");
  const Keys keys = keys_of(element, "contact");
  if (keys.has("gap"))
    keys.fail_at("gap", fmt::format("{} has 'between' and 'gap': the gap follows from the bodies, or is "
                                    "given",
                                    keys.what()));
  if (keys.has("slip"))
    keys.fail_at("slip", fmt::format("the slip of {} follows from its bodies", keys.what()));
  std::vector<std::string_view> allowed(shape_keys_of_contact.begin(), shape_keys_of_contact.end());
  allowed.insert(allowed.end(), law_keys_of_contact.begin(), law_keys_of_contact.end());
  keys.allow_only(allowed);
  const auto pairs = pairs_between(keys);
  const bool one_first = std::ranges::all_of(pairs, [&](const auto& p) { return p.first == pairs[0].first; });
  for (const auto& [a, b] : pairs) {
    ContactPair pair;
    pair.name = element.name.text;
    if (pairs.size() > 1) pair.name += (one_first ? "" : "." + a->name) + "." + b->name;
    pair.first = side_of(*a, 0, keys);
    pair.inside = keys.flag("inside");
    if (keys.has("normal"))
      pair.normal = constants_.named(pair.name + ".normal",
                                     keys.unit(keys.vector("normal"), keys.get("normal"), "normal"));
    const std::vector<ContactSide> seconds = second_sides(*b, keys);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      ContactPair one = pair;
      one.second = seconds[i];
      if (seconds.size() > 1) one.name += fmt::format(".corner{}", i + 1);
      add_pair(element, one);
    }
    springs_.emplace_back(a, b);
  }
  if (keys.has("normal") && !pairs[0].second->ground)
    add_figure("ground", element.name.text,
               {anchor_of(*pairs[0].first, side_of(*pairs[0].first, 0, keys).s),
                anchor_of(*pairs[0].second, side_of(*pairs[0].second, 1, keys).s)},
               {{"axis", vector_value(plane_ ? -cross(unit_vector(2), keys.vector("normal"))
                                             : keys.vector("normal"))}});
}

// A name, a pattern with * and ?, or a list of them.
std::vector<const Body*> Assembly::named_bodies(const Value& value, const Keys& keys) const {
  std::vector<const Body*> found;
  const auto add = [&](const Body& one) {
    if (std::ranges::find(found, &one) == found.end()) found.push_back(&one);
  };
  const std::vector<Value> names = value.type == Value::Type::array ? value.array : std::vector<Value>{value};
  for (const Value& name : names) {
    if (name.type != Value::Type::text)
      keys.fail(value, fmt::format("'between' of {} has names of bodies, or lists of them", keys.what()));
    if (!is_pattern(name.text.text)) {
      add(body(name.text, keys));
      continue;
    }
    const std::size_t before = found.size();
    for (const Body& candidate : bodies_)
      if (fits_pattern(name.text.text, candidate.name)) add(candidate);
    if (found.size() == before)
      keys.fail(name, fmt::format("no body has a name like {}", in_quotes(name.text.text)));
  }
  return found;
}

// Every body of the first with every body of the second, each pair once.
std::vector<std::pair<const Body*, const Body*>> Assembly::pairs_between(const Keys& keys) const {
  const Value& between = keys.get("between");
  if (between.type != Value::Type::array || between.array.size() != 2)
    keys.fail(between, fmt::format("'between' of {} must be an array of two: names of bodies, patterns such "
                                   "as \"ball*\", or lists of names",
                                   keys.what()));
  std::vector<std::pair<const Body*, const Body*>> pairs;
  const std::vector<const Body*> seconds = named_bodies(between.array[1], keys);
  for (const Body* const a : named_bodies(between.array[0], keys)) {
    for (const Body* const b : seconds) {
      if (a == b || std::ranges::find(pairs, std::pair(b, a)) != pairs.end()) continue;
      pairs.emplace_back(a, b);
    }
  }
  if (pairs.empty())
    keys.fail(between, fmt::format("{} is between {} and itself", keys.what(),
                                   in_quotes(seconds.empty() ? "nothing" : seconds[0]->name)));
  return pairs;
}

// Which: 0 the first, 1 the second. Without points a round shape touches with its surface; else the point of
// the body, the origin of its frame when there is none, with the radius that is given.
ContactSide Assembly::side_of(const Body& body, std::size_t which, const Keys& keys) {
  ContactSide side{&body, -body.center, graph_.number(0)};
  if (keys.has("points")) {
    const Value& points = keys.get("points");
    if (points.type != Value::Type::array || points.array.size() != 2)
      keys.fail(points, "'points' must be an array of two points, one in the frame of each body");
    const Value& point = points.array[which];
    if (point.type == Value::Type::text) {
      const auto named =
          std::ranges::find(body.points, point.text.text, [](const auto& p) { return p.first; });
      std::vector<std::string> known;
      for (const auto& [name, s] : body.points) known.push_back(name);
      if (named != body.points.end()) {
        side.s = named->second;
      } else if (point.text.text != "origin") {
        keys.fail(point, fmt::format("the body {} has no point {}{}", in_quotes(body.name),
                                     in_quotes(point.text.text), suggestion(point.text.text, known)));
      }
    } else {
      side.s = keys.vector(point, "points") - body.center;
    }
  } else if (body.radius && !(keys.has("normal") && which == 0)) {
    side.s = make_vector(graph_, {0, 0, 0});
    side.radius = *body.radius;
  }
  const auto not_negative = [&](Expr radius, const Value& value) {
    if (constants_.value(radius) >= 0) return radius;
    keys.fail(value, fmt::format("a radius of {} is negative", keys.what()));
  };
  if (keys.has("radii")) {
    if (keys.has("radius")) keys.fail_at("radius", "'radii' are those of both bodies; give them or 'radius'");
    if (keys.has("normal"))
      keys.fail_at("radii", fmt::format("the first body of {} has a 'normal': it is flat; give the second "
                                        "its 'radius'",
                                        keys.what()));
    side.radius = not_negative(keys.numbers("radii", 2)[which], keys.get("radii"));
  } else if (keys.has("radius") && which == 1) {
    side.radius = not_negative(keys.number("radius"), keys.get("radius"));
  }
  return side;
}

// A box or a thin rod on a plane touches it with its corners.
std::vector<ContactSide> Assembly::second_sides(const Body& body, const Keys& keys) {
  if (!keys.has("normal") || keys.has("points") || keys.has("radius") || body.corners.empty())
    return {side_of(body, 1, keys)};
  std::vector<ContactSide> sides;
  for (const Vector& corner : body.corners) sides.push_back({&body, corner, graph_.number(0)});
  return sides;
}

void Assembly::add_pair(const Element& element, const ContactPair& given) {
  ContactPair pair = given;
  const Keys keys = keys_of(element, "contact");
  if (pair.normal && keys.has("inside"))
    keys.fail_at("inside", fmt::format("{} has a 'normal': nothing is inside of a plane", keys.what()));
  if (pair.normal && pair.second.body->ground && !keys.has("points"))
    keys.fail_at("normal", fmt::format("the 'normal' is that of the first body; write between = [\"ground\", "
                                       "\"{}\"]",
                                       pair.first.body->name));
  const std::string what = fmt::format("the contact {}", in_quotes(pair.name));
  const double r1 = constants_.value(pair.first.radius), r2 = constants_.value(pair.second.radius);
  if (!pair.normal && !(pair.inside ? r1 > r2 : r1 + r2 > 0)) {
    keys.fail(
        pair.inside
            ? fmt::format("the radii of {} are {} and {}: the second has no room inside of the first", what,
                          shortest(r1), shortest(r2))
            : fmt::format("{} is between two points: give their 'radii', or the 'normal' of a {} of the "
                          "first body",
                          what, plane_ ? "line" : "plane"));
  }
  pair.first.s = constants_.named(pair.name + ".p1", pair.first.s);
  pair.second.s = constants_.named(pair.name + ".p2", pair.second.s);
  const ContactGeometry geometry = geometry_of(pair);
  Element contact{{pair.name, element.name.where}, {{"gap", Text(to_text(geometry.gap))}}};
  for (const std::string_view key : law_keys_of_contact)
    if (const Entry* const entry = find_entry(element, key)) contact.entries.push_back(*entry);
  const bool slides = keys.has("friction");
  if (slides) contact.entries.push_back({"slip", slip_of(pair, geometry)});
  contacts_.push_back(std::move(contact));
  if (!draft_.reactions || draft_.reactions->text == "all") add_contact_reaction(pair, geometry, slides);
}

// The force on the second body: λ along the normal, and that of friction along the tangents.
void Assembly::add_contact_reaction(const ContactPair& pair, const ContactGeometry& geometry, bool slides) {
  Vector force = graph_.symbol("lambda(" + pair.name + ")") * geometry.normal;
  for (std::size_t i = 0; slides && i < geometry.tangents.size(); ++i) {
    const std::string number = plane_ ? "" : fmt::format("_{}", i + 1);
    force = force + graph_.symbol(fmt::format("lambda({}.slip{})", pair.name, number)) * geometry.tangents[i];
  }
  for (std::size_t i = 0; i < dimension(); ++i) {
    if (!force[i].is_zero())
      draft_.outputs.push_back({fmt::format("{}.force_{}", pair.name, "xyz"[i]), to_text(force[i])});
  }
}

}  // namespace dalembert
