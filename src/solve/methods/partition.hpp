// Coordinate partitioning [wehagehaug1982]: only independent coordinates and velocities are integrated,
//
//   y = (q_i, v_i),   g(q_i, q_d) = 0 by Newton's method,   C_d v_d = −c − C_i v_i
//
// so that constraints hold by themselves. Which ones are independent is chosen by a pivoted factorization of
// G and C, and changed where the choice has become bad.
#pragma once

#include <dalembert/solve/solve.hpp>

namespace dalembert {

RunReport run_partition(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);

std::string refuse_partition(const Problem& problem, const SolveOptions& options);

}  // namespace dalembert
