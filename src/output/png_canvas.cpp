#include <memory>

#include <dalembert/base/error.hpp>

#include "canvas.hpp"

#ifdef DALEMBERT_CAIRO

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "cairo_library.hpp"
#include "png_image.hpp"
#include "thick_line.hpp"

namespace dalembert {
namespace {

constexpr double pixels_per_point = 2;
constexpr const char* usual_place = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

// By its place: to ask for a sans-serif font reads the descriptions of all fonts there are. nullptr where it
// is not.
cairo_font_face_t* usual_font() {
  static cairo_font_face_t* const font = []() -> cairo_font_face_t* {
    const Cairo& c = Cairo::get();
    FT_Library library = nullptr;
    FT_Face face = nullptr;
    if (c.FT_Init_FreeType(&library) != 0 || c.FT_New_Face(library, usual_place, 0, &face) != 0)
      return nullptr;
    return c.cairo_ft_font_face_create_for_ft_face(face, 0);  // stays until the program ends
  }();
  return font;
}

class PngCanvas : public Canvas {
 public:
  PngCanvas(double width, double height)
      : surface_(c_.cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width * pixels_per_point),
                                               static_cast<int>(height * pixels_per_point))),
        cairo_(c_.cairo_create(surface_)),
        all_{0, 0, width * pixels_per_point, height * pixels_per_point},
        clip_(all_) {
    c_.cairo_scale(cairo_, pixels_per_point, pixels_per_point);
    c_.cairo_set_source_rgb(cairo_, 1, 1, 1);
    c_.cairo_paint(cairo_);
    select_font();
  }
  ~PngCanvas() override {
    c_.cairo_destroy(cairo_);
    c_.cairo_surface_destroy(surface_);
  }

  // Not by Cairo, which takes ten times as long.
  void line(std::span<const CanvasPoint> points, const char* color, double width) override {
    places_.clear();
    for (const CanvasPoint& point : points)
      places_.push_back({point.x * pixels_per_point, point.y * pixels_per_point});
    const double thickness = width * pixels_per_point;
    choose_pixels(thickness);
    if (coverage_.width <= 0 || coverage_.height <= 0) return;
    cover_line(places_, thickness, coverage_);
    c_.cairo_surface_flush(surface_);
    blend(static_cast<std::uint32_t>(std::strtol(color + 1, nullptr, 16)));
    c_.cairo_surface_mark_dirty(surface_);
  }

  void dot(CanvasPoint place, double radius, const char* color) override {
    set_color(color);
    c_.cairo_arc(cairo_, place.x, place.y, radius, 0, 2 * std::numbers::pi);
    c_.cairo_fill(cairo_);
  }

  void text(CanvasPoint place, const std::string& text, const TextStyle& style) override {
    set_color(style.color);
    c_.cairo_set_font_size(cairo_, style.size);
    cairo_text_extents_t extents;
    c_.cairo_text_extents(cairo_, text.c_str(), &extents);
    const double shift = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
    c_.cairo_save(cairo_);
    c_.cairo_translate(cairo_, place.x, place.y);
    if (style.upwards) c_.cairo_rotate(cairo_, -std::numbers::pi / 2);
    c_.cairo_move_to(cairo_, -shift * extents.x_advance, 0);
    c_.cairo_show_text(cairo_, text.c_str());
    c_.cairo_restore(cairo_);
    c_.cairo_new_path(cairo_);
  }

  void clip(const CanvasBox& box) override {
    clip_ = {box.left * pixels_per_point, box.top * pixels_per_point, box.right * pixels_per_point,
             box.bottom * pixels_per_point};
    c_.cairo_save(cairo_);
    c_.cairo_rectangle(cairo_, box.left, box.top, box.right - box.left, box.bottom - box.top);
    c_.cairo_clip(cairo_);
  }
  void unclip() override {
    clip_ = all_;
    c_.cairo_restore(cairo_);
  }

  std::string finish() override {
    c_.cairo_surface_flush(surface_);
    if (c_.cairo_surface_status(surface_) != CAIRO_STATUS_SUCCESS)
      throw Error("the picture could not be made: not enough memory");
    const auto size = [](int value) { return static_cast<std::size_t>(value); };
    return write_png({c_.cairo_image_surface_get_data(surface_),
                      size(c_.cairo_image_surface_get_width(surface_)),
                      size(c_.cairo_image_surface_get_height(surface_)),
                      size(c_.cairo_image_surface_get_stride(surface_))});
  }

 private:
  // Those around the line inside the clip box.
  void choose_pixels(double thickness) {
    CanvasBox box{places_.front().x, places_.front().y, places_.front().x, places_.front().y};
    for (const CanvasPoint& place : places_) {
      box = {std::min(box.left, place.x), std::min(box.top, place.y), std::max(box.right, place.x),
             std::max(box.bottom, place.y)};
    }
    const auto whole = [](double value) { return static_cast<std::ptrdiff_t>(std::lround(value)); };
    const double margin = thickness / 2 + 1;
    coverage_.left = whole(std::max(box.left - margin, clip_.left));
    coverage_.top = whole(std::max(box.top - margin, clip_.top));
    coverage_.width = whole(std::min(box.right + margin, clip_.right)) - coverage_.left;
    coverage_.height = whole(std::min(box.bottom + margin, clip_.bottom)) - coverage_.top;
  }
  void blend(std::uint32_t color) {
    const std::ptrdiff_t stride = c_.cairo_image_surface_get_stride(surface_);
    unsigned char* const pixels = c_.cairo_image_surface_get_data(surface_);
    for (std::ptrdiff_t y = 0; y < coverage_.height; ++y) {
      const std::uint8_t* const parts = coverage_.parts.data() + y * coverage_.width;
      unsigned char* const row = pixels + (coverage_.top + y) * stride + coverage_.left * 4;
      for (std::ptrdiff_t x = 0; x < coverage_.width; ++x) {
        std::uint64_t eight = 0;
        if (x + 8 <= coverage_.width) std::memcpy(&eight, parts + x, sizeof eight);
        if (x + 8 <= coverage_.width && eight == 0) {
          x += 7;
          continue;
        }
        const unsigned part = parts[x];
        if (part == 0) continue;
        for (unsigned k = 0; k < 3; ++k) {
          unsigned char& channel = row[4 * x + k];
          channel = static_cast<unsigned char>(
              (channel * (255 - part) + (color >> 8 * k & 255U) * part + 127) / 255);
        }
      }
    }
  }
  void select_font() {
    if (cairo_font_face_t* font = usual_font(); font != nullptr) {
      c_.cairo_set_font_face(cairo_, font);
    } else {
      c_.cairo_select_font_face(cairo_, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    }
  }
  void set_color(const char* color) {
    const long value = std::strtol(color + 1, nullptr, 16);
    c_.cairo_set_source_rgb(cairo_, static_cast<double>(value >> 16U & 255U) / 255,
                            static_cast<double>(value >> 8U & 255U) / 255,
                            static_cast<double>(value & 255U) / 255);
  }

  const Cairo& c_ = Cairo::get();
  cairo_surface_t* surface_;
  cairo_t* cairo_;
  CanvasBox all_, clip_;  // in pixels
  Coverage coverage_{};
  std::vector<CanvasPoint> places_;
};

}  // namespace

void require_png() {}

std::unique_ptr<Canvas> make_png_canvas(double width, double height) {
  return std::make_unique<PngCanvas>(width, height);
}

}  // namespace dalembert

#else

namespace dalembert {

void require_png() {
  throw Error(
      "this build draws no PNG: it was made without Cairo (package libcairo2-dev); write a name that ends in "
      ".svg");
}

std::unique_ptr<Canvas> make_png_canvas(double, double) {
  require_png();
  return nullptr;
}

}  // namespace dalembert

#endif
