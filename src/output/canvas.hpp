// What a figure is drawn on: lines and text, in points, y downwards.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace dalembert {

struct CanvasPoint {
  double x, y;
};

struct CanvasBox {
  double left, top, right, bottom;
};

enum class Anchor { start, middle, end };

struct TextStyle {
  Anchor anchor = Anchor::start;
  double size = 11;
  const char* color = "#333333";
  bool upwards = false;  ///< turned by a quarter, read from below
};

class Canvas {
 public:
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  virtual ~Canvas() = default;

  virtual void line(std::span<const CanvasPoint> points, const char* color, double width) = 0;
  virtual void dot(CanvasPoint place, double radius, const char* color) = 0;
  virtual void text(CanvasPoint place, const std::string& text, const TextStyle& style) = 0;
  /// Until unclip() nothing is drawn outside.
  virtual void clip(const CanvasBox& box) = 0;
  virtual void unclip() = 0;
  /// The whole file.
  virtual std::string finish() = 0;
};

std::unique_ptr<Canvas> make_svg_canvas(double width, double height);
/// Throws Error when the build has no FreeType, or the system no font.
void require_png();
/// Loads the library, which takes as long as some drawing; another thread may do it.
void prepare_png();
std::unique_ptr<Canvas> make_png_canvas(double width, double height);

}  // namespace dalembert
