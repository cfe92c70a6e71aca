#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/start_parameters.hpp>

namespace dalembert {

Model with_start_parameters(const Model& model, std::span<const std::string> names) {
  if (names.empty()) return model;
  ModelData data = *model;
  data.graph = std::make_shared<Graph>(model->graph);
  for (Coordinate& coordinate :
       data.coordinates) {  // all in one graph, as what walks through several takes them
    coordinate.position = data.graph->at(coordinate.position.id());
    coordinate.velocity = data.graph->at(coordinate.velocity.id());
  }
  for (const std::string& name : names) {
    const bool is_velocity = name.ends_with("'");
    const std::string of = name.substr(0, name.size() - (is_velocity ? 1 : 0));
    const auto coordinate = std::ranges::find(data.coordinates, of, &Coordinate::name);
    if (coordinate == data.coordinates.end()) throw Error(fmt::format("there is no coordinate '{}'", of));
    Expr& start = is_velocity ? coordinate->velocity : coordinate->position;
    const Expr symbol = data.graph->symbol("start(" + name + ")");  // no name that a model may define
    data.parameters.push_back({name, symbol, start});
    start = symbol;
    if (is_velocity) coordinate->guess_velocity = false;
  }
  data.graph->freeze();
  return Model(std::move(data));
}

}  // namespace dalembert
