#include "scene_json.hpp"

#include <string>
#include <variant>
#include <vector>

namespace dalembert {
namespace {

Json shape_json(const SceneShape& shape) {
  Json json{{"kind", shape.kind}};
  if (shape.kind == "polygon") {
    json["points"] = shape.points;
    return json;
  }
  if (!shape.center.empty()) json["center"] = shape.center;
  if (!shape.turn.empty()) json["turn"] = shape.turn;
  if (shape.kind == "frame") return json;
  if (shape.kind == "plate") json["corners"] = shape.corners;
  if (shape.kind == "box" || shape.kind == "inertia") {
    json["size"] = shape.size;
    return json;
  }
  json["radius"] = shape.radius;
  if (shape.kind == "cylinder" || shape.kind == "rod") {
    json["length"] = shape.length;
    json["axis"] = std::string(1, shape.axis);
  }
  return json;
}

Json body_json(const SceneBody& body) {
  Json json{{"name", body.name}, {"position", body.position}};
  if (body.rotation.size() == 1) json["angle"] = body.rotation.front();
  if (body.rotation.size() == 4) json["quaternion"] = body.rotation;
  json["shapes"] = Json::array();
  for (const SceneShape& shape : body.shapes) json["shapes"].push_back(shape_json(shape));
  return json;
}

Json numbers_json(const std::vector<SceneNumber>& numbers) {
  Json list = Json::array();
  for (const SceneNumber& number : numbers) std::visit([&](const auto& one) { list.push_back(one); }, number);
  return list;
}

Json figure_json(const SceneFigure& figure) {
  Json json{{"kind", figure.kind}, {"name", figure.name}, {"at", Json::array()}};
  for (const SceneAnchor& anchor : figure.at) {
    Json at;
    if (!anchor.point.empty()) at["point"] = anchor.point;
    if (!anchor.body.empty()) at["body"] = anchor.body;
    if (anchor.point.empty()) at["place"] = numbers_json(anchor.place);
    json["at"].push_back(at);
  }
  for (const auto& [key, numbers] : figure.values) json[key] = numbers_json(numbers);
  if (!figure.quantity.empty()) json["quantity"] = figure.quantity;
  return json;
}

}  // namespace

Json scene_json(const Scene& scene) {
  Json json{
      {"points", Json::array()}, {"links", scene.links}, {"traces", scene.traces}, {"bodies", Json::array()}};
  for (const ScenePoint& point : scene.points)
    json["points"].push_back({{"name", point.name}, {"position", point.position}});
  for (const SceneBody& body : scene.bodies) json["bodies"].push_back(body_json(body));
  for (const SceneFigure& figure : scene.figures) json["figures"].push_back(figure_json(figure));
  return json;
}

}  // namespace dalembert
