#include "png_image.hpp"

#ifdef DALEMBERT_CAIRO

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairo_library.hpp"
#include "zero_run_stream.hpp"

namespace dalembert {
namespace {

void append_number(std::string& text, std::uint32_t value) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) text += static_cast<char>(value >> shift & 0xFFU);
}

// Length, name, content, and a sum over name and content.
void append_part(std::string& file, std::string_view name, std::string_view content) {
  append_number(file, static_cast<std::uint32_t>(content.size()));
  const std::size_t begin = file.size();
  file += name;
  file += content;
  append_number(file, static_cast<std::uint32_t>(
                          Cairo::get().crc32(0, reinterpret_cast<const Bytef*>(file.data() + begin),
                                             static_cast<uInt>(file.size() - begin))));
}

// Behind the number of the filter each line has its red, green, blue less those of the line above: most are
// equal.
std::string compressed(const PngImage& image) {
  constexpr std::uint8_t less_above = 2;
  constexpr std::size_t piece = 16;  // pixels
  ZeroRunStream stream;
  const std::vector<std::uint8_t> black(4 * image.width);
  const std::uint8_t* above = black.data();
  std::array<std::uint8_t, 3 * piece> line{};
  for (std::size_t y = 0; y < image.height; ++y) {
    const std::uint8_t* const pixels = image.pixels + y * image.stride;
    stream.add(std::span(&less_above, 1));
    for (std::size_t x = 0; x < image.width; x += piece) {
      const std::size_t count = std::min(piece, image.width - x);
      if (std::memcmp(pixels + 4 * x, above + 4 * x, 4 * count) == 0) {
        stream.add_zeros(3 * count);
        continue;
      }
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t place = 4 * (x + i) + 2 - k;
          line[3 * i + k] = static_cast<std::uint8_t>(pixels[place] - above[place]);
        }
      }
      stream.add(std::span(line).first(3 * count));
    }
    above = pixels;
  }
  return stream.finish();
}

}  // namespace

std::string write_png(const PngImage& image) {
  std::string head;
  append_number(head, static_cast<std::uint32_t>(image.width));
  append_number(head, static_cast<std::uint32_t>(image.height));
  head += std::string_view("\x08\x02\x00\x00\x00", 5);  // eight bits each of red, green, blue
  std::string file("\x89PNG\r\n\x1A\n");
  append_part(file, "IHDR", head);
  append_part(file, "IDAT", compressed(image));
  append_part(file, "IEND", "");
  return file;
}

}  // namespace dalembert

#endif
