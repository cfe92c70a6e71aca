// The velocities of coordinates without inertia, from the balance of the forces on them
// (derive/determined_velocities.hpp).
#pragma once

#include <span>

#include <dalembert/system/system.hpp>

namespace dalembert {

/// Newton's method for f_i(q, v, t) = 0, in any scalar; the other velocities stay. False: it finds none.
template <class S>
bool balance_velocities(const System& system, const S& t, std::span<const S> q, std::span<S> v);

}  // namespace dalembert
