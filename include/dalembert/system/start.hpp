// Consistent initial values from what the user gave.
//
//   positions      g(q, t) = 0        moved as little as possible in the norm of the mass matrix
//   velocities     C v + c = 0        likewise
//   accelerations  M a + Dᵀ λ = f,  C a = γ        λ of least norm where constraints are redundant and D = C
//
// Given values are wishes: first only guesses move (`guess = true`, and velocities that were not given), and
// everything that is not `fixed` moves only where that is not enough. A start that is consistent as far as
// doubles can tell is not touched.
#pragma once

#include <string>
#include <vector>

#include <dalembert/system/system.hpp>

namespace dalembert {

struct StartChange {
  std::string name;  ///< x, or x' for a velocity
  double from = 0;
  double to = 0;
};

struct Start {
  double t = 0;
  std::vector<double> q, v, a, lambda;
  std::vector<double> units;  ///< 1/√M_ii, what a coordinate is compared with others by; empty: not known
  std::vector<double> g_given, g;                ///< residuals of g: as given, at the start
  std::vector<double> velocity_given, velocity;  ///< residuals of C v + c, both at the start's positions
  std::vector<StartChange> changes;
  int iterations = 0;  ///< of Newton's method for the positions
};

/// t, q, v and what was changed. Throws Error where no consistent start was found: it names the constraints
/// with their residuals, and what to do.
Start find_consistent_state(const System& system, double t);
Start find_consistent_state(const System& system);  ///< at the model's start time

/// Adds a and λ where they are not known yet. Throws Error when constraints contradict each other at the
/// level of accelerations, or when the mass matrix is singular on the motions that they allow.
void solve_accelerations(const System& system, Start& start);

/// Both.
Start find_start(const System& system, double t);
Start find_start(const System& system);  ///< at the model's start time

}  // namespace dalembert
