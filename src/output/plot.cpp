#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/comparison_plot.hpp>
#include <dalembert/output/page_samples.hpp>
#include <dalembert/output/plot.hpp>

#include "axis.hpp"
#include "canvas.hpp"
#include "jumps.hpp"
#include "plot_frame.hpp"

namespace dalembert {
namespace {

constexpr double width = 640;
constexpr double panel_height = 190;
constexpr double portrait_height = 440;
constexpr double title_height = 30;
constexpr double foot_height = 40;
constexpr double left_margin = 74;
constexpr double right_margin = 18;
constexpr std::size_t most_samples = 8000;    // a printed line has no more to show
constexpr std::size_t most_in_pixels = 4000;  // over time: a least and a greatest value per pixel, or more

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
    case time:
    case output:
    case view:
      break;
  }
  return "outputs";
}

struct Panel {
  ColumnGroup group;
  std::string unit;
  std::vector<std::string> names;
  std::vector<std::vector<double>> curves;

  std::string title() const {
    return panel_title(group) + (unit.empty() || unit == "1" ? "" : fmt::format(" [{}]", unit));
  }
  bool logarithmic() const { return group == ColumnGroup::g || group == ColumnGroup::gv; }
};

// What is drawn over time keeps its extremes; points of a portrait stay points of the motion.
std::vector<double> values_of(const PageSamples& samples, std::size_t column, bool over_time) {
  const auto kept = samples.values(column);
  return over_time && samples.every() > 1 ? samples.envelope(column)
                                          : std::vector<double>(kept.begin(), kept.end());
}

// What is constant to this part of its size is a line, not a picture of its round-off; as on the page.
constexpr double flatness = 1e-9;

void flatten(std::vector<double>& curve) {
  const auto [least, greatest] = std::minmax_element(curve.begin(), curve.end());
  if (curve.empty() || !(*greatest - *least <= flatness * std::max(std::abs(*least), std::abs(*greatest))))
    return;
  const double first = curve.front();
  std::fill(curve.begin(), curve.end(), first);
}

// One axis for each unit of a group.
Panel& panel_of(std::vector<Panel>& panels, const Column& column) {
  const auto same = std::find_if(panels.begin(), panels.end(), [&](const Panel& panel) {
    return panel.group == column.group && panel.unit == column.shown;
  });
  if (same != panels.end()) return *same;
  return panels.emplace_back(Panel{column.group, column.shown, {}, {}});
}

using Curves = std::vector<std::vector<double>>;

// A curve for each column, times first.
Curves curves_of(const PageSamples& samples, bool over_time, std::span<const EventRecord> events) {
  Curves curves;
  for (std::size_t i = 0; i < samples.columns().size(); ++i)
    curves.push_back(values_of(samples, i, over_time));
  if (samples.every() == 1) curves = with_jumps(samples.columns(), std::move(curves), events);
  for (std::size_t i = 0; i < curves.size(); ++i)
    for (double& value : curves[i]) value *= samples.columns()[i].scale;
  return curves;
}

// All columns but the one of the horizontal axis and the time.
std::vector<Panel> make_panels(std::span<const Column> columns, Curves curves, std::size_t abscissa) {
  std::vector<Panel> panels;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (i == abscissa) continue;
    const Column& column = columns[i];
    Panel& panel = panel_of(panels, column);
    std::vector<double> curve = std::move(curves[i]);
    if (panel.logarithmic()) {
      std::transform(curve.begin(), curve.end(), curve.begin(), [](double value) { return std::abs(value); });
    } else {
      flatten(curve);
    }
    panel.names.push_back(column.name);
    panel.curves.push_back(std::move(curve));
  }
  return panels;
}

LegendStyle legend_style(double top) { return {left_margin, width - right_margin, top + 14}; }

// The room of names that do not fit into one row.
double more_rows(const Panel& panel) {
  return legend_row * static_cast<double>(count_legend_rows(panel.names, legend_style(0)) - 1);
}

// Residuals of exact zeros and of rounding may be 50 powers of ten apart: the lower ones say nothing.
Axis vertical_axis(const Panel& panel) {
  constexpr double widest = 1e16;
  Axis axis = make_axis(panel.curves, panel.logarithmic());
  if (axis.logarithmic) axis.low = std::max(axis.low, axis.high / widest);
  return axis;
}

class Figure {
 public:
  Figure(Canvas& canvas, std::string name, std::vector<double> abscissa, double height, bool over_time)
      : canvas_(&canvas), name_(std::move(name)), abscissa_(std::move(abscissa)), height_(height) {
    horizontal_ = make_axis(std::span(&abscissa_, 1), false);
    const auto [first, last] = std::minmax_element(abscissa_.begin(), abscissa_.end());
    if (over_time && abscissa_.size() > 1) horizontal_ = {*first, *last, false};
  }

  /// Numbers keep clear of the names of vertical axes, and all panels have one left edge.
  void make_room(std::span<const Panel> panels) {
    constexpr double beside = 36;  // the name, the gaps
    for (const Panel& panel : panels) {
      const Axis axis = vertical_axis(panel);
      for (const std::string& text : axis.texts(axis.ticks(PlotFrame::levels)))
        left_ = std::max(left_, beside + text_width(text));
    }
  }

  /// Events are thin lines; those that would touch another are left out.
  void mark(std::span<const EventRecord> events, double scale) {
    for (const EventRecord& event : events) marks_.push_back(scale * event.t);
    std::ranges::sort(marks_);
  }

  /// Returns the lower edge.
  double draw(const Panel& panel, double top, bool lowest) {
    const double below_names = top + 26 + more_rows(panel);
    const CanvasBox box{left_, below_names, width - right_margin, below_names + height_ - 34};
    const PlotFrame frame(*canvas_, box, horizontal_, vertical_axis(panel));
    frame.draw_grid(lowest, name_);
    canvas_->text({16, (box.top + box.bottom) / 2}, panel.title(),
                  {.anchor = Anchor::middle, .upwards = true});
    draw_legend(*canvas_, panel.names, legend_style(top));
    canvas_->clip(box);
    frame.draw_marks(marks_);
    for (std::size_t k = 0; k < panel.curves.size(); ++k) frame.draw_curve(abscissa_, panel.curves[k], k);
    canvas_->unclip();
    return box.bottom + 8;
  }

 private:
  Canvas* canvas_;
  std::string name_;  // of the horizontal axis
  std::vector<double> abscissa_;
  std::vector<double> marks_;
  double height_;  // of a panel
  double left_ = left_margin;
  Axis horizontal_;
};

class Plot : public ResultWriter {
 public:
  Plot(const std::filesystem::path& path, std::vector<Column> columns, std::size_t abscissa, bool png)
      : file_(path),
        samples_(std::move(columns), png && abscissa == 0 ? most_in_pixels : most_samples),
        abscissa_(abscissa) {
    const std::vector<Panel> panels =
        make_panels(samples_.columns(), Curves(samples_.columns().size()), abscissa);
    height_ = title_height + foot_height;
    for (const Panel& panel : panels) height_ += panel_size() + more_rows(panel);
    if (png) png_ = std::async(std::launch::async, make_png_canvas, width, height_);
  }
  void add(std::span<const double> row) override { samples_.add(row); }

  void finish(const RunRecord& record) override {
    Curves curves = curves_of(samples_, abscissa_ == 0, record.report.events);
    std::vector<double> across = curves[abscissa_];
    const std::vector<Panel> panels = make_panels(samples_.columns(), std::move(curves), abscissa_);
    const auto canvas = png_.valid() ? png_.get() : make_svg_canvas(width, height_);
    const bool whole = record.report.outcome == Outcome::finished;
    const std::string partial = whole ? "" : " (" + outcome_word(record.report.outcome) + ")";
    canvas->text({left_margin, 20}, heading_of(*record.model) + partial, {.size = 13, .color = "#111111"});
    Figure figure(*canvas, name_with_unit(samples_.columns()[abscissa_]), std::move(across), panel_size(),
                  abscissa_ == 0);
    if (abscissa_ == 0) figure.mark(record.report.events, samples_.columns().front().scale);
    figure.make_room(panels);
    double top = title_height;
    for (std::size_t i = 0; i < panels.size(); ++i) top = figure.draw(panels[i], top, i + 1 == panels.size());
    file_.write(canvas->finish());
    file_.commit();
  }

 private:
  double panel_size() const { return abscissa_ == 0 ? panel_height : portrait_height; }

  AtomicFile file_;
  PageSamples samples_;
  std::size_t abscissa_;  // the column of the horizontal axis
  double height_ = 0;
  std::future<std::unique_ptr<Canvas>> png_;  // made while the run goes on
};

}  // namespace

std::unique_ptr<ResultWriter> make_plot(const std::filesystem::path& path, std::vector<Column> columns,
                                        const std::string& against) {
  check_plot_name(path);
  const auto abscissa = std::find_if(columns.begin(), columns.end(),
                                     [&](const Column& column) { return column.name == against; });
  if (abscissa == columns.end()) throw Error(fmt::format("no column '{}' to draw against", against));
  const auto index = static_cast<std::size_t>(abscissa - columns.begin());
  if (columns.size() <= (index == 0 ? 1U : 2U))
    throw Error("there is nothing to draw: this model has none of the columns that were asked for");
  return std::make_unique<Plot>(path, std::move(columns), index, path.extension() == ".png");
}

}  // namespace dalembert
