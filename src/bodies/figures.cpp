// The figures of joints and force elements in the animation.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {

Value Assembly::vector_value(const Vector& v) const {
  Value row;
  row.type = Value::Type::array;
  for (std::size_t i = 0; i < dimension(); ++i) row.array.emplace_back(Text(to_text(v[i])));
  return row;
}

// A place from the centre of mass in the body's axes.
Value Assembly::anchor_of(const Body& body, const Vector& place) {
  if (body.ground) return vector_value(place);
  corners_[&body].push_back(place);
  return Value::table_of({{"frame", Value(Text(body.name))}, {"place", vector_value(place)}});
}

void Assembly::add_figure(const std::string& kind, const std::string& name, const std::vector<Value>& at,
                          std::vector<Entry> more) {
  DraftFigure figure{kind, {Name(name), {}}};
  if (at.size() == 1) {
    figure.element.entries.push_back({"at", at.front()});
  } else if (at.size() == 2) {
    figure.element.entries.push_back({"at", Value{at[0], at[1]}});
  }
  for (Entry& entry : more) figure.element.entries.push_back(std::move(entry));
  figures_.push_back(std::move(figure));
}

void Assembly::add_joint_figures(const Joint& joint) {
  if (joint.type == "gear") {
    add_gear_figure(joint);
    return;
  }
  if (joint.type == "rolling") {
    add_rolling_figures(joint);
    return;
  }
  const std::vector<Value> at{anchor_of(*joint.a, joint.p1), anchor_of(*joint.b, joint.p2)};
  const auto axis = [&] { return Entry{"axis", vector_value(plane_ ? joint.u1 : joint.u3)}; };
  const auto add = [&](const std::string& kind, std::vector<Entry> more) {
    add_figure(kind, joint.name, at, std::move(more));
  };
  if (joint.type == "revolute") {
    add("pin", plane_ ? std::vector<Entry>{} : std::vector<Entry>{axis()});
  } else if (joint.type == "prismatic") {
    add("guide", {axis()});
    guided_.insert(joint.b->ground ? joint.a : joint.b);
  } else if (joint.type == "cylindrical") {
    add("sleeve", {axis()});
  } else if (joint.type == "screw") {
    add("screw", {axis(), {"pitch", Value(Text(to_text(joint.size)))}});
  } else if (joint.type == "slot") {
    add("slot", {axis()});
  } else if (joint.type == "distance") {
    add("bar", {});
  } else if (joint.type == "spherical") {
    add("socket", {});
  } else if (joint.type == "universal") {
    add("universal", {axis(), {"axis2", vector_value(joint.w3)}});
  } else if (joint.type == "weld") {
    add("weld", {});
  } else if (joint.type == "planar") {
    add("table", {axis()});
  }
  const bool driven = joint.rows.back().name == "drive";
  if (driven) add_motor_figure(joint, joint.name, joint.slide.has_value() && !joint.angle);
}

void Assembly::add_motor_figure(const Joint& joint, const std::string& name, bool slides) {
  std::vector<Entry> more{{"slides", Value(slides ? 1 : 0)}};
  if (!plane_ || slides) more.push_back({"axis", vector_value(plane_ ? joint.u1 : joint.u3)});
  add_figure("motor", name, {anchor_of(*joint.a, joint.p1), anchor_of(*joint.b, joint.p2)}, std::move(more));
}

void Assembly::add_rolling_figures(const Joint& joint) {
  rolls_.emplace(joint.b, joint.size);
  const Entry radius{"radius", Value(Text(to_text(joint.size)))};
  const Value center =
      Value::table_of({{"frame", Value(Text(joint.b->name))}, {"place", vector_value(joint.p2)}});
  if (joint.b->ground) return;
  if (plane_) {
    add_figure("wheel", joint.name, {center}, {radius});
  } else if (joint.disk_axis) {
    add_figure("wheel", joint.name, {center}, {radius, {"axis", vector_value(*joint.disk_axis)}});
  } else {
    add_figure("ball", joint.name, {center}, {radius});
  }
  add_figure("ground", joint.name, {anchor_of(*joint.a, joint.p1), center},
             {{"axis", vector_value(plane_ ? joint.u1 : joint.u3)}});
}

// The wheels turn about axes of one carrier: the body that both joints hold first, or the one between them,
// seen from which the other wheel turns backwards. A rack slides in place of the second wheel. Each wheel has
// its own axis: where they meet, the wheels are bevel gears.
void Assembly::add_gear_figure(const Joint& gear) {
  const Joint* first = gear.coupled[0];
  const Joint* second = gear.coupled[1];
  Expr ratio = gear.size;
  if (first->slide && second->slide) return;
  if (first->slide) {
    std::swap(first, second);
    ratio = 1 / ratio;
  }
  bool first_is_a = first->b->ground;
  bool second_is_a = second->b->ground;
  if (first->b == second->a && !first->b->ground) first_is_a = true;
  if (second->b == first->a && !second->b->ground) second_is_a = true;
  if (first_is_a != second_is_a) ratio = -ratio;
  const auto wheel = [&](const Joint& joint, bool is_a) {
    const Body& body = is_a ? *joint.a : *joint.b;
    if (!joint.slide) rolls_.emplace(&body, zero());
    const Vector place = is_a ? joint.p1 : joint.p2;
    return body.ground ? vector_value(place)
                       : Value::table_of({{"frame", Value(Text(body.name))}, {"place", vector_value(place)}});
  };
  std::vector<Entry> more{{"ratio", Value(Text(to_text(ratio)))}};
  if (!plane_) more.push_back({"axis", vector_value(first_is_a ? first->u3 : first->w3)});
  const Vector along =
      plane_ ? (second_is_a ? second->u1 : second->w1) : (second_is_a ? second->u3 : second->w3);
  if (second->slide) {
    more.push_back({"rack", vector_value(along)});
  } else if (!plane_) {
    more.push_back({"axis2", vector_value(along)});
  }
  add_figure("gear", gear.name, {wheel(*first, first_is_a), wheel(*second, second_is_a)}, std::move(more));
}

// A spring or damper along the slide of a joint, from where the slide is zero; about its axis a spiral.
void Assembly::add_joint_spring_figures(const Joint& joint, const std::string& name, bool spring,
                                        bool damper) {
  const Vector& along = plane_ ? joint.u1 : joint.u3;
  if (!joint.slide) {
    if (!spring) return;
    std::vector<Entry> more;
    if (!plane_) more.push_back({"axis", vector_value(along)});
    add_figure("spiral", name, {anchor_of(*joint.a, joint.p1), anchor_of(*joint.b, joint.p2)},
               std::move(more));
    return;
  }
  const Vector zero = joint.start ? joint.p1 - joint.start * along : joint.p1;
  const std::vector<Value> at{anchor_of(*joint.a, zero), anchor_of(*joint.b, joint.p2)};
  if (spring) add_figure("spring", name, at);
  if (damper) add_figure("damper", name, at);
}

}  // namespace dalembert
