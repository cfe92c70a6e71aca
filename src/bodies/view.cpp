// What the animation draws when the user says nothing: each body by its shape, or by what its inertia and its
// joints tell, and each joint and force element by its figure.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "assembly.hpp"
#include "equal_inertia.hpp"
#include "outline.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_bodies = 1000;  // a picture of more shows nothing
constexpr double slender = 0.12;     // thickness of a bar of equal inertia in the plane, over its length
constexpr double same_place = 1e-6;  // of a body's extent

Text number(double value) { return Text(value); }

}  // namespace

Numbers3 Assembly::numbers(const Vector& v) const {
  return {constants_.value(v.x), constants_.value(v.y), constants_.value(v.z)};
}

DraftSolid Assembly::solid_of(const Body& body, const std::string& part, const std::string& shape) const {
  DraftSolid solid;
  solid.name = Name(part.empty() ? body.name : fmt::format("{}.{}", body.name, part));
  solid.shape = shape;
  for (std::size_t i = 0; i < dimension(); ++i) solid.position.entries.emplace_back(to_text(body.r[i]));
  for (const Expr& symbol : body.rotation) solid.rotation.entries.emplace_back(to_text(symbol));
  return solid;
}

void Assembly::add_plate(const Body& body, const std::string& part, const Outline& corners, double radius) {
  DraftSolid solid = solid_of(body, part, "plate");
  solid.size.entries = {number(radius)};
  for (const Numbers3& corner : corners) {
    TextRow row;
    for (std::size_t i = 0; i < dimension(); ++i) row.entries.push_back(number(corner[i]));
    solid.corners.rows.push_back(std::move(row));
  }
  draft_.solids.push_back(std::move(solid));
}

// A bar m L² (1 + s²)/12 = J along a direction; a disk m r²/2 = J where the body turns about its centre.
void Assembly::add_flat_inertia(const Body& body, const std::string& part, double direction, bool disk) {
  const double square = constants_.value(body.inertia[0][0]) / constants_.value(body.mass);
  if (disk) {
    DraftSolid solid = solid_of(body, part, "cylinder");
    solid.size.entries = {number(std::sqrt(2 * square))};
    draft_.solids.push_back(std::move(solid));
    return;
  }
  const double length = std::sqrt(12 * square / (1 + slender * slender));
  DraftSolid solid = solid_of(body, part, "inertia");
  solid.size.entries = {number(length), number(slender * length)};
  solid.turn.entries = {number(direction)};
  draft_.solids.push_back(std::move(solid));
}

// In the plane: a plate through the joints; with one joint a bar of equal inertia at the centre of mass.
void Assembly::add_flat_body(const Body& body, const Outline& places) {
  const bool heavy = constants_.value(body.inertia[0][0]) > 0 && !guided_.contains(&body);
  if (places.size() >= 2) {
    const Outline hull = convex_hull(places);
    const double size = extent_of(hull);
    const double square =
        12 * constants_.value(body.inertia[0][0]) / constants_.value(body.mass) - size * size;
    const double width = hull.size() == 2 ? std::sqrt(std::max(0.0, square)) : 0;
    add_plate(body, "", hull, std::clamp(width / 2, 0.025 * size, 0.05 * size));
    return;
  }
  const double away = places.empty() ? 0 : std::hypot(places[0][0], places[0][1]);
  if (away > 0) add_plate(body, "", {places[0], {0, 0, 0}}, 0);
  if (heavy) {
    const double direction = away > 0 ? std::atan2(places[0][1], places[0][0]) : 0;
    add_flat_inertia(body, away > 0 ? "inertia" : "", direction, away == 0 && !places.empty());
  } else {
    add_plate(body, away > 0 ? "mass" : "", {{0, 0, 0}}, 0.1 * away);
  }
}

// In space: the box of equal inertia, not larger than what the joints span, and lines from it to the joints.
void Assembly::add_spatial_body(const Body& body, const Outline& places) {
  Numbers33 J{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) J[i][j] = constants_.value(body.inertia[i][j]);
  }
  EqualBox box = make_equal_box(constants_.value(body.mass), J);
  const double longest = *std::max_element(box.edges.begin(), box.edges.end());
  double farthest = 0;
  for (const Numbers3& place : places)
    farthest = std::max(farthest, std::hypot(place[0], place[1], place[2]));
  if (longest > 0) {
    const double shrink = farthest > 0 ? std::min(1.0, 2 * farthest / longest) : 1;
    DraftSolid solid = solid_of(body, "", "inertia");
    for (const double edge : box.edges)
      solid.size.entries.push_back(number(shrink * std::max(edge, 0.03 * longest)));
    for (const double e : box.turn) solid.turn.entries.push_back(number(e));
    draft_.solids.push_back(std::move(solid));
  } else {
    add_plate(body, "", {{0, 0, 0}}, 0.08 * farthest);
  }
  add_stems(body, places, 0);
}

// Lines from the centre of mass to what lies outside of the body's shape.
void Assembly::add_stems(const Body& body, const Outline& places, double inside) {
  std::size_t count = 0;
  for (const Numbers3& place : places) {
    if (std::hypot(place[0], place[1], place[2]) > inside)
      add_plate(body, fmt::format("stem{}", ++count), {{0, 0, 0}, place}, 0);
  }
}

// Joints, springs and named points of a body, each place once.
Outline Assembly::places_of(const Body& body) const {
  const auto found = corners_.find(&body);
  Outline places;
  if (found == corners_.end()) return places;
  double size = 0;
  for (const Vector& corner : found->second) {
    const Numbers3 place = numbers(corner);
    size = std::max(size, std::hypot(place[0], place[1], place[2]));
  }
  for (const Vector& corner : found->second) {
    Numbers3 place = numbers(corner);
    if (std::hypot(place[0], place[1], place[2]) <= same_place * size) place = {0, 0, 0};
    const bool known = std::any_of(places.begin(), places.end(), [&](const Numbers3& other) {
      return std::hypot(place[0] - other[0], place[1] - other[1], place[2] - other[2]) <= same_place * size;
    });
    if (!known) places.push_back(place);
  }
  return places;
}

void Assembly::add_body_view(const Body& body) {
  const Outline places = places_of(body);
  if (body.solid) {
    DraftSolid solid = *body.solid;
    const DraftSolid placed = solid_of(body, "", "");
    solid.position = placed.position;
    solid.rotation = placed.rotation;
    double reach = 0;
    for (const Text& edge : solid.size.entries)
      reach = std::max(reach, constants_.value(constants_.expression(edge, "size")));
    draft_.solids.push_back(std::move(solid));
    add_stems(body, places, reach);
  } else if (rolls_.contains(&body)) {
    add_plate(body, "", {{0, 0, 0}}, 0);  // its wheel is a figure
    add_stems(body, places, constants_.value(rolls_.at(&body)));
  } else if (plane_) {
    add_flat_body(body, places);
  } else {
    add_spatial_body(body, places);
  }
}

void Assembly::add_view() {
  if (bodies_.size() > most_bodies) return;
  for (const Joint& joint : joints_) add_joint_figures(joint);
  for (const Body& body : bodies_) add_body_view(body);
  draft_.figures.insert(draft_.figures.end(), figures_.begin(), figures_.end());
}

}  // namespace dalembert
