#pragma once
// Three small models, 10 s each, for contestants that need their equations as y' = F(y) by hand: the pendulum
// in x and y and the slider-crank with their multipliers eliminated, the double pendulum by its angles.
// States are (q, v) as in the model files; nobody but Dalembert projects.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "work_precision.hpp"

namespace dalembert::bench::small {

using State = std::array<double, 4>;

struct Problem {
  std::string model;
  State start;
  State end;     // to 20 digits by a run of Dalembert with 30; DOP853 and heyoka agree as far as they go
  double speed;  // error_norm.hpp
};

inline constexpr double end_time = 10;

const std::vector<Problem>& problems();
Result judge(const Problem& problem, bool finished, std::span<const double> y, long steps, long rejected);

Contestant dop853_contestant(const Problem& problem);
// As it was measured by heyoka_runs.py; empty, with a word on standard error, where `python` has no heyoka.
std::vector<Measured> measure_heyoka(const Problem& problem, const std::string& python);

}  // namespace dalembert::bench::small
