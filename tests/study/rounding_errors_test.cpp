// Functions that are rounding errors all along, because their terms cancel.
#include <cmath>
#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/session/loaded_model.hpp>
#include <dalembert/study/study.hpp>

namespace dalembert::study {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// With l1 = −l2 crank and coupler of the slider-crank turn together and the slider stays where it is.
TEST(StudyOfRoundingErrors, LooksForNoStructureInThem) {
  const double begin = processor_seconds();
  const Study study({session::find_source("slider_crank"),
                     {.vary = {"l1=-1,-1"}},
                     {"max(slider), min(slider), integral(slider), max(l1*cos(theta1) + l2*cos(theta2))"},
                     {give("duration", 1.0)}});
  const RowBlock block = study.run(0, [] { return true; }).value();
  for (std::size_t i = 1; i < 5; ++i) EXPECT_LT(std::abs(block.values[i]), 1e-13);
  // 0.05 s; halving after halving it was 5 s
  EXPECT_LT(processor_seconds() - begin, 2);
}

// How far a motion is off its constraint.
TEST(StudyOfRoundingErrors, TakesDriftForOne) {
  const double begin = processor_seconds();
  const Study study({session::find_source("pendulum_cartesian"),
                     {.vary = {"l=0.7,1.1"}},
                     {"max(x^2+y^2-l^2), min(x^2+y^2-l^2), integral(x^2+y^2-l^2)"},
                     {give("duration", 3.0)}});
  const RowBlock block = study.run(0, [] { return true; }).value();
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LT(std::abs(block.values[i]), 1e-14);
  EXPECT_GT(block.values[1], block.values[2]);
  EXPECT_LT(processor_seconds() - begin, 2);  // 0.01 s; it was 15 s
}

// What is small, but no rounding error, keeps its digits beside what is large, however wild it is.
TEST(StudyOfRoundingErrors, KeepsSmallFunctionsBesideLargeCoordinates) {
  const std::string text = R"toml(
[parameters]
w = 40
[coordinates]
x = { position = 0, velocity = 1 }
y = 1000
[energy]
kinetic = "x'^2/2 + y'^2/2"
[solve]
duration = 3
)toml";
  const Study study({{text, "model", {}, {}},
                     {.vary = {"w=40,400"}},
                     {"max(1e-13*sin(w*x)), integral(1e-13*abs(sin(w*x)))"}});
  const RowBlock block = study.run(0, [] { return true; }).value();
  for (std::size_t i = 0; i < 2; ++i) {
    const double* row = block.values.data() + i * study.columns().size();
    EXPECT_NEAR(row[1], 1e-13, 1e-24);
    // of each half of a period 2, then the rest
    const double w = row[0], halves = std::floor(3 * w / M_PI), rest = 3 * w - halves * M_PI;
    EXPECT_NEAR(row[2], 1e-13 / w * (2 * halves + 1 - std::cos(rest)), 1e-25);
  }
}

}  // namespace
}  // namespace dalembert::study
