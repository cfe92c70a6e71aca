// The motion of a run, or of a part of it behind an event, is about to be kept.
#pragma once

#include <dalembert/solve/dense_output.hpp>
#include <dalembert/solve/solve.hpp>

#include "events/event_watch.hpp"

namespace dalembert {

inline void open_dense_output(DenseOutput& dense, const Problem& problem, bool project) {
  const bool goes_on = problem.events != nullptr && problem.events->before() != nullptr;
  goes_on ? dense.go_on(problem.system, problem.active)
          : dense.begin(problem.system, problem.active, project);
}

}  // namespace dalembert
