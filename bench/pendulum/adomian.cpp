// The model file pendulum_cartesian.toml, in which y points downwards, with the gravity and the start of the
// example.

#include "adomian.hpp"

#include <fmt/format.h>

#include "pendulum/pendulum.hpp"

namespace dalembert::bench::pendulum {

std::vector<Contestant> adomian_contestants() {
  AdomianProblem problem;
  problem.model = "pendulum_cartesian";
  problem.overrides = {{"g", fmt::format("{}", gravity)}, {"x", "1"}, {"y", "0"}};
  problem.end_time = end_time;
  problem.judge = [](bool finished, auto q, auto v, auto, long steps, long rejected) {
    const State y = {q[0], -q[1], v[0], -v[1]};
    return make_result(finished, y.data(), steps, rejected);
  };
  return bench::adomian_contestants(problem);
}

}  // namespace dalembert::bench::pendulum
