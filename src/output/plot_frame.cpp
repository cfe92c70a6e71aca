#include "plot_frame.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace dalembert {

void PlotFrame::draw_grid(bool below, const std::string& name) const {
  constexpr const char* grid = "#e4e6ea";
  constexpr const char* ink = "#555555";
  for (const double tick : x_.ticks(8)) {
    const double x = place(tick, y_.low).x;
    line({x, box_.top}, {x, box_.bottom}, grid);
    line({x, box_.bottom}, {x, box_.bottom + 4}, ink);
    if (below) canvas_->text({x, box_.bottom + 17}, x_.text(tick), {.anchor = Anchor::middle});
  }
  for (const double tick : y_.ticks(5)) {
    const double y = place(x_.low, tick).y;
    line({box_.left, y}, {box_.right, y}, grid);
    line({box_.left - 4, y}, {box_.left, y}, ink);
    canvas_->text({box_.left - 7, y + 4}, y_.text(tick), {.anchor = Anchor::end});
  }
  line({box_.left, box_.top}, {box_.left, box_.bottom}, ink);
  line({box_.left, box_.bottom}, {box_.right, box_.bottom}, ink);
  if (below)
    canvas_->text({(box_.left + box_.right) / 2, box_.bottom + 34}, name, {.anchor = Anchor::middle});
}

void PlotFrame::draw_curve(std::span<const double> x, std::span<const double> y, const char* color) const {
  std::vector<CanvasPoint> points;
  const auto stroke = [&] {
    if (points.size() > 1) canvas_->line(points, color, 1.4);
    points.clear();
  };
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::isfinite(x[i]) && std::isfinite(y[i]) && (y[i] > 0 || !y_.logarithmic)) {
      points.push_back(place(x[i], y[i]));
    } else if (!y_.logarithmic) {
      stroke();
    }
  }
  stroke();
}

void PlotFrame::draw_dots(std::span<const double> x, std::span<const double> y, const char* color) const {
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::isfinite(y[i]) && (y[i] > 0 || !y_.logarithmic)) canvas_->dot(place(x[i], y[i]), 3, color);
  }
}

void draw_legend(Canvas& canvas, std::span<const std::string> names, const LegendStyle& style) {
  constexpr double character = 6.6;
  double at = style.left;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double room = 34 + character * static_cast<double>(names[k].size());
    if (at + room > style.right) {
      canvas.text({at, style.height}, fmt::format("and {} more", names.size() - k), {});
      return;
    }
    canvas.line(std::array{CanvasPoint{at, style.height - 4}, CanvasPoint{at + 16, style.height - 4}},
                series_color(k), 2);
    canvas.text({at + 21, style.height}, names[k], {});
    at += room;
  }
}

}  // namespace dalembert
