// What an animation draws: points, lines between them, their paths, bodies with shapes, and figures (springs,
// wheels, arrows ...) that points and bodies hold. What moves is given by the names of columns, so that a
// scene holds no numbers of a run.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <dalembert/model/model.hpp>

namespace dalembert {

struct ScenePoint {
  std::string name;
  std::vector<std::string> position;  ///< two or three columns
};

/// A shape in the coordinates of its body.
struct SceneShape {
  std::string kind;                           ///< polygon, circle, sphere, box, cylinder, rod, plate, frame
  double radius = 0;                          ///< circle, sphere, cylinder, plate; 0 of a rod or plate: thin
  double length = 0;                          ///< cylinder, rod
  char axis = 'z';                            ///< cylinder, rod
  std::vector<double> size;                   ///< box: two or three
  std::vector<double> center;                 ///< not of a polygon; empty: the body's origin
  std::vector<std::array<double, 2>> points;  ///< polygon
  std::vector<double> turn;                  ///< within the body: an angle, or a unit quaternion; empty: none
  std::vector<std::vector<double>> corners;  ///< plate: two or three coordinates each
};

struct SceneBody {
  std::string name;
  std::vector<std::string> position;  ///< two or three columns
  /// Plane: one column, the angle. Space: four columns, a unit quaternion (scalar first) that turns body into
  /// space coordinates. Empty: the body does not turn.
  std::vector<std::string> rotation;
  std::vector<SceneShape> shapes;
};

/// A number, or the column that holds it.
using SceneNumber = std::variant<double, std::string>;

/// A point by its name, a place of a body, or a place in space.
struct SceneAnchor {
  std::string point;
  std::string body;
  std::vector<SceneNumber> place;
};

struct SceneFigure {
  std::string kind;
  std::string name;
  std::vector<SceneAnchor> at;
  std::vector<std::pair<std::string, std::vector<SceneNumber>>> values;  ///< radius, axis, vector ...
  std::string quantity;                                                  ///< of an arrow
};

struct Scene {
  std::vector<ScenePoint> points;
  std::vector<std::array<std::string, 2>> links;
  std::vector<std::string> traces;
  std::vector<SceneBody> bodies;
  std::vector<SceneFigure> figures;
};

/// The model's [view], with coordinates and the columns of view_columns().
Scene make_scene(const ModelData& model);

}  // namespace dalembert
