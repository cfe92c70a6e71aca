#pragma once
// The Cartesian pendulum of SUNDIALS' example cvPendulum_dns: a unit mass on a rod of length 1, released from
// the horizontal, gravity such that the period is 2; 30 seconds are 15 periods.
//     x'' = -x T,  y'' = -y T - g,  x^2 + y^2 = 1,  T = (x'^2 + y'^2 - g y) / (x^2 + y^2)
//
// The reference is exact: released at a right angle the period is 4 K(k) / sqrt(g) with k = sin(pi/4), so g =
// 4 K^2 gives the period 2 and the state after 30 s is that of the start. Gravity rounded to double moves it
// by 3e-15.

#include <array>

#include "work_precision.hpp"

namespace dalembert::bench::pendulum {

using State = std::array<double, 4>;  // x, y, x', y'
using Pair = std::array<double, 2>;

inline constexpr double gravity = 13.750371636040745654980191559621114395801712;  // 4 K(sin pi/4)^2
inline constexpr double end_time = 30;
inline constexpr State start = {1, 0, 0, 0};
inline constexpr double largest_speed = 5.2441151085842396;  // sqrt(2 g), at the lowest point

inline void eval_slope(const double* y, double force, double* slope) {
  slope[0] = y[2];
  slope[1] = y[3];
  slope[2] = -y[0] * force;
  slope[3] = -y[1] * force - gravity;
}

// T where the state is kept on the circle, as the example writes it, and T for states that may leave it.
inline double rod_force(const double* y) { return y[2] * y[2] + y[3] * y[3] - gravity * y[1]; }
inline double rod_force_off_circle(const double* y) { return rod_force(y) / (y[0] * y[0] + y[1] * y[1]); }

// Moves y onto x^2 + y^2 = 1 (one Newton step) and then x x' + y y' = 0. As a correction added to y; scaling
// y by 1 / |(x, y)| rounds with a bias that shows as 3e-12 after 30 s.
void project(double* y);

Result make_result(bool finished, const double* y, long steps, long rejected);

std::vector<Contestant> cvode_contestants();
std::vector<Contestant> dop853_contestants();
std::vector<Contestant> adomian_contestants();

}  // namespace dalembert::bench::pendulum
