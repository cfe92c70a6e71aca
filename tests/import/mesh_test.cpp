// What robots look like: meshes beside their files, and simple shapes.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/base/base64.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/import/urdf.hpp>

#include "temporary_folder.hpp"

namespace dalembert {
namespace {

const std::string inertia =
    R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";

std::string robot_with(const std::string& geometry) {
  return R"(<robot name="r"><link name="world"/><link name="arm">)" + inertia + "<visual><geometry>" +
         geometry +
         R"(</geometry></visual></link><joint name="pin" type="continuous"><parent link="world"/><child link="arm"/></joint></robot>)";
}

struct Counts {
  std::uint32_t vertices = 0, triangles = 0;
};

// Of the mesh of the body 'arm'; none where there is none.
Counts counts_of(const ImportedRobot& imported) {
  const std::string mark = "arm = { at = \"arm\", data = \"";
  const std::size_t begin = imported.model.find(mark);
  if (begin == std::string::npos) return {};
  const std::string bytes = from_base64(imported.model.substr(
      begin + mark.size(), imported.model.find('"', begin + mark.size()) - begin - mark.size()));
  Counts counts;
  std::memcpy(&counts.vertices, bytes.data() + 16, 4);
  std::memcpy(&counts.triangles, bytes.data() + 20, 4);
  EXPECT_EQ(bytes.size(), 24 + 6 * (counts.vertices + counts.triangles));
  return counts;
}

std::string notes_of(const ImportedRobot& imported) { return join(imported.notes, "\n"); }

TEST(UrdfMeshes, SimpleShapesBecomeTriangles) {
  const Counts box = counts_of(import_urdf(robot_with(R"(<box size="1 2 3"/>)")));
  EXPECT_EQ(box.vertices, 8U);
  EXPECT_EQ(box.triangles, 12U);
  EXPECT_GT(counts_of(import_urdf(robot_with(R"(<cylinder radius="1" length="2"/>)"))).triangles, 60U);
  EXPECT_GT(counts_of(import_urdf(robot_with(R"(<sphere radius="1"/>)"))).triangles, 200U);
}

TEST(UrdfMeshes, FilesAreReadBesideTheRobot) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "meshes");
  std::ofstream(folder.path() / "meshes" / "square.obj")
      << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 3/3 -1/4\n";
  std::ofstream(folder.path() / "one.stl") << "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex "
                                              "1 0 0\nvertex 0 1e0 0\nendloop\nendfacet\n";
  UrdfOptions options;
  options.folder = folder.path().string();
  EXPECT_EQ(counts_of(import_urdf(robot_with(R"(<mesh filename="package://r/meshes/square.obj"/>)"), options))
                .triangles,
            2U);
  EXPECT_EQ(
      counts_of(import_urdf(robot_with(R"(<mesh filename="one.stl" scale="2 2 2"/>)"), options)).vertices,
      3U);
  const ImportedRobot missing = import_urdf(robot_with(R"(<mesh filename="package://r/arm.dae"/>)"), options);
  EXPECT_NE(notes_of(missing).find("not drawn: package://r/arm.dae (it is neither STL nor OBJ)"),
            std::string::npos);
}

TEST(UrdfMeshes, AreFoundFourFoldersAboveAndBehindThreeSlashes) {
  const test::TemporaryFolder folder;
  const std::filesystem::path data = folder.path() / "data";
  std::filesystem::create_directories(data / "robots" / "talos" / "urdf");
  std::ofstream(data / "square.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
  UrdfOptions options;
  options.folder = (data / "robots" / "talos" / "urdf").string();
  for (const char* name : {"package:///data/square.obj", "package://data/square.obj"}) {
    const std::string visual = std::string("<mesh filename=\"") + name + "\"/>";
    EXPECT_EQ(counts_of(import_urdf(robot_with(visual), options)).triangles, 2U) << name;
  }
}

TEST(UrdfMeshes, ThatAreLargeAreSimplifiedAndItIsSaid) {
  const test::TemporaryFolder folder;
  std::ofstream file(folder.path() / "hill.obj");
  constexpr int edge = 100;
  for (int i = 0; i < edge; ++i) {
    for (int k = 0; k < edge; ++k) file << "v " << i << ' ' << k << ' ' << (i * k) % 7 * 0.1 << '\n';
  }
  for (int i = 0; i + 1 < edge; ++i) {
    for (int k = 1; k < edge; ++k)
      file << "f " << i * edge + k << ' ' << i * edge + k + 1 << ' ' << (i + 1) * edge + k + 1 << ' '
           << (i + 1) * edge + k << '\n';
  }
  file.close();
  UrdfOptions options;
  options.folder = folder.path().string();
  const ImportedRobot imported = import_urdf(robot_with(R"(<mesh filename="hill.obj"/>)"), options);
  const Counts counts = counts_of(imported);
  EXPECT_LE(counts.triangles, 1500U);
  EXPECT_GT(counts.triangles, 500U);
  EXPECT_NE(notes_of(imported).find("triangles of 19602: at most 1500 for a body"), std::string::npos)
      << notes_of(imported);
}

}  // namespace
}  // namespace dalembert
