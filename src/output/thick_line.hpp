// A line through many points as the share of each pixel that it covers.
#pragma once

#include <span>

#include "canvas.hpp"
#include "coverage.hpp"

namespace dalembert {

/// In pixels, with round ends and corners. What is drawn twice is covered once.
void cover_line(std::span<const CanvasPoint> points, double width, Coverage& coverage);

}  // namespace dalembert
