#include "plot_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {
namespace {

// Pieces of `on` points of the line, `off` apart.
void draw_dashes(Canvas& canvas, std::span<const CanvasPoint> points, const char* color, double width,
                 double on, double off) {
  std::vector<CanvasPoint> piece{points.front()};
  bool drawn = true;
  double rest = on;  // of the present piece or gap
  const auto end_piece = [&](CanvasPoint place) {
    piece.push_back(place);
    if (drawn) canvas.line(piece, color, width);
    piece.assign(1, place);
  };
  for (std::size_t i = 1; i < points.size(); ++i) {
    CanvasPoint from = points[i - 1];
    double length = std::hypot(points[i].x - from.x, points[i].y - from.y);
    while (length > rest) {
      const double part = rest / length;
      from = {from.x + part * (points[i].x - from.x), from.y + part * (points[i].y - from.y)};
      end_piece(from);
      length -= rest;
      drawn = !drawn;
      rest = drawn ? on : off;
    }
    rest -= length;
    piece.push_back(points[i]);
  }
  if (drawn && piece.size() > 1) canvas.line(piece, color, width);
}

// Of a character of a sans-serif font, roughly, in points; of one of several bytes, with its first.
double width_of(char c) {
  constexpr std::string_view wide = "mwMW", narrow = "ijlftrI'.,:;()[]| ";
  if ((c & 0xC0) == 0x80) return 0;
  if (wide.find(c) != std::string_view::npos) return 10;
  if (narrow.find(c) != std::string_view::npos) return 4;
  return c >= 'A' && c <= 'Z' ? 7.5 : 6.6;
}

// With the line in front and a gap behind.
double room_of(const std::string& name) { return 34 + text_width(name); }

// Calls `take` with each name's number, left edge and row. One row as long as it goes, else columns.
template <class Take>
void place_legend(std::span<const std::string> names, const LegendStyle& style, const Take& take) {
  constexpr double gap = 13;
  const double width = style.right - style.left + gap;
  double all = 0;
  double widest = 0;
  for (const std::string& name : names) {
    all += room_of(name);
    widest = std::max(widest, room_of(name));
  }
  double at = style.left;
  const auto columns = std::max<std::size_t>(static_cast<std::size_t>(width / widest), 1);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (all <= width) {
      take(k, at, std::size_t{0});
      at += room_of(names[k]);
    } else {
      take(k, style.left + widest * static_cast<double>(k % columns), k / columns);
    }
  }
}

}  // namespace

double text_width(const std::string& text) {
  double sum = 0;
  for (const char c : text) sum += width_of(c);
  return sum;
}

void draw_line(Canvas& canvas, std::span<const CanvasPoint> points, std::size_t k, double width) {
  switch (k / series_colors % 3) {
    case 0:
      return canvas.line(points, series_color(k), width);
    case 1:
      return draw_dashes(canvas, points, series_color(k), width, 6, 3.2);
    default:
      return draw_dashes(canvas, points, series_color(k), width, 1.2, 3.2);
  }
}

void PlotFrame::draw_grid(bool below, const std::string& name) const {
  constexpr const char* grid = "#e4e6ea";
  constexpr const char* ink = "#555555";
  const std::vector<double> across = x_.ticks(8);
  const std::vector<std::string> numbers = x_.texts(across);
  for (std::size_t i = 0; i < across.size(); ++i) {
    const double x = place(across[i], y_.low).x;
    line({x, box_.top}, {x, box_.bottom}, grid);
    line({x, box_.bottom}, {x, box_.bottom + 4}, ink);
    if (below) canvas_->text({x, box_.bottom + 17}, numbers[i], {.anchor = Anchor::middle});
  }
  const std::vector<double> upwards = y_.ticks(levels);
  const std::vector<std::string> heights = y_.texts(upwards);
  for (std::size_t i = 0; i < upwards.size(); ++i) {
    const double y = place(x_.low, upwards[i]).y;
    line({box_.left, y}, {box_.right, y}, grid);
    line({box_.left - 4, y}, {box_.left, y}, ink);
    canvas_->text({box_.left - 7, y + 4}, heights[i], {.anchor = Anchor::end});
  }
  line({box_.left, box_.top}, {box_.left, box_.bottom}, ink);
  line({box_.left, box_.bottom}, {box_.right, box_.bottom}, ink);
  if (below)
    canvas_->text({(box_.left + box_.right) / 2, box_.bottom + 34}, name, {.anchor = Anchor::middle});
}

void PlotFrame::draw_marks(std::span<const double> x) const {
  constexpr double apart = 3;
  double last = box_.left - apart;
  for (const double one : x) {
    const double at = place(one, y_.low).x;
    if (at - last < apart) continue;
    line({at, box_.top}, {at, box_.bottom}, "#b9a7d6");
    last = at;
  }
}

void PlotFrame::draw_curve(std::span<const double> x, std::span<const double> y, std::size_t k) const {
  std::vector<CanvasPoint> points;
  const auto stroke = [&] {
    if (points.size() > 1) draw_line(*canvas_, points, k, 1.4);
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

std::size_t count_legend_rows(std::span<const std::string> names, const LegendStyle& style) {
  std::size_t rows = 1;
  place_legend(names, style, [&](std::size_t, double, std::size_t row) { rows = row + 1; });
  return rows;
}

void draw_legend(Canvas& canvas, std::span<const std::string> names, const LegendStyle& style) {
  place_legend(names, style, [&](std::size_t k, double at, std::size_t row) {
    const double base = style.height + legend_row * static_cast<double>(row);
    draw_line(canvas, std::array{CanvasPoint{at, base - 4}, CanvasPoint{at + 16, base - 4}}, k, 2);
    canvas.text({at + 21, base}, names[k], {});
  });
}

}  // namespace dalembert
