#include <iterator>
#include <memory>
#include <span>
#include <string>

#include <fmt/format.h>

#include <dalembert/base/xml_text.hpp>

#include "canvas.hpp"

namespace dalembert {
namespace {

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height) {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width, height);
  }

  void line(std::span<const CanvasPoint> points, const char* color, double width) override {
    text_ += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" points=\"",
        color, width);
    for (const CanvasPoint& point : points)
      fmt::format_to(std::back_inserter(text_), "{:.2f},{:.2f} ", point.x, point.y);
    text_ += "\"/>\n";
  }

  void dot(CanvasPoint place, double radius, const char* color) override {
    text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n", place.x, place.y,
                         radius, color);
  }

  void text(CanvasPoint place, const std::string& text, const TextStyle& style) override {
    const char* anchor = style.anchor == Anchor::start    ? "start"
                         : style.anchor == Anchor::middle ? "middle"
                                                          : "end";
    const std::string turn =
        style.upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", place.x, place.y) : "";
    text_ += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n",
        place.x, place.y, style.size, style.color, anchor, turn, xml_text(text));
  }

  void clip(const CanvasBox& box) override {
    text_ += fmt::format(
        "<clipPath id=\"clip{0}\"><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" "
        "height=\"{4:.2f}\"/></clipPath>\n"
        "<g clip-path=\"url(#clip{0})\">\n",
        clips_++, box.left, box.top, box.right - box.left, box.bottom - box.top);
  }
  void unclip() override { text_ += "</g>\n"; }
  std::string finish() override { return text_ + "</svg>\n"; }

 private:
  std::string text_;
  int clips_ = 0;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace dalembert
