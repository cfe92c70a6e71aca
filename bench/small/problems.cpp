#include "small/problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dop853.hpp"
#include "error_norm.hpp"

namespace dalembert::bench::small {
namespace {

constexpr double gravity = 9.81;

// x'' = −λ x, y'' = g − λ y with λ from x x'' + y y'' + x'² + y'² = 0; y points downwards
struct Pendulum {
  static void eval(double, const State& y, State& slope) {
    const double lambda = (y[2] * y[2] + y[3] * y[3] + gravity * y[1]) / (y[0] * y[0] + y[1] * y[1]);
    slope = {y[2], y[3], -lambda * y[0], gravity - lambda * y[1]};
  }
};

// K = A ω₁²/2 + B ω₂²/2 − D cos(θ₁ + θ₂) ω₁ ω₂, V = g (E sin θ₁ − F sin θ₂), l₁ sin θ₁ = l₂ sin θ₂. The
// equations of motion along the direction (l₂ cos θ₂, l₁ cos θ₁) that the constraint allows have no λ.
struct SliderCrank {
  static void eval(double, const State& y, State& slope) {
    constexpr double l1 = 0.2, l2 = 1, torque = 10;
    constexpr double A = 2.25 * l1 * l1 + 1, B = 1.25 * l2 * l2 + 1, D = 1.5 * l1 * l2;
    constexpr double E = 2.5 * l1, F = 1.5 * l2;
    const double s1 = std::sin(y[0]), c1 = std::cos(y[0]), s2 = std::sin(y[1]), c2 = std::cos(y[1]);
    const double couples = D * (c1 * c2 - s1 * s2), turns = D * (s1 * c2 + c1 * s2);
    const double f1 = torque - gravity * E * c1 - turns * y[3] * y[3];
    const double f2 = gravity * F * c2 - turns * y[2] * y[2];
    const double d1 = l2 * c2, d2 = l1 * c1;
    const double m1 = d1 * A - d2 * couples, m2 = d2 * B - d1 * couples, force = d1 * f1 + d2 * f2;
    const double gamma = l1 * s1 * y[2] * y[2] - l2 * s2 * y[3] * y[3];
    const double reciprocal = 1 / (m1 * d1 + m2 * d2);
    slope = {y[2], y[3], (force * d1 + m2 * gamma) * reciprocal, (force * d2 - m1 * gamma) * reciprocal};
  }
};

// Masses and lengths 1
struct DoublePendulum {
  static void eval(double, const State& y, State& slope) {
    const double c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]);
    const double f1 = -s * y[3] * y[3] - 2 * gravity * std::sin(y[0]);
    const double f2 = s * y[2] * y[2] - gravity * std::sin(y[1]);
    const double reciprocal = 1 / (2 - c * c);
    slope = {y[2], y[3], (f1 - c * f2) * reciprocal, (2 * f2 - c * f1) * reciprocal};
  }
};

template <class Equations>
struct Unprojected : Equations {
  static void finish_step(double t, const State& y, State& slope) { Equations::eval(t, y, slope); }
};

template <class Equations>
Contestant contestant(const Problem& problem) {
  const auto run = [&problem](double tolerance) {
    Unprojected<Equations> system;
    Dop853Options<4> options;
    options.relative_tolerance = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      options.absolute_tolerance[i] = tolerance * std::max(1.0, std::abs(problem.end[i]));
      options.absolute_tolerance[2 + i] = tolerance * problem.speed;
    }
    State y = problem.start;
    Dop853<4, Unprojected<Equations>> solver(system, options);
    const Dop853Report report = solver.solve(0, end_time, y);
    return judge(problem, report.reached_end, y, report.accepted, report.rejected);
  };
  return {"DOP853", tolerance_range(1e-5, 1e-15, 3), run};
}

}  // namespace

const std::vector<Problem>& problems() {
  constexpr double pi = std::numbers::pi;
  static const std::vector<Problem> all{
      {"pendulum_cartesian",
       {std::sin(pi / 3), std::cos(pi / 3), 0, 0},
       {-0.606668495921778329278, 0.794954927059394500521, 1.91236080742445232399, 1.45941488656660511446},
       3.132},
      {"slider_crank",
       {0.78, std::asin(0.2 * std::sin(0.78)), 0, 0},
       {464.991135043981677512827, 0.00708304032993585776115, 93.5979494967320523934, 18.7083163070549343096},
       93.6},
      {"double_pendulum",
       {pi / 2, pi / 2, 0, 0},
       {-0.568474664015950188776, -0.526393727932404698330, 6.07838488576196485482, -9.68136068170887875808},
       9.68}};
  return all;
}

Result judge(const Problem& problem, bool finished, std::span<const double> y, long steps, long rejected) {
  const auto q = y.first(2), v = y.subspan(2, 2);
  const std::span<const double> end(problem.end);
  return {finished, state_error(q, v, end.first(2), end.subspan(2), problem.speed),
          largest_difference(q, end.first(2)), steps, rejected};
}

Contestant dop853_contestant(const Problem& problem) {
  if (problem.model == "pendulum_cartesian") return contestant<Pendulum>(problem);
  return problem.model == "slider_crank" ? contestant<SliderCrank>(problem)
                                         : contestant<DoublePendulum>(problem);
}

}  // namespace dalembert::bench::small
