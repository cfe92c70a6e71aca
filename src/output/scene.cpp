#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/output/columns.hpp>
#include <dalembert/output/scene.hpp>

namespace dalembert {

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
  return scene;
}

}  // namespace dalembert
