// The woodpecker toy: its limit cycle beside the published start on it, and by methods that share only the
// equations.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/shipped.hpp>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::run_text;

std::string woodpecker() { return read_text(find_model("woodpecker")); }

// Where the bird swings back through the angle of the published start.
std::vector<EventRecord> sections(const EventCase& method, double duration) {
  const std::string section =
      "\n[[event]]\nname = \"section\"\nwhen = \"phi_bird + 0.2788\"\ndirection = \"falling\"\n";
  const System system(read_model_text(woodpecker() + section));
  SolveOptions options = options_of(system.model());
  options.method = method.method;
  options.tolerance = method.tolerance;
  options.duration = duration;
  const RunReport report = testing::simulate(system, options).report;
  EXPECT_EQ(report.outcome, Outcome::finished) << method.method << report.reason;
  std::vector<EventRecord> found;
  for (const EventRecord& event : report.events)
    if (event.name == "section") found.push_back(event);
  return found;
}

// Glocker's start, −0.3411 m/s and −7.4583 rad/s with the sleeve on its lower edge, has four digits.
TEST(Woodpecker, ComesToTheCycleOfThePublishedStart) {
  const std::vector<EventRecord> found = sections({"adomian"}, 12);
  ASSERT_GT(found.size(), 80U);
  const EventRecord &last = found.back(), &before = found[found.size() - 2];
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(last.v[i], before.v[i], 1e-6);
  EXPECT_NEAR(last.q[1], -0.0006 / 0.0058, 1e-12);
  EXPECT_NEAR(last.v[0], -0.3411, 0.005 * 0.3411);
  EXPECT_NEAR(last.v[1], 0, 1e-12);
  EXPECT_NEAR(last.v[2], -7.4583, 0.001 * 7.4583);
  const double period = last.t - before.t, fall = last.q[0] - before.q[0];
  const std::vector<EventRecord> other = sections({"dop853", 0, 1e-11}, 12);
  const EventRecord &last_other = other.back(), &before_other = other[other.size() - 2];
  EXPECT_NEAR(last_other.t - before_other.t, period, 1e-7);
  EXPECT_NEAR(last_other.q[0] - before_other.q[0], fall, 1e-7);
}

// In a cycle it jams with its lower edge, lets go, strikes with the upper edge, the beak, the upper edge
// again, and twice with the lower edge.
TEST(Woodpecker, GoesThroughTheStatesOfItsCycle) {
  const System system(read_model_text(woodpecker()));
  SolveOptions options = options_of(system.model());
  options.duration = 3;
  const RunReport report = testing::simulate(system, options).report;
  std::vector<std::string> cycle;
  for (std::size_t i = report.events.size(); i-- > 0 && cycle.size() < 9;)
    if (report.events[i].kind == "sticking" || !cycle.empty())
      cycle.insert(cycle.begin(), report.events[i].name + " " + report.events[i].kind);
  const std::vector<std::string> expected{"lower_edge sliding", "lower_edge opening", "upper_edge impact",
                                          "beak impact",        "upper_edge impact",  "upper_edge opening",
                                          "lower_edge impact",  "lower_edge impact",  "lower_edge sticking"};
  EXPECT_EQ(cycle, expected);
}

}  // namespace
}  // namespace dalembert
