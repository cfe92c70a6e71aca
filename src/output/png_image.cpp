#include "png_image.hpp"

#ifdef DALEMBERT_PNG

#include <cstdint>
#include <string>
#include <vector>

#include <png.h>

#include <dalembert/base/error.hpp>

#include "shared_library.hpp"

namespace dalembert {
namespace {

using Writer = decltype(&png_image_write_to_memory);

// Of libpng, loaded on demand. Most builds of FreeType bring it with them.
Writer png_writer() {
  static const Writer writer = [] {
    Writer found = nullptr;
    SharedLibrary(DALEMBERT_PNG).find("png_image_write_to_memory", found);
    return found;
  }();
  return writer;
}

}  // namespace

void load_png_library() { png_writer(); }

std::string write_png(const PngImage& image) {
  std::vector<std::uint8_t> colors;
  for (const std::uint32_t color : image.colors) {
    for (const unsigned shift : {16U, 8U, 0U}) colors.push_back(static_cast<std::uint8_t>(color >> shift));
  }
  png_image head{};
  head.version = PNG_IMAGE_VERSION;
  head.width = static_cast<png_uint_32>(image.width);
  head.height = static_cast<png_uint_32>(image.pixels.size() / image.width);
  head.format = PNG_FORMAT_RGB_COLORMAP;
  head.colormap_entries = static_cast<png_uint_32>(image.colors.size());
  head.flags = PNG_IMAGE_FLAG_FAST;  // lines of a plot are mostly paper: other filters make them no smaller
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(head);
  std::string file(size, '\0');
  constexpr int as_they_are = 0;
  constexpr png_int_32 packed = 0;
  if (png_writer()(&head, file.data(), &size, as_they_are, image.pixels.data(), packed, colors.data()) == 0) {
    throw Error(std::string("a picture cannot be written: ") + head.message);
  }
  file.resize(size);
  return file;
}

}  // namespace dalembert

#endif
