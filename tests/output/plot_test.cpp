#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/builder.hpp>
#include <dalembert/output/comparison_plot.hpp>
#include <dalembert/output/plot.hpp>

#include "temporary_folder.hpp"

namespace dalembert {
namespace {

std::string drawn(const std::string& suffix, const std::vector<Column>& columns,
                  const std::vector<std::vector<double>>& rows, const std::string& against = "t",
                  std::vector<EventRecord> events = {}) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / ("plot" + suffix);
  RunRecord record(ModelBuilder("A & B").coordinate("x", {.position = 1}).kinetic("x'^2/2").build());
  record.report.events = std::move(events);
  const auto plot = make_plot(path, columns, against);
  for (const auto& row : rows) plot->add(row);
  plot->finish(record);
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const std::vector<Column> one_curve{{"t", ColumnGroup::time, 0}, {"x", ColumnGroup::q, 0}};

// The points of the polylines of one colour.
std::vector<std::pair<double, double>> points_of(const std::string& svg, const std::string& color) {
  std::vector<std::pair<double, double>> points;
  const std::size_t begin =
      svg.find("points=", svg.find("stroke=\"" + color + "\" stroke-width=\"1.4\"")) + 8;
  std::size_t at = begin;
  while (svg[at] != '"') {
    std::size_t used = 0;
    const double x = std::stod(svg.substr(at, 20), &used);
    at += used + 1;
    const double y = std::stod(svg.substr(at, 20), &used);
    at += used + 1;
    points.emplace_back(x, y);
  }
  return points;
}

TEST(Plot, DrawsACurveWhereItsNumbersSay) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i <= 10; ++i) rows.push_back({0.1 * i, 3.0 * i * i});
  const auto points = points_of(drawn(".svg", one_curve, rows), "#0b6bcb");
  ASSERT_EQ(points.size(), 11U);
  for (int i = 0; i <= 10; ++i) {
    const auto& [x, y] = points[static_cast<std::size_t>(i)];
    EXPECT_NEAR((x - points[0].first) / (points[10].first - points[0].first), 0.1 * i, 1e-4);
    EXPECT_NEAR((y - points[0].second) / (points[10].second - points[0].second), 0.01 * i * i, 1e-4);
  }
  EXPECT_LT(points[10].second, points[0].second);
}

TEST(Plot, DrawsAVelocityThatJumpsAndMarksTheImpact) {
  const std::vector<Column> velocity{{"t", ColumnGroup::time, 0}, {"x'", ColumnGroup::v, 0}};
  EventRecord impact;
  impact.t = 0.4;
  impact.q = impact.q_after = {0};
  impact.v = {-2};
  impact.v_after = {1};
  const std::string svg =
      drawn(".svg", velocity, {{0, -2}, {0.25, -2}, {0.5, 1}, {0.75, 1}, {1, 1}}, "t", {impact});
  const auto points = points_of(svg, "#0b6bcb");
  ASSERT_EQ(points.size(), 7U);
  const auto [at, low] = points[2];
  EXPECT_NEAR(at, points[0].first + 0.4 * (points[6].first - points[0].first), 0.02);
  EXPECT_EQ(points[3].first, at);
  EXPECT_EQ(low, points[0].second);
  EXPECT_EQ(points[3].second, points[6].second);
  const std::size_t mark = svg.find("stroke=\"#b9a7d6\"");
  ASSERT_NE(mark, std::string::npos);
  EXPECT_EQ(svg.find("stroke=\"#b9a7d6\"", mark + 1), std::string::npos) << "one mark for one event";
}

TEST(Plot, DrawsAPortraitOverAnotherColumn) {
  const std::vector<Column> columns{
      {"t", ColumnGroup::time, 0}, {"x", ColumnGroup::q, 0}, {"y", ColumnGroup::q, 1}};
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 8; ++i) rows.push_back({0.1 * i, std::cos(i), 3 * std::sin(i)});
  const auto points = points_of(drawn(".svg", columns, rows, "x"), "#0b6bcb");
  ASSERT_EQ(points.size(), rows.size());
  // the map from (x, y) to the paper is affine: three rows fix it, the others test it
  const double x_scale = (points[1].first - points[0].first) / (rows[1][1] - rows[0][1]);
  const double y_scale = (points[1].second - points[0].second) / (rows[1][2] - rows[0][2]);
  EXPECT_GT(x_scale, 0);
  EXPECT_LT(y_scale, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(points[i].first - points[0].first, x_scale * (rows[i][1] - rows[0][1]), 0.1);
    EXPECT_NEAR(points[i].second - points[0].second, y_scale * (rows[i][2] - rows[0][2]), 0.1);
  }
  EXPECT_THROW(make_plot("phase.svg", columns, "z"), Error);
}

TEST(Plot, NamesItsPanelsAndEscapesWhatTheUserWrote) {
  const std::string svg =
      drawn(".svg", {{"t", ColumnGroup::time, 0}, {"x", ColumnGroup::q, 0}, {"g(rod)", ColumnGroup::g, 0}},
            {{0, 1, 1e-16}, {1, 2, -1e-15}});
  for (const char* text :
       {">A &amp; B</text>", ">coordinates</text>", ">|g|</text>", ">g(rod)</text>", ">10⁻¹⁶</text>"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

// What stands at the ticks of the vertical axis, from below.
std::vector<std::string> ticks_of(const std::string& svg) {
  std::vector<std::string> texts;
  for (std::size_t at = svg.find("\"end\">"); at != std::string::npos; at = svg.find("\"end\">", at + 1))
    texts.push_back(svg.substr(at + 6, svg.find('<', at) - at - 6));
  return texts;
}

TEST(Plot, VeryLargeAndVerySmallNumbersAreWrittenByTheirPowerOfTen) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(ticks_of(drawn(".svg", one_curve, {{0, 0}, {1, 2e30}})),
            (Texts{"0", "5·10²⁹", "10³⁰", "1.5·10³⁰", "2·10³⁰"}));
  EXPECT_EQ(ticks_of(drawn(".svg", one_curve, {{0, 0}, {1, -2e-4}})),
            (Texts{"−2·10⁻⁴", "−1.5·10⁻⁴", "−10⁻⁴", "−5·10⁻⁵", "0"}));
  // beyond six digits: what they are more than the first, which has all of its digits
  EXPECT_EQ(ticks_of(drawn(".svg", one_curve, {{0, 12345678}, {1, 12345679}})),
            (Texts{"1.2345678·10⁷", "+0.5", "+1"}));
}

TEST(Plot, LongNumbersKeepClearOfTheNameOfTheirAxis) {
  const std::string svg = drawn(".svg", one_curve, {{0, -4e5}, {1, 4e5}});
  const std::size_t tick = svg.find("−400000");
  ASSERT_NE(tick, std::string::npos);
  const std::size_t begin = svg.rfind("<text x=\"", tick) + 9;
  const double right = std::stod(svg.substr(begin, 10));  // they end here
  EXPECT_GT(right - 7 * 6.6, 16 + 6) << "seven characters, and half a line of the name";
}

TEST(Plot, ResidualsOfExactZerosDoNotSqueezeTheOthers) {
  const std::vector<Column> residual{{"t", ColumnGroup::time, 0}, {"g(rod)", ColumnGroup::g, 0}};
  const auto ticks = ticks_of(drawn(".svg", residual, {{0, 1e-70}, {1, 1e-15}, {2, 3e-16}}));
  EXPECT_EQ(ticks.front(), "10⁻³¹");
}

TEST(Plot, WithNothingToDrawIsAMistake) {
  EXPECT_THROW(drawn(".svg", {one_curve.front()}, {{0}, {1}}), Error);
  EXPECT_THROW(drawn(".svg", one_curve, {{0, 1}, {1, 2}}, "x"), Error);
}

TEST(Plot, NamesEveryOneOfManyCurvesInsideThePicture) {
  std::vector<Column> columns{{"t", ColumnGroup::time, 0}};
  for (std::size_t k = 0; k < 24; ++k) columns.push_back({"curve_" + std::to_string(k), ColumnGroup::q, k});
  std::vector<std::vector<double>> rows(2, std::vector<double>(columns.size()));
  rows[1].assign(columns.size(), 1);
  const std::string svg = drawn(".svg", columns, rows);
  std::vector<std::pair<double, double>> places;
  for (std::size_t k = 0; k < 24; ++k) {
    const std::size_t name = svg.find(">curve_" + std::to_string(k) + "<");
    ASSERT_NE(name, std::string::npos) << k;
    const std::size_t begin = svg.rfind("<text", name);
    const auto number = [&](const std::string& key) {
      return std::stod(svg.substr(svg.find(key, begin) + key.size(), 20));
    };
    places.emplace_back(number("x=\""), number("y=\""));
    EXPECT_LT(places.back().first, 560);  // of 640, with room for the name
  }
  std::sort(places.begin(), places.end());
  EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end());
  std::set<double> columns_of_names;
  for (const auto& [x, y] : places) columns_of_names.insert(x);
  EXPECT_LE(columns_of_names.size(), 7U) << "names stand below each other";
  const std::size_t dashed = svg.find("#0b6bcb", svg.find(">curve_8<"));
  EXPECT_NE(dashed, std::string::npos);  // the first colour once more
}

TEST(Plot, KeepsThePeaksOfLongRuns) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 100000; ++i) rows.push_back({1e-5 * i, i == 54321 ? 100.0 : std::sin(0.01 * i)});
  const auto points = points_of(drawn(".svg", one_curve, rows), "#0b6bcb");
  EXPECT_LE(points.size(), 8000U);
  double top = points[0].second;
  double middle = top;
  for (const auto& [x, y] : points) {
    if (y < top) middle = x;
    top = std::min(top, y);
  }
  EXPECT_NEAR((middle - points.front().first) / (points.back().first - points.front().first), 0.54321, 1e-3);
}

// Every <circle> of one colour.
std::vector<std::pair<double, double>> dots_of(const std::string& svg, const std::string& color) {
  std::vector<std::pair<double, double>> dots;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) {
    const std::string one = svg.substr(at, svg.find("/>", at) - at);
    if (one.find(color) == std::string::npos) continue;
    const auto number = [&](const char* key) { return std::stod(one.substr(one.find(key) + 4)); };
    dots.emplace_back(number("cx="), number("cy="));
  }
  return dots;
}

TEST(ComparisonPlot, HasADotPerSettingWhereTimeAndErrorSay) {
  Comparison comparison;
  comparison.reference = "the truth";
  comparison.methods = {
      {"quick", {{1e-3, 1e-3, 10, 1e-2}, {1e-6, 1e-2, 20, 1e-5}, {1e-9, 1e-1, 30, 1e-8}}, {}},
      {"slow", {{1e-3, 1, 10, 1e-1}}, Comparison::Drift{{0, 1, 2}, {0, 1e-9, 1e-8}, {0, 0, 0}, {}}}};
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "comparison.svg";
  write_comparison_plot(path, "Title", comparison);
  std::ifstream stream(path);
  const std::string svg{std::istreambuf_iterator<char>(stream), {}};
  const auto quick = dots_of(svg, "#0b6bcb");
  ASSERT_EQ(quick.size(), 3U);  // by error: 1e-8, 1e-5, 1e-2; each a decade apart in time, three in error
  EXPECT_NEAR(quick[0].first - quick[1].first, quick[1].first - quick[2].first, 0.02);
  EXPECT_NEAR(quick[0].second - quick[1].second, quick[1].second - quick[2].second, 0.02);
  const auto slow = dots_of(svg, "#d1570a");
  ASSERT_EQ(slow.size(), 1U);
  EXPECT_NEAR(slow[0].first - quick[0].first, quick[0].first - quick[1].first, 0.02);
  EXPECT_NEAR(quick[2].second - slow[0].second, (quick[1].second - quick[2].second) / 3, 0.02);
  for (const char* text :
       {">quick</text>", ">slow</text>", ">errors against the truth</text>", ">drift: largest |g|</text>"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_EQ(svg.find("|C v + c|"), std::string::npos) << "a residual that is zero has no panel";
  EXPECT_THROW(write_comparison_plot("picture.jpg", "Title", comparison), Error);
}

TEST(Plot, APictureIsAPngFileWhereTheBuildCanDrawOne) {
  try {
    const std::string png = drawn(".png", one_curve, {{0, 1}, {1, 2}});
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("libfreetype-dev"), std::string::npos);
  }
}

}  // namespace
}  // namespace dalembert
