// A rigid body: its coordinates, its place at the start and its inertia.
//
// Coordinates are those of the centre of mass: x, y and angle in the plane; x, y, z and a unit quaternion
// (e0; e1, e2, e3), scalar first, in space. The mass matrix is constant in the plane.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/draft/draft.hpp>

#include "constants.hpp"
#include "keys.hpp"
#include "vector.hpp"

namespace dalembert {

/// A unit quaternion, scalar first.
struct Quaternion {
  Expr e0, e1, e2, e3;
};

Matrix to_matrix(const Quaternion& p);

/// Rotation at the start and inertia: what a body's keys say, in expressions of parameters.
struct BodyData {
  Expr mass;
  std::vector<std::vector<Expr>> inertia;  ///< about the centre of mass: 1 x 1 in the plane, 3 x 3 in space
  Vector center;                           ///< of mass, in the body's frame
  Vector position;                         ///< of the frame's origin at the start
  Expr angle;                              ///< plane
  Quaternion quaternion;                   ///< space
  std::optional<Vector> velocity;          ///< of the frame's origin
  std::optional<Vector> angular_velocity;  ///< in space axes
};

BodyData read_body(const Keys& keys, Graph& graph);

/// {quaternion = ...}, {axis = ..., angle = ...} or {rpy = ...}
Quaternion read_rotation(const Keys& keys, std::string_view key, Graph& graph);

/// What a shape looks like, without its place.
std::optional<DraftSolid> read_solid(const Keys& keys);

/// Mass and inertia from shape, density or mass; nothing when there is no shape.
struct ShapeInertia {
  Expr mass;
  Vector moments;  ///< about the body's axes; in the plane z alone counts
};
std::optional<ShapeInertia> read_shape(const Keys& keys, Graph& graph);

/// The radius of a sphere, in the plane of a disk, too; nothing for other shapes.
std::optional<Expr> radius_of_shape(const Keys& keys);
/// Of a box; the ends of a thin rod.
std::vector<Vector> corners_of_shape(const Keys& keys, Graph& graph);

struct Body {
  std::string name;
  bool ground = false;
  Expr mass;
  std::vector<std::vector<Expr>> inertia;  ///< about the centre of mass, as in BodyData
  Vector center;
  Vector r, v;                 ///< centre of mass and its velocity
  Matrix R;                    ///< axes in space
  Vector omega;                ///< angular velocity in space
  std::vector<Expr> rotation;  ///< symbols: the angle, or the quaternion
  Vector r0;                   ///< at the start
  Matrix R0;
  Expr angle0;  ///< plane
  std::optional<DraftSolid> solid;
  std::vector<std::pair<std::string, Vector>> points;  ///< by name, from the centre of mass
  std::optional<Expr> radius;                          ///< of a shape that is round about the centre of mass
  std::vector<Vector> corners;                         ///< of a shape that has some, from the centre of mass

  /// A point given from the centre of mass in the body's axes.
  Vector point(const Vector& s) const { return r + R * s; }
};

}  // namespace dalembert
