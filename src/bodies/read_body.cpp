// What the keys of a body say.
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "body.hpp"

namespace dalembert {
namespace {

constexpr double round_off = 1e-9;  // in checks of inertias that were typed with some digits

constexpr std::array<std::string_view, 19> body_keys{
    "mass",   "density",  "inertia", "inertia_rotation", "shape",         "size",     "radius",
    "length", "along",    "center",  "position",         "angle",         "rotation", "guess",
    "fixed",  "velocity", "points",  "angular_velocity", "accept_inertia"};

std::vector<std::vector<Expr>> diagonal(const Vector& moments, Graph& graph) {
  const Expr zero = graph.number(0);
  return {{moments.x, zero, zero}, {zero, moments.y, zero}, {zero, zero, moments.z}};
}

// Σ = tr(J)/2 − J, the second moments of mass, is positive semidefinite exactly when the principal moments of
// J are those of a body: none exceeds the sum of the other two.
bool is_physical(const std::array<std::array<double, 3>, 3>& J) {
  const double trace = J[0][0] + J[1][1] + J[2][2];
  if (!(trace >= 0)) return false;
  std::array<std::array<double, 3>, 3> s{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) s[i][j] = (i == j ? trace / 2 : 0) - J[i][j];
  }
  const auto minor = [&s](std::size_t i, std::size_t j) { return s[i][i] * s[j][j] - s[i][j] * s[j][i]; };
  const double determinant = s[0][0] * minor(1, 2) - s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
                             s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
  const double slack = round_off * trace;
  return s[0][0] >= -slack && s[1][1] >= -slack && s[2][2] >= -slack && minor(0, 1) >= -slack * trace &&
         minor(0, 2) >= -slack * trace && minor(1, 2) >= -slack * trace &&
         determinant >= -slack * trace * trace;
}

// Whether no principal moment is negative: the invariants of J are not.
bool is_positive(const std::array<std::array<double, 3>, 3>& J) {
  const double trace = J[0][0] + J[1][1] + J[2][2];
  std::array<std::array<double, 3>, 3> second{};  // the body whose second moments are J
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) second[i][j] = (i == j ? trace : 0) - J[i][j];
  }
  return is_physical(second);
}

void check_inertia(const Keys& keys, const std::vector<std::vector<Expr>>& inertia) {
  std::array<std::array<double, 3>, 3> J{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) J[i][j] = keys.constants().value(inertia[i][j]);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(J[i][j] - J[j][i]) <= round_off * (std::abs(J[i][i]) + std::abs(J[j][j]))) continue;
      keys.fail_at("inertia",
                   fmt::format("the inertia of {} is not symmetric: ({}, {}) is {}, ({}, {}) is {}",
                               keys.what(), i + 1, j + 1, J[i][j], j + 1, i + 1, J[j][i]));
    }
  }
  if (keys.flag("accept_inertia")) {
    if (is_positive(J)) return;
    keys.fail_at("inertia", fmt::format("a principal moment of {} is negative", keys.what()));
  }
  if (is_physical(J)) return;
  keys.fail_at("inertia",
               fmt::format("no body has the inertia of {}: a principal moment exceeds the sum of the other "
                           "two (triangle inequality), or is negative; accept_inertia = true takes one that "
                           "is not negative all the same",
                           keys.what()));
}

// Q J Qᵀ
std::vector<std::vector<Expr>> turned(const Matrix& Q, const std::vector<std::vector<Expr>>& J) {
  std::vector<std::vector<Expr>> result(3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      Expr sum = J[0][0] * Q.c1[i] * Q.c1[j];
      for (std::size_t k = 1; k < 9; ++k)
        sum = sum + J[k / 3][k % 3] * Q.column(k / 3)[i] * Q.column(k % 3)[j];
      result[i].push_back(sum);
    }
  }
  return result;
}

std::vector<std::vector<Expr>> read_spatial_inertia(const Keys& keys, Graph& graph) {
  const Value& value = keys.get("inertia");
  const bool rows = value.type == Value::Type::array && value.array.size() == 3 &&
                    value.array[0].type == Value::Type::array;
  std::vector<std::vector<Expr>> inertia;
  if (rows) {
    for (const Value& row : value.array) {
      const Vector v = keys.vector(row, "inertia");
      inertia.push_back({v.x, v.y, v.z});
    }
  } else {
    inertia = diagonal(keys.vector("inertia"), graph);
  }
  if (keys.has("inertia_rotation"))
    inertia = turned(to_matrix(read_rotation(keys, "inertia_rotation", graph)), inertia);
  check_inertia(keys, inertia);
  return inertia;
}

// It turns an 'inertia' in space and nothing else.
void check_inertia_rotation(const Keys& keys) {
  if (!keys.has("inertia_rotation")) return;
  if (keys.plane())
    keys.fail_at("inertia_rotation",
                 fmt::format("'inertia_rotation' is for space; in the plane the inertia of {} is a number",
                             keys.what()));
  if (!keys.has("inertia")) {
    keys.fail_at(
        "inertia_rotation",
        fmt::format("'inertia_rotation' turns an 'inertia', and {} has none: the axes of a shape are "
                    "those of the body",
                    keys.what()));
  }
}

void read_inertia(const Keys& keys, Graph& graph, BodyData& body) {
  check_inertia_rotation(keys);
  const std::optional<ShapeInertia> shape = read_shape(keys, graph);
  body.mass = shape ? shape->mass : keys.plane() ? keys.positive("mass") : keys.not_negative("mass");
  if (keys.has("inertia") && !keys.plane()) {
    body.inertia = read_spatial_inertia(keys, graph);
  } else if (keys.has("inertia")) {
    body.inertia = {{keys.number("inertia")}};
    if (keys.constants().value(body.inertia[0][0]) < 0)
      keys.fail_at("inertia", fmt::format("the inertia of {} is negative", keys.what()));
  } else if (shape) {
    if (keys.plane()) {
      body.inertia = {{shape->moments.z}};
    } else {
      body.inertia = diagonal(shape->moments, graph);
    }
  } else {
    keys.fail(fmt::format("{} needs 'inertia' (about the centre of mass; 0 for a point mass), or a 'shape'",
                          keys.what()));
  }
}

void read_start(const Keys& keys, Graph& graph, BodyData& body) {
  const Vector zero = make_vector(graph, {0, 0, 0});
  body.center = keys.find_vector("center").value_or(zero);
  body.position = keys.find_vector("position").value_or(zero);
  body.velocity = keys.find_vector("velocity");
  if (keys.plane()) {
    if (keys.has("rotation"))
      keys.fail_at("rotation",
                   fmt::format("'rotation' is for space; in the plane {} has an 'angle'", keys.what()));
    body.angle = keys.find_number("angle").value_or(graph.number(0));
    if (const auto turn = keys.find_number("angular_velocity"))
      body.angular_velocity = Vector{graph.number(0), graph.number(0), *turn};
    return;
  }
  if (keys.has("angle")) {
    keys.fail_at(
        "angle",
        fmt::format("'angle' is for the plane; in space {} has a 'rotation', for instance rotation = "
                    "{{ axis = [0, 0, 1], angle = \"pi/2\" }}",
                    keys.what()));
  }
  body.quaternion = keys.has("rotation")
                        ? read_rotation(keys, "rotation", graph)
                        : Quaternion{graph.number(1), graph.number(0), graph.number(0), graph.number(0)};
  body.angular_velocity = keys.find_vector("angular_velocity");
}

}  // namespace

Matrix to_matrix(const Quaternion& p) {
  const auto& [a, b, c, d] = p;
  return {{a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)},
          {2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b)},
          {2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d}};
}

BodyData read_body(const Keys& keys, Graph& graph) {
  keys.allow_only(body_keys);
  BodyData body;
  read_inertia(keys, graph, body);
  read_start(keys, graph, body);
  return body;
}

Quaternion read_rotation(const Keys& keys, std::string_view key, Graph& graph) {
  const Value& value = keys.get(key);
  const std::string forms = fmt::format(
      "'{}' must be {{ quaternion = [e0, e1, e2, e3] }}, {{ axis = [x, y, z], "
      "angle = ... }} or {{ rpy = [roll, pitch, yaw] }}",
      key);
  if (value.type != Value::Type::table) keys.fail(value, forms);
  const auto part = [&value](std::string_view name) -> const Value* {
    for (const Entry& entry : value.table) {
      if (entry.key.text == name) return &entry.value;
    }
    return nullptr;
  };
  const Expr half = graph.number(Rational(1, 2));
  if (const Value* q = part("quaternion"); q != nullptr && value.table.size() == 1) {
    if (q->type != Value::Type::array || q->array.size() != 4)
      keys.fail(*q, "'quaternion' must be an array of 4 numbers, scalar first");
    const auto at = [&](std::size_t i) { return keys.number(q->array[i], "quaternion"); };
    const Quaternion p{at(0), at(1), at(2), at(3)};
    const double square = keys.constants().value(p.e0 * p.e0 + p.e1 * p.e1 + p.e2 * p.e2 + p.e3 * p.e3);
    if (std::abs(square - 1) > round_off)
      keys.fail(*q, fmt::format("the quaternion of {} must have the length 1, not {}", keys.what(),
                                shortest(std::sqrt(square))));
    return p;
  }
  if (const Value* axis = part("axis");
      axis != nullptr && part("angle") != nullptr && value.table.size() == 2) {
    const Vector u = keys.unit(keys.vector(*axis, "axis"), *axis, "axis");
    const Expr angle = half * keys.number(*part("angle"), "angle");
    return {cos(angle), sin(angle) * u.x, sin(angle) * u.y, sin(angle) * u.z};
  }
  if (const Value* rpy = part("rpy"); rpy != nullptr && value.table.size() == 1) {
    const Vector angles = half * keys.vector(*rpy, "rpy");  // about the fixed x, then y, then z axis
    const Expr cr = cos(angles.x), sr = sin(angles.x), cp = cos(angles.y), sp = sin(angles.y);
    const Expr cy = cos(angles.z), sy = sin(angles.z);
    return {cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy};
  }
  keys.fail(value, forms);
}

}  // namespace dalembert
