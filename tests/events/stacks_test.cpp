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

// Three boxes of the edges 0.2 and 0.2, the masses 1, 2, 3, with two corners each on what is below; `gap`
// above it.
std::string stack(double drop, double gap, double restitution, double friction) {
  std::string text;
  const std::string law = fmt::format("restitution = {}\n", restitution) +
                          (friction > 0 ? fmt::format("friction = {}\n", friction) : "");
  for (int i = 0; i < 3; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"box{}\"\nshape = \"box\"\nsize = [0.2, 0.2]\nmass = {}\nposition = [0, "
        "{:.17g}]\n",
        i + 1, i + 1, 0.1 + 0.2 * i + drop + gap * i);
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
  for (const double friction : {0.0}) {
    SCOPED_TRACE(fmt::format("{}", friction));
    const Simulation run = run_text(stack(0.05, 0, 0, friction));
    expect_at_rest(run, 1e-12);
    EXPECT_NEAR(run.report.event_energy, -9.81 * 6 * 0.05, 1e-12);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(run.samples.back().q[3 * i + 1], 0.1 + 0.2 * static_cast<double>(i), 1e-13);
  }
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
