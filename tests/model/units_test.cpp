#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/builder.hpp>
#include <dalembert/model/read.hpp>

namespace dalembert {
namespace {

std::string pendulum(const std::string& potential) {
  return "[parameters]\n"
         "m = { value = 2, unit = \"kg\" }\n"
         "l = { value = 1, unit = \"m\" }\n"
         "g = 9.81\n"
         "[coordinates]\n"
         "x = { position = 1, unit = \"m\" }\n"
         "y = 0\n"
         "[energy]\n"
         "kinetic = \"m/2*(x'^2 + y'^2)\"\n"
         "potential = \"" +
         potential +
         "\"\n"
         "[constraints]\n"
         "holonomic = { rod = \"x^2 + y^2 - l^2\" }\n"
         "[outputs]\n"
         "tension = \"2*l*lambda(rod)\"\n"
         "angle = { value = \"atan2(x, -y)\", unit = \"deg\" }\n"
         "[units]\n"
         "y = \"m -> mm\"\n"
         "g = \"m/s^2\"\n";
}

TEST(Units, FollowToEveryColumn) {
  const Model model = read_model_text(pendulum("m*g*y"));
  EXPECT_TRUE(model->warnings.empty());
  const auto unit = [&](const char* name) { return model->units.at(name).text; };
  EXPECT_EQ(unit("t"), "s");
  EXPECT_EQ(unit("x'"), "m/s");
  EXPECT_EQ(unit("x''"), "m/s²");
  EXPECT_EQ(unit("energy"), "J");
  EXPECT_EQ(unit("force(x)"), "N");
  EXPECT_EQ(unit("lambda(rod)"), "N/m");  // E / [g] = J/m²
  EXPECT_EQ(unit("tension"), "N");
  EXPECT_EQ(unit("angle"), "rad");
  EXPECT_EQ(model->units.at("y'").shown, "mm/s");
  EXPECT_EQ(model->units.at("y'").scale, 1000);
}

TEST(Units, ThatCannotBeAddedAreWarningsWithTheirPlace) {
  for (const char* potential : {"m*g*y + m*g", "m*g*(y + sin(x/l)) ", "m*g*y*exp(x)", "m*g"}) {
    const Model model = read_model_text(pendulum(potential), "p.toml");
    ASSERT_EQ(model->warnings.size(), 1U) << potential;
    EXPECT_EQ(model->warnings[0].rfind("p.toml:10:14: units of potential energy: ", 0), 0U)
        << model->warnings[0];
  }
}

TEST(Units, OfNumbersAreNotGuessed) {
  for (const char* potential : {"m*9.81*y", "m*g*(y - 0.3)", "m*g*y/2 + m*9.81*3.27"})
    EXPECT_TRUE(read_model_text(pendulum(potential))->warnings.empty()) << potential;
}

TEST(Units, OfBodiesComeFromTheSystem) {
  const Model model =
      ModelBuilder("A bar")
          .body("bar", {{"shape", "rod"}, {"length", 1}, {"mass", 2}, {"position", {0.5, 0}}})
          .joint("pin", {{"type", "revolute"}, {"bodies", {"ground", "bar"}}, {"point", {0, 0}}})
          .unit("system", "mm, t, s")
          .unit("*.angle", "deg")
          .build();
  EXPECT_TRUE(model->warnings.empty());
  EXPECT_EQ(model->units.at("bar.x").text, "mm");
  EXPECT_EQ(model->units.at("bar.angle").shown, "deg");
  EXPECT_EQ(model->units.at("pin.force_x").text, "N") << "a tonne times a millimetre per second squared";
}

TEST(Units, OfReactionsAndFrictionFollowFromTheSystem) {
  const Model model = ModelBuilder("A block in a dry guide")
                          .body("block", {{"mass", 2}, {"inertia", 1}})
                          .joint("guide", {{"type", "prismatic"},
                                           {"bodies", {"ground", "block"}},
                                           {"point", {0, 0}},
                                           {"axis", {1, 0}},
                                           {"friction", 0.2}})
                          .unit("system", "SI")
                          .build();
  const auto unit = [&](const char* name) { return model->units.at(name).text; };
  EXPECT_EQ(unit("g(guide.across)"), "m");
  EXPECT_EQ(unit("lambda(guide.across)"), "N");
  EXPECT_EQ(unit("lambda(guide.turn)"), "N m");
  EXPECT_EQ(unit("lambda(guide.slip)"), "N");
  EXPECT_EQ(unit("guide.friction"), "N");
}

TEST(Units, OfContactsAreThoseOfForcesAlongGapAndSlip) {
  const std::string text =
      "[coordinates]\nx = { position = 0, unit = \"m\" }\ny = { position = 0, unit = \"m\" }\n"
      "[parameters]\nm = { value = 1, unit = \"kg\" }\n[energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\n"
      "[[contact]]\nname = \"floor\"\ngap = \"y\"\nfriction = 0.2\nslip = \"x'\"\n";
  const Model model = read_model_text(text);
  EXPECT_EQ(model->units.at("lambda(floor)").text, "N");
  EXPECT_EQ(model->units.at("lambda(floor.slip)").text, "N");
}

TEST(Units, OfAPatternWithoutPrimeAreNotThoseOfVelocities) {
  const std::string text =
      "[coordinates]\nx1 = 1\nx2 = 0\n[energy]\nkinetic = \"x1'^2 + x2'^2\"\n"
      "[view]\npoints = { P = [\"x1\", 0] }\n[units]\n\"x*\" = \"m -> mm\"\n";
  const Model model = read_model_text(text);
  EXPECT_EQ(model->units.at("x1").shown, "mm");
  EXPECT_EQ(model->units.at("x1'").shown, "mm/s");
  EXPECT_EQ(model->units.at("x1''").shown, "mm/s²");
  EXPECT_EQ(model->units.at("view(P).x").shown, "mm") << "as the coordinate";
}

TEST(Units, AreWrittenWithTheModel) {
  const ModelBuilder builder = ModelBuilder("Point").coordinate("x").kinetic("x'^2/2").unit("x", "mm");
  EXPECT_EQ(read_model_text(builder.text())->units.at("x'").text, "mm/s");
}

TEST(Units, DoNothingWhereNoneAreGiven) {
  EXPECT_TRUE(ModelBuilder("Point").coordinate("x").kinetic("x'^2/2").build()->units.empty());
}

TEST(Columns, MayBeDefinitionsAndExpressions) {
  const Model model = read_model_text(
      "[coordinates]\nx = 1\ny = 2\n[definitions]\nr = \"hypot(x, y)\"\n[energy]\nkinetic = \"x'^2 + "
      "y'^2\"\n",
      "model", {}, {"r", "hypot(x', y')"});
  ASSERT_EQ(model->outputs.size(), 2U);
  EXPECT_EQ(model->outputs[1].name, "hypot(x', y')");
}

}  // namespace
}  // namespace dalembert
