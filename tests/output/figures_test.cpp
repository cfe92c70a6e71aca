// Figures of the animation: what joints and forces of bodies bring, and what [view] of any model may have.
#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/builder.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/output/scene.hpp>

namespace dalembert {
namespace {

using Names = std::vector<std::string>;

Names kinds_of(const Scene& scene) {
  Names list;
  for (const SceneFigure& figure : scene.figures) list.push_back(figure.kind + " " + figure.name);
  std::sort(list.begin(), list.end());
  return list;
}

const SceneFigure& figure_of(const Scene& scene, const std::string& kind) {
  const auto found = std::find_if(scene.figures.begin(), scene.figures.end(),
                                  [&](const SceneFigure& one) { return one.kind == kind; });
  if (found == scene.figures.end()) throw Error("no figure " + kind);
  return *found;
}

double number_of(const SceneNumber& value) { return std::get<double>(value); }

ModelBuilder cart_with_pendulum() {
  return ModelBuilder("A cart with a pendulum, on a spring")
      .parameter("l", 2)
      .body("cart", {{"shape", "box"}, {"size", {1, 0.5}}, {"mass", 3}})
      .body("rod", {{"mass", 1}, {"inertia", "l^2/12"}, {"position", {0, "-l/2"}}})
      .joint("rail",
             {{"type", "prismatic"}, {"bodies", {"ground", "cart"}}, {"point", {0, 0}}, {"axis", {1, 0}}})
      .joint("pin", {{"type", "revolute"}, {"bodies", {"cart", "rod"}}, {"point", {0, 0}}})
      .force_element("weight", {{"type", "gravity"}})
      .force_element("coil", {{"type", "spring"},
                              {"bodies", {"ground", "cart"}},
                              {"points", {{-2, 0}, {-0.5, 0}}},
                              {"stiffness", 10},
                              {"damping", 1},
                              {"length", 1}});
}

TEST(Figures, JointsAndForcesHaveTheirs) {
  const Scene scene = make_scene(*cart_with_pendulum().build());
  EXPECT_EQ(kinds_of(scene), (Names{"arrow pin.reaction", "arrow rail.reaction", "damper coil",
                                    "gravity weight", "guide rail", "pin pin", "spring coil"}));
  const SceneFigure& spring = figure_of(scene, "spring");
  ASSERT_EQ(spring.at.size(), 2U);
  EXPECT_EQ(spring.at[0].body, "");
  EXPECT_EQ(number_of(spring.at[0].place.at(0)), -2);
  EXPECT_EQ(spring.at[1].body, "cart");
  EXPECT_EQ(number_of(spring.at[1].place.at(0)), -0.5);
}

TEST(Figures, OfBodiesNeedNoColumnOfTheirOwn) {
  const Model model = cart_with_pendulum().build();
  EXPECT_TRUE(view_columns(*model).empty());
  for (const SceneFigure& arrow : make_scene(*model).figures) {
    if (arrow.name != "pin.reaction") continue;
    EXPECT_EQ(std::get<std::string>(arrow.values.at(0).second.at(0)), "pin.force_x");
  }
}

TEST(Figures, SurviveAsAModelFileWithoutBodies) {
  const Model direct = cart_with_pendulum().build();
  const std::string text = cart_with_pendulum().text();
  const Scene scene = make_scene(*read_model_text(text, "cart.toml"));
  Names expected = kinds_of(make_scene(*direct));
  std::replace(expected.begin(), expected.end(), std::string("gravity weight"),
               std::string("gravity gravity"));
  EXPECT_EQ(kinds_of(scene), expected) << text;
  EXPECT_EQ(figure_of(scene, "spring").at[1].body, "cart");
  EXPECT_EQ(scene.bodies.size(), 2U);
}

// A pendulum on one pin: a line to its centre and the bar of its inertia, m L²/12 (1 + 0.12²) = m l²/12.
TEST(Figures, ABodyWithoutShapeShowsItsInertia) {
  const Scene scene = make_scene(*cart_with_pendulum().build());
  const SceneBody& rod = scene.bodies.at(1);
  ASSERT_EQ(rod.shapes.size(), 2U);
  EXPECT_EQ(rod.shapes[0].kind, "plate");
  EXPECT_EQ(rod.shapes[1].kind, "inertia");
  const double length = rod.shapes[1].size.at(0);
  EXPECT_NEAR(length * length + rod.shapes[1].size.at(1) * rod.shapes[1].size.at(1), 4, 1e-12);
  EXPECT_NEAR(std::abs(std::sin(rod.shapes[1].turn.at(0))), 1, 1e-12);
}

TEST(Figures, InSpaceTheBoxHasTheBodysMomentsInItsPrincipalAxes) {
  // moments of a box 1 x 2 x 3 of mass 12, turned by 30° about z
  const double c = std::cos(M_PI / 6), s = std::sin(M_PI / 6), J1 = 13, J2 = 10, J3 = 5;
  const Scene scene = make_scene(*read_model_text(
      fmt::format("space = 'space'\n[[body]]\nname = 'stone'\nmass = 12\n"
                  "inertia = [[{}, {}, 0], [{}, {}, 0], [0, 0, {}]]\n",
                  c * c * J1 + s * s * J2, c * s * (J1 - J2), c * s * (J1 - J2), s * s * J1 + c * c * J2, J3),
      "stone.toml"));
  const SceneShape& box = scene.bodies.at(0).shapes.at(0);
  std::vector<double> edges = box.size;
  std::sort(edges.begin(), edges.end());
  ASSERT_EQ(edges.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(edges[i], static_cast<double>(i + 1), 1e-9);
  const double angle = 2 * std::atan2(box.turn.at(3), box.turn.at(0));
  EXPECT_NEAR(std::abs(std::sin(2 * angle)), std::sin(M_PI / 3), 1e-9);
}

TEST(Figures, ABodyWithoutMassIsADot) {
  const Scene scene = make_scene(*read_model_text(
      "space = 'space'\n[[body]]\nname = 'link'\nmass = 0\ninertia = [1, 1, 1]\n", "link.toml"));
  EXPECT_EQ(scene.bodies.at(0).shapes.at(0).kind, "plate");
}

constexpr const char* car_on_line = R"toml(
[parameters]
r = 0.5
[coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[view.points]
O = [0, 0]
A = ["x", 0]
[view.frames]
car = { position = ["x", "r"], rotation = ["x/r"] }
)toml";

Model with_view(const std::string& view) {
  return read_model_text(std::string(car_on_line) + "[view." + view + "\n", "p.toml");
}

TEST(Figures, OfAnyModelHoldOnToPointsFramesAndPlaces) {
  const Scene scene = make_scene(
      *with_view("springs]\ns = { at = ['O', { frame = 'car', place = ['-r', 0] }], coils = 6 }\n"
                 "[view.wheels]\nw = { at = 'car', radius = '2*r', angle = 'x^2' }\n"
                 "[view.arrows]\nv = { at = ['x', 1], vector = [\"x'\", 0], quantity = 'velocity' }"));
  const SceneFigure& spring = figure_of(scene, "spring");
  EXPECT_EQ(spring.at[0].point, "O");
  EXPECT_EQ(spring.at[1].body, "car");
  EXPECT_EQ(number_of(spring.at[1].place.at(0)), -0.5);
  const SceneFigure& wheel = figure_of(scene, "wheel");
  EXPECT_EQ(number_of(wheel.values.at(0).second.at(0)), 1);
  EXPECT_EQ(std::get<std::string>(wheel.values.at(1).second.at(0)), "view(wheel w).angle1");
  const SceneFigure& arrow = figure_of(scene, "arrow");
  EXPECT_EQ(std::get<std::string>(arrow.at[0].place.at(0)), "x");
  EXPECT_EQ(arrow.quantity, "velocity");
}

TEST(Figures, ListsOfPointsAreEnough) {
  const Scene scene = make_scene(*read_model_text(
      std::string(car_on_line) + "[view.polygons]\np = { at = ['O', 'A', [0, 1]] }\n", "p.toml"));
  EXPECT_EQ(figure_of(scene, "polygon").at.size(), 3U);
  const Scene list = make_scene(*read_model_text(
      "[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n"
      "[view]\npoints = { O = [0, 0], A = ['x', 0] }\nsprings = [['O', 'A']]\ndampers = [['O', 'A']]\n",
      "p.toml"));
  EXPECT_EQ(kinds_of(list), (Names{"damper damper1", "spring spring1"}));
}

TEST(Figures, MistakesAreSaidAtTheirPlaces) {
  const auto says = [](const std::string& view, const std::string& message, const std::string& place) {
    try {
      with_view(view);
      ADD_FAILURE() << view;
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(message), std::string::npos) << text;
      EXPECT_NE(text.find(place), std::string::npos) << text;
    }
  };
  says("springs]\ns = { at = ['O', 'B'] }", "there is no point or solid 'B'", "p.toml:14:19");
  says("springs]\ns = { at = ['O'] }", "is drawn at 2 points, not 1", "p.toml:14:12");
  says("springs]\ns = { at = ['O', 'A'], radios = 1 }",
       "unknown key 'radios' of the spring 's'; did you mean 'radius'?", "p.toml:14:24");
  says("springs]\ns = { radius = 1 }", "the spring 's' needs 'at'", "p.toml:14:1");
  says("wheels]\nw = { at = 'A' }", "the wheel 'w' needs 'radius'", "p.toml:14:1");
  says("wheels]\nw = { at = 'A', radius = 'x' }", "'x'", "p.toml:14:27");
  says("arrows]\nf = { at = 'A', vector = [1] }", "must be an array of 2 expressions", "p.toml:14:26");
  says("guides]\ng = { at = [[0, 0], { frame = 'cat', place = [0, 0] }], axis = [1, 0] }",
       "there is no solid or frame 'cat'; did you mean 'car'?", "p.toml:14:32");
  says("spring]\ns = { at = ['O', 'A'] }", "unknown key 'spring' in [view]; did you mean 'springs'?",
       "p.toml:13");
}

}  // namespace
}  // namespace dalembert
