#include "png_image.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crc32.hpp"
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
  append_number(file, crc32(0, std::string_view(file).substr(begin)));
}

// Each line is the number of a filter, and the pixels less those of the line above: most are equal.
std::string compressed(const PngImage& image) {
  constexpr std::uint8_t less_above = 2;
  constexpr std::size_t piece = 8;  // pixels
  ZeroRunStream stream;
  const std::vector<std::uint8_t> nothing(image.width);
  const std::uint8_t* above = nothing.data();
  std::array<std::uint8_t, piece> less{};
  for (std::size_t first = 0; first < image.pixels.size(); first += image.width) {
    const std::uint8_t* const line = image.pixels.data() + first;
    stream.add(std::span(&less_above, 1));
    std::size_t equal = 0;
    for (std::size_t x = 0; x < image.width; x += piece) {
      const std::size_t count = std::min(piece, image.width - x);
      if (count == piece && std::memcmp(line + x, above + x, piece) == 0) {
        equal += piece;
        continue;
      }
      stream.add_zeros(std::exchange(equal, 0));
      for (std::size_t i = 0; i < count; ++i) less[i] = static_cast<std::uint8_t>(line[x + i] - above[x + i]);
      stream.add(std::span(less).first(count));
    }
    stream.add_zeros(equal);
    above = line;
  }
  return stream.finish();
}

}  // namespace

std::string write_png(const PngImage& image) {
  std::string head;
  append_number(head, static_cast<std::uint32_t>(image.width));
  append_number(head, static_cast<std::uint32_t>(image.pixels.size() / image.width));
  head += std::string_view("\x08\x03\x00\x00\x00", 5);  // eight bits of a colour's number
  std::string colors;
  for (const std::uint32_t color : image.colors) {
    for (const unsigned shift : {16U, 8U, 0U}) colors += static_cast<char>(color >> shift & 0xFFU);
  }
  std::string file("\x89PNG\r\n\x1A\n");
  append_part(file, "IHDR", head);
  append_part(file, "PLTE", colors);
  append_part(file, "IDAT", compressed(image));
  append_part(file, "IEND", "");
  return file;
}

}  // namespace dalembert
