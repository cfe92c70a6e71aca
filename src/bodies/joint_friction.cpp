// Coulomb's friction in joints, as [[friction]] of the model:
//
//   guide      slip = slide',                             N = |R|, R the force across it; on two supports
//                                                         N = |N₁| + |N₂|
//   pin        slip = radius * relative spin,             N = |R|, R the force of the pin
//   sleeve     slip = (slide', radius * relative spin),   N = |R|, R the force across it
//   rolling    slip of the point of contact,              N = |R|, R the force across the line or plane
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {

// The size of the force across the guide. A guide of the plane may hold its block on two supports at −L/2 and
// L/2 along it: with the force F across and the moment T about the joint's point N₁ = F/2 + T/L, N₂ = F/2 −
// T/L.
void Assembly::press_guide(Joint& joint, const Keys& keys) {
  const Vector along = joint.a->R * (plane_ ? joint.u1 : joint.u3);
  joint.slips.push_back({graph_.symbol(joint.slide->name() + "'"), along});
  const auto lambda = [&](const char* row) { return fmt::format("lambda({}.{})", joint.name, row); };
  if (!plane_) {
    if (keys.has("support"))
      keys.fail_at("support", "'support' is for the plane; in space the force across the guide presses");
    joint.normal = {fmt::format("sqrt({}^2 + {}^2)", lambda("across_1"), lambda("across_2"))};
    return;
  }
  joint.normal = {lambda("across")};
  if (!keys.has("support")) return;
  const Expr length = constants_.named(joint.name + ".support", keys.positive("support"));
  const Expr half = graph_.symbol(lambda("across")) / 2, couple = graph_.symbol(lambda("turn")) / length;
  joint.normal = {to_text(half + couple), to_text(half - couple)};
}

// The radius.
Expr Assembly::press_pin(Joint& joint, const Keys& keys) {
  if (!keys.has("radius"))
    keys.fail_at("friction", fmt::format("{} has friction: it needs the 'radius' of its pin", keys.what()));
  const Expr radius = constants_.named(joint.name + ".radius", keys.positive("radius"));
  joint.slips.push_back({radius * joint.turning, make_vector(graph_, {0, 0, 0})});
  std::string squares;
  for (std::size_t i = 0; i < dimension(); ++i)
    squares += fmt::format("{}lambda({}.{})^2", i == 0 ? "" : " + ", joint.name, "xyz"[i]);
  joint.normal = {"sqrt(" + squares + ")"};
  return radius;
}

// The radius. On a round shaft the slip has a component along the axis and one around it.
Expr Assembly::press_sleeve(Joint& joint, const Keys& keys) {
  if (!keys.has("radius"))
    keys.fail_at("friction", fmt::format("{} has friction: it needs the 'radius' of its shaft", keys.what()));
  const Expr radius = constants_.named(joint.name + ".radius", keys.positive("radius"));
  press_guide(joint, keys);
  joint.slips.push_back({radius * joint.turning, make_vector(graph_, {0, 0, 0})});
  return radius;
}

// Rolling without sliding by constraints, or with friction, whose slip is what would be constrained.
void Assembly::roll(Joint& joint, const Keys& keys, const std::vector<JointRow>& rows) {
  for (const JointRow& row : rows) {
    if (!keys.has("friction")) {
      joint.rows.push_back(row);
      continue;
    }
    Expr slip = row.residual;
    if (!row.nonholonomic) slip = graph_.symbol(define(joint.name + ".rolled", row.residual).name() + "'");
    joint.slips.push_back({slip, row.force});
    joint.normal = {fmt::format("lambda({}.contact)", joint.name)};
  }
}

void Assembly::add_friction(Joint& joint, const Element& element, const Keys& keys) {
  if (!keys.has("friction")) {
    for (const char* key : {"sticking", "support"}) {
      if (keys.has(key)) keys.fail_at(key, fmt::format("{} has '{}' but no 'friction'", keys.what(), key));
    }
    if ((joint.type == "revolute" || joint.type == "cylindrical") && keys.has("radius"))
      keys.fail_at("radius", fmt::format("{} has the 'radius' of its {} but no 'friction'", keys.what(),
                                         joint.type == "revolute" ? "pin" : "shaft"));
    return;
  }
  Expr arm = graph_.number(1);
  if (joint.type == "revolute") arm = press_pin(joint, keys);
  Expr shaft = graph_.number(1);
  if (joint.type == "cylindrical") shaft = press_sleeve(joint, keys);
  if (joint.type == "prismatic" || joint.type == "slot") press_guide(joint, keys);
  Element friction{{joint.name, element.name.where}, {}};
  Value normal, slip;
  normal.type = slip.type = Value::Type::array;
  for (const std::string& text : joint.normal) normal.array.emplace_back(Text(text));
  for (const JointSlip& one : joint.slips) slip.array.emplace_back(Text(to_text(one.velocity)));
  friction.entries.push_back({"normal", std::move(normal)});
  friction.entries.push_back({"slip", std::move(slip)});
  for (const char* key : {"friction", "sticking"})
    if (keys.has(key)) friction.entries.push_back({key, keys.get(key)});
  draft_.frictions.push_back(std::move(friction));
  const bool shows = !draft_.reactions || draft_.reactions->text == "all";
  if (!shows || joint.type == "rolling") return;
  const Expr force = graph_.symbol("lambda(" + joint.slip_name(0) + ")");
  draft_.outputs.push_back({joint.name + ".friction", to_text(arm * force)});
  if (joint.type != "cylindrical") return;
  const Expr around = graph_.symbol("lambda(" + joint.slip_name(1) + ")");
  draft_.outputs.push_back({joint.name + ".friction_torque", to_text(shaft * around)});
}

}  // namespace dalembert
