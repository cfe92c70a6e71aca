// Whole motions of the rows of a study, against closed forms and single runs.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/study/executor.hpp>
#include <dalembert/study/row_log.hpp>
#include <dalembert/study/sweep.hpp>

#include "temporary_folder.hpp"

namespace dalembert::study {
namespace {

// x = A cos(w t)
const std::string swinging_mass = R"toml(
[parameters]
A = 1
w = 1
[coordinates]
x = "A"
[energy]
kinetic = "x'^2/2"
potential = "w^2*x^2/2"
[solve]
duration = 7
output_step = 0.5
)toml";

Study oscillators(std::vector<std::string> collect, std::vector<GivenOption> options = {}) {
  return Study({{swinging_mass, "model", {}, {}},
                {.samples = {"A=normal(1,0.2)", "w=uniform(1,3)"}, .runs = 300, .seed = 5},
                std::move(collect),
                std::move(options)});
}

RowBlock block_of(const Study& study, std::uint64_t number = 0) {
  return study.run(number, [] { return true; }).value();
}

std::string whole_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string refusal(const std::string& collect, const std::vector<GivenOption>& options = {}) {
  try {
    oscillators({collect}, options);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(MotionsOfAStudy, AreTheMotionAtTheOutputTimes) {
  const Study study = oscillators({"max(x), motion, motion(x'' + t)"});
  ASSERT_EQ(study.times().size(), 15U);
  EXPECT_EQ(study.times()[3], 1.5);
  ASSERT_EQ(study.motions().size(), 3U);
  EXPECT_EQ(study.motions()[1].name, "motion(x')");
  for (std::uint64_t number = 0; number < study.blocks(); ++number) {
    const RowBlock block = block_of(study, number);
    ASSERT_EQ(block.motions.size(), block.count * 45);
    for (std::size_t row = 0; row < block.count; ++row) {
      const double A = block.values[row * study.columns().size()];
      const double w = block.values[row * study.columns().size() + 1];
      for (std::size_t k = 0; k < 15; ++k) {
        const double t = study.times()[k];
        const double* curves = block.motions.data() + row * 45 + k;
        EXPECT_NEAR(curves[0], A * std::cos(w * t), 2e-13 * A);
        EXPECT_NEAR(curves[15], -A * w * std::sin(w * t), 2e-13 * A * w);
        EXPECT_NEAR(curves[30], -A * w * w * std::cos(w * t) + t, 2e-12 * A * w * w);
      }
    }
  }
}

TEST(MotionsOfAStudy, AreOfTheRunBackwardsToo) {
  const Study study =
      oscillators({"motion(x)"}, {give("duration", -2.0), give("times", std::vector{-0.5, -2.0})});
  const RowBlock block = block_of(study);
  const double A = block.values[0], w = block.values[1];
  EXPECT_NEAR(block.motions[0], A * std::cos(0.5 * w), 1e-13 * A);
  EXPECT_NEAR(block.motions[1], A * std::cos(2 * w), 1e-13 * A);
}

// A ball falls on the floor at t = sqrt(2/g) and rises again: both sides of the impact.
TEST(MotionsOfAStudy, GoOnBehindImpacts) {
  const Study study({{R"toml(
[parameters]
g = 2
[coordinates]
y = 1
[energy]
kinetic = "y'^2/2"
potential = "g*y"
[[contact]]
name = "floor"
gap = "y"
restitution = 0.5
[solve]
duration = 2
output_step = 0.25
)toml",
                      "model",
                      {},
                      {}},
                     {.vary = {"g=2,8"}},
                     {"motion(y), motion(y')"},
                     {}});
  const RowBlock block = block_of(study);
  const std::vector<double>& times = study.times();
  for (std::size_t row = 0; row < 2; ++row) {
    const double g = row == 0 ? 2 : 8, falls = std::sqrt(2 / g), speed = g * falls;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double t = times[k], s = t - falls;
      if (s > falls) break;  // second impact
      const double y = s < 0 ? 1 - g * t * t / 2 : speed / 2 * s - g * s * s / 2;
      const double v = s <= 0 ? -g * t : speed / 2 - g * s;  // at the impact: before it
      EXPECT_NEAR(block.motions[(2 * row) * times.size() + k], y, 1e-12) << "t = " << t;
      EXPECT_NEAR(block.motions[(2 * row + 1) * times.size() + k], v, 1e-12) << "t = " << t;
    }
  }
}

// 1/x' has no value where the mass turns; a length that is none makes no run.
TEST(MotionsOfAStudy, AreNoNumbersWhereThereIsNoMotion) {
  const Study study(
      {{swinging_mass, "model", {}, {}}, {.vary = {"w=1,1e200"}}, {"motion(x), motion(1/x')"}, {}});
  const RowBlock block = block_of(study);
  const std::size_t times = study.times().size();
  EXPECT_FALSE(std::isnan(block.motions[0]));
  EXPECT_NEAR(block.motions[times + 1], -1 / std::sin(0.5), 1e-12);
  EXPECT_TRUE(std::isnan(block.motions[3 * times - 1]));  // of the second row
}

TEST(MotionsOfAStudy, AreTheSameBytesOnAnyNumberOfThreadsAndWhenResumed) {
  const test::TemporaryFolder folder;
  const Study study = oscillators({"max(x'), motion"});
  std::vector<std::string> files;
  for (const int threads : {1, 3}) {
    ThreadExecutor executor(threads);
    files.push_back(folder.path() / (std::to_string(threads) + ".h5"));
    EXPECT_TRUE(sweep(study, executor, {.files = {files.back()}}).is_complete());
  }
  EXPECT_EQ(whole_file(files[1]), whole_file(files[0]));
  const std::string file = folder.path() / "stopped.h5";
  ThreadExecutor executor(1);
  int blocks = 0;
  SweepOptions options{.files = {file}};
  options.progress = [&](const SweepProgress&) { ++blocks; };
  options.go_on = [&] { return blocks < 2; };
  EXPECT_FALSE(sweep(study, executor, options).is_complete());
  std::filesystem::resize_file(file + ".rows", std::filesystem::file_size(file + ".rows") - 100);
  const SweepReport resumed = sweep(study, executor, {.files = {file}, .resume = true});
  EXPECT_TRUE(resumed.is_complete());
  EXPECT_EQ(resumed.computed, 300 - Study::block_rows);  // the second record was cut
  EXPECT_EQ(whole_file(file), whole_file(files[0]));
}

TEST(MotionsOfAStudy, AreRefusedWhereTheyCannotBeKept) {
  const test::TemporaryFolder folder;
  ThreadExecutor executor(1);
  EXPECT_THROW(sweep(oscillators({"motion"}), executor, {.files = {folder.path() / "a.csv"}}), Error);
  EXPECT_NE(refusal("motion, motion(x)").find("'motion(x)' is asked for twice"), std::string::npos);
  EXPECT_NE(refusal("motion(y)").find("unknown name 'y'"), std::string::npos);
  EXPECT_NE(refusal("motion", {give("output_step", 1e-6)}).find("take a longer --output-step"),
            std::string::npos);
  EXPECT_NE(refusal("max(x)", {give("output_step", 0.1)}).find("--output-step says when motions are kept"),
            std::string::npos);
}

TEST(Study, VariesNothingThatHasTheNameOfItsOwnResults) {
  for (const std::string name : {"row", "reason", "reason_row", "study"}) {
    const std::string text =
        "[parameters]\n" + name + " = 1\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n";
    try {
      Study({{text, "model", {}, {}}, {.vary = {name + "=1,2"}}, {}, {}});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find("cannot be varied: results of studies"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace dalembert::study
