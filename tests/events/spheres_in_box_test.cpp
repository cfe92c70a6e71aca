// Spheres in a box beside hard spheres whose flights and impacts are computed by hand, in long double.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::run_text;
using Real3 = std::array<long double, 3>;

constexpr double radius = 0.1;
constexpr std::array<const char*, 6> walls{"left", "right", "front", "back", "floor", "lid"};

struct HardSphere {
  Real3 x, v;
};

long double dot(const Real3& a, const Real3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Real3 difference(const Real3& a, const Real3& b) { return {b[0] - a[0], b[1] - a[1], b[2] - a[2]}; }

// The first t > 0 at which a + b t + c t² falls through zero.
long double first_fall(long double a, long double b, long double c) {
  constexpr long double never = std::numeric_limits<long double>::infinity();
  const long double root = b * b - 4 * a * c;
  if (c == 0) return b < 0 ? -a / b : never;
  if (root <= 0) return never;
  const long double q = -(b + std::copysign(std::sqrt(root), b)) / 2;
  long double first = never;
  for (const long double t : {q / c, a / q})
    if (b + 2 * c * t < 0 && t > 1e-15L) first = std::min(first, t);
  return first;
}

// Between impacts every sphere flies with the acceleration (0, 0, −g): two of them meet along straight lines.
class HardSpheres {
 public:
  HardSpheres(std::vector<HardSphere> balls, long double g, long double e)
      : balls_(std::move(balls)), g_(g), e_(e) {}

  /// The name and time of the next impact, which happens.
  std::pair<std::string, long double> next() {
    long double first = std::numeric_limits<long double>::infinity();
    std::size_t i = 0, j = 0, wall = 0;
    for (std::size_t a = 0; a < balls_.size(); ++a) {
      for (std::size_t w = 0; w < walls.size(); ++w)
        if (const long double t = time_to_wall(a, w); t < first)
          first = t, i = a, j = balls_.size(), wall = w;
      for (std::size_t b = a + 1; b < balls_.size(); ++b)
        if (const long double t = time_between(a, b); t < first) first = t, i = a, j = b;
    }
    for (HardSphere& ball : balls_) {
      for (std::size_t k = 0; k < 3; ++k) ball.x[k] += ball.v[k] * first;
      ball.x[2] -= g_ * first * first / 2;
      ball.v[2] -= g_ * first;
    }
    time_ += first;
    if (j == balls_.size()) {
      balls_[i].v[wall / 2] *= -e_;
      return {fmt::format("{}.ball{}", walls[wall], i), time_};
    }
    const Real3 d = difference(balls_[i].x, balls_[j].x), u = difference(balls_[i].v, balls_[j].v);
    const long double along = (1 + e_) * dot(d, u) / dot(d, d) / 2;
    for (std::size_t k = 0; k < 3; ++k) {
      balls_[i].v[k] += along * d[k];
      balls_[j].v[k] -= along * d[k];
    }
    return {fmt::format("hit.ball{}.ball{}", i, j), time_};
  }

 private:
  long double time_to_wall(std::size_t a, std::size_t w) const {
    const long double side = w % 2 == 0 ? 1 : -1, x = balls_[a].x[w / 2], v = balls_[a].v[w / 2];
    const long double gap = w % 2 == 0 ? x - radius : 1 - x - radius;
    return first_fall(gap, side * v, w / 2 == 2 ? -side * g_ / 2 : 0);
  }
  long double time_between(std::size_t a, std::size_t b) const {
    const Real3 d = difference(balls_[a].x, balls_[b].x), u = difference(balls_[a].v, balls_[b].v);
    return first_fall(dot(d, d) - 4.0L * radius * radius, 2 * dot(d, u), dot(u, u));
  }

  std::vector<HardSphere> balls_;
  long double g_, e_, time_ = 0;
};

std::vector<HardSphere> ten_balls() {
  std::vector<HardSphere> balls;
  unsigned state = 7;
  const auto random = [&state] {  // numbers of four digits in [-1, 1], the same everywhere
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(static_cast<int>((state >> 12U) % 20001U) - 10000) / 10000;
  };
  for (int i = 0; i < 10; ++i) {
    const auto near = [&](int place) { return 0.25 + 0.3 * place + 0.03 * random(); };
    const double x = near(i % 2), y = near(i / 2 % 2), z = near(i / 4);
    balls.push_back({{x, y, z}, {random(), random(), random()}});
  }
  return balls;
}

std::string text_of(const std::vector<HardSphere>& balls, double g, double e, double duration) {
  std::string text = "space = \"space\"\n";
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const auto& [x, v] = balls[i];
    text += fmt::format(
        "[[body]]\nname = \"ball{}\"\nshape = \"sphere\"\nradius = {}\nmass = 1\nposition = [{:.17g}, "
        "{:.17g}, "
        "{:.17g}]\nvelocity = [{:.17g}, {:.17g}, {:.17g}]\nangular_velocity = [{}, 2, -1]\n",
        i, radius, static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2]),
        static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2]), i);
  }
  for (std::size_t w = 0; w < walls.size(); ++w) {
    std::array<int, 3> normal{0, 0, 0}, place{0, 0, 0};
    normal[w / 2] = w % 2 == 0 ? 1 : -1;
    place[w / 2] = static_cast<int>(w % 2);
    text += fmt::format(
        "[[contact]]\nname = \"{}\"\nbetween = [\"ground\", \"ball*\"]\nnormal = [{}, {}, {}]\npoints = "
        "[[{}, {}, {}], \"origin\"]\nradius = {}\nrestitution = {}\n",
        walls[w], normal[0], normal[1], normal[2], place[0], place[1], place[2], radius, e);
  }
  text += fmt::format("[[contact]]\nname = \"hit\"\nbetween = [\"ball*\", \"ball*\"]\nrestitution = {}\n", e);
  if (g != 0) text += fmt::format("[[force]]\ntype = \"gravity\"\nacceleration = [0, 0, {}]\n", -g);
  return text + fmt::format("[solve]\nduration = {}\noutput_step = 0.01\n", duration);
}

// Of all pairs and walls; negative: they penetrate.
double least_gap(const std::vector<double>& q) {
  double least = 1;
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      least = std::min({least, q[7 * i + k] - radius, 1 - q[7 * i + k] - radius});
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(
          least, std::hypot(q[7 * i] - q[7 * j], q[7 * i + 1] - q[7 * j + 1], q[7 * i + 2] - q[7 * j + 2]) -
                     2 * radius);
  }
  return least;
}

void expect_laws(const testing::Simulation& run) {
  for (const auto& sample : run.samples) EXPECT_GT(least_gap(sample.q), -1e-14) << sample.t;
  for (const EventRecord& event : run.report.events) {
    EXPECT_GT(least_gap(event.q), -1e-14) << event.name << " at " << event.t;
    EXPECT_LT(event.energy_change, 1e-13) << event.name << " at " << event.t;
    if (event.v_after.empty()) continue;
    for (std::size_t k = 0; k < 3; ++k) {  // the walls alone change the momentum of all
      double change = 0;
      for (std::size_t i = 0; i < 10; ++i) change += event.v_after[7 * i + k] - event.v[7 * i + k];
      for (const auto& [name, impulse] : event.impulses) {
        if (name.starts_with(walls[2 * k])) change -= impulse;
        if (name.starts_with(walls[2 * k + 1])) change += impulse;
      }
      EXPECT_NEAR(change, 0, 1e-13) << event.name << " at " << event.t;
    }
  }
}

TEST(SpheresInABox, AreStruckInTheOrderAndAtTheTimesOfHardSpheres) {
  for (const auto& [g, e] : {std::pair{0.0, 1.0}, {9.81, 1.0}, {9.81, 0.9}}) {
    const auto run = run_text(text_of(ten_balls(), g, e, g == 0 ? 3 : 1));
    ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
    HardSpheres spheres(ten_balls(), g, e);
    ASSERT_GT(run.report.events.size(), 60U);
    for (std::size_t i = 0; i < 60; ++i) {
      const auto [name, time] = spheres.next();
      ASSERT_EQ(run.report.events[i].name, name) << i << " at " << run.report.events[i].t;
      ASSERT_NEAR(run.report.events[i].t, static_cast<double>(time), 1e-11) << i;
    }
    expect_laws(run);
    if (e == 1) {
      EXPECT_NEAR(run.report.event_energy, 0, 1e-11);
    }
  }
}

// They settle at the bottom: bounces accumulate, contacts close and carry their weight.
TEST(SpheresInABox, SettleWithoutPenetration) {
  const auto run = run_text(text_of(ten_balls(), 9.81, 0.4, 2.5));
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  EXPECT_GE(std::ranges::count(run.report.events, "rest", &EventRecord::kind), 8);
  expect_laws(run);
  EXPECT_LT(run.report.event_energy, -20);
  EXPECT_LT(run.report.max_energy_error, 1e-12);
}

}  // namespace
}  // namespace dalembert
