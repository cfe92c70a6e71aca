#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <dalembert/output/page_curves.hpp>

#include "jumps.hpp"

namespace dalembert {
namespace {

constexpr double seen = 0.003;        // of a chart's height: half a pixel
constexpr double seen_places = 0.01;  // of how far a point of the scene goes
constexpr double round_off = 1e-9;    // columns that vary by less are drawn as constants
constexpr int most_halvings = 8;
constexpr std::size_t most_points = 6;  // for each sample
constexpr std::size_t few_samples = 400;

using Row = std::vector<double>;

// What is drawn between two points, as web/src/smooth.ts does.
class Drawing {
 public:
  Drawing(const PageSamples& samples, std::span<const std::size_t> chosen, Between between) {
    for (const std::size_t column : chosen) add(samples.columns()[column], samples.values(column));
    if (between == Between::lines) return;
    const auto find = [&](const std::string& name) {
      const auto found = std::ranges::find(curves_, name, &Curve::name);
      return found == curves_.end() ? none : static_cast<std::size_t>(found - curves_.begin());
    };
    for (Curve& curve : curves_) {
      if (!curve.has_derivatives) continue;
      curve.first = find(curve.name + "'");
      curve.second = find(curve.name + "''");
    }
  }

  // Half-way between two rows.
  bool misses(const Row& from, const Row& to, std::span<const double> middle) const {
    for (std::size_t i = 1; i < curves_.size(); ++i) {
      if (std::abs(middle[i] - half_way(curves_[i], from, to, i)) > curves_[i].tolerance) return true;
    }
    return false;
  }

  // As far as the samples tell, about the interval behind `row`; `before` and `after` are its neighbours.
  bool may_miss(const Row& before, const Row& row, const Row& next, const Row& after) const {
    const double h = next[0] - row[0];
    for (std::size_t i = 1; i < curves_.size(); ++i) {
      const Curve& curve = curves_[i];
      double off = 0;
      if (curve.first == none) {  // of a chord: a quarter of how far a sample is from that of its neighbours
        off = std::max(bend(before, row, next, i), bend(row, next, after, i)) / 4;
      } else if (curve.second == none) {  // the same of the slope, over half an interval
        off = std::abs(h) / 8 *
              std::max(bend(before, row, next, curve.first), bend(row, next, after, curve.first));
      } else {  // as the polynomial of one degree less would be
        Curve less = curve;
        less.second = none;
        off = std::abs(half_way(curve, row, next, i) - half_way(less, row, next, i));
      }
      if (off > curve.tolerance) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Curve {
    std::string name;
    bool has_derivatives;
    double tolerance;
    std::size_t first = none, second = none;  // the columns of its derivatives
  };

  void add(const Column& column, std::span<const double> values) {
    const auto [least, greatest] = std::ranges::minmax(values);
    const bool varies = greatest - least > round_off * std::max(std::abs(least), std::abs(greatest));
    const double part = column.group == ColumnGroup::view ? seen_places : seen;
    curves_.push_back({column.name, column.group == ColumnGroup::q || column.group == ColumnGroup::v,
                       varies ? part * (greatest - least) : HUGE_VAL});
  }

  static double half_way(const Curve& curve, const Row& from, const Row& to, std::size_t i) {
    const double mean = (from[i] + to[i]) / 2;
    if (curve.first == none) return mean;
    const double h = to[0] - from[0];
    const double slopes = h * (from[curve.first] - to[curve.first]);
    if (curve.second == none) return mean + slopes / 8;
    return mean + 5 * slopes / 32 + h * h * (from[curve.second] + to[curve.second]) / 64;
  }

  static double bend(const Row& before, const Row& row, const Row& after, std::size_t i) {
    const double span = after[0] - before[0];
    if (span == 0) return 0;
    const double part = (row[0] - before[0]) / span;
    return std::abs(row[i] - ((1 - part) * before[i] + part * after[i]));
  }

  std::vector<Curve> curves_;
};

std::vector<std::size_t> chosen_columns(std::span<const Column> columns) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const bool is_work = column.group == ColumnGroup::energy && column.name == "work";
    const bool is_residual = column.group == ColumnGroup::g || column.group == ColumnGroup::gv;
    if (!is_work && !is_residual) chosen.push_back(i);
  }
  return chosen;
}

std::vector<Row> rows_of(const PageSamples& samples, std::span<const std::size_t> chosen) {
  std::vector<Row> rows(samples.size(), Row(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::span<const double> values = samples.values(chosen[k]);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][k] = values[i];
  }
  return rows;
}

// The intervals that may need points.
std::vector<bool> find_open(const std::vector<Row>& rows, const Drawing& drawing) {
  std::vector<bool> open(rows.size() - 1);
  const std::size_t last = rows.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    open[i] = drawing.may_miss(rows[i == 0 ? 0 : i - 1], rows[i], rows[i + 1], rows[std::min(i + 2, last)]);
  }
  return open;
}

// One more point in each open interval; its halves stay open where it was needed.
void halve(std::vector<Row>& rows, std::vector<bool>& open, const Drawing& drawing, const RowAt& row_at) {
  std::vector<Row> finer;
  std::vector<bool> still_open;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    if (!open[i]) {
      finer.push_back(std::move(rows[i]));
      still_open.push_back(false);
      continue;
    }
    const std::span<const double> middle = row_at(rows[i][0] + (rows[i + 1][0] - rows[i][0]) / 2);
    const bool needed = drawing.misses(rows[i], rows[i + 1], middle);
    finer.push_back(std::move(rows[i]));
    still_open.push_back(needed);
    if (!needed) continue;
    finer.emplace_back(middle.begin(), middle.end());
    still_open.push_back(true);
  }
  finer.push_back(std::move(rows.back()));
  rows = std::move(finer);
  open = std::move(still_open);
}

}  // namespace

std::vector<Column> curve_columns(std::span<const Column> columns) {
  std::vector<Column> result;
  for (const std::size_t i : chosen_columns(columns)) result.push_back(columns[i]);
  return result;
}

PageCurves curves_with_events(const PageSamples& samples, std::span<const EventRecord> events) {
  PageCurves curves{curve_columns(samples.columns()), {}};
  const std::size_t room = PageSamples::most_values / samples.columns().size();
  if (samples.every() > 1 || 2 * (samples.size() + events.size()) > room) return curves;
  for (const std::size_t column : chosen_columns(samples.columns())) {
    const std::span<const double> values = samples.values(column);
    curves.values.emplace_back(values.begin(), values.end());
  }
  curves.values = with_jumps(curves.columns, std::move(curves.values), events);
  if (curves.values.front().size() == samples.size()) curves.values.clear();
  return curves;
}

PageCurves refine_curves(const PageSamples& samples,
                         const std::function<RowAt(const std::vector<Column>&)>& make_row, Between between) {
  PageCurves curves{curve_columns(samples.columns()), {}};
  const std::vector<std::size_t> chosen = chosen_columns(samples.columns());
  const std::size_t count = samples.size();
  const std::size_t room =
      (PageSamples::most_values - std::min(PageSamples::most_values, count * samples.columns().size())) /
      chosen.size();
  const std::size_t most = std::min(room, most_points * std::max<std::size_t>(count, 600));
  if (samples.every() > 1 || count < 2 || most <= count) return curves;
  const Drawing drawing(samples, chosen, between);
  std::vector<Row> rows = rows_of(samples, chosen);
  // fewer may hide whole turns between them
  std::vector<bool> open = between == Between::lines && count <= few_samples
                               ? std::vector<bool>(count - 1, true)
                               : find_open(rows, drawing);
  const auto is_open = [&] { return std::ranges::find(open, true) != open.end(); };
  if (!is_open()) return curves;
  const RowAt row_at = make_row(curves.columns);
  for (int k = 0; k < most_halvings && is_open(); ++k) {
    const auto more = static_cast<std::size_t>(std::ranges::count(open, true));
    if (rows.size() + more > most) break;
    halve(rows, open, drawing, row_at);
  }
  if (rows.size() == count) return curves;
  curves.values.assign(chosen.size(), std::vector<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < chosen.size(); ++k) curves.values[k][i] = rows[i][k];
  }
  return curves;
}

}  // namespace dalembert
