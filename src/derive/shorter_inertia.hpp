// Inertia of bodies that turn, with as few products as a textbook has.
#pragma once

#include <dalembert/derive/equations.hpp>

namespace dalembert {

/// Kinetic energies are squares of velocities of points, and so M and f have products as
/// sin a sin b + cos a cos b, which is cos(a − b), and others that cancel. Where positions and times are
/// arguments of sines and cosines alone, so that nothing is lost by cancellation when it is multiplied out,
/// M and f are written by the identities, if that saves products. After constraints are derived.
void shorten_inertia(Equations& e);

}  // namespace dalembert
