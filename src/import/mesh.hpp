// Triangles that show a link: from STL and OBJ files, boxes, cylinders and spheres.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Geometry>

namespace dalembert {

struct Mesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  void append(const Mesh& other, const Eigen::Affine3d& placed);
};

/// By its suffix .stl (text or binary) or .obj; throws Error with the reason.
Mesh read_mesh(const std::filesystem::path& file);

Mesh box_mesh(const Eigen::Vector3d& size);
Mesh cylinder_mesh(double radius, double length);  ///< along z
Mesh sphere_mesh(double radius);

/// A mesh of at most so many triangles: vertices that are near each other become one.
Mesh simplified(const Mesh& mesh, std::size_t most);

/// Vertices in steps of a 65,535th of the mesh's size, as text: least corner and step (float), counts
/// (32 bits), vertices and triangles (16 bits), little-endian, in base64.
std::string mesh_text(const Mesh& mesh);

}  // namespace dalembert
