// The shapes of bodies as lines: a box by its edges, a rod by its axis, round things by polygons of twelve
// corners.
#include <array>
#include <cmath>
#include <string>

#include "body.hpp"

namespace dalembert {
namespace {

constexpr std::size_t round_corners = 12;

// cos and sin of multiples of 30°, exact where it can be
Expr cosine(std::size_t k, Graph& graph) {
  return cos(graph.number(Rational(static_cast<long>(k), 6)) * graph.pi());
}
Expr sine(std::size_t k, Graph& graph) {
  return sin(graph.number(Rational(static_cast<long>(k), 6)) * graph.pi());
}

// A polygon about `center`, spanned by a and b.
void add_ring(Outline& outline, const Vector& center, const Vector& a, const Vector& b, Graph& graph) {
  const std::size_t first = outline.corners.size();
  for (std::size_t k = 0; k < round_corners; ++k) {
    outline.corners.push_back(center + cosine(k, graph) * a + sine(k, graph) * b);
    outline.lines.push_back({first + k, first + (k + 1) % round_corners});
  }
}

void add_line(Outline& outline, const Vector& from, const Vector& to) {
  outline.corners.push_back(from);
  outline.corners.push_back(to);
  outline.lines.push_back({outline.corners.size() - 2, outline.corners.size() - 1});
}

Vector axis_vector(std::size_t axis, Graph& graph) {
  return make_vector(graph, {axis % 3 == 0 ? 1 : 0, axis % 3 == 1 ? 1 : 0, axis % 3 == 2 ? 1 : 0});
}

Outline box_outline(const Keys& keys, Graph& graph) {
  const Value& size = keys.get("size");
  const std::vector<Expr> edges = keys.numbers("size", size.array.size());
  const Expr half = graph.number(Rational(1, 2));
  const std::size_t dimension = keys.plane() ? 2 : 3;
  Outline outline;
  for (std::size_t corner = 0; corner < (1U << dimension); ++corner) {
    Vector v = make_vector(graph, {0, 0, 0});
    for (std::size_t i = 0; i < dimension; ++i) {
      const bool far = ((corner >> i) & 1U) != 0;
      v = v + (far ? half : -half) * edges[i] * axis_vector(i, graph);
      if (!far) outline.lines.push_back({corner, corner | (1U << i)});
    }
    outline.corners.push_back(v);
  }
  return outline;
}

Outline cylinder_outline(const Keys& keys, Graph& graph, std::size_t axis) {
  const Expr r = keys.number("radius");
  Outline outline;
  if (keys.plane() && axis == 2) {
    const Vector center = make_vector(graph, {0, 0, 0});
    add_ring(outline, center, r * axis_vector(0, graph), r * axis_vector(1, graph), graph);
    outline.corners.push_back(center);
    outline.lines.push_back({0, round_corners});  // a spoke shows how it turns
    return outline;
  }
  const Vector along = graph.number(Rational(1, 2)) * keys.number("length") * axis_vector(axis, graph);
  const Vector a = r * axis_vector(axis + 1, graph);
  const Vector b = r * axis_vector(axis + 2, graph);
  add_ring(outline, along, a, b, graph);
  add_ring(outline, -along, a, b, graph);
  for (std::size_t k = 0; k < round_corners; k += 3) outline.lines.push_back({k, k + round_corners});
  return outline;
}

}  // namespace

Outline make_outline(const Keys& keys, Graph& graph) {
  if (!keys.has("shape")) return {};
  const std::string shape = keys.text("shape").text;
  const std::string along = keys.has("along") ? keys.text("along").text : shape == "rod" ? "x" : "z";
  const std::size_t axis = along == "x" ? 0 : along == "y" ? 1 : 2;
  if (shape == "box") return box_outline(keys, graph);
  if (shape == "cylinder") return cylinder_outline(keys, graph, axis);
  Outline outline;
  if (shape == "rod") {
    const Vector half = graph.number(Rational(1, 2)) * keys.number("length") * axis_vector(axis, graph);
    add_line(outline, -half, half);
    return outline;
  }
  const Expr r = keys.number("radius");
  for (std::size_t i = 0; i < (keys.plane() ? 1U : 3U); ++i) {
    add_ring(outline, make_vector(graph, {0, 0, 0}), r * axis_vector(i, graph), r * axis_vector(i + 1, graph),
             graph);
  }
  return outline;
}

}  // namespace dalembert
