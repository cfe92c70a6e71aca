// What an animation draws: points, lines between them, their paths, and bodies with shapes. Places are given
// by the names of columns, so that a scene holds no numbers of a run.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <dalembert/model/model.hpp>

namespace dalembert {

struct ScenePoint {
  std::string name;
  std::vector<std::string> position;  ///< two or three columns
};

/// A shape in the coordinates of its body.
struct SceneShape {
  std::string kind;                           ///< polygon, circle, sphere, box, cylinder, rod
  double radius = 0;                          ///< circle, sphere, cylinder; rod: 0 for a thin one
  double length = 0;                          ///< cylinder, rod
  char axis = 'z';                            ///< cylinder, rod
  std::vector<double> size;                   ///< box: two or three
  std::vector<double> center;                 ///< not of a polygon; empty: the body's origin
  std::vector<std::array<double, 2>> points;  ///< polygon
};

struct SceneBody {
  std::string name;
  std::vector<std::string> position;  ///< two or three columns
  /// Plane: one column, the angle. Space: four columns, a unit quaternion (scalar first) that turns body into
  /// space coordinates. Empty: the body does not turn.
  std::vector<std::string> rotation;
  std::vector<SceneShape> shapes;
};

struct Scene {
  std::vector<ScenePoint> points;
  std::vector<std::array<std::string, 2>> links;
  std::vector<std::string> traces;
  std::vector<SceneBody> bodies;
};

/// The model's [view], with coordinates and the columns of view_columns().
Scene make_scene(const ModelData& model);

}  // namespace dalembert
