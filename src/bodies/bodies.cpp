// Bodies: coordinates with their start, kinetic energy, named points.
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/reserved.hpp>

#include "assembly.hpp"

namespace dalembert {

void Assembly::add_bodies() {
  for (const Element& element : draft_.bodies) add_body(element);
}

void Assembly::add_body(const Element& element) {
  check_name(element.name, "body");
  const Keys keys = keys_of(element, "body");
  const BodyData data = read_body(keys, graph_);
  Body& body = bodies_.emplace_back();
  body.name = element.name.text;
  body_by_name_.emplace(body.name, &body);
  body.mass = constants_.named(body.name + ".mass", data.mass);
  body.center = data.center;
  body.inertia = data.inertia;
  body.angle0 = data.angle;
  body.solid = read_solid(keys);
  body.radius = radius_of_shape(keys);
  body.corners = corners_of_shape(keys, graph_);
  add_coordinates(body, data, keys);
  define_attitude(body);
  add_kinetic(body, data);
  add_points(body, keys);
}

// The centre of mass at the start is r0 = position + R0 center, and moves with velocity + ω × R0 center.
void Assembly::add_coordinates(Body& body, const BodyData& data, const Keys& keys) {
  DraftCoordinate like;
  like.start.guess = keys.flag("guess");
  like.start.fixed = keys.flag("fixed");
  if (plane_) {
    const Expr c = cos(data.angle), s = sin(data.angle);
    body.R0 = {{c, s, zero()}, {-s, c, zero()}, unit_vector(2)};
  } else {
    body.R0 = to_matrix(data.quaternion);
  }
  const Vector arm = body.R0 * data.center;
  body.r0 = data.position + arm;
  std::optional<Vector> v0 = data.velocity;
  if (v0 && data.angular_velocity) v0 = *v0 + cross(*data.angular_velocity, arm);
  body.v.z = body.r.z = zero();
  for (std::size_t i = 0; i < dimension(); ++i) {
    DraftCoordinate coordinate = like;
    coordinate.name = Name(fmt::format("{}.{}", body.name, "xyz"[i]), keys.place("position"));
    coordinate.start.position = Text(to_text(body.r0[i]));
    if (v0) coordinate.start.velocity = Text(to_text((*v0)[i]));
    Expr& r = i == 0 ? body.r.x : i == 1 ? body.r.y : body.r.z;
    Expr& v = i == 0 ? body.v.x : i == 1 ? body.v.y : body.v.z;
    r = graph_.symbol(coordinate.name.text);
    v = graph_.symbol(coordinate.name.text + "'");
    draft_.coordinates.push_back(std::move(coordinate));
  }
  add_rotation(body, data, like);
}

void Assembly::add_rotation(Body& body, const BodyData& data, const DraftCoordinate& like) {
  const auto add = [&](const std::string& name, Expr position, std::optional<Expr> velocity) {
    DraftCoordinate coordinate = like;
    coordinate.name = Name(body.name + "." + name);
    coordinate.start.position = Text(to_text(position));
    if (velocity) coordinate.start.velocity = Text(to_text(*velocity));
    draft_.coordinates.push_back(coordinate);
    body.rotation.push_back(graph_.symbol(coordinate.name.text));
    return body.rotation.back();
  };
  if (plane_) {
    const auto& turn = data.angular_velocity;
    const Expr angle = add("angle", data.angle, turn ? std::optional<Expr>(turn->z) : std::nullopt);
    body.R = {{cos(angle), sin(angle), zero()}, {-sin(angle), cos(angle), zero()}, unit_vector(2)};
    body.omega = {zero(), zero(), graph_.symbol(body.name + ".angle'")};
    define(body.name + ".omega_z", body.omega.z);
    return;
  }
  // p' = Eᵀ ω / 2 with ω in space
  const auto& [a, b, c, d] = data.quaternion;
  const std::array<Expr, 4> start{a, b, c, d};
  std::array<std::optional<Expr>, 4> rate;
  if (data.angular_velocity) {
    const Expr half = graph_.number(Rational(1, 2));
    const auto& [wx, wy, wz] = *data.angular_velocity;
    rate = {half * (-b * wx - c * wy - d * wz), half * (a * wx + d * wy - c * wz),
            half * (-d * wx + a * wy + b * wz), half * (c * wx - b * wy + a * wz)};
  }
  std::array<Expr, 4> e;
  std::array<Expr, 4> v;
  for (std::size_t i = 0; i < 4; ++i) {
    e[i] = add(fmt::format("e{}", i), start[i], rate[i]);
    v[i] = graph_.symbol(e[i].name() + "'");
  }
  const Matrix R = to_matrix({e[0], e[1], e[2], e[3]});
  const auto axis = [&](const Vector& column, char name) {
    return define(fmt::format("{}.{}_", body.name, name), column);
  };
  body.R = {axis(R.c1, 'x'), axis(R.c2, 'y'), axis(R.c3, 'z')};
  body.omega =
      define(body.name + ".omega_", Vector{2 * (e[0] * v[1] - e[1] * v[0] + e[2] * v[3] - e[3] * v[2]),
                                           2 * (e[0] * v[2] - e[2] * v[0] + e[3] * v[1] - e[1] * v[3]),
                                           2 * (e[0] * v[3] - e[3] * v[0] + e[1] * v[2] - e[2] * v[1])});
  const Expr length = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
  draft_.holonomic.push_back({body.name + ".unit", to_text(length - 1)});
}

// Yaw about z, then pitch about y, then roll about x: R = Rz Ry Rx; and the size of the velocity.
void Assembly::define_attitude(const Body& body) {
  const auto define_if_used = [&](const char* part, const auto& make) {
    if (const std::string name = fmt::format("{}.{}", body.name, part); mentioned_.contains(name))
      define(name, make());
  };
  define_if_used("speed", [&] { return sqrt(dot(body.v, body.v)); });
  if (plane_) return;
  const Vector &x = body.R.c1, &y = body.R.c2, &z = body.R.c3;  // clang captures no bindings
  define_if_used("yaw", [&] { return atan2(x.y, x.x); });
  define_if_used("pitch", [&] { return atan2(-x.z, sqrt(x.x * x.x + x.y * x.y)); });
  define_if_used("roll", [&] { return atan2(y.z, z.z); });
}

void Assembly::add_kinetic(const Body& body, const BodyData& data) {
  const Expr half = graph_.number(Rational(1, 2));
  Expr kinetic = half * body.mass * dot(body.v, body.v);
  if (plane_) {
    const Expr J = constants_.named(body.name + ".inertia", data.inertia[0][0]);
    kinetic = kinetic + half * J * body.omega.z * body.omega.z;
  } else {
    // In the body's axes, ω = 2 G p'
    std::array<Expr, 4> e;
    std::array<Expr, 4> v;
    for (std::size_t i = 0; i < 4; ++i) {
      e[i] = body.rotation[i];
      v[i] = graph_.symbol(e[i].name() + "'");
    }
    const std::array<Expr, 3> w{
        define(body.name + ".omega_1", 2 * (e[0] * v[1] - e[1] * v[0] + e[3] * v[2] - e[2] * v[3])),
        define(body.name + ".omega_2", 2 * (e[0] * v[2] - e[2] * v[0] + e[1] * v[3] - e[3] * v[1])),
        define(body.name + ".omega_3", 2 * (e[0] * v[3] - e[3] * v[0] + e[2] * v[1] - e[1] * v[2]))};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const Expr J =
            constants_.named(fmt::format("{}.inertia_{}{}", body.name, j + 1, i + 1), data.inertia[i][j]);
        kinetic = kinetic + (i == j ? half : graph_.number(1)) * J * w[i] * w[j];
      }
    }
  }
  add_energy(draft_.kinetic_of_bodies, kinetic);
}

void Assembly::add_points(Body& body, const Keys& keys) {
  if (!is_zero(body.center)) define(body.name + ".origin.", body.point(-body.center));
  if (!keys.has("points")) return;
  const Value& points = keys.get("points");
  if (points.type != Value::Type::table) keys.fail(points, "'points' must be a table of named points");
  for (const auto& [name, value] : points.table) {
    if (!is_definable_name(name.text) || name.text.find('.') != std::string::npos || name.text == "origin") {
      const std::string meaning =
          name.text == "origin" ? "that of the body's frame" : meaning_of_reserved(name.text);
      report_.at_name(
          name,
          meaning.empty()
              ? fmt::format("{} cannot name a point; a name is a letter followed by letters, digits and '_'",
                            in_quotes(name.text))
              : fmt::format("{} is reserved and cannot name a point: it is {}", in_quotes(name.text),
                            meaning));
    }
    const Vector s = keys.vector(value, name.text) - body.center;
    corners_[&body].push_back(s);
    body.points.emplace_back(name.text, s);
    define(fmt::format("{}.{}.", body.name, name.text), body.point(s));
  }
}

// Bodies that no chain of joints, springs and contacts holds to the ground, nor to what the user's own
// constraints hold.
void Assembly::check_connections() {
  std::unordered_multimap<const Body*, const Body*> neighbours;
  const auto connect = [&](const Body* a, const Body* b) {
    neighbours.emplace(a, b);
    neighbours.emplace(b, a);
  };
  for (const Joint& joint : joints_) connect(joint.a, joint.b);
  for (const auto& [a, b] : springs_) connect(a, b);
  std::vector<const Body*> open{&ground_};
  for (const Body& body : bodies_) {
    if (constrained_.contains(body.name)) open.push_back(&body);
  }
  std::unordered_set<const Body*> held(open.begin(), open.end());
  while (!open.empty()) {
    const auto [begin, end] = neighbours.equal_range(open.back());
    open.pop_back();
    for (auto it = begin; it != end; ++it) {
      if (held.insert(it->second).second) open.push_back(it->second);
    }
  }
  std::vector<std::string> loose;
  for (const Body& body : bodies_) {
    if (!held.contains(&body)) loose.push_back(in_quotes(body.name));
  }
  if (loose.empty()) return;
  constexpr std::size_t most_named = 6;
  const std::string others =
      loose.size() > most_named ? fmt::format(" and {} more bodies", loose.size() - most_named) : "";
  const std::vector<std::string> named(loose.begin(), loose.begin() + std::min(loose.size(), most_named));
  draft_.warnings.push_back(fmt::format("no joint connects {}{} to the ground: {} freely", join(named, ", "),
                                        others, loose.size() == 1 ? "it moves" : "they move"));
}

}  // namespace dalembert
