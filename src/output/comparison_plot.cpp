#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/comparison_plot.hpp>

#include "axis.hpp"
#include "canvas.hpp"
#include "plot_frame.hpp"

namespace dalembert {
namespace {

constexpr double width = 900;
constexpr double head = 62;  // title and legend
constexpr double panel_width = width / 2;
constexpr double panel_height = 300;

struct Curve {
  std::vector<double> x, y;
};

// One curve per method, empty where it has none.
struct Panel {
  std::string name, x_name;
  bool work = false;  // both axes logarithmic, dots at the settings
  std::vector<Curve> curves;
};

Panel work_panel(const Comparison& comparison) {
  Panel panel{"error", "time used in s", true, {}};
  for (const Comparison::MethodRuns& method : comparison.methods) {
    std::vector<Comparison::Run> runs = method.runs;
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
    Curve curve;
    for (const Comparison::Run& run : runs) {
      if (!(run.seconds > 0) || !(run.error > 0)) continue;
      curve.x.push_back(run.seconds);
      curve.y.push_back(run.error);
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

using Quantity = std::vector<double> Comparison::Drift::*;

Panel drift_panel(const Comparison& comparison, std::string name, Quantity quantity) {
  Panel panel{std::move(name), "simulated time", false, {}};
  for (const Comparison::MethodRuns& method : comparison.methods) {
    panel.curves.push_back(method.drift ? Curve{method.drift->t, (*method.drift).*quantity} : Curve{});
  }
  return panel;
}

bool shows_something(const Panel& panel) {
  return std::any_of(panel.curves.begin(), panel.curves.end(), [](const Curve& curve) {
    return std::any_of(curve.y.begin(), curve.y.end(), [](double value) { return value > 0; });
  });
}

std::vector<Panel> make_panels(const Comparison& comparison) {
  std::vector<Panel> panels{work_panel(comparison)};
  const auto add = [&](const char* name, Quantity quantity) {
    Panel panel = drift_panel(comparison, name, quantity);
    if (shows_something(panel)) panels.push_back(std::move(panel));
  };
  add("drift: largest |g|", &Comparison::Drift::position);
  add("drift: largest |C v + c|", &Comparison::Drift::velocity);
  add("energy error", &Comparison::Drift::energy);
  return panels;
}

void draw_panel(Canvas& canvas, const Panel& panel, CanvasPoint corner) {
  const CanvasBox box{corner.x + 78, corner.y + 10, corner.x + panel_width - 22,
                      corner.y + panel_height - 50};
  std::vector<std::vector<double>> x, y;
  for (const Curve& curve : panel.curves) {
    x.push_back(curve.x);
    y.push_back(curve.y);
  }
  Axis across = make_axis(x, panel.work);
  if (!panel.work) {  // time has no margin
    across.low = across.high = 0;
    for (const auto& times : x) {
      for (const double t : times) {
        across.low = std::min(across.low, t);
        across.high = std::max(across.high, t);
      }
    }
  }
  const PlotFrame frame(canvas, box, across, make_axis(y, true));
  frame.draw_grid(true, panel.x_name);
  canvas.text({corner.x + 22, (box.top + box.bottom) / 2}, panel.name,
              {.anchor = Anchor::middle, .upwards = true});
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    frame.draw_curve(panel.curves[k].x, panel.curves[k].y, k);
    if (panel.work) frame.draw_dots(panel.curves[k].x, panel.curves[k].y, series_color(k));
  }
}

}  // namespace

void check_plot_name(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix != ".svg" && suffix != ".png") {
    throw Error(fmt::format("the picture '{}' must have a name that ends in .svg or .png", path.string()));
  }
  if (suffix == ".png") require_png();  // says now what is missing
}

void write_comparison_plot(const std::filesystem::path& path, const std::string& title,
                           const Comparison& comparison) {
  check_plot_name(path);
  AtomicFile file(path);
  const std::vector<Panel> panels = make_panels(comparison);
  std::vector<std::string> names;
  for (const Comparison::MethodRuns& method : comparison.methods) names.push_back(method.name);
  const LegendStyle legend{78, width - 22, 46};
  const double top = head + legend_row * static_cast<double>(count_legend_rows(names, legend) - 1);
  const std::size_t rows = (panels.size() + 1) / 2;
  const double height = top + panel_height * static_cast<double>(rows);
  const auto canvas =
      path.extension() == ".png" ? make_png_canvas(width, height) : make_svg_canvas(width, height);
  canvas->text({78, 22}, title, {.size = 14, .color = "#111111"});
  canvas->text({width - 22, 22},
               "errors against " + comparison.reference + (comparison.confirmed ? "" : " (not confirmed)"),
               {.anchor = Anchor::end, .color = "#777777"});
  draw_legend(*canvas, names, legend);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::size_t row = i / 2, column = i % 2;
    draw_panel(*canvas, panels[i],
               {panel_width * static_cast<double>(column), top + panel_height * static_cast<double>(row)});
  }
  file.write(canvas->finish());
  file.commit();
}

}  // namespace dalembert
