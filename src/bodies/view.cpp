// What the animation draws when the user says nothing: each body by its shape; without one, by lines between
// its joints, or from its joint to its centre of mass.
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_bodies = 1000;  // a picture of more shows nothing

}  // namespace

Name Assembly::add_view_point(const std::string& name, const Vector& position) {
  std::vector<Text> entries;
  for (std::size_t i = 0; i < dimension(); ++i) entries.emplace_back(to_text(position[i]));
  draft_.points.push_back({Name(name), TextRow(entries)});
  return Name(name);
}

void Assembly::add_solid(const Body& body) {
  DraftSolid solid = *body.solid;
  for (std::size_t i = 0; i < dimension(); ++i) solid.position.entries.emplace_back(to_text(body.r[i]));
  for (const Expr& symbol : body.rotation) solid.rotation.entries.emplace_back(to_text(symbol));
  draft_.solids.push_back(std::move(solid));
}

void Assembly::add_view() {
  if (bodies_.size() > most_bodies) return;
  std::unordered_map<const Body*, std::vector<Name>> places;
  for (const Joint& joint : joints_) {
    if (joint.type == "gear") continue;
    const auto add = [&](const Body& body, const Vector& point) {
      if (!body.ground || joint.type == "distance")
        places[&body].push_back(add_view_point(fmt::format("{}.{}", body.name, joint.name), point));
    };
    add(*joint.a, joint.point1());
    add(*joint.b, joint.point2());
    if (joint.type == "distance") {
      draft_.links.push_back({Name(fmt::format("{}.{}", joint.a->name, joint.name)),
                              Name(fmt::format("{}.{}", joint.b->name, joint.name))});
    }
  }
  std::string center = "center";
  while (joint_by_name_.contains(center)) center += "_";
  for (const Body& body : bodies_) {
    if (body.solid) {
      add_solid(body);
      continue;
    }
    std::vector<Name>& corners = places[&body];
    if (corners.size() != 2) corners.push_back(add_view_point(body.name + "." + center, body.r));
    for (std::size_t i = 0; i + 1 < corners.size(); ++i) draft_.links.push_back({corners[i], corners[i + 1]});
    if (corners.size() > 2) draft_.links.push_back({corners.back(), corners.front()});
  }
}

}  // namespace dalembert
