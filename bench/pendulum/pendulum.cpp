#include "pendulum/pendulum.hpp"

#include <algorithm>
#include <cmath>

#include "dop853.hpp"
#include "error_norm.hpp"

namespace dalembert::bench::pendulum {
namespace {

struct ProjectedPendulum {
  void eval(double, const State& y, State& slope) const {
    eval_slope(y.data(), rod_force(y.data()), slope.data());
  }
  void finish_step(double t, State& y, State& slope) const {
    project(y.data());
    eval(t, y, slope);
  }
};

Result run_dop853(double tolerance) {
  ProjectedPendulum system;
  Dop853Options<4> options;
  options.relative_tolerance = 0;
  options.absolute_tolerance = {tolerance, tolerance, 5 * tolerance, 5 * tolerance};
  options.safety = 0.8;
  Dop853<4, ProjectedPendulum> solver(system, options);
  State y = start;
  const Dop853Report report = solver.solve(0, end_time, y);
  return make_result(report.reached_end, y.data(), report.accepted, report.rejected);
}

}  // namespace

void project(double* y) {
  const double stretch = 0.5 * (1 - (y[0] * y[0] + y[1] * y[1]));
  y[0] += stretch * y[0];
  y[1] += stretch * y[1];
  const double away = y[0] * y[2] + y[1] * y[3];
  y[2] -= away * y[0];
  y[3] -= away * y[1];
}

Result make_result(bool finished, const double* y, long steps, long rejected) {
  const Pair q = {y[0], y[1]}, v = {y[2], y[3]}, q_exact = {start[0], start[1]},
             v_exact = {start[2], start[3]};
  return {finished, state_error(q, v, q_exact, v_exact, largest_speed), largest_difference(q, q_exact), steps,
          rejected};
}

std::vector<Contestant> dop853_contestants() {
  return {{"DOP853 with projection", tolerance_range(1e-5, 1e-14, 2), run_dop853}};
}

}  // namespace dalembert::bench::pendulum
