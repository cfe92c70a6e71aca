#pragma once
// Dalembert itself as a contestant: the multistage Adomian method on a model file, without hints.
//
// The clock runs from the initial state to the end state: projection of the start, expansions, choice of
// order and step, projection, checks, rejected steps. The model is read and compiled before, once for all
// tolerances and runs, and so is the workspace of a tolerance laid out: the rivals' equations are compiled
// code, too.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dalembert/model/read.hpp>

#include "work_precision.hpp"

namespace dalembert::bench {

struct AdomianProblem {
  std::string model;  // name of a shipped model
  std::vector<Override> overrides;
  double end_time = 0;
  // What a run was worth, from q, v and lambda at the end.
  std::function<Result(bool finished, std::span<const double> q, std::span<const double> v,
                       std::span<const double> lambda, long steps, long rejected)>
      judge;
};

std::vector<Contestant> adomian_contestants(const AdomianProblem& problem);

}  // namespace dalembert::bench
