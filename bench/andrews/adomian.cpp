#include "adomian.hpp"

#include "andrews/contestants.hpp"
#include "andrews/data.hpp"
#include "error_norm.hpp"

namespace dalembert::bench::andrews {

std::vector<Contestant> adomian_contestants() {
  AdomianProblem problem;
  problem.model = "andrews";
  problem.end_time = end_time;
  problem.judge = [](bool finished, auto q, auto v, auto lambda, long steps, long rejected) -> Result {
    return {finished, state_error(q, v, end_q, end_v, largest(end_v)), relative_error(lambda, end_lambda),
            steps, rejected};
  };
  return bench::adomian_contestants(problem);
}

}  // namespace dalembert::bench::andrews
