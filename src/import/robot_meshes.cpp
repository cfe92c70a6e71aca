#include "robot_meshes.hpp"

#ifdef DALEMBERT_HAS_URDF

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

#include "mesh.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

// Of a body; and of all together, which browsers that draw in software turn thirty times a second.
constexpr std::size_t most_triangles_of_body = 1500;
constexpr std::size_t most_triangles_of_robot = 15'000;

// package://NAME/meshes/arm.stl, file:///..., or a path beside the robot's file. Packages are folders of
// their name, or the folder of the robot itself, above it.
fs::path find_mesh(std::string_view name, const fs::path& folder) {
  constexpr std::string_view package = "package://";
  constexpr std::string_view file = "file://";
  constexpr int folders_above = 4;
  if (name.starts_with(file)) return fs::path(name.substr(file.size()));
  if (!name.starts_with(package)) return folder / name;
  name.remove_prefix(
      std::min(name.find_first_not_of('/', package.size()), name.size()));  // some have package:///
  const std::size_t slash = std::min(name.find('/'), name.size());
  const std::string_view inside = name.substr(std::min(slash + 1, name.size()));
  std::error_code unknown;
  fs::path above = fs::absolute(folder, unknown);
  for (int level = 0; level <= folders_above; ++level, above = above.parent_path()) {
    for (const fs::path& candidate : {above / name, above / inside}) {
      if (fs::exists(candidate, unknown)) return candidate;
    }
  }
  return folder / inside;
}

class Meshes {
 public:
  Meshes(const PlacedRobot& placed, const fs::path& folder) : placed_(placed), folder_(folder) {}

  // Adds the shapes of a link, in the frame that `from_link` leads to.
  void add(Mesh& mesh, const RobotLink& link, const Eigen::Isometry3d& from_link) {
    for (const RobotVisual& visual : link.visuals) {
      const Eigen::Affine3d at(from_link * visual.origin);
      switch (visual.kind) {
        case RobotVisual::Kind::box:
          mesh.append(box_mesh(visual.size), at);
          break;
        case RobotVisual::Kind::cylinder:
          mesh.append(cylinder_mesh(visual.size.x(), visual.size.y()), at);
          break;
        case RobotVisual::Kind::sphere:
          mesh.append(sphere_mesh(visual.size.x()), at);
          break;
        case RobotVisual::Kind::mesh:
          if (const Mesh* read = mesh_of(visual.file)) mesh.append(*read, at * Eigen::Scaling(visual.size));
          break;
      }
    }
  }

  // The mesh of a file, once; null where it cannot be read.
  const Mesh* mesh_of(const std::string& name) {
    if (folder_.empty()) return nullptr;
    const auto known = read_.find(name);
    if (known != read_.end()) return known->second.triangles.empty() ? nullptr : &known->second;
    Mesh& mesh = read_[name];
    try {
      mesh = read_mesh(find_mesh(name, folder_));
    } catch (const Error& error) {
      missing.push_back(fmt::format("{} ({})", one_line(name), error.message()));
    }
    return mesh.triangles.empty() ? nullptr : &mesh;
  }

  std::vector<std::string> missing;

 private:
  const PlacedRobot& placed_;
  fs::path folder_;
  std::map<std::string, Mesh> read_;
};

struct Shown {
  std::string name, at;
  Mesh mesh;
};

// Each body has an equal share of the triangles.
std::string figures(const std::vector<Shown>& shown, std::vector<std::string>& notes) {
  std::string text;
  std::size_t given = 0, kept = 0;
  const std::size_t most =
      std::min(most_triangles_of_body, most_triangles_of_robot / std::max<std::size_t>(shown.size(), 1));
  for (const auto& [name, at, mesh] : shown) {
    const Mesh drawn = simplified(mesh, most);
    if (drawn.triangles.empty()) continue;
    given += mesh.triangles.size();
    kept += drawn.triangles.size();
    text += fmt::format("{} = {{ at = {}, data = \"{}\" }}\n", name, at, mesh_text(drawn));
  }
  if (text.empty()) return text;
  notes.push_back(kept == given ? fmt::format("shapes are drawn by {} triangles", kept)
                                : fmt::format("shapes are drawn by {} triangles of {}: at most {} for a body",
                                              kept, given, most));
  return text;
}

}  // namespace

std::string mesh_section(const PlacedRobot& placed, const std::vector<std::string>& body_names,
                         const std::string& folder, std::vector<std::string>& notes) {
  Meshes meshes(placed, folder);
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
    const RobotBody& body = placed.bodies[i];
    // figures are placed from the centre of mass
    const Eigen::Isometry3d to_body =
        Eigen::Translation3d(-body.inertia.center) * placed.links[body.link].pose.inverse();
    Mesh mesh;
    meshes.add(mesh, placed.robot.links[body.link], to_body * placed.links[body.link].pose);
    for (const std::size_t link : body.with)
      meshes.add(mesh, placed.robot.links[link], to_body * placed.links[link].pose);
    if (!mesh.triangles.empty())
      shown.push_back({body_names[i], fmt::format("\"{}\"", body_names[i]), std::move(mesh)});
  }
  Mesh still;
  for (std::size_t link = 0; link < placed.robot.links.size(); ++link) {
    if (placed.body_of[link] == ground) meshes.add(still, placed.robot.links[link], placed.links[link].pose);
  }
  if (!still.triangles.empty()) shown.push_back({"ground", "[0, 0, 0]", std::move(still)});
  if (!meshes.missing.empty()) notes.push_back("not drawn: " + join(meshes.missing, ", "));
  const std::string text = figures(shown, notes);
  if (text.empty()) return text;
  return "\n[view.meshes]                             # what bodies look like, around their centres of "
         "mass\n" +
         text;
}

}  // namespace dalembert

#endif
