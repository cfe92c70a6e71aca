// Joints: where they are, their constraints and drives.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {

void Assembly::add_joints() {
  for (const bool gears : {false, true}) {  // a gear may stand above the joints that it couples
    for (const Element& element : draft_.joints) {
      if ((keys_of(element, "joint").text("type").text == "gear") == gears) add_joint(element);
    }
  }
}

void Assembly::add_joint(const Element& element) {
  check_name(element.name, "joint");
  const Keys keys = keys_of(element, "joint");
  const std::string type = keys.text("type").text;
  std::vector<std::string> known;
  for (const JointType& candidate : joint_types()) {
    const auto add = plane_ ? candidate.plane : candidate.space;
    if (add == nullptr) continue;
    known.emplace_back(candidate.name);
    if (candidate.name != type) continue;
    std::vector<std::string_view> allowed = split_words(candidate.keys);
    allowed.emplace_back("type");
    keys.allow_only(allowed);
    Joint& joint = joints_.emplace_back();
    joint.name = element.name.text;
    joint.type = type;
    joint_by_name_.emplace(joint.name, &joint);
    joint.a = joint.b = &ground_;
    if (keys.has("bodies")) {
      const std::vector<Text> names = keys.texts("bodies", 2);
      joint.a = &body(names[0], keys);
      joint.b = &body(names[1], keys);
      if (joint.a == joint.b)
        keys.fail_at("bodies",
                     fmt::format("{} connects {} with itself", keys.what(), in_quotes(names[0].text)));
    } else if (type != "gear") {
      keys.get("bodies");
    }
    (this->*add)(joint, keys);
    add_drive(joint, keys);
    add_limits(joint, keys);
    add_friction(joint, element, keys);
    finish(joint);
    return;
  }
  keys.fail_at("type", fmt::format("unknown type {} of a joint in the {}{}", in_quotes(type),
                                   plane_ ? "plane" : "space", suggestion(type, known)));
}

// By one point in space at the start, or by a point in the frame of each body.
void Assembly::place_point(Joint& joint, const Keys& keys) {
  if (keys.has("point") == keys.has("points")) {
    keys.fail(fmt::format(
        "{} needs either 'point', in space at the start, or 'points', one in the frame of each body",
        keys.what()));
  }
  const auto local = [](const Body& body, const Vector& p) { return transposed(body.R0, p - body.r0); };
  if (keys.has("point")) {
    const Vector p = keys.vector("point");
    joint.p1 = local(*joint.a, p);
    joint.p2 = local(*joint.b, p);
  } else {
    const Value& points = keys.get("points");
    if (points.type != Value::Type::array || points.array.size() != 2)
      keys.fail(points, "'points' must be an array of two points, one in the frame of each body");
    joint.p1 = keys.vector(points.array[0], "points") - joint.a->center;
    joint.p2 = keys.vector(points.array[1], "points") - joint.b->center;
  }
  joint.p1 = constants_.named(joint.name + ".p1", joint.p1);
  joint.p2 = constants_.named(joint.name + ".p2", joint.p2);
}

// By one direction in space at the start, or by a direction in the frame of each body.
void Assembly::place_axis(Joint& joint, const Keys& keys) {
  joint.has_frame = true;
  Vector first;
  Vector second;
  if (keys.has("axes")) {
    const Value& axes = keys.get("axes");
    if (keys.has("axis") || axes.type != Value::Type::array || axes.array.size() != 2) {
      keys.fail(
          axes,
          "'axes' must be an array of two directions, one in the frame of each body, instead of 'axis'");
    }
    first = keys.unit(keys.vector(axes.array[0], "axes"), axes.array[0], "axis");
    second = keys.unit(keys.vector(axes.array[1], "axes"), axes.array[1], "axis");
    if (plane_) joint.angle_zero = atan2(first.y, first.x) - atan2(second.y, second.x);
  } else {
    const Vector axis = keys.unit(keys.vector("axis"), keys.get("axis"), "axis");
    first = transposed(joint.a->R0, axis);
    second = transposed(joint.b->R0, axis);
  }
  if (plane_) {
    joint.u1 = constants_.named(joint.name + ".u1", first);
    joint.w1 = constants_.named(joint.name + ".w1", second);
    joint.u2 = cross(unit_vector(2), joint.u1);
    joint.w2 = cross(unit_vector(2), joint.w1);
    joint.u3 = joint.w3 = unit_vector(2);
  } else {
    joint.u3 = constants_.named(joint.name + ".u3", first);
    joint.w3 = constants_.named(joint.name + ".w3", second);
    place_across(joint, joint.a->R0 * first);
  }
}

// A unit vector.
Vector Assembly::direction_across(const Vector& axis) {
  std::size_t chosen = 2;  // a coordinate direction that is not along the axis, rather y or x than z
  for (const std::size_t i : {0U, 1U, 2U}) {
    const double along = std::abs(constants_.value(axis[i]));
    if (along > 0.8) chosen = (i + 2) % 3;
  }
  const Vector across = cross(unit_vector(chosen), axis);
  return (1 / sqrt(dot(across, across))) * across;
}

// Two directions across the axis, as both bodies see them at the start.
void Assembly::place_across(Joint& joint, const Vector& axis) {
  const Vector first = direction_across(axis);
  const Vector second = cross(axis, first);
  joint.u1 = constants_.named(joint.name + ".u1", transposed(joint.a->R0, first));
  joint.u2 = constants_.named(joint.name + ".u2", transposed(joint.a->R0, second));
  joint.w1 = constants_.named(joint.name + ".w1", transposed(joint.b->R0, first));
  joint.w2 = constants_.named(joint.name + ".w2", transposed(joint.b->R0, second));
}

// drive = "...": the joint's motion since the start is this function of time.
void Assembly::add_drive(Joint& joint, const Keys& keys) {
  if (!keys.has("drive")) return;
  if (!joint.angle && !joint.slide)
    keys.fail_at("drive", fmt::format("a {} joint cannot be driven", joint.type));
  const Expr wanted = define_later(joint.name + ".driven", keys.text("drive"));
  const Vector none = make_vector(graph_, {0, 0, 0});
  const Vector axis = joint.a->R * (plane_ && joint.slide ? joint.u1 : joint.u3);
  if (joint.slide) {
    joint.rows.push_back({"drive", *joint.slide - wanted, axis, none});
  } else {
    joint.rows.push_back({"drive", *joint.angle - wanted, none, axis});
  }
}

// A coordinate θ without inertia: with w1 = cos θ u1 + sin θ u2 on the second body,
//   sin θ (u1·w1) − cos θ (u2·w1) = 0
// and it counts full turns.
void Assembly::add_angle_coordinate(Joint& joint) {
  DraftCoordinate coordinate;
  coordinate.name = Name(joint.name + ".angle");
  coordinate.start.guess = true;
  const Expr start = joint.start ? joint.start : zero();
  coordinate.start.position = Text(to_text(start));
  if (joint.speed) coordinate.start.velocity = Text(to_text(*joint.speed));
  draft_.coordinates.push_back(coordinate);
  const Expr angle = graph_.symbol(coordinate.name.text);
  const Vector w1 =
      joint.b->R * constants_.named(joint.name + ".w", cos(start) * joint.w1 + sin(start) * joint.w2);
  const Expr residual =
      sin(angle) * dot(joint.a->R * joint.u1, w1) - cos(angle) * dot(joint.a->R * joint.u2, w1);
  draft_.holonomic.push_back({joint.name + ".turn", to_text(residual)});
  joint.angle = angle;
}

// limits = [lower, upper]: motion − lower >= 0, upper − motion >= 0, as contacts.
void Assembly::add_limits(Joint& joint, const Keys& keys) {
  if (!keys.has("limits")) {
    if (keys.has("restitution"))
      keys.fail_at("restitution", fmt::format("{} has 'restitution' but no 'limits'", keys.what()));
    return;
  }
  if (keys.has("drive"))
    keys.fail_at("limits", fmt::format("{} is driven: its motion is given and has no limits", keys.what()));
  const Value& limits = keys.get("limits");
  if (limits.type != Value::Type::array || limits.array.size() != 2)
    keys.fail(limits, "'limits' must be an array of two numbers, [lower, upper]; -inf or inf for none");
  const Expr motion = joint.slide ? *joint.slide : *joint.angle;
  const Vector none = make_vector(graph_, {0, 0, 0});
  const Vector axis = joint.a->R * (plane_ && joint.slide ? joint.u1 : joint.u3);
  std::vector<double> ends;
  for (const bool upper : {false, true}) {
    const Value& limit = limits.array[upper ? 1 : 0];
    const std::string_view endless = upper ? "inf" : "-inf";
    ends.push_back(upper ? std::numeric_limits<double>::infinity()
                         : -std::numeric_limits<double>::infinity());
    if (limit.type == Value::Type::text &&
        (limit.text.text == endless || (upper && limit.text.text == "+inf")))
      continue;
    const char* const name = upper ? "upper" : "lower";
    const Expr end = constants_.named(fmt::format("{}.{}", joint.name, name), keys.number(limit, "limits"));
    ends.back() = constants_.value(end);
    const Vector along = upper ? axis : -axis;
    joint.rows.push_back({name, upper ? motion - end : end - motion, joint.slide ? along : none,
                          joint.slide ? none : along, false, true});
  }
  if (!(ends[0] < ends[1]))
    keys.fail(limits, fmt::format("the limits of {} are reversed: lower {}, upper {}", keys.what(),
                                  shortest(ends[0]), shortest(ends[1])));
  if (keys.has("restitution")) joint.restitution = keys.get("restitution");
  joint.limits_where = keys.place("limits");
}

void Assembly::finish(Joint& joint) {
  for (const JointRow& row : joint.rows) {
    if (row.stop) {
      Element stop{{joint.name + "." + row.name, joint.limits_where},
                   {{"gap", Text(to_text(-row.residual))}}};
      if (joint.restitution) stop.entries.push_back({"restitution", *joint.restitution});
      contacts_.push_back(std::move(stop));
      continue;
    }
    auto& list = row.nonholonomic ? draft_.nonholonomic : draft_.holonomic;
    list.push_back({joint.name + "." + row.name, to_text(row.residual)});
  }
  if (!draft_.reactions || draft_.reactions->text == "all") add_reactions(joint);
}

}  // namespace dalembert
