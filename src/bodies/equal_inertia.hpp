// The box that has the mass and the inertia of a body: what it looks like when nobody said so.
#pragma once

#include <array>

namespace dalembert {

using Numbers3 = std::array<double, 3>;
using Numbers33 = std::array<Numbers3, 3>;

struct EqualBox {
  Numbers3 edges{};
  std::array<double, 4> turn{1, 0, 0, 0};  ///< its axes in the body, a unit quaternion, scalar first
};

/// J about the centre of mass. Its principal second moments of mass Σ = tr(J)/2 − J are those of a box,
/// m a²/12 for the edge a; without mass there is none.
EqualBox make_equal_box(double mass, const Numbers33& J);

}  // namespace dalembert
