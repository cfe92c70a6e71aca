// What the animation draws: solids of bodies and of [view.solids], with the numbers of the parameters.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/builder.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/output/scene.hpp>

namespace dalembert {
namespace {

using Words = std::vector<std::string>;

ModelBuilder falling_bar() {
  return ModelBuilder("A falling bar on a pin")
      .parameter("l", 3)
      .body("bar", {{"shape", "rod"}, {"length", "2*l"}, {"mass", 2}, {"position", {"l", 0}}})
      .joint("pin", {{"type", "revolute"}, {"bodies", {"ground", "bar"}}, {"point", {0, 0}}})
      .force_element("weight", {{"type", "gravity"}});
}

void expect_the_bar(const Model& model) {
  const Scene scene = make_scene(*model);
  ASSERT_EQ(scene.bodies.size(), 1U);
  const SceneBody& bar = scene.bodies[0];
  EXPECT_EQ(bar.name, "bar");
  EXPECT_EQ(bar.position, (Words{"bar.x", "bar.y"}));
  EXPECT_EQ(bar.rotation, Words{"bar.angle"});
  ASSERT_EQ(bar.shapes.size(), 1U);
  EXPECT_EQ(bar.shapes[0].kind, "rod");
  EXPECT_EQ(bar.shapes[0].length, 6);
  EXPECT_EQ(bar.shapes[0].radius, 0);
  EXPECT_EQ(bar.shapes[0].axis, 'x');
  EXPECT_TRUE(scene.links.empty());
}

TEST(Scene, ABodyWithAShapeIsASolidAtItsCoordinates) { expect_the_bar(falling_bar().build()); }

TEST(Scene, SolidsSurviveAsAModelFileWithoutBodies) {
  const std::string text = falling_bar().text();
  EXPECT_NE(text.find("[view.solids]"), std::string::npos) << text;
  expect_the_bar(read_model_text(text, "bar.toml"));
}

constexpr const char* disk = R"toml(
[parameters]
r = 0.5
[coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
)toml";

TEST(Scene, PlacesThatAreNoCoordinatesAreColumnsOfTheView) {
  const Model model = read_model_text(std::string(disk) +
                                          "[view.solids]\ndisk = { shape = 'cylinder', size = ['2*r'], "
                                          "position = ['x', 'r'], rotation = ['-x/r'] }\n",
                                      "disk.toml");
  const SceneBody body = make_scene(*model).bodies.at(0);
  EXPECT_EQ(body.position, (Words{"x", "view(disk).y"}));
  EXPECT_EQ(body.rotation, Words{"view(disk).angle"});
  EXPECT_EQ(body.shapes[0].kind, "circle");
  EXPECT_EQ(body.shapes[0].radius, 1);
  Words names;
  for (const Column& column : view_columns(*model)) names.push_back(column.name);
  EXPECT_EQ(names, (Words{"view(disk).y", "view(disk).angle"}));
}

std::string complaint(const std::string& solid) {
  try {
    read_model_text(std::string(disk) + "[view.solids]\nbody = " + solid + "\n", "disk.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Scene, ASolidThatCannotBeDrawnIsAnErrorAtItsPlace) {
  const auto says = [](const std::string& solid, const std::string& message) {
    const std::string text = complaint(solid);
    EXPECT_NE(text.find(message), std::string::npos) << text;
    EXPECT_NE(text.find("disk.toml:9"), std::string::npos) << text;
  };
  says("{ shape = 'ball', size = [1], position = [0, 0] }",
       "needs a shape: box, cylinder, sphere, rod, plate or frame");
  says("{ shape = 'box', size = [1, 2, 3], position = [0, 0] }", "is a box, whose size is its edges");
  says("{ shape = 'sphere', size = [1], position = [0] }", "has 1 coordinates instead of two or three");
  says("{ shape = 'sphere', size = [1], position = [0, 0, 0], rotation = ['x'] }",
       "quaternion of four numbers");
  says("{ shape = 'rod', size = [1], position = [0, 0], along = 'w' }", "must be along x, y or z");
  says("{ shape = 'rod', size = ['x'], position = [0, 0] }", "'x'");
  says("{ shape = 'rod', sise = [1], position = [0, 0] }", "unknown key 'sise'");
}

}  // namespace
}  // namespace dalembert
