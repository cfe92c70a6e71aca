// Functions of events that are wilder than the motion: steps are chosen by the motion alone, and the series
// of such functions end before they do.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::run_text;

const double pi = std::acos(-1.0);

// x = t
std::string uniform(const std::string& when, double duration = 2) {
  return "[coordinates]\nx = { position = 0, velocity = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n"
         "[[event]]\nname = \"it\"\nwhen = \"" +
         when + "\"\n[solve]\nduration = " + std::to_string(duration) + "\n";
}

const std::vector<EventCase>& cases() {
  static const std::vector<EventCase> all{{"adomian"}, {"dop853"}, {"bdf"}, {"rk4", 0.1}};
  return all;
}

// Of the motion x = t; bdf is not exact even there.
double allowed(const EventCase& one) { return one.method == "bdf" ? 1e-7 : 1e-10; }

void expect_times(const std::string& model, const std::vector<double>& times) {
  for (const EventCase& one : cases()) {
    const RunReport report = run_text(model, one).report;
    ASSERT_EQ(report.events.size(), times.size()) << one.method;
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_NEAR(report.events[k].t, times[k], allowed(one)) << one.method << ' ' << k;
  }
}

TEST(WildFunctions, TicksOfAFastWheelAreAllFound) {
  std::vector<double> times;
  for (int k = 1; k * pi / 1000 < 2; ++k) times.push_back(k * pi / 1000);
  expect_times(uniform("sin(1000*x)"), times);
}

TEST(WildFunctions, AStepThatIsNarrowBesideTheTimeStepIsMetAtItsPlace) {
  expect_times(uniform("tanh(100*(x - 1.03)) - 0.5"), {1.03 + std::atanh(0.5) / 100});
}

TEST(WildFunctions, APulseThatIsNothingAtTheEndsOfTheStepIsSeen) {
  const double half = std::sqrt(std::log(2.0) / 1e6);
  const RunReport report = run_text(uniform("exp(-1e6*(x - 1.0301)^2) - 0.5"), {"adomian"}).report;
  ASSERT_EQ(report.events.size(), 2U);
  EXPECT_NEAR(report.events[0].t, 1.0301 - half, 1e-10);
  EXPECT_NEAR(report.events[1].t, 1.0301 + half, 1e-10);
}

TEST(WildFunctions, HaveNoZerosWhereTheyHaveNoValues) {
  expect_times(uniform("sqrt(x - 1) - 0.5"), {1.25});
  expect_times(uniform("log(x - 1) + 1"), {1 + std::exp(-1.0)});
}

TEST(WildFunctions, HaveNoZerosAtPoles) {
  expect_times(uniform("1/(x - 1.03)"), {});
  expect_times(uniform("tan(3*x)"), {pi / 3});
}

TEST(WildFunctions, MultipliersAreTheirOwnAlongTheWholeStep) {
  const std::string model =
      "[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"6*sin(500*t)\"\n"
      "[constraints]\nholonomic = { hold = \"x\" }\n"
      "[[event]]\nname = \"it\"\nwhen = \"lambda(hold) - 5\"\n[solve]\nduration = 1\n";
  std::vector<double> times;
  for (int k = 0; k < 80; ++k) {
    const double rising = std::asin(5.0 / 6);
    times.push_back((2 * pi * k + rising) / 500);
    times.push_back((2 * pi * k + pi - rising) / 500);
  }
  ASSERT_LT(times.back(), 1);
  expect_times(model, times);
}

TEST(WildFunctions, ABarThatSpinsAndFallsTouchesTheFloorWhereItFirstDoes) {
  const std::string model =
      "[coordinates]\ny = { position = 3 }\nphi = { position = 0, velocity = 60 }\n[energy]\n"
      "kinetic = \"y'^2/2 + phi'^2/24\"\npotential = \"9.81*y\"\n"
      "[[contact]]\nname = \"one\"\ngap = \"y + 0.5*sin(phi)\"\n"
      "[[contact]]\nname = \"other\"\ngap = \"y - 0.5*sin(phi)\"\n[solve]\nduration = 1\n";
  // the first zero of the lower end's height, by small steps and bisection
  const auto height = [](double t) { return 3 - 9.81 * t * t / 2 - 0.5 * std::abs(std::sin(60 * t)); };
  double low = 0, high = 0;
  for (; height(high) > 0; high += 1e-4) low = high;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (height(middle) > 0 ? low : high) = middle;
  }
  for (const EventCase& one : {EventCase{"adomian"}, EventCase{"dop853"}}) {
    const RunReport report = run_text(model, one).report;
    ASSERT_FALSE(report.events.empty());
    EXPECT_NEAR(report.events[0].t, low, 1e-9) << one.method;
  }
}

// v' = −1 beside a plate of velocity 0.5 sin(500 t) where the block is faster, 1 where it is slower
TEST(WildFunctions, ABlockOnAPlateThatVibratesIsHeldByTheSameForceInAllForms) {
  const std::string start =
      "[coordinates]\nx = { position = 0, velocity = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n";
  const std::string end = "[solve]\nduration = 2\n";
  const std::string slip = "slip = \"x' - 0.5*sin(500*t)\"\n";
  const std::string by_sign = start + "[forces]\nx = \"-sign(x' - 0.5*sin(500*t))\"\n" + end;
  const std::string by_friction =
      start + "[[friction]]\nname = \"plate\"\nnormal = 10\nfriction = 0.1\n" + slip + end;
  const double expected = run_text(by_sign, {"rk4", 2e-6}).samples.back().q[0];
  for (const EventCase& one : {EventCase{"adomian"}, EventCase{"dop853"}}) {
    EXPECT_NEAR(run_text(by_sign, one).samples.back().q[0], expected, 1e-5) << one.method;
    EXPECT_NEAR(run_text(by_friction, one).samples.back().q[0], expected, 1e-5) << one.method;
  }
}

}  // namespace
}  // namespace dalembert
