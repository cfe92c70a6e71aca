// Accelerations and multipliers at a start as runs have them.
#pragma once

#include <dalembert/system/start.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

/// Where forces hold signs or contacts have friction: a and λ with those that fit the state. Throws Error
/// where none or several do, and where a contact is penetrated.
void settle_start(const System& system, Start& start);

}  // namespace dalembert
