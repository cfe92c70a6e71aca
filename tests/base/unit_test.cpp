#include <numbers>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/unit.hpp>

namespace dalembert {
namespace {

TEST(Unit, ProductsPowersAndPrefixesAreRead) {
  EXPECT_TRUE(parse_unit("N m").equals(parse_unit("J")));
  EXPECT_TRUE(parse_unit("kg*m^2/s^2").equals(parse_unit("J")));
  EXPECT_TRUE(parse_unit("kg m²/s²").equals(parse_unit("N·m")));
  EXPECT_DOUBLE_EQ(parse_unit("kN/mm").factor, 1e6);
  EXPECT_TRUE(parse_unit("m s⁻¹").equals(parse_unit("m/s")));
  EXPECT_FALSE(parse_unit("mm").equals(parse_unit("m")));
  EXPECT_TRUE(parse_unit("mm").has_dimension_of(parse_unit("m")));
  EXPECT_TRUE(parse_unit("rad").is_pure());
  EXPECT_DOUBLE_EQ(parse_unit("mg").factor, 1e-6);
  EXPECT_DOUBLE_EQ(parse_unit("min").factor, 60);  // no milli-inch
}

TEST(Unit, TextsReadBack) {
  for (const char* text :
       {"1", "m", "mm", "kg", "N", "J", "N/m", "m/s²", "rad/s", "kg m²", "kg m/s", "1/s³", "W"}) {
    const Unit unit = parse_unit(text);
    EXPECT_TRUE(parse_unit(unit_text(unit)).equals(unit)) << text << " as " << unit_text(unit);
  }
  EXPECT_EQ(unit_text(parse_unit("kg m²/s²")), "J");
  EXPECT_EQ(unit_text(parse_unit("kg m²")), "kg m²");
  EXPECT_EQ(unit_text(parse_unit("kg/(m s)")), "kg/(m s)");
}

TEST(Unit, AnglesAreShownInDegreesAndComputedInRadians) {
  const UnitLabel angle = parse_unit_label("deg");
  EXPECT_EQ(angle.text, "rad");
  EXPECT_EQ(angle.shown, "deg");
  EXPECT_DOUBLE_EQ(angle.scale, 180 / std::numbers::pi);
  const UnitLabel speed = parse_unit_label("rpm");
  EXPECT_EQ(speed.text, "rad/s");
  EXPECT_DOUBLE_EQ(speed.scale * 2 * std::numbers::pi, 60);
  const UnitLabel length = parse_unit_label("m -> mm");
  EXPECT_EQ(length.text, "m");
  EXPECT_EQ(length.shown, "mm");
  EXPECT_DOUBLE_EQ(length.scale, 1000);
  EXPECT_EQ(parse_unit_label("mm").scale, 1) << "a model in millimetres stays one";
}

TEST(Unit, WhatIsNoUnitIsAMistake) {
  for (const char* text : {"", "metre", "m//s", "m^", "(m", "m)", "kdeg", "m^99", "N m -> mm"})
    EXPECT_THROW(parse_unit_label(text), Error) << text;
}

}  // namespace
}  // namespace dalembert
