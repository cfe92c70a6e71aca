// Force elements: gravity, forces, torques, springs and dampers, motors.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {

const std::vector<Assembly::ForceType>& Assembly::force_types() {
  static const std::vector<ForceType> types{
      {"gravity", &Assembly::add_gravity, "acceleration"},
      {"force", &Assembly::add_point_force, "body point force frame"},
      {"torque", &Assembly::add_torque, "body torque frame"},
      {"spring", &Assembly::add_spring, "bodies points joint stiffness damping length angle"},
      {"bushing", &Assembly::add_bushing,
       "bodies point points stiffness damping turn_stiffness turn_damping"},
      {"friction", &Assembly::add_damper, "joint damping"},
      {"motor", &Assembly::add_motor, "joint torque force"},
  };
  return types;
}

void Assembly::add_forces() {
  for (const Element& element : draft_.force_elements) {
    check_name(element.name, "force");
    const Keys keys = keys_of(element, "force");
    const std::string type = keys.text("type").text;
    std::vector<std::string> known;
    const ForceType* found = nullptr;
    for (const ForceType& candidate : force_types()) {
      known.emplace_back(candidate.name);
      if (candidate.name == type) found = &candidate;
    }
    if (found == nullptr)
      keys.fail_at("type",
                   fmt::format("unknown type {} of a force{}", in_quotes(type), suggestion(type, known)));
    std::vector<std::string_view> allowed = split_words(found->keys);
    allowed.emplace_back("type");
    keys.allow_only(allowed);
    (this->*found->add)(keys);
  }
}

// V = −m g·r
void Assembly::add_gravity(const Keys& keys) {
  const Expr usual = graph_.number(Rational(-981, 100));
  const Vector g =
      constants_.named(keys.name() + ".acceleration",
                       keys.find_vector("acceleration")
                           .value_or(plane_ ? Vector{zero(), usual, zero()} : Vector{zero(), zero(), usual}));
  for (const Body& body : bodies_) add_energy(draft_.potential_of_bodies, -(body.mass * dot(g, body.r)));
  add_figure("gravity", keys.name(), {}, {{"vector", vector_value(g)}});
}

namespace {

std::string check_frame(const Keys& keys) {
  const std::string frame = keys.has("frame") ? keys.text("frame").text : "space";
  if (frame != "space" && frame != "body") keys.fail_at("frame", "'frame' must be \"space\" or \"body\"");
  return frame;
}

}  // namespace

// Components may be any expressions; they are definitions of their own, so that mistakes in them have their
// place.
Vector Assembly::force_vector(const Keys& keys, std::string_view key) {
  const std::vector<Text> texts = keys.texts(key, dimension());
  std::array<Expr, 3> parts{zero(), zero(), zero()};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].text != "0")
      parts[i] = define_later(fmt::format("{}.{}_{}", keys.name(), key, "xyz"[i]), texts[i]);
  }
  const Vector vector{parts[0], parts[1], parts[2]};
  return check_frame(keys) == "space" ? vector : body(keys.text("body"), keys).R * vector;
}

void Assembly::add_point_force(const Keys& keys) {
  const Body& on = body(keys.text("body"), keys);
  if (on.ground) keys.fail_at("body", "a force on the ground moves nothing");
  const Vector force = force_vector(keys, "force");
  const Vector point = keys.find_vector("point").value_or(on.center) - on.center;
  const Vector place = constants_.named(keys.name() + ".point", point);
  apply_force(on, force, on.point(place));
  add_figure("arrow", keys.name(), {anchor_of(on, place)},
             {{"vector", vector_value(force)}, {"quantity", "force"}});
}

void Assembly::add_torque(const Keys& keys) {
  const Body& on = body(keys.text("body"), keys);
  if (on.ground) keys.fail_at("body", "a torque on the ground moves nothing");
  const Value center = anchor_of(on, make_vector(graph_, {0, 0, 0}));
  if (plane_) {
    check_frame(keys);
    const Expr torque = define_later(keys.name() + ".torque", keys.text("torque"));
    apply_torque(on, {zero(), zero(), torque});
    add_figure("torque", keys.name(), {center}, {{"turn", Value(Text(to_text(torque)))}});
  } else {
    const Vector torque = force_vector(keys, "torque");
    apply_torque(on, torque);
    add_figure("arrow", keys.name(), {center}, {{"vector", vector_value(torque)}, {"quantity", "torque"}});
  }
}

// Two points of different bodies.
Joint Assembly::place_ends(const Keys& keys) {
  const std::vector<Text> names = keys.texts("bodies", 2);
  Joint ends;
  ends.name = keys.name();
  ends.a = &body(names[0], keys);
  ends.b = &body(names[1], keys);
  if (ends.a == ends.b)
    keys.fail_at("bodies", fmt::format("{} connects {} with itself", keys.what(), in_quotes(names[0].text)));
  place_point(ends, keys);
  springs_.emplace_back(ends.a, ends.b);
  return ends;
}

// V = k (L − l)²/2, R = c L'²/2 with L = |d|; without l and c no root is needed.
void Assembly::add_spring(const Keys& keys) {
  if (keys.has("joint")) {
    add_joint_spring(keys);
    return;
  }
  if (keys.has("angle")) {
    keys.fail_at("angle", fmt::format("{} is between two points and has a 'length' at rest; 'angle' is for a "
                                      "spring at a joint that turns",
                                      keys.what()));
  }
  keys.get("points");
  const Joint ends = place_ends(keys);
  const Vector d = ends.point2() - ends.point1();
  const Expr half = graph_.number(Rational(1, 2));
  const Expr k = constants_.named(keys.name() + ".stiffness", keys.find_number("stiffness").value_or(zero()));
  const Expr rest = constants_.named(keys.name() + ".rest", keys.find_number("length").value_or(zero()));
  const Expr c = constants_.named(keys.name() + ".damping", keys.find_number("damping").value_or(zero()));
  const Expr length = define(keys.name() + ".length", sqrt(dot(d, d)));
  if (rest.is_zero()) {
    add_energy(draft_.potential_of_bodies, half * k * dot(d, d));
  } else {
    add_energy(draft_.potential_of_bodies, half * k * pow(length - rest, 2));
  }
  const Expr rate = graph_.symbol(length.name() + "'");
  add_energy(draft_.dissipation_of_bodies, half * c * rate * rate);
  draft_.outputs.push_back({keys.name() + ".tension", to_text(k * (length - rest) + c * rate)});
  const std::vector<Value> at{anchor_of(*ends.a, ends.p1), anchor_of(*ends.b, ends.p2)};
  if (!k.is_zero()) add_figure("spring", keys.name(), at);
  if (!c.is_zero()) add_figure("damper", keys.name(), at);
}

// The same for the angle or the slide of a joint.
void Assembly::add_joint_spring(const Keys& keys) {
  const Joint& at = joint(keys.text("joint"), keys);
  for (const char* key : {"bodies", "points"}) {
    if (keys.has(key))
      keys.fail_at(
          key, fmt::format("{} is at the joint {}, so it has no '{}'", keys.what(), in_quotes(at.name), key));
  }
  if (!at.angle && !at.slide)
    keys.fail_at("joint",
                 fmt::format("the {} joint {} has no angle and no slide", at.type, in_quotes(at.name)));
  if (const char* wrong = at.slide ? "angle" : "length"; keys.has(wrong)) {
    keys.fail_at(wrong,
                 fmt::format("the {} joint {} {}: its spring has {} at rest", at.type, in_quotes(at.name),
                             at.slide ? "slides" : "turns", at.slide ? "a 'length'" : "an 'angle'"));
  }
  const Expr motion = at.slide ? *at.slide : *at.angle;
  const Expr half = graph_.number(Rational(1, 2));
  const Expr k = constants_.named(keys.name() + ".stiffness", keys.find_number("stiffness").value_or(zero()));
  const Expr c = constants_.named(keys.name() + ".damping", keys.find_number("damping").value_or(zero()));
  const Expr rest = constants_.named(keys.name() + ".rest",
                                     keys.find_number(at.slide ? "length" : "angle").value_or(zero()));
  add_energy(draft_.potential_of_bodies, half * k * pow(motion - rest, 2));
  const Expr rate = graph_.symbol(motion.name() + "'");
  add_energy(draft_.dissipation_of_bodies, half * c * rate * rate);
  add_joint_spring_figures(at, keys.name(), !k.is_zero(), !c.is_zero());
}

// Springs and dampers along the axes of the first body between two points, and in the plane against rotation.
void Assembly::add_bushing(const Keys& keys) {
  Joint ends = place_ends(keys);
  add_figure("bushing", keys.name(), {anchor_of(*ends.a, ends.p1), anchor_of(*ends.b, ends.p2)});
  const Vector local = define(keys.name() + ".d_", transposed(ends.a->R, ends.point2() - ends.point1()));
  const Expr half = graph_.number(Rational(1, 2));
  const auto add = [&](const std::string& key, std::string& energy, const std::string& prime) {
    if (!keys.has(key)) return;
    const Vector k = constants_.named(keys.name() + "." + key, keys.vector(key));
    for (std::size_t i = 0; i < dimension(); ++i) {
      const Expr motion = graph_.symbol(local[i].name() + prime);
      add_energy(energy, half * k[i] * motion * motion);
    }
  };
  add("stiffness", draft_.potential_of_bodies, "");
  add("damping", draft_.dissipation_of_bodies, "'");
  const Vector turning = ends.b->omega - ends.a->omega;
  if (keys.has("turn_damping"))
    add_energy(draft_.dissipation_of_bodies, half * keys.number("turn_damping") * dot(turning, turning));
  if (!keys.has("turn_stiffness")) return;
  const Expr k = keys.number("turn_stiffness");
  if (plane_) {
    ends.u3 = unit_vector(2);
    make_angle(ends);
    add_energy(draft_.potential_of_bodies, half * k * *ends.angle * *ends.angle);
    return;
  }
  // k (3 − tr(R₁ᵀ R₂ as it changed since the start))/2, that is k θ²/2 for small angles
  Expr trace = zero();
  const Matrix change = {ends.a->R * transposed(ends.a->R0, unit_vector(0)),
                         ends.a->R * transposed(ends.a->R0, unit_vector(1)),
                         ends.a->R * transposed(ends.a->R0, unit_vector(2))};
  for (std::size_t i = 0; i < 3; ++i)
    trace = trace + dot(change.column(i), ends.b->R * transposed(ends.b->R0, unit_vector(i)));
  add_energy(draft_.potential_of_bodies, half * k * (3 - trace));
}

// R = c w²/2 with the relative velocity w of the joint.
void Assembly::add_damper(const Keys& keys) {
  const Joint& at = joint(keys.text("joint"), keys);
  const Expr c = constants_.named(keys.name() + ".damping", keys.number("damping"));
  const Expr half = graph_.number(Rational(1, 2));
  if (!at.slide && !at.turning)
    keys.fail_at("joint",
                 fmt::format("the {} joint {} has no axis of friction", at.type, in_quotes(at.name)));
  const Expr rate = at.slide ? graph_.symbol(at.slide->name() + "'") : at.turning;
  add_energy(draft_.dissipation_of_bodies, half * c * rate * rate);
  if (at.slide) add_joint_spring_figures(at, keys.name(), false, true);
}

// Acts on the second body along or about the axis, on the first the opposite.
void Assembly::add_motor(const Keys& keys) {
  const Joint& at = joint(keys.text("joint"), keys);
  const auto refuse = [&](std::string_view key, std::string_view cannot) {
    keys.fail_at(key, fmt::format("the {} joint {} does not {}: a motor has 'torque' at a joint that turns, "
                                  "'force' at one that slides",
                                  at.type, in_quotes(at.name), cannot));
  };
  if (keys.has("force")) {
    if (!at.slide) refuse("force", "slide");
    const Vector force =
        define_later(keys.name() + ".force", keys.text("force")) * (at.a->R * (plane_ ? at.u1 : at.u3));
    apply_force(*at.b, force, at.point2());
    apply_force(*at.a, -force, at.point2());
  }
  if (keys.has("torque")) {
    if (!at.turning) refuse("torque", "turn");
    const Vector torque = define_later(keys.name() + ".torque", keys.text("torque")) * (at.a->R * at.u3);
    apply_torque(*at.b, torque);
    apply_torque(*at.a, -torque);
  }
  if (!keys.has("force") && !keys.has("torque")) {
    keys.fail(
        fmt::format("{} needs 'torque' at a joint that turns, or 'force' at one that slides", keys.what()));
  }
  add_motor_figure(at, keys.name(), keys.has("force"));
}

void Assembly::apply_force(const Body& body, const Vector& force, const Vector& point) {
  if (body.ground) return;
  for (std::size_t i = 0; i < dimension(); ++i) add_generalized(body.r[i], force[i]);
  apply_torque(body, cross(point - body.r, force));
}

// Q·p' = τ·ω: in the plane Q = τ, in space Q = 2 Eᵀ τ.
void Assembly::apply_torque(const Body& body, const Vector& torque) {
  if (body.ground || is_zero(torque)) return;
  if (plane_) {
    add_generalized(body.rotation[0], torque.z);
    return;
  }
  const auto& e = body.rotation;
  const auto& [x, y, z] = torque;
  add_generalized(e[0], 2 * (-(e[1] * x) - e[2] * y - e[3] * z));
  add_generalized(e[1], 2 * (e[0] * x + e[3] * y - e[2] * z));
  add_generalized(e[2], 2 * (-(e[3] * x) + e[0] * y + e[1] * z));
  add_generalized(e[3], 2 * (e[2] * x - e[1] * y + e[0] * z));
}

void Assembly::add_generalized(Expr coordinate, Expr force) {
  if (!force.is_zero()) draft_.forces.push_back({coordinate.name(), to_text(force)});
}

}  // namespace dalembert
