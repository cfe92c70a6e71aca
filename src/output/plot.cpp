#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/page_samples.hpp>
#include <dalembert/output/plot.hpp>

#include "axis.hpp"
#include "canvas.hpp"

namespace dalembert {
namespace {

constexpr double width = 640;
constexpr double panel_height = 190;
constexpr double portrait_height = 440;
constexpr double title_height = 30;
constexpr double foot_height = 40;
constexpr double left_margin = 74;
constexpr double right_margin = 18;
constexpr std::size_t most_samples = 8000;  // a printed line has no more to show

constexpr std::array<const char*, 8> colors{"#0b6bcb", "#d1570a", "#118a5b", "#b5318f",
                                            "#8a6d00", "#5b4fc4", "#0f8b9d", "#a8323a"};

std::string panel_title(ColumnGroup group) {
  using enum ColumnGroup;
  switch (group) {
    case q:
      return "coordinates";
    case v:
      return "velocities";
    case a:
      return "accelerations";
    case lambda:
      return "multipliers λ";
    case force:
      return "constraint forces";
    case energy:
      return "energies";
    case g:
      return "|g|";
    case gv:
      return "|C v + c|";
    default:
      return "outputs";
  }
}

struct Panel {
  ColumnGroup group;
  std::vector<std::string> names;
  std::vector<std::vector<double>> curves;

  bool logarithmic() const { return group == ColumnGroup::g || group == ColumnGroup::gv; }
};

// What is drawn over time keeps its extremes; points of a portrait stay points of the motion.
std::vector<double> values_of(const PageSamples& samples, std::size_t column, bool over_time) {
  if (over_time && samples.every() > 1) return samples.envelope(column);
  const auto values = samples.values(column);
  return {values.begin(), values.end()};
}

// All columns but the one of the horizontal axis and the time.
std::vector<Panel> make_panels(const PageSamples& samples, std::size_t abscissa) {
  std::vector<Panel> panels;
  for (std::size_t i = 1; i < samples.columns().size(); ++i) {
    if (i == abscissa) continue;
    const Column& column = samples.columns()[i];
    if (panels.empty() || panels.back().group != column.group) panels.push_back({column.group, {}, {}});
    std::vector<double> curve = values_of(samples, i, abscissa == 0);
    if (panels.back().logarithmic())
      std::transform(curve.begin(), curve.end(), curve.begin(), [](double value) { return std::abs(value); });
    panels.back().names.push_back(column.name);
    panels.back().curves.push_back(std::move(curve));
  }
  return panels;
}

class Figure {
 public:
  Figure(Canvas& canvas, std::string name, std::vector<double> abscissa, double height)
      : canvas_(&canvas), name_(std::move(name)), abscissa_(std::move(abscissa)), height_(height) {
    horizontal_ = make_axis(std::span(&abscissa_, 1), false);
    const auto [first, last] = std::minmax_element(abscissa_.begin(), abscissa_.end());
    if (name_ == "t" && abscissa_.size() > 1) horizontal_ = {*first, *last, false};
  }

  void draw(const Panel& panel, double top, bool lowest) {
    const CanvasBox box{left_margin, top + 26, width - right_margin, top + height_ - 8};
    const Axis axis = make_axis(panel.curves, panel.logarithmic());
    draw_grid(box, axis, lowest);
    canvas_->text({16, (box.top + box.bottom) / 2}, panel_title(panel.group),
                  {.anchor = Anchor::middle, .upwards = true});
    draw_legend(panel.names, top + 14);
    canvas_->clip(box);
    for (std::size_t k = 0; k < panel.curves.size(); ++k)
      draw_curve(box, axis, panel.curves[k], colors[k % colors.size()]);
    canvas_->unclip();
  }

 private:
  double x(const CanvasBox& box, double value) const {
    return box.left + horizontal_.part(value) * (box.right - box.left);
  }
  static double y(const CanvasBox& box, const Axis& axis, double value) {
    return box.bottom - axis.part(value) * (box.bottom - box.top);
  }
  void line(CanvasPoint from, CanvasPoint to, const char* color) {
    canvas_->line(std::array{from, to}, color, 0.8);
  }

  void draw_grid(const CanvasBox& box, const Axis& axis, bool lowest) {
    constexpr const char* grid = "#e4e6ea";
    constexpr const char* ink = "#555555";
    for (const double tick : horizontal_.ticks(8)) {
      line({x(box, tick), box.top}, {x(box, tick), box.bottom}, grid);
      line({x(box, tick), box.bottom}, {x(box, tick), box.bottom + 4}, ink);
      if (lowest)
        canvas_->text({x(box, tick), box.bottom + 17}, horizontal_.text(tick), {.anchor = Anchor::middle});
    }
    for (const double tick : axis.ticks(5)) {
      line({box.left, y(box, axis, tick)}, {box.right, y(box, axis, tick)}, grid);
      line({box.left - 4, y(box, axis, tick)}, {box.left, y(box, axis, tick)}, ink);
      canvas_->text({box.left - 7, y(box, axis, tick) + 4}, axis.text(tick), {.anchor = Anchor::end});
    }
    line({box.left, box.top}, {box.left, box.bottom}, ink);
    line({box.left, box.bottom}, {box.right, box.bottom}, ink);
    if (lowest)
      canvas_->text({(box.left + box.right) / 2, box.bottom + 34}, name_, {.anchor = Anchor::middle});
  }

  // As many names as fit on a line.
  void draw_legend(const std::vector<std::string>& names, double height) {
    constexpr double character = 6.6;
    double at = left_margin;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const double room = 34 + character * static_cast<double>(names[k].size());
      if (at + room > width - right_margin) {
        canvas_->text({at, height}, fmt::format("and {} more", names.size() - k), {});
        return;
      }
      canvas_->line(std::array{CanvasPoint{at, height - 4}, CanvasPoint{at + 16, height - 4}},
                    colors[k % colors.size()], 2);
      canvas_->text({at + 21, height}, names[k], {});
      at += room;
    }
  }

  void draw_curve(const CanvasBox& box, const Axis& axis, const std::vector<double>& curve,
                  const char* color) {
    std::vector<CanvasPoint> points;
    const auto stroke = [&] {
      if (points.size() > 1) canvas_->line(points, color, 1.4);
      points.clear();
    };
    for (std::size_t i = 0; i < curve.size(); ++i) {
      if (std::isfinite(curve[i]) && std::isfinite(abscissa_[i]) && (curve[i] > 0 || !axis.logarithmic)) {
        points.push_back({x(box, abscissa_[i]), y(box, axis, curve[i])});
      } else if (!axis.logarithmic) {
        stroke();  // a gap; a residual of zero is none
      }
    }
    stroke();
  }

  Canvas* canvas_;
  std::string name_;  // of the horizontal axis
  std::vector<double> abscissa_;
  double height_;  // of a panel
  Axis horizontal_;
};

class Plot : public ResultWriter {
 public:
  Plot(const std::filesystem::path& path, std::vector<Column> columns, std::size_t abscissa, bool png)
      : file_(path), samples_(std::move(columns), most_samples), abscissa_(abscissa), png_(png) {
    if (png_) make_png_canvas(1, 1);  // says now what is missing
  }
  void add(std::span<const double> row) override { samples_.add(row); }

  void finish(const RunRecord& record) override {
    const std::vector<Panel> panels = make_panels(samples_, abscissa_);
    const double panel = abscissa_ == 0 ? panel_height : portrait_height;
    const double height = title_height + panel * static_cast<double>(panels.size()) + foot_height;
    const auto canvas = png_ ? make_png_canvas(width, height) : make_svg_canvas(width, height);
    const std::string partial = record.partial() ? " (" + outcome_word(record.report.outcome) + ")" : "";
    canvas->text({left_margin, 20}, record.model->title + partial, {.size = 13, .color = "#111111"});
    Figure figure(*canvas, samples_.columns()[abscissa_].name, values_of(samples_, abscissa_, abscissa_ == 0),
                  panel);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      figure.draw(panels[i], title_height + panel * static_cast<double>(i), i + 1 == panels.size());
    }
    file_.write(canvas->finish());
    file_.commit();
  }

 private:
  AtomicFile file_;
  PageSamples samples_;
  std::size_t abscissa_;  // the column of the horizontal axis
  bool png_;
};

}  // namespace

std::unique_ptr<ResultWriter> make_plot(const std::filesystem::path& path, std::vector<Column> columns,
                                        const std::string& against) {
  const std::string suffix = path.extension().string();
  if (suffix != ".svg" && suffix != ".png") {
    throw Error(fmt::format("the picture '{}' must have a name that ends in .svg or .png", path.string()));
  }
  const auto abscissa = std::find_if(columns.begin(), columns.end(),
                                     [&](const Column& column) { return column.name == against; });
  if (abscissa == columns.end()) throw Error(fmt::format("no column '{}' to draw against", against));
  const auto index = static_cast<std::size_t>(abscissa - columns.begin());
  return std::make_unique<Plot>(path, std::move(columns), index, suffix == ".png");
}

}  // namespace dalembert
