#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/study/random.hpp>
#include <dalembert/study/sobol.hpp>
#include <dalembert/study/study_plan.hpp>

#include "lists.hpp"

namespace dalembert::study {
namespace {

// The two sides of NAME=...
std::pair<std::string, std::string> sides_of(const std::string& text, const char* option,
                                             const char* example) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos) {
    std::pair sides{trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
    if (!sides.first.empty() && !sides.second.empty()) return sides;
  }
  throw Error(fmt::format("{} takes {}, not '{}'", option, example, text));
}

std::size_t count_of(const std::string& text, const std::string& context) {
  const double count = parse_number(text, context);
  constexpr double most = 1e7;
  if (count < 1 || count > most || count != std::floor(count))
    throw Error(fmt::format("{}: '{}' must be a whole number of points from 1 to 10000000", context, text));
  return static_cast<std::size_t>(count);
}

// a .. b in n points; both ends are as they were given
std::vector<double> line(double a, double b, std::size_t n) {
  std::vector<double> values(n, a);
  for (std::size_t i = 1; i + 1 < n; ++i)
    values[i] = a + (b - a) * (static_cast<double>(i) / static_cast<double>(n - 1));
  if (n > 1) values.back() = b;
  return values;
}

std::vector<double> logarithmic(const std::vector<std::string>& arguments, const std::string& context) {
  if (arguments.size() != 3)
    throw Error(fmt::format("{}: log takes from, to and a number of points: log(1, 100, 20)", context));
  const double a = parse_number(arguments[0], context), b = parse_number(arguments[1], context);
  if (!(a > 0 && b > 0)) throw Error(fmt::format("{}: log goes between positive numbers", context));
  std::vector<double> values = line(std::log(a), std::log(b), count_of(arguments[2], context));
  for (double& x : values) x = std::exp(x);
  values.front() = a;
  if (values.size() > 1) values.back() = b;
  return values;
}

std::vector<double> grid_values(const std::string& text, const std::string& context) {
  if (text.starts_with("log(") && text.back() == ')' && split_list(text).size() == 1) {
    const std::vector<std::string> arguments = split_list(text.substr(4, text.size() - 5));
    if (arguments.size() > 1) return logarithmic(arguments, context);  // else a logarithm, a number
  }
  const std::vector<std::string> range = split_list(text, ':');
  if (range.size() == 3)
    return line(parse_number(range[0], context), parse_number(range[1], context),
                count_of(range[2], context));
  if (range.size() != 1)
    throw Error(fmt::format("{}: a range is FROM:TO:POINTS, as 0.1:0.5:50, not '{}'", context, text));
  std::vector<double> values;
  for (const std::string& item : split_list(text)) values.push_back(parse_number(item, context));
  return values;
}

// Of the names of a table: what spreadsheets write.
char separator_of(const std::string& names) {
  for (const char separator : {';', '\t'})
    if (names.find(separator) != std::string::npos) return separator;
  return ',';
}

// Cells may stand in quotation marks.
std::vector<std::string> cells_of(const std::string& line, char separator, const std::string& context) {
  std::vector<std::string> cells = split_list(line, separator);
  for (std::string& cell : cells) {
    if (cell.empty() || cell.front() != '"') continue;
    if (cell.size() < 2 || cell.back() != '"')
      throw Error(fmt::format("{}: the quotation mark of {} is not closed", context, cell));
    cell = trimmed(cell.substr(1, cell.size() - 2));
  }
  const bool has_commas = std::ranges::any_of(
      cells, [&](const std::string& cell) { return cell.find(',') != std::string::npos; });
  if (separator != ',' && has_commas)
    throw Error(context + ": a comma within a cell; decimals follow a point, as 0.5");
  return cells;
}

}  // namespace

StudyPlan::StudyPlan(const Variation& variation)
    : seed_(variation.seed), sobol_(variation.sobol), indices_(variation.indices) {
  for (const std::string& text : variation.vary) {
    text.starts_with(Variation::table_mark) ? add_table(text) : add_grid(text);
  }
  for (const std::string& text : variation.samples) add_sample(text);
  count_rows(variation);
}

void StudyPlan::add_name(const std::string& name) {
  if (std::ranges::find(names_, name) != names_.end()) throw Error(fmt::format("'{}' is varied twice", name));
  names_.push_back(name);
}

void StudyPlan::add_grid(const std::string& text) {
  const auto [name, spec] =
      sides_of(text, "--vary", "NAME=FROM:TO:POINTS, NAME=log(FROM,TO,POINTS), NAME=A,B,C or a file .csv");
  add_name(name);
  std::vector<double> values = grid_values(spec, "--vary " + name);
  const std::size_t points = values.size();
  grids_.push_back({1, points, std::move(values)});
}

void StudyPlan::add_table(const std::string& text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string rows = text.substr(std::string_view(Variation::table_mark).size());
  if (rows.starts_with(byte_order_mark)) rows.erase(0, byte_order_mark.size());
  std::istringstream lines(rows);
  std::string line;
  char separator = ',';
  Grid grid{0, 0, {}};
  for (int number = 1; std::getline(lines, line); ++number) {
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    const std::string context = fmt::format("--vary: line {} of the table", number);
    if (grid.width == 0) separator = separator_of(line);
    const std::vector<std::string> items = cells_of(line, separator, context);
    if (grid.width == 0) {
      for (const std::string& name : items) {
        if (name.empty()) throw Error(context + ": a column has no name");
        add_name(name);
      }
      grid.width = items.size();
      continue;
    }
    if (items.size() != grid.width) {
      throw Error(
          fmt::format("{} has {} numbers, its first line {} names", context, items.size(), grid.width));
    }
    for (const std::string& item : items) grid.values.push_back(parse_number(item, context));
    ++grid.points;
  }
  if (grid.points == 0) throw Error("--vary: the table has no rows below its names");
  grids_.push_back(std::move(grid));
}

void StudyPlan::add_sample(const std::string& text) {
  const auto [name, spec] = sides_of(text, "--sample", "NAME=DISTRIBUTION, as friction=normal(0.3,0.05)");
  add_name(name);
  samples_.push_back(parse_distribution(spec, "--sample " + name));
}

void StudyPlan::count_rows(const Variation& variation) {
  if (names_.empty()) throw Error("nothing varies: --vary and --sample say what does");
  if (samples_.empty() && (variation.runs > 0 || sobol_ || indices_))
    throw Error("--runs, --sobol and --sobol-indices are for --sample: a grid has as many runs as points");
  if (!samples_.empty() && variation.runs == 0)
    throw Error("--sample needs --runs, how many samples are drawn");
  if (indices_ && !grids_.empty())
    throw Error("--sobol-indices compares samples: give everything that varies as --sample");
  const std::size_t dimensions = samples_.size() * (indices_ ? 2 : 1);
  if (sobol_ && dimensions > most_sobol_dimensions) {
    throw Error(fmt::format("Sobol's sequence has {} dimensions here, of which {} would be needed",
                            most_sobol_dimensions, dimensions));
  }
  if (!samples_.empty()) runs_ = variation.runs;
  double total = static_cast<double>(runs_) * static_cast<double>(indices_ ? samples_.size() + 2 : 1);
  for (const Grid& grid : grids_) total *= static_cast<double>(grid.points);
  if (total > static_cast<double>(most_rows))
    throw Error(fmt::format("the study would have {:.3g} runs; at most 10^12 are possible", total));
  rows_ = runs_ * (indices_ ? samples_.size() + 2 : 1);
  for (const Grid& grid : grids_) rows_ *= grid.points;
  if (sobol_ && rows_ > (std::uint64_t{1} << 32U))
    throw Error("Sobol's sequence has 2^32 points here; the study would need more");
}

void StudyPlan::eval(std::uint64_t row, std::span<double> values) const {
  std::size_t width = 0;
  for (const Grid& grid : grids_) width += grid.width;
  if (!samples_.empty()) eval_samples(row, values.subspan(width));
  std::uint64_t point = samples_.empty() || indices_ ? row : row / runs_;
  for (std::size_t i = grids_.size(); i-- > 0;) {
    const Grid& grid = grids_[i];
    width -= grid.width;
    const double* from = grid.values.data() + (point % grid.points) * grid.width;
    std::copy_n(from, grid.width, values.begin() + static_cast<std::ptrdiff_t>(width));
    point /= grid.points;
  }
}

std::vector<double> StudyPlan::values_of(std::size_t name) const {
  for (const Grid& grid : grids_) {
    if (name >= grid.width) {
      name -= grid.width;
      continue;
    }
    std::vector<double> values;
    for (std::size_t point = 0; point < grid.points; ++point)
      values.push_back(grid.values[point * grid.width + name]);
    return values;
  }
  return {};
}

// Rows of indices: for each sample A, then A with column i of B for every i, then B [saltelli2010].
void StudyPlan::eval_samples(std::uint64_t row, std::span<double> values) const {
  const std::size_t d = samples_.size();
  const std::uint64_t sample = indices_ ? row / (d + 2) : row;
  const std::uint64_t kind = indices_ ? row % (d + 2) : 0;
  for (std::size_t i = 0; i < d; ++i) {
    const bool of_b = indices_ && (kind == d + 1 || kind == i + 1);
    values[i] = samples_[i].quantile(unit_number(sample, of_b ? d + i : i));
  }
}

// Sobol's points are shifted by the seed, digit by digit, which keeps how evenly they lie.
double StudyPlan::unit_number(std::uint64_t sample, std::size_t dimension) const {
  const auto column = static_cast<std::uint32_t>(dimension);
  if (!sobol_) return uniform_number(seed_, sample, column);
  const auto shift = philox({0, 0, column, 1},
                            {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)})[0];
  return (static_cast<double>(sobol_bits(sample, dimension) ^ shift) + 0.5) * 0x1p-32;
}

}  // namespace dalembert::study
