// Two axes with grid and numbers, and curves between them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "axis.hpp"
#include "canvas.hpp"

namespace dalembert {

inline constexpr std::size_t series_colors = 8;

/// The colour of the k-th curve; the same as on the page.
inline const char* series_color(std::size_t k) {
  constexpr std::array<const char*, series_colors> colors{"#0b6bcb", "#d1570a", "#118a5b", "#b5318f",
                                                          "#8a6d00", "#5b4fc4", "#0f8b9d", "#a8323a"};
  return colors[k % colors.size()];
}

/// Where there are more curves than colours: solid, dashed, dotted.
void draw_line(Canvas& canvas, std::span<const CanvasPoint> points, std::size_t k, double width);

class PlotFrame {
 public:
  PlotFrame(Canvas& canvas, const CanvasBox& box, const Axis& x, const Axis& y)
      : canvas_(&canvas), box_(box), x_(x), y_(y) {}

  static constexpr int levels = 5;  ///< about so many lines upwards

  /// `below`: with the numbers and the name of the horizontal axis.
  void draw_grid(bool below, const std::string& name) const;
  /// Values that an axis cannot show make a gap; on a logarithmic axis those that are zero are left out.
  void draw_curve(std::span<const double> x, std::span<const double> y, std::size_t k) const;
  /// Thin lines across; one that would touch another is left out.
  void draw_marks(std::span<const double> x) const;
  void draw_dots(std::span<const double> x, std::span<const double> y, const char* color) const;

 private:
  CanvasPoint place(double x, double y) const {
    return {box_.left + x_.part(x) * (box_.right - box_.left),
            box_.bottom - y_.part(y) * (box_.bottom - box_.top)};
  }
  void line(CanvasPoint from, CanvasPoint to, const char* color) const {
    canvas_->line(std::array{from, to}, color, 0.8);
  }

  Canvas* canvas_;
  CanvasBox box_;
  Axis x_, y_;
};

/// How wide a text is, roughly, in points.
double text_width(const std::string& text);

struct LegendStyle {
  double left, right;  ///< of the room
  double height;       ///< of the first baseline
};

inline constexpr double legend_row = 15;

/// The names with their lines, in as many rows as they take.
void draw_legend(Canvas& canvas, std::span<const std::string> names, const LegendStyle& style);
std::size_t count_legend_rows(std::span<const std::string> names, const LegendStyle& style);

}  // namespace dalembert
