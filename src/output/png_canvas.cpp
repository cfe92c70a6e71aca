#include <memory>

#include <dalembert/base/error.hpp>

#include "canvas.hpp"

#ifdef DALEMBERT_FREETYPE

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "letters.hpp"
#include "palette.hpp"
#include "png_image.hpp"
#include "thick_line.hpp"

namespace dalembert {
namespace {

constexpr double pixels_per_point = 2;

std::ptrdiff_t whole(double value) { return static_cast<std::ptrdiff_t>(std::lround(value)); }

std::uint32_t number_of(const char* color) {
  return static_cast<std::uint32_t>(std::strtol(color + 1, nullptr, 16));
}

class PngCanvas : public Canvas {
 public:
  PngCanvas(double width, double height)
      : width_(whole(width * pixels_per_point)),
        height_(whole(height * pixels_per_point)),
        pixels_(static_cast<std::size_t>(width_ * height_)) {
    PngCanvas::unclip();
  }

  void line(std::span<const CanvasPoint> points, const char* color, double width) override {
    places_.clear();
    for (const CanvasPoint& point : points)
      places_.push_back({point.x * pixels_per_point, point.y * pixels_per_point});
    const double thickness = width * pixels_per_point;
    choose_pixels(thickness);
    if (coverage_.width <= 0 || coverage_.height <= 0) return;
    cover_line(places_, thickness, coverage_);
    blend(coverage_, 0, 0, palette_.ink(number_of(color)));
  }

  void dot(CanvasPoint place, double radius, const char* color) override {
    line(std::array{place, place}, color, 2 * radius);
  }

  void text(CanvasPoint place, const std::string& text, const TextStyle& style) override {
    const Letters::Style letters{style.size * pixels_per_point, style.upwards};
    const double part = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
    const double back = part == 0 ? 0 : part * letters_.width_of(text, letters);
    const double x = place.x * pixels_per_point - (style.upwards ? 0 : back);
    const double y = place.y * pixels_per_point + (style.upwards ? back : 0);
    const unsigned ink = palette_.ink(number_of(style.color));
    letters_.place(x, y, text, letters,
                   [&](const Coverage& letter, std::ptrdiff_t right, std::ptrdiff_t down) {
                     blend(letter, right, down, ink);
                   });
  }

  void clip(const CanvasBox& box) override {
    left_ = std::max<std::ptrdiff_t>(whole(box.left * pixels_per_point), 0);
    top_ = std::max<std::ptrdiff_t>(whole(box.top * pixels_per_point), 0);
    right_ = std::min(whole(box.right * pixels_per_point), width_);
    bottom_ = std::min(whole(box.bottom * pixels_per_point), height_);
  }
  void unclip() override {
    left_ = top_ = 0;
    right_ = width_;
    bottom_ = height_;
  }

  std::string finish() override {
    return write_png({pixels_, static_cast<std::size_t>(width_), palette_.colors()});
  }

 private:
  // Those around the line inside the clip box.
  void choose_pixels(double thickness) {
    CanvasBox box{places_.front().x, places_.front().y, places_.front().x, places_.front().y};
    for (const CanvasPoint& place : places_) {
      box = {std::min(box.left, place.x), std::min(box.top, place.y), std::max(box.right, place.x),
             std::max(box.bottom, place.y)};
    }
    const double margin = thickness / 2 + 1;
    const auto inside = [](double value, std::ptrdiff_t low, std::ptrdiff_t high) {
      return whole(std::clamp(value, static_cast<double>(low), static_cast<double>(high)));
    };
    coverage_.left = inside(box.left - margin, left_, right_);
    coverage_.top = inside(box.top - margin, top_, bottom_);
    coverage_.width = inside(box.right + margin, left_, right_) - coverage_.left;
    coverage_.height = inside(box.bottom + margin, top_, bottom_) - coverage_.top;
  }
  // What is covered, moved to the right and down.
  void blend(const Coverage& cover, std::ptrdiff_t right, std::ptrdiff_t down, unsigned ink) {
    const std::ptrdiff_t left = cover.left + right;
    const std::ptrdiff_t first = std::max<std::ptrdiff_t>(left_ - left, 0);
    const std::ptrdiff_t last = std::min(right_ - left, cover.width);
    for (std::ptrdiff_t row = 0; row < cover.height; ++row) {
      const std::ptrdiff_t y = cover.top + down + row;
      if (y < top_ || y >= bottom_) continue;
      const std::uint8_t* const parts = cover.parts.data() + row * cover.width;
      std::uint8_t* const pixels = pixels_.data() + y * width_;
      for (std::ptrdiff_t x = first; x < last; ++x) {
        std::uint64_t eight = 1;
        if (x + 8 <= last) std::memcpy(&eight, parts + x, sizeof eight);
        if (eight == 0) {
          x += 7;
        } else if (const unsigned step = (parts[x] * Palette::steps + 127) / 255; step > 0) {
          pixels[left + x] = palette_.mixed(pixels[left + x], ink, step);
        }
      }
    }
  }

  std::ptrdiff_t width_, height_;
  std::ptrdiff_t left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;  // nothing is drawn outside
  Palette palette_;
  std::vector<std::uint8_t> pixels_;  // numbers of colours
  Letters letters_;
  Coverage coverage_{};
  std::vector<CanvasPoint> places_;
};

}  // namespace

void require_png() { find_font(); }

void prepare_png() {
  Letters::load();
  load_png_library();
}

std::unique_ptr<Canvas> make_png_canvas(double width, double height) {
  return std::make_unique<PngCanvas>(width, height);
}

}  // namespace dalembert

#else

namespace dalembert {

void require_png() {
  throw Error(
      "this build draws no PNG: it was made without FreeType or libpng (packages libfreetype-dev, "
      "libpng-dev); "
      "write a name that ends in .svg");
}

void prepare_png() {}

std::unique_ptr<Canvas> make_png_canvas(double, double) {
  require_png();
  return nullptr;
}

}  // namespace dalembert

#endif
