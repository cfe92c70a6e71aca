// The start of a large regular system by sparse factors. Whatever is not regular is left to the dense search,
// which knows what to do and what to say.
#pragma once

#include <optional>

#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

/// Dense matrices of this many rows and more take too long.
bool is_large(const System& system);

/// The same start as find_start(), or nothing: the saddle-point matrix is singular, nearly so, or Newton's
/// method without damping does not converge.
std::optional<Start> find_large_start(const System& system, double t);

/// The structure, or nothing where the saddle-point matrix is singular or nearly so. No choice of free
/// positions and velocities: nobody reads thousands of names.
std::optional<Structure> analyse_large_structure(const System& system, const Start& start);

}  // namespace dalembert
