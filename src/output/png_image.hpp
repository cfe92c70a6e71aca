// Pixels as a PNG file.
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

/// Throws Error where libpng is missing.
void load_png_library();

std::string write_png(const PngImage& image);

}  // namespace dalembert
