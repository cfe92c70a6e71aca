// What a reader wants to know of how a start was changed.
#pragma once

#include <vector>

#include <dalembert/system/start.hpp>

namespace dalembert {

/// The changes of a start that are more than rounding errors beside all positions, or velocities, and more
/// than `least` of the value itself.
struct StartChanges {
  std::vector<StartChange> given;  ///< of values that the user gave
  std::vector<StartChange> found;  ///< of guesses, and of velocities that were not given
};
StartChanges sort_changes(const System& system, const Start& start, double least = 0);

}  // namespace dalembert
