// How much of each pixel something covers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dalembert {

/// Of the pixels of a rectangle, row by row, from 0 to 255.
struct Coverage {
  std::ptrdiff_t left, top, width, height;
  std::vector<std::uint8_t> parts;
};

}  // namespace dalembert
