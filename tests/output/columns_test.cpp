#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/builder.hpp>
#include <dalembert/output/columns.hpp>

namespace dalembert {
namespace {

Model pendulum() {
  return ModelBuilder("Pendulum")
      .coordinate("x", {.position = 1})
      .coordinate("y", {.position = 0})
      .kinetic("(x'^2 + y'^2)/2")
      .potential("9.81*y")
      .holonomic("rod", "x^2 + y^2 = 1")
      .output("energy", "2*x")
      .output("tension", "2*lambda(rod)")
      .build();
}

std::vector<std::string> names(const std::vector<Column>& columns) {
  std::vector<std::string> list;
  for (const Column& column : columns) list.push_back(column.name);
  return list;
}

std::vector<std::string> chosen(const std::vector<std::string>& patterns) {
  return names(choose_columns(*pendulum(), patterns));
}

using Names = std::vector<std::string>;

TEST(Columns, StandInOneOrderAndNoNameStandsTwice) {
  EXPECT_EQ(
      names(all_columns(*pendulum())),
      (Names{"t", "x", "y", "x'", "y'", "x''", "y''", "lambda(rod)", "force(x)", "force(y)", "output(energy)",
             "tension", "kinetic", "potential", "energy", "work", "g(rod)", "gv(rod)"}));
}

TEST(Columns, AreChosenByNameGroupAndPatternInTheirOwnOrder) {
  EXPECT_EQ(chosen({"tension", "y"}), (Names{"t", "y", "tension"}));
  EXPECT_EQ(chosen({"lambda", "v"}), (Names{"t", "x'", "y'", "lambda(rod)"}));
  EXPECT_EQ(chosen({"x*"}), (Names{"t", "x", "x'", "x''"}));
  EXPECT_EQ(chosen({"?(rod)"}), (Names{"t", "g(rod)"}));
  EXPECT_EQ(chosen({"residuals"}), (Names{"t", "g(rod)", "gv(rod)"}));
  EXPECT_EQ(chosen({"energy"}), (Names{"t", "energy"}));
  EXPECT_EQ(chosen({}).size(), all_columns(*pendulum()).size());
}

TEST(Columns, APatternThatFitsNothingIsAnErrorWithTheNearestName) {
  try {
    chosen({"tensoin"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "there is no column 'tensoin'; did you mean 'tension'?");
  }
}

}  // namespace
}  // namespace dalembert
