// Mass and inertia of simple shapes of uniform density; each is centred at the centre of mass.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "assembly.hpp"

namespace dalembert {
namespace {

struct Solid {
  Expr volume;     // in the plane without depth the area, of a thin rod its length
  Vector moments;  // divided by the mass
};

// (b² + c²)/12, (a² + c²)/12, (a² + b²)/12
Solid box(const Keys& keys, Graph& graph) {
  const Value& size = keys.get("size");
  const bool flat = keys.plane() && size.type == Value::Type::array && size.array.size() == 2;
  const auto edges = keys.numbers("size", flat ? 2 : 3);
  for (const Expr& edge : edges) {
    if (!(keys.constants().value(edge) > 0))
      keys.fail(size, fmt::format("the edges of {} must be positive", keys.what()));
  }
  const Expr a = edges[0], b = edges[1], c = flat ? graph.number(0) : edges[2];
  return {flat ? a * b : a * b * c,
          graph.number(Rational(1, 12)) * Vector{b * b + c * c, a * a + c * c, a * a + b * b}};
}

Vector along(std::size_t axis, Expr axial, Expr across) {
  return {axis == 0 ? axial : across, axis == 1 ? axial : across, axis == 2 ? axial : across};
}

std::size_t axis_of(const Keys& keys, std::size_t by_default) {
  if (!keys.has("along")) return by_default;
  const std::string word = keys.text("along").text;
  constexpr std::string_view axes = "xyz";
  if (word.size() != 1 || axes.find(word[0]) == std::string_view::npos)
    keys.fail_at("along", "'along' must be \"x\", \"y\" or \"z\"");
  return axes.find(word[0]);
}

// r²/2 about the axis, r²/4 + l²/12 across it; in the plane a disk seen along its axis
Solid cylinder(const Keys& keys, Graph& graph) {
  const Expr r = keys.positive("radius");
  const Expr section = graph.pi() * r * r;
  if (keys.plane() && !keys.has("length")) {
    if (keys.has("along"))
      keys.fail_at("along", "a cylinder in the plane without 'length' is a disk, seen along its axis");
    const Expr zero = graph.number(0);
    return {section, {zero, zero, r * r / 2}};
  }
  const Expr l = keys.positive("length");
  return {section * l, along(axis_of(keys, 2), r * r / 2, r * r / 4 + l * l / 12)};
}

Solid sphere(const Keys& keys, Graph& graph) {
  const Expr r = keys.positive("radius");
  const Expr moment = graph.number(Rational(2, 5)) * r * r;
  return {graph.number(Rational(4, 3)) * graph.pi() * r * r * r, {moment, moment, moment}};
}

// Thin, along x: l²/12 across it; with a radius a cylinder along x.
Solid rod(const Keys& keys, Graph& graph) {
  const Expr l = keys.positive("length");
  const std::size_t axis = axis_of(keys, 0);
  if (!keys.has("radius")) return {l, along(axis, graph.number(0), l * l / 12)};
  const Expr r = keys.positive("radius");
  return {graph.pi() * r * r * l, along(axis, r * r / 2, r * r / 4 + l * l / 12)};
}

struct Shape {
  std::string_view name;
  Solid (*solid)(const Keys&, Graph&);
  std::string_view keys;
};
constexpr std::array shapes{Shape{"box", box, "size"}, Shape{"cylinder", cylinder, "radius length along"},
                            Shape{"sphere", sphere, "radius"}, Shape{"rod", rod, "length radius along"}};
constexpr std::array<std::string_view, 4> shape_keys{"size", "radius", "length", "along"};

void refuse_other_keys(const Keys& keys, const Shape& shape) {
  for (const std::string_view key : shape_keys) {
    if (!keys.has(key) || shape.keys.find(key) != std::string_view::npos) continue;
    std::vector<std::string> known;
    for (const std::string_view word : split_words(shape.keys)) known.push_back(fmt::format("'{}'", word));
    keys.fail_at(key, fmt::format("a {} has no '{}'; its keys are {}", shape.name, key, join(known, ", ")));
  }
}

}  // namespace

std::optional<ShapeInertia> read_shape(const Keys& keys, Graph& graph) {
  if (!keys.has("shape")) {
    if (keys.has("density"))
      keys.fail_at("density", fmt::format("a density needs the 'shape' of {}", keys.what()));
    for (const std::string_view key : shape_keys) {
      if (keys.has(key))
        keys.fail_at(key, fmt::format("'{}' is of a shape, and {} has no 'shape'", key, keys.what()));
    }
    return std::nullopt;
  }
  const std::string name = keys.text("shape").text;
  for (const Shape& shape : shapes) {
    if (shape.name != name) continue;
    refuse_other_keys(keys, shape);
    const Solid solid = shape.solid(keys, graph);
    if (keys.has("mass") && keys.has("density"))
      keys.fail_at("density", fmt::format("{} has both 'mass' and 'density'; give one", keys.what()));
    const Expr mass = keys.has("density") ? keys.positive("density") * solid.volume : keys.positive("mass");
    return ShapeInertia{mass, mass * solid.moments};
  }
  std::vector<std::string> known;
  for (const Shape& shape : shapes) known.emplace_back(shape.name);
  keys.fail_at("shape", fmt::format("unknown shape {} of {}{}", in_quotes(name), keys.what(),
                                    suggestion(name, known)));
}

std::optional<Expr> radius_of_shape(const Keys& keys) {
  if (!keys.has("shape")) return std::nullopt;
  const std::string shape = keys.text("shape").text;
  const bool is_disk = keys.plane() && shape == "cylinder" && !keys.has("length");
  if (shape != "sphere" && !is_disk) return std::nullopt;
  return keys.positive("radius");
}

std::vector<Vector> corners_of_shape(const Keys& keys, Graph& graph) {
  if (!keys.has("shape")) return {};
  const std::string shape = keys.text("shape").text;
  const Expr zero = graph.number(0);
  std::vector<Vector> corners;
  if (shape == "box") {  // around the face below, then that above
    const std::vector<Expr> edges = keys.numbers("size", keys.get("size").array.size());
    const Expr x = edges[0] / 2, y = edges[1] / 2, z = keys.plane() ? zero : edges[2] / 2;
    for (const Expr& height : {-z, z}) {
      corners.insert(corners.end(), {{-x, -y, height}, {x, -y, height}, {x, y, height}, {-x, y, height}});
      if (keys.plane()) break;
    }
  } else if (shape == "rod" && !keys.has("radius")) {
    const Expr half = keys.positive("length") / 2;
    for (const Expr& end : {-half, half}) corners.push_back(along(axis_of(keys, 0), end, zero));
  }
  return corners;
}

}  // namespace dalembert
