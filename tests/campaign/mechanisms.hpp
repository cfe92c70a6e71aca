// Random mechanisms of bodies, joints and force elements.
#pragma once

#include "campaign/canvas.hpp"

namespace dalembert::campaign {

/// Chains, closed loops, parallel links, welds and second joints in the same place, in the plane.
void draw_plane_mechanism(Canvas& canvas);
/// The same in space: hinges, ball joints, doors on two hinges, four-bars of parallel hinges.
void draw_space_mechanism(Canvas& canvas);

}  // namespace dalembert::campaign
