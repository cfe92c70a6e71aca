// The constraints of every type of joint. d is the vector from the joint's point on the first body to that on
// the second; u1, u2, u3 are fixed in the first body, w1, w2, w3 in the second. A rotation δθ of the second
// body moves w by δθ × w, so u·w = 0 gives it the moment −λ w × u.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "assembly.hpp"

namespace dalembert {

const std::vector<Assembly::JointType>& Assembly::joint_types() {
  static const std::vector<JointType> types{
      {"revolute", &Assembly::revolute, &Assembly::revolute,
       "bodies point points axis axes drive start speed limits restitution friction sticking radius"},
      {"prismatic", &Assembly::prismatic, &Assembly::prismatic,
       "bodies point points axis axes drive start limits restitution friction sticking support"},
      {"weld", &Assembly::weld, &Assembly::weld, "bodies point points"},
      {"slot", &Assembly::slot, nullptr,
       "bodies point points axis axes drive start limits restitution friction sticking"},
      {"distance", &Assembly::distance, &Assembly::distance, "bodies points length"},
      {"rolling", &Assembly::rolling_in_plane, &Assembly::rolling_in_space,
       "bodies point axis radius disk_axis friction sticking"},
      {"gear", &Assembly::gear, &Assembly::gear, "joints ratio offset"},
      {"spherical", nullptr, &Assembly::spherical, "bodies point points"},
      {"universal", nullptr, &Assembly::universal, "bodies point points axes"},
      {"cylindrical", nullptr, &Assembly::cylindrical,
       "bodies point points axis axes limits restitution friction sticking radius"},
      {"planar", nullptr, &Assembly::planar, "bodies point points axis axes"},
      {"screw", nullptr, &Assembly::screw, "bodies point points axis axes pitch drive limits restitution"},
  };
  return types;
}

// d = 0
void Assembly::coincide(Joint& joint) {
  const Vector d = joint.point2() - joint.point1();
  const Vector none = make_vector(graph_, {0, 0, 0});
  for (std::size_t i = 0; i < dimension(); ++i)
    joint.rows.push_back({std::string(1, "xyz"[i]), d[i], unit_vector(i), none});
}

// u1·w3 = 0, u2·w3 = 0
void Assembly::align(Joint& joint) {
  const Vector none = make_vector(graph_, {0, 0, 0});
  const Vector w3 = joint.b->R * joint.w3;
  const Vector u1 = joint.a->R * joint.u1;
  const Vector u2 = joint.a->R * joint.u2;
  joint.rows.push_back({"tilt_1", dot(u1, w3), none, cross(w3, u1)});
  joint.rows.push_back({"tilt_2", dot(u2, w3), none, cross(w3, u2)});
}

// Across the axis d vanishes: in the plane u2·d = 0, in space u1·d = 0, u2·d = 0.
void Assembly::keep_on_axis(Joint& joint) {
  const Vector none = make_vector(graph_, {0, 0, 0});
  const Vector d = joint.point2() - joint.point1();
  const Vector u1 = joint.a->R * joint.u1;
  const Vector u2 = joint.a->R * joint.u2;
  if (plane_) {
    joint.rows.push_back({"across", dot(u2, d), u2, none});
    return;
  }
  joint.rows.push_back({"across_1", dot(u1, d), u1, none});
  joint.rows.push_back({"across_2", dot(u2, d), u2, none});
}

// No rotation about u3: in the plane the angles differ as at the start, in space u1·w2 = 0.
void Assembly::lock_turn(Joint& joint) {
  const Vector none = make_vector(graph_, {0, 0, 0});
  if (plane_) {
    make_angle(joint);
    joint.rows.push_back({"turn", *joint.angle, none, unit_vector(2)});
    joint.angle.reset();
    joint.turning = {};
    return;
  }
  const Vector u1 = joint.a->R * joint.u1;
  const Vector w2 = joint.b->R * joint.w2;
  joint.rows.push_back({"turn", dot(u1, w2), none, cross(w2, u1)});
}

void Assembly::make_angle(Joint& joint) {
  joint.turning = dot(joint.a->R * joint.u3, joint.b->omega - joint.a->omega);
  if (plane_) {
    const auto angle = [this](const Body& body) { return body.ground ? zero() : body.rotation[0]; };
    const Expr start =
        constants_.named(joint.name + ".start", joint.angle_zero.value_or(joint.b->angle0 - joint.a->angle0));
    joint.angle = angle(*joint.b) - angle(*joint.a) - start;
  } else if (mentioned_.contains(joint.name)) {
    add_angle_coordinate(joint);
  }
}

void Assembly::make_slide(Joint& joint) {
  const Vector along = joint.a->R * (plane_ ? joint.u1 : joint.u3);
  const Expr start = joint.start ? joint.start : zero();
  joint.slide = define(joint.name + ".slide", dot(along, joint.point2() - joint.point1()) + start);
}

void Assembly::revolute(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  if (plane_) {
    for (const char* key : {"axis", "axes"}) {
      if (keys.has(key)) keys.fail_at(key, "in the plane the axis of a revolute joint is across the plane");
    }
    if (keys.has("speed"))
      keys.fail_at("speed", "'speed' is for space; in the plane bodies have an 'angular_velocity'");
    joint.u3 = joint.w3 = unit_vector(2);
    coincide(joint);
    make_angle(joint);
    joint.angle = define(joint.name + ".angle", *joint.angle + keys.find_number("start").value_or(zero()));
    return;
  }
  place_axis(joint, keys);
  coincide(joint);
  align(joint);
  joint.start = keys.find_number("start").value_or(zero());
  joint.speed = keys.find_number("speed");
  make_angle(joint);
  if (!joint.angle && (keys.has("drive") || keys.has("limits") || joint.speed)) add_angle_coordinate(joint);
}

void Assembly::prismatic(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  place_axis(joint, keys);
  keep_on_axis(joint);
  if (!plane_) align(joint);
  lock_turn(joint);
  joint.start = keys.find_number("start").value_or(zero());
  make_slide(joint);
}

void Assembly::weld(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  coincide(joint);
  if (plane_) {
    joint.u3 = joint.w3 = unit_vector(2);
    lock_turn(joint);
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    Vector& u = i == 0 ? joint.u1 : i == 1 ? joint.u2 : joint.u3;
    Vector& w = i == 0 ? joint.w1 : i == 1 ? joint.w2 : joint.w3;
    u = constants_.named(fmt::format("{}.u{}", joint.name, i + 1), transposed(joint.a->R0, unit_vector(i)));
    w = constants_.named(fmt::format("{}.w{}", joint.name, i + 1), transposed(joint.b->R0, unit_vector(i)));
  }
  align(joint);
  lock_turn(joint);
}

// A pin of the second body in a straight slot of the first.
void Assembly::slot(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  place_axis(joint, keys);
  keep_on_axis(joint);
  joint.start = keys.find_number("start").value_or(zero());
  make_slide(joint);
}

// (d·d − l²)/2 = 0: the force on the second body is −λ d.
void Assembly::distance(Joint& joint, const Keys& keys) {
  keys.get("points");
  place_point(joint, keys);
  const Vector d = joint.point2() - joint.point1();
  const Expr length = constants_.named(joint.name + ".length", keys.positive("length"));
  const Expr half = graph_.number(Rational(1, 2));
  joint.rows.push_back({"length", half * (dot(d, d) - length * length), d, make_vector(graph_, {0, 0, 0})});
}

// A disk of the second body, its centre in the origin of its frame, on a line of the first body through the
// point along u1, on the side of u2. In the plane rolling is holonomic:
//   u2·d − r = 0,   u1·d + r θ = the same at the start
void Assembly::rolling_in_plane(Joint& joint, const Keys& keys) {
  if (keys.has("disk_axis"))
    keys.fail_at("disk_axis", "'disk_axis' is for space; in the plane a disk turns in the plane");
  place_axis(joint, keys);
  const Vector none = make_vector(graph_, {0, 0, 0});
  const Vector p = keys.vector("point");
  const Expr r = constants_.named(joint.name + ".radius", keys.positive("radius"));
  joint.p1 = constants_.named(joint.name + ".p1", transposed(joint.a->R0, p - joint.a->r0));
  const Vector center = -joint.b->center;
  const Vector u1 = joint.a->R * joint.u1;
  const Vector u2 = joint.a->R * joint.u2;
  const Vector d = joint.b->point(center) - joint.point1();
  make_angle(joint);
  const Vector d0 = joint.b->r0 + joint.b->R0 * center - p;
  const Expr start = constants_.named(joint.name + ".along", dot(keys.vector("axis"), d0));
  joint.rows.push_back({"contact", dot(u2, d) - r, u2, none});
  roll(joint, keys, {{"roll", dot(u1, d) + r * *joint.angle - start, u1, none}});
  joint.angle.reset();
  joint.p2 = center;
  joint.contact = joint.b->point(center) - r * u2;
  joint.size = r;
}

// Both directions in space at the start. The contact of a disk that lies flat is nowhere: h below is 0.
void Assembly::refuse_flat_disk(const Joint& joint, const Vector& axis, const Keys& keys) const {
  constexpr double flat = 1e-12;  // of h²: a tilt of a millionth
  const double cosine = constants_.value(dot(joint.a->R0 * joint.u3, axis));
  if (1 - cosine * cosine > flat) return;
  keys.fail_at("disk_axis",
               fmt::format("the disk of {} lies flat on the plane: 'disk_axis', its axis in space at "
                           "the start, is along the normal 'axis' of the plane",
                           keys.what()));
}

// A sphere, or a thin disk about its axis w, of the second body rolls on the plane of the first through the
// point across u3 = n. From its centre, the origin of its frame, the contact is at
//   sphere  ρ = −r n              disk  ρ = −(r/h) (n − (n·w) w),  h = sqrt(1 − (n·w)²)
// The contact is in the plane, n·(d + ρ) = 0, and its point of the second body moves as that of the first, a
// nonholonomic constraint.
void Assembly::rolling_in_space(Joint& joint, const Keys& keys) {
  place_axis(joint, keys);
  const Vector none = make_vector(graph_, {0, 0, 0});
  const Vector p = keys.vector("point");
  const Expr r = constants_.named(joint.name + ".radius", keys.positive("radius"));
  joint.p1 = constants_.named(joint.name + ".p1", transposed(joint.a->R0, p - joint.a->r0));
  joint.p2 = -joint.b->center;
  joint.size = r;
  const Vector n = joint.a->R * joint.u3;
  Expr height = r;
  Vector rho = -(r * n);
  if (keys.has("disk_axis")) {
    const Vector axis = keys.unit(keys.vector("disk_axis"), keys.get("disk_axis"), "disk_axis");
    refuse_flat_disk(joint, axis, keys);
    joint.disk_axis = constants_.named(joint.name + ".disk", transposed(joint.b->R0, axis));
    const Vector w = joint.b->R * *joint.disk_axis;
    const Expr cosine = define(joint.name + ".tilt", dot(n, w));
    const Expr h = define(joint.name + ".h", sqrt(1 - cosine * cosine));
    height = r * h;
    rho = -(r / h * (n - cosine * w));
  }
  rho = define(joint.name + ".contact_", rho);
  joint.contact = joint.point2() + rho;
  const Vector velocity2 = joint.b->v + cross(joint.b->omega, *joint.contact - joint.b->r);
  const Vector velocity1 = joint.a->v + cross(joint.a->omega, *joint.contact - joint.a->r);
  const Vector slip = velocity2 - velocity1;
  joint.rows.push_back({"contact", dot(n, joint.point2() - joint.point1()) - height, n, none});
  std::vector<JointRow> rolls;
  for (const std::size_t i : {0U, 1U}) {
    const Vector u = joint.a->R * (i == 0 ? joint.u1 : joint.u2);
    rolls.push_back({fmt::format("roll_{}", i + 1), dot(u, slip), u, none, true});
  }
  roll(joint, keys, rolls);
}

// The motion of the second joint is `ratio` times that of the first, plus `offset`.
void Assembly::gear(Joint& joint, const Keys& keys) {
  const std::vector<Text> names = keys.texts("joints", 2);
  if (names[0].text == names[1].text)
    keys.fail_at("joints",
                 fmt::format("{} couples the joint {} with itself", keys.what(), in_quotes(names[0].text)));
  const Expr ratio = constants_.named(joint.name + ".ratio", keys.number("ratio"));
  const Expr offset = constants_.named(joint.name + ".offset", keys.find_number("offset").value_or(zero()));
  joint.size = ratio;
  std::vector<Expr> motion;
  for (const Text& name : names) {
    const Joint& other = this->joint(name, keys);
    if (!other.angle && !other.slide) {
      report_.at_text(name, keys.what(), 0,
                      fmt::format("the {} joint {} has no angle and no slide that a gear could "
                                  "couple",
                                  other.type, in_quotes(name.text)));
    }
    joint.coupled[motion.size()] = &other;
    motion.push_back(other.slide ? *other.slide : *other.angle);
  }
  const Vector none = make_vector(graph_, {0, 0, 0});
  joint.rows.push_back({"mesh", motion[1] - ratio * motion[0] - offset, none, none});
}

void Assembly::spherical(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  coincide(joint);
}

// Two axes, one of each body, stay at right angles.
void Assembly::universal(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  place_axis(joint, keys);
  coincide(joint);
  const Vector u3 = joint.a->R * joint.u3;
  const Vector w3 = joint.b->R * joint.w3;
  joint.rows.push_back({"square", dot(u3, w3), make_vector(graph_, {0, 0, 0}), cross(w3, u3)});
}

void Assembly::cylindrical(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  place_axis(joint, keys);
  keep_on_axis(joint);
  align(joint);
  make_slide(joint);
  make_angle(joint);
}

void Assembly::planar(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  place_axis(joint, keys);
  align(joint);
  const Vector u3 = joint.a->R * joint.u3;
  joint.rows.push_back(
      {"normal", dot(u3, joint.point2() - joint.point1()), u3, make_vector(graph_, {0, 0, 0})});
}

// Cylindrical, and 2π slide = pitch angle.
void Assembly::screw(Joint& joint, const Keys& keys) {
  place_point(joint, keys);
  place_axis(joint, keys);
  keep_on_axis(joint);
  align(joint);
  make_slide(joint);
  add_angle_coordinate(joint);
  joint.turning = dot(joint.a->R * joint.u3, joint.b->omega - joint.a->omega);
  joint.size = keys.number("pitch");
  const Expr lead = constants_.named(joint.name + ".lead", keys.number("pitch") / (2 * graph_.pi()));
  const Vector u3 = joint.a->R * joint.u3;
  joint.rows.push_back({"pitch", *joint.slide - lead * *joint.angle, u3, -(lead * u3)});
}

}  // namespace dalembert
