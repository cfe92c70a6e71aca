#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/output/scene.hpp>

namespace dalembert {
namespace {

using Values = std::unordered_map<NodeId, double>;

Values parameter_values(const ModelData& model) {
  Values values;
  for (const Parameter& parameter : model.parameters)
    values.emplace(parameter.symbol.id(), evaluate<double>(parameter.value, values));
  return values;
}

SceneShape make_shape(const Solid& solid, const Values& values) {
  std::vector<double> size;
  for (const Expr& number : solid.size) size.push_back(evaluate<double>(number, values));
  SceneShape shape;
  shape.kind = solid.shape;
  shape.axis = solid.axis;
  if (solid.shape == "box") {
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
  const Values values = parameter_values(model);
  for (const Solid& solid : model.view.solids) scene.bodies.push_back(make_body(model, solid, values));
  return scene;
}

}  // namespace dalembert
