#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

TEST(Error, SaysFileLineColumnAndMessage) {
  const Error error("unknown name 'x'", {"model.toml", 3, 7}, caret_excerpt("a = \"x + 1\"", 6));
  EXPECT_STREQ(error.what(), "model.toml:3:7: error: unknown name 'x'\n  a = \"x + 1\"\n       ^");
}

TEST(Error, WithoutPlaceIsTheMessageAlone) { EXPECT_STREQ(Error("no model").what(), "error: no model"); }

TEST(CaretExcerpt, CutsLongLinesAroundThePlace) {
  const std::string line(1000000, '(');
  const std::string excerpt = caret_excerpt(line, 500000);
  EXPECT_LT(excerpt.size(), 200U);
  EXPECT_EQ(excerpt.back(), '^');
}

TEST(CaretExcerpt, CountsUtf8CharactersNotBytes) {
  EXPECT_EQ(caret_excerpt("\xCE\xB8 + x", 6), "  \xCE\xB8 + x\n      ^");
}

TEST(NearestName, FindsMisspellingsAndNothingElse) {
  const std::vector<std::string> names{"theta1", "theta2", "x_slider"};
  EXPECT_EQ(nearest_name("thtea2", names), "theta2");
  EXPECT_EQ(nearest_name("x_slidr", names), "x_slider");
  EXPECT_EQ(nearest_name("gravity", names), "");
}

TEST(Shortest, ReadsBackAsTheSameDouble) {
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, -0.0, 123456789.125}) {
    EXPECT_EQ(std::stod(shortest(value)), value);
  }
}

}  // namespace
}  // namespace dalembert
