// Places of a body as numbers, and the polygon around them in the plane.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "equal_inertia.hpp"

namespace dalembert {

using Outline = std::vector<Numbers3>;

inline double extent_of(const Outline& places) {
  double extent = 0;
  for (const Numbers3& a : places) {
    for (const Numbers3& b : places)
      extent = std::max(extent, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
  return extent;
}

/// Counter-clockwise, by Andrew's monotone chain; points on an edge are left out.
inline Outline convex_hull(Outline places) {
  std::sort(places.begin(), places.end());
  if (places.size() < 3) return places;
  const double slack = 1e-9 * extent_of(places) * extent_of(places);
  const auto left = [&](const Numbers3& a, const Numbers3& b, const Numbers3& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > slack;
  };
  Outline hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const Numbers3& place : places) {
      while (hull.size() >= first + 2 && !left(hull[hull.size() - 2], hull.back(), place)) hull.pop_back();
      hull.push_back(place);
    }
    hull.pop_back();  // the first of the other side
    std::reverse(places.begin(), places.end());
  }
  return hull;
}

}  // namespace dalembert
