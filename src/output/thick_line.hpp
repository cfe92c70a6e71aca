// A line through many points as the share of each pixel that it covers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "canvas.hpp"

namespace dalembert {

/// Of the pixels of a rectangle, row by row, from 0 to 255.
struct Coverage {
  std::ptrdiff_t left, top, width, height;
  std::vector<std::uint8_t> parts;
};

/// In pixels, with round ends and corners. What is drawn twice is covered once.
void cover_line(std::span<const CanvasPoint> points, double width, Coverage& coverage);

}  // namespace dalembert
