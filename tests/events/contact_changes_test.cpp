// What events do to contacts, and what impacts do to the functions of events.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::all_methods_on_seconds;
using testing::EventCase;
using testing::run_text;
using testing::times_of;

// A body of mass 1 and weight 10 above a floor.
std::string ball(const std::string& start, const std::string& contact, const std::string& events) {
  return fmt::format(R"toml(
[parameters]
F = 1
[coordinates]
y = {{ {} }}
x = {{ position = 0, velocity = 1 }}
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "10*y"
[[contact]]
name = "floor"
gap = "y"
{}
{}
)toml",
                     start, contact, events);
}

// Lifted by 1.25 from where it rests, it falls for half a second; lifted by 0.8 and thrown up with 1, for
// 0.1 + √(0.17).
TEST(EventOnContact, ABodyThatIsMovedOffItsContactFallsBack) {
  const std::string lifts = R"toml(
[[event]]
name = "lift"
after = 1
set = {{ {} }}
[solve]
duration = 1.25
)toml";
  for (const EventCase& method : all_methods_on_seconds()) {
    if (method.method == "euler") continue;
    for (const auto& [set, height] : {std::pair{"y = 1.25", 1.25 - 5 * 0.0625},
                                      std::pair{"y = 0.8, \"y'\" = 1", 0.8 + 0.25 - 5 * 0.0625}}) {
      const std::string text = ball("position = 0", "", fmt::format(fmt::runtime(lifts), set));
      const auto run = run_text(text, method);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
      EXPECT_NEAR(run.samples.back().q[0], height, 1e-6) << method.method << set;
    }
  }
  const std::string text = ball("position = 0", "", fmt::format(fmt::runtime(lifts), "y = 1.25") + "");
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    std::string longer = text;
    longer.replace(longer.find("1.25\n", longer.find("duration")), 5, "3\n");
    const auto run = run_text(longer, {method});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << run.report.reason;
    ASSERT_EQ(times_of(run.report, "floor", "impact").size(), 1U) << method;
    EXPECT_NEAR(times_of(run.report, "floor", "impact")[0], 1.5, 1e-8) << method;
    EXPECT_NEAR(run.samples.back().q[0], 0, 1e-9) << method;
  }
}

// From 1 it has fallen to −4 at t = 1.
TEST(EventOnContact, EnablingAPenetratedContactStopsTheRunWithItsName) {
  const std::string text = ball("position = 1", "enabled = false", R"toml(
[[event]]
name = "late"
after = 1
enable = ["floor"]
[solve]
duration = 3
)toml");
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const auto run = run_text(text, {method});
    EXPECT_EQ(run.report.outcome, Outcome::stopped_early) << method;
    EXPECT_EQ(run.report.reason, "the contact 'floor' is penetrated where an event enables it: its gap is -4")
        << method;
    EXPECT_NEAR(run.report.end_time, 1, 1e-12) << method;
  }
}

TEST(EventOnContact, AnImpactAtTheTimeOfAnotherEventIsListed) {
  const std::string text = ball("position = 1", "restitution = 0.5", R"toml(
[[event]]
name = "k"
after = "sqrt(0.2)"
set = { "x'" = "5" }
[solve]
duration = 0.6
)toml");
  const double t = std::sqrt(0.2), later = 0.6 - t;
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const auto run = run_text(text, {method});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << run.report.reason;
    ASSERT_EQ(times_of(run.report, "k").size(), 1U) << method;
    ASSERT_EQ(times_of(run.report, "floor", "impact").size(), 1U) << method;
    EXPECT_NEAR(times_of(run.report, "floor")[0], t, 1e-8) << method;
    EXPECT_NEAR(run.samples.back().q[0], 5 * t * later - 5 * later * later, 1e-7) << method;
    EXPECT_NEAR(run.samples.back().q[1], t + 5 * later, 1e-7) << method;
  }
}

// y' is −10 t₀ before the first bounce, at t₀ = √0.2, and 5 t₀ behind it; it is zero again t₀/2 later.
TEST(SignJump, AnImpactThatTurnsAVelocityIsItsChangeOfSign) {
  const std::string events = R"toml(
[[event]]
name = "turns"
when = "y'"
[[event]]
name = "up"
when = "y'"
direction = "rising"
count = 1
set = { "x'" = "x' + 2" }
[[event]]
name = "down"
when = "y'"
direction = "falling"
stop = true
[solve]
duration = 1
)toml";
  const double t = std::sqrt(0.2);
  for (const char* method : {"adomian", "dop853", "dopri5", "bdf", "ndf"}) {
    const auto run = run_text(ball("position = 1", "restitution = 0.5", events), {method});
    EXPECT_EQ(run.report.reason, "the event 'down' stops the run") << method;
    EXPECT_NEAR(run.report.end_time, 1.5 * t, 1e-7) << method;
    const auto turns = times_of(run.report, "turns");
    ASSERT_EQ(turns.size(), 2U) << method;
    EXPECT_NEAR(turns[0], t, 1e-8) << method;
    EXPECT_NEAR(turns[1], 1.5 * t, 1e-7) << method;
    ASSERT_EQ(times_of(run.report, "up", "rising").size(), 1U) << method;
    EXPECT_NEAR(run.samples.back().v[1], 3, 1e-9) << method;
    EXPECT_NEAR(run.samples.back().q[1], t + 3 * t / 2, 1e-6) << method;
  }
}

// A ball that stays where it falls has a velocity of zero, which is no change of its sign.
TEST(SignJump, AnImpactThatEndsAVelocityIsNone) {
  const std::string events = "[[event]]\nname = \"turns\"\nwhen = \"y'\"\n[solve]\nduration = 1\n";
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const auto run = run_text(ball("position = 1", "restitution = 0", events), {method});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << run.report.reason;
    EXPECT_TRUE(times_of(run.report, "turns").empty()) << method;
  }
}

TEST(SignJump, WhatEventsSetChangesSignsOnce) {
  const std::string events = R"toml(
[[event]]
name = "kick"
after = 0.5
set = { "x'" = "-x'", F = "-F" }
[[event]]
name = "back"
when = "x'"
[[event]]
name = "other"
when = "F"
[[event]]
name = "ahead"
when = "x'"
direction = "rising"
[solve]
duration = 1
)toml";
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const auto run = run_text(ball("position = 100", "", events), {method});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << run.report.reason;
    EXPECT_EQ(times_of(run.report, "back", "falling"), std::vector{0.5}) << method;
    EXPECT_EQ(times_of(run.report, "other", "falling"), std::vector{0.5}) << method;
    EXPECT_TRUE(times_of(run.report, "ahead").empty()) << method;
  }
}

// √y is a number down to the floor, √0.2 after the start.
TEST(Gap, ThatIsNoNumberAnyMoreStopsTheRun) {
  std::string text = ball("position = 1", "", "[solve]\nduration = 3\n");
  text.replace(text.find("\"y\""), 3, "\"sqrt(y)\"");
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const auto run = run_text(text, {method});
    EXPECT_EQ(run.report.outcome, Outcome::stopped_early) << method;
    EXPECT_EQ(run.report.reason, "the gap of the contact 'floor' is no number behind this time") << method;
    EXPECT_NEAR(run.report.end_time, std::sqrt(0.2), 1e-6) << method;
  }
}

}  // namespace
}  // namespace dalembert
