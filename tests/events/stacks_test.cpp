// What lies on each other, or falls flat: many contacts close at one instant.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::run_text;
using testing::Simulation;

// Boxes of the edges 0.2 and 0.2, the masses 1, 2, 3 ..., with two corners each on what is below; `gap` above
// it, and the highest tilted.
std::string stack(double drop, double gap, double restitution, double friction, int count = 3,
                  double tilt = 0) {
  std::string text;
  const std::string law = fmt::format("restitution = {}\n", restitution) +
                          (friction > 0 ? fmt::format("friction = {}\n", friction) : "");
  for (int i = 0; i < count; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"box{}\"\nshape = \"box\"\nsize = [0.2, 0.2]\nmass = {}\nposition = [0, "
        "{:.17g}]\nangle = {}\n",
        i + 1, i + 1, 0.1 + 0.2 * i + drop + gap * i, i + 1 == count ? tilt : 0.0);
    for (const double x : {-0.1, 0.1}) {
      text += fmt::format(
          "[[contact]]\nname = \"{}{}\"\nbetween = [\"{}\", \"box{}\"]\nnormal = [0, 1]\npoints = [[0, {}], "
          "[{}, "
          "-0.1]]\n{}",
          x < 0 ? "left" : "right", i + 1, i == 0 ? "ground" : fmt::format("box{}", i), i + 1,
          i == 0 ? 0 : 0.1, x, law);
    }
  }
  return text + "[[force]]\ntype = \"gravity\"\n[solve]\nduration = 3\n";
}

// The same without turns and slips, in three coordinates.
std::string column(double drop, double gap, double restitution) {
  std::string text = "[coordinates]\n";
  for (int i = 0; i < 3; ++i) text += fmt::format("y{} = {:.17g}\n", i + 1, drop + i * gap);
  text += R"m([energy]
kinetic = "(y1'^2 + 2*y2'^2 + 3*y3'^2)/2"
potential = "9.81*(y1 + 2*y2 + 3*y3)"
)m";
  for (const char* gap_of : {"y1", "y2 - y1", "y3 - y2"})
    text += fmt::format("[[contact]]\nname = \"on{}\"\ngap = \"{}\"\nrestitution = {}\n", gap_of[1], gap_of,
                        restitution);
  return text + "[solve]\nduration = 3\n";
}

void expect_at_rest(const Simulation& run, double error) {
  ASSERT_EQ(run.report.outcome, Outcome::finished)
      << run.report.reason << (run.report.doubts.empty() ? "" : run.report.doubts[0]);
  for (const double v : run.samples.back().v) EXPECT_NEAR(v, 0, 1e-14);
  EXPECT_LT(run.report.max_energy_error, error);
}

TEST(StackedBoxes, StayAtRest) {
  for (const double restitution : {0.0, 0.5, 0.9}) {
    for (const double friction : {0.0, 0.5}) {
      SCOPED_TRACE(fmt::format("{} {}", restitution, friction));
      const Simulation run = run_text(stack(0, 0, restitution, friction));
      expect_at_rest(run, 1e-13);
      EXPECT_EQ(run.report.events.size(), 0U);
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(run.samples.back().q[3 * i + 1], 0.1 + 0.2 * static_cast<double>(i), 1e-15);
    }
  }
}

TEST(StackedBoxes, ComeToRestWhereTheyFallTogether) {
  for (const int count : {2, 3, 5}) {
    for (const double friction : {0.0, 0.5}) {
      for (const double restitution : {0.0, 0.3}) {
        if (count == 5 && restitution > 0) continue;  // takes seconds
        SCOPED_TRACE(fmt::format("{} {} {}", count, friction, restitution));
        const Simulation run = run_text(stack(0.05, 0, restitution, friction, count));
        expect_at_rest(run, 1e-11);
        EXPECT_NEAR(run.report.event_energy, -9.81 * count * (count + 1) / 2 * 0.05, 1e-11);
        for (int i = 0; i < count; ++i) {
          const auto k = static_cast<std::size_t>(3 * i);
          EXPECT_NEAR(run.samples.back().q[k], 0, 1e-13);
          EXPECT_NEAR(run.samples.back().q[k + 1], 0.1 + 0.2 * i, 1e-12);
          EXPECT_NEAR(run.samples.back().q[k + 2], 0, 1e-13);
        }
      }
    }
  }
}

// Whatever they do on the way, they lie on each other in the end, and no energy is lost but by impacts and
// friction.
TEST(StackedBoxes, ComeToRestWhereTheyFallTilted) {
  for (const double tilt : {0.01, 0.1, -0.2}) {
    for (const double restitution : {0.0, 0.3}) {
      SCOPED_TRACE(fmt::format("{} {}", tilt, restitution));
      const Simulation run = run_text(stack(0.1, 0.06, restitution, 0.5, 2, tilt));
      expect_at_rest(run, 1e-9);
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(run.samples.back().q[3 * i + 1], 0.1 + 0.2 * static_cast<double>(i), 1e-9);
        EXPECT_NEAR(run.samples.back().q[3 * i + 2], 0, 1e-9);
      }
    }
  }
}

// Down a slope of 0.1 by sliding and rocking; by bdf as by series.
TEST(Box, StandsOnItsSlopeByBackwardDifferencesToo) {
  std::string text = stack(0.1, 0, 0, 0.5, 1, 0.05);
  const std::string weight = "type = \"gravity\"";
  text.insert(text.find(weight) + weight.size(), "\nacceleration = [-0.979, -9.761]");
  const Simulation series = run_text(text), differences = run_text(text, {"bdf", 0, 1e-10});
  ASSERT_EQ(series.report.outcome, Outcome::finished) << series.report.reason;
  ASSERT_EQ(differences.report.outcome, Outcome::finished) << differences.report.reason;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(differences.samples.back().q[i], series.samples.back().q[i], 1e-7);
  EXPECT_NEAR(series.samples.back().q[1], 0.1, 1e-13);
}

TEST(Column, ComesToRestWhereItsPartsFallApart) {
  for (const char* method : {"adomian", "dop853"}) {
    for (const double restitution : {0.0, 0.1, 0.3, 0.5, 0.6, 0.7}) {
      for (const double gap : {0.0, 0.001, 0.01, 0.03}) {
        SCOPED_TRACE(fmt::format("{} {} {}", method, restitution, gap));
        const Simulation run = run_text(column(0.1, gap, restitution), {method, 0, 0});
        const double error = std::string(method) == "adomian" ? 1e-10 : 1e-7;
        expect_at_rest(run, error);
        for (const double y : run.samples.back().q) EXPECT_NEAR(y, 0, error / 9.81);
        EXPECT_NEAR(run.report.event_energy, -9.81 * (0.6 + 8 * gap), error);
      }
    }
  }
}

TEST(Box, FallsFlatAndRestsOnItsCorners) {
  for (const char* method : {"adomian", "dop853"}) {
    for (const double restitution : {0.0, 0.3, 0.7}) {
      for (const double friction : {0.0, 0.5}) {
        SCOPED_TRACE(fmt::format("{} {} {}", method, restitution, friction));
        const Simulation run = run_text(fmt::format(R"m([[body]]
name = "box"
shape = "box"
size = [0.2, 0.6]
mass = 2
position = [0, 0.35]
[[contact]]
name = "floor"
between = ["ground", "box"]
normal = [0, 1]
restitution = {}
{}
[[force]]
type = "gravity"
[solve]
duration = 2
)m",
                                                    restitution, friction > 0 ? "friction = 0.5" : ""),
                                        {method, 0, 0});
        expect_at_rest(run, std::string(method) == "adomian" ? 1e-13 : 1e-8);
        const auto& end = run.samples.back();
        const double error = std::string(method) == "adomian" ? 1e-13 : 1e-9;
        EXPECT_NEAR(end.q[0], 0, error);
        EXPECT_NEAR(end.q[1], 0.3, error);
        EXPECT_NEAR(end.q[2], 0, error);
        EXPECT_NEAR(run.report.event_energy, -2 * 9.81 * 0.05, 10 * error);
      }
    }
  }
}

}  // namespace
}  // namespace dalembert
