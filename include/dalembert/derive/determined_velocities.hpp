// Coordinates without inertia whose velocities the forces determine, as a damper in series with a spring has.
//
// The equation of such a coordinate i is no equation for accelerations but one for velocities, 0 = f_i(q, v,
// t). Differentiated once it has the form of the others,
//
//   −∂f_i/∂v a = (∂f_i/∂q) v + ∂f_i/∂t,
//
// a row of M a = f. Where the velocities start on f_i = 0 they stay there: the system is of index 1.
#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/derive/equations.hpp>

namespace dalembert {

struct DeterminedVelocities {
  std::vector<std::size_t> coordinates;  ///< increasing
  std::vector<Expr> forces;              ///< f_i of each, which must vanish

  bool empty() const { return coordinates.empty(); }
};

/// Replaces the rows of such coordinates in M and f. Coordinates that a constraint takes part in stay as they
/// are, and those whose force jumps: their velocities would have to.
DeterminedVelocities determine_velocities(Equations& equations);

}  // namespace dalembert
