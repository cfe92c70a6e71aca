// Pixels as a PNG file. Cairo's own writer tries five filters on every line and takes four times as long;
// lines of a plot are mostly white and compress best as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace dalembert {

struct PngImage {
  const std::uint8_t* pixels;  ///< four bytes each: blue, green, red, unused
  std::size_t width, height;
  std::size_t stride;  ///< bytes from line to line
};

std::string write_png(const PngImage& image);

}  // namespace dalembert
