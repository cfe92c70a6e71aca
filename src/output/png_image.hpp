// Pixels as a PNG file. The usual library tries five filters on every line and takes four times as long;
// lines of a plot are mostly white and compress best as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace dalembert {

struct PngImage {
  std::span<const std::uint8_t> pixels;  ///< numbers of colours
  std::size_t width;
  std::span<const std::uint32_t> colors;  ///< from the highest byte on: unused, red, green, blue; at most 256
};

std::string write_png(const PngImage& image);

}  // namespace dalembert
