#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/output/scene.hpp>

namespace dalembert {
namespace {

using Values = std::unordered_map<NodeId, double>;

SceneShape make_shape(const Solid& solid, const Values& values) {
  std::vector<double> size;
  for (const Expr& number : solid.size) size.push_back(evaluate<double>(number, values));
  SceneShape shape;
  shape.kind = solid.shape;
  shape.axis = solid.axis;
  for (const Expr& number : solid.turn) shape.turn.push_back(evaluate<double>(number, values));
  for (const std::vector<Expr>& corner : solid.corners) {
    std::vector<double>& row = shape.corners.emplace_back();
    for (const Expr& number : corner) row.push_back(evaluate<double>(number, values));
  }
  if (solid.shape == "frame") return shape;
  if (solid.shape == "plate") {
    shape.radius = size.front();
  } else if (solid.shape == "box" || solid.shape == "inertia") {
    shape.size = std::move(size);
  } else if (solid.shape == "sphere" || (solid.shape == "cylinder" && size.size() == 1)) {
    shape.kind = solid.position.size() == 2 ? "circle" : "sphere";
    shape.radius = size.front();
  } else {
    shape.length = size.front();
    if (size.size() == 2) shape.radius = size.back();
  }
  return shape;
}

SceneBody make_body(const ModelData& model, const Solid& solid, const Values& values) {
  SceneBody body{solid.name, {}, {}, {make_shape(solid, values)}};
  const std::vector<NamedExpr> places = solid_places(model, solid);
  for (std::size_t i = 0; i < places.size(); ++i)
    (i < solid.position.size() ? body.position : body.rotation).push_back(places[i].name);
  return body;
}

// Solids at the same columns are shapes of one body. Returns the body's name of each solid.
std::unordered_map<std::string, std::string> add_bodies(const ModelData& model, const Values& values,
                                                        Scene& scene) {
  std::unordered_map<std::string, std::string> body_of;
  for (const Solid& solid : model.view.solids) {
    SceneBody body = make_body(model, solid, values);
    SceneBody* const last = scene.bodies.empty() ? nullptr : &scene.bodies.back();
    if (last != nullptr && last->position == body.position && last->rotation == body.rotation) {
      last->shapes.push_back(std::move(body.shapes.front()));
      body_of.emplace(solid.name, last->name);
    } else {
      body_of.emplace(solid.name, solid.name);
      scene.bodies.push_back(std::move(body));
    }
  }
  return body_of;
}

SceneFigure make_figure(const ModelData& model, const Figure& figure, const Values& values) {
  SceneFigure drawn{figure.kind, figure.name, {}, {}, figure.quantity};
  const std::vector<NamedExpr> numbers = figure_numbers(model, figure);
  std::size_t next = 0;
  const auto take = [&](std::size_t count) {
    std::vector<SceneNumber> list;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [column, expression] = numbers[next++];
      list.push_back(column.empty() ? SceneNumber(evaluate<double>(expression, values))
                                    : SceneNumber(column));
    }
    return list;
  };
  for (const FigureAnchor& anchor : figure.at)
    drawn.at.push_back({anchor.point, anchor.solid, take(anchor.place.size())});
  for (const FigureValue& value : figure.values)
    drawn.values.emplace_back(value.key, take(value.entries.size()));
  return drawn;
}

}  // namespace

Scene make_scene(const ModelData& model) {
  Scene scene;
  scene.links = model.view.links;
  scene.traces = model.view.traces;
  const std::vector<Column> columns = view_columns(model);
  std::size_t next = 0;
  for (const Point& point : model.view.points) {
    ScenePoint drawn{point.name, {}};
    for (std::size_t axis = 0; axis < point.position.size(); ++axis)
      drawn.position.push_back(columns[next++].name);
    scene.points.push_back(std::move(drawn));
  }
  const Values values = parameter_values<double>(model);
  const auto body_of = add_bodies(model, values, scene);
  for (const Figure& figure : model.view.figures) {
    SceneFigure drawn = make_figure(model, figure, values);
    for (SceneAnchor& anchor : drawn.at) {
      if (!anchor.body.empty()) anchor.body = body_of.at(anchor.body);
    }
    scene.figures.push_back(std::move(drawn));
  }
  return scene;
}

}  // namespace dalembert
