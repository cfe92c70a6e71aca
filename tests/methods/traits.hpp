// What is expected of each method; the laws of this folder run over this list. One line per method joins it.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace dalembert::testing {

struct MethodTraits {
  std::string name;
  int order = 0;  ///< with steps of constant length; 0: the order varies
  bool adaptive =
      false;  ///< `tolerance` controls it, and max_step with a huge tolerance makes steps constant
  bool keeps_positions = false;    ///< |g| stays at round-off by default
  bool keeps_velocities = false;   ///< |C v + c| too
  bool symmetric = false;          ///< a step back undoes a step, as long as steps are constant
  bool kinematic = false;          ///< takes kinematic systems
  double error_per_tolerance = 0;  ///< of adaptive methods: bound of error / tolerance after 1 s
};

inline void PrintTo(const MethodTraits& traits, std::ostream* stream) { *stream << traits.name; }

inline const std::vector<MethodTraits>& all_traits() {
  static const std::vector<MethodTraits> traits{
      {.name = "adomian",
       .adaptive = true,
       .keeps_positions = true,
       .keeps_velocities = true,
       .error_per_tolerance = 100},
      {.name = "euler", .order = 1, .keeps_positions = true, .keeps_velocities = true, .kinematic = true},
      {.name = "heun", .order = 2, .keeps_positions = true, .keeps_velocities = true, .kinematic = true},
      {.name = "kutta3", .order = 3, .keeps_positions = true, .keeps_velocities = true, .kinematic = true},
      {.name = "rk4", .order = 4, .keeps_positions = true, .keeps_velocities = true, .kinematic = true},
      {.name = "dopri5",
       .order = 5,
       .adaptive = true,
       .keeps_positions = true,
       .keeps_velocities = true,
       .kinematic = true,
       .error_per_tolerance = 100},
      {.name = "dop853",
       .order = 8,
       .adaptive = true,
       .keeps_positions = true,
       .keeps_velocities = true,
       .kinematic = true,
       .error_per_tolerance = 100},
      {.name = "nullspace",
       .order = 8,
       .adaptive = true,
       .keeps_positions = true,
       .keeps_velocities = true,
       .error_per_tolerance = 100},
      {.name = "partition",
       .order = 8,
       .adaptive = true,
       .keeps_positions = true,
       .keeps_velocities = true,
       .error_per_tolerance = 100},
      {.name = "augmented_lagrangian",
       .order = 8,
       .adaptive = true,
       .keeps_positions = true,
       .keeps_velocities = true,
       .error_per_tolerance = 100},
      {.name = "bdf", .adaptive = true, .error_per_tolerance = 1000},
      {.name = "ndf", .adaptive = true, .error_per_tolerance = 1000},
      {.name = "rattle", .order = 2, .keeps_positions = true, .keeps_velocities = true, .symmetric = true},
      {.name = "generalized_alpha", .order = 2},
  };
  return traits;
}

}  // namespace dalembert::testing
