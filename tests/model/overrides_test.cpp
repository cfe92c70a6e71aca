#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/print.hpp>
#include <dalembert/model/read.hpp>

namespace dalembert {
namespace {

constexpr const char* text = R"toml(
[parameters]
length = 1
half = "length/2"
[coordinates]
x = { position = "half" }
[energy]
kinetic = "x'^2/2"
)toml";

Model changed(const std::vector<Override>& overrides) { return read_model_text(text, "model", overrides); }

std::string message_of(const Override& change) {
  try {
    changed({change});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Overrides, ReplaceParametersWithNumbersOrExpressionsOfEarlierOnes) {
  const Model model = changed({{"length", "0.3"}, {"half", "length*sin(1)"}});
  EXPECT_EQ(model->parameters[0].value.number(), Rational(3, 10));
  EXPECT_EQ(to_text(model->parameters[1].value), "length*sin(1)");
}

TEST(Overrides, ReplaceStartPositionsAndVelocities) {
  const Model model = changed({{"x", "2*length"}, {"x'", "-1"}});
  EXPECT_EQ(to_text(model->coordinates[0].position), "2*length");
  EXPECT_EQ(to_text(model->coordinates[0].velocity), "-1");
  EXPECT_FALSE(model->coordinates[0].guess_velocity);
}

TEST(Overrides, TheLastOfSeveralWins) {
  EXPECT_EQ(to_text(changed({{"length", "2"}, {"length", "3"}})->parameters[0].value), "3");
}

TEST(Overrides, UnknownNamesAreErrorsWithTheNearestOne) {
  EXPECT_EQ(message_of({"lenght", "2"}),
            "error: --set lenght: the model has no parameter or coordinate 'lenght'; did you mean 'length'?");
  EXPECT_EQ(message_of({"x''", "2"}),
            "error: --set x'': the model has no parameter or coordinate x''; did you mean 'x''?");
}

TEST(Overrides, MistakesInTheValueAreShown) {
  EXPECT_EQ(message_of({"length", "2*"}),
            "--set length:1:3: error: expected a number, a name or '(', found the end of the expression\n  "
            "2*\n    ^");
  EXPECT_EQ(message_of({"length", "half"}),
            "--set length:1:1: error: 'half' is defined later; a parameter may use those above it only\n  "
            "half\n  ^");
  EXPECT_EQ(message_of({"length", "1/0"}), "--set length:1:3: error: division by zero\n  1/0\n    ^");
  EXPECT_EQ(message_of({"length", "nan"}), "--set length:1:1: error: nan is not a finite number\n  nan\n  ^");
  EXPECT_EQ(message_of({"length", ""}),
            "--set length:1:1: error: expected a number, a name or '(', found the end of the expression");
}

TEST(Overrides, AreWrittenAsNameAndValue) {
  const Override change = parse_override("x' = 2*length");
  EXPECT_EQ(change.name, "x'");
  EXPECT_EQ(change.value, "2*length");
  for (const char* text : {"length", "=2", "length=", " = ", ""})
    EXPECT_THROW(parse_override(text), Error) << text;
}

}  // namespace
}  // namespace dalembert
