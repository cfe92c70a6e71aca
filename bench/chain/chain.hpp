#pragma once
// A chain of N point masses in Cartesian coordinates, tools/make_chain's defaults, released at rest and
// level.
//
//     d_k = p_k − p_{k−1},  |d_k|² = l²,      rows of C: 2 d_k on p_k, −2 d_k on p_{k−1},      γ_k = −2
//     |d_k'|²

#include <cstddef>
#include <memory>
#include <vector>

#include "work_precision.hpp"

namespace dalembert::bench::chain {

inline constexpr double mass = 0.1, length = 0.1, gravity = 9.81;

// Positions and velocities x1, y1, x2, ...
struct EndState {
  bool finished = false;
  std::vector<double> q, v;
  long steps = 0, rejected = 0;
};

// One method on one chain; what can be prepared once is.
class Runner {
 public:
  virtual ~Runner() = default;
  virtual EndState run(double tolerance) = 0;
};

enum class Solve {
  klu,         // the saddle-point matrix by KLU, pivots kept
  tridiagonal  // the Schur complement C M^-1 C^T, which only a chain has so simple, by elimination
};

std::unique_ptr<Runner> make_cvode(std::size_t links, double end_time, Solve solve);
std::unique_ptr<Runner> make_simbody(std::size_t links, double end_time);
std::unique_ptr<Runner> make_adomian(std::size_t links, double end_time, int threads = 1);

}  // namespace dalembert::bench::chain
