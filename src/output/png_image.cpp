#include "png_image.hpp"

#ifdef DALEMBERT_CAIRO

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>

#include "cairo_library.hpp"

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

// A line of red, green, blue, less those of the line above (filter 2): most are equal.
void fill_line(std::vector<std::uint8_t>& line, const std::uint8_t* pixel, const std::uint8_t* above) {
  line[0] = 2;
  for (std::size_t i = 1; i < line.size(); i += 3, pixel += 4, above += 4) {
    for (std::size_t k = 0; k < 3; ++k) line[i + k] = static_cast<std::uint8_t>(pixel[2 - k] - above[2 - k]);
  }
}

// Line by line: the whole picture once more would take as long to get from the system as to compress. Equal
// bytes in a row are all that is looked for.
std::string compressed(const PngImage& image) {
  const Cairo& library = Cairo::get();
  z_stream stream{};
  if (library.deflateInit2_(&stream, 1, Z_DEFLATED, 15, 8, Z_RLE, ZLIB_VERSION, sizeof stream) != Z_OK)
    throw Error("the picture could not be made: not enough memory");
  std::vector<std::uint8_t> line(1 + 3 * image.width);
  const std::vector<std::uint8_t> black(4 * image.width);
  std::vector<char> piece(1U << 15U);
  std::string text;
  const std::uint8_t* above = black.data();
  for (std::size_t y = 0; y < image.height; ++y) {
    const std::uint8_t* const pixels = image.pixels + y * image.stride;
    fill_line(line, pixels, std::exchange(above, pixels));
    stream.next_in = line.data();
    stream.avail_in = static_cast<uInt>(line.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(piece.size());
      library.deflate(&stream, y + 1 == image.height ? Z_FINISH : Z_NO_FLUSH);
      text.append(piece.data(), piece.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  library.deflateEnd(&stream);
  return text;
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
