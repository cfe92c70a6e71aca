// What the page of a study shows of its rows, against counting by hand.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dalembert/output/page.hpp>
#include <dalembert/output/table_file.hpp>
#include <dalembert/study/executor.hpp>
#include <dalembert/study/study_page.hpp>
#include <dalembert/study/sweep.hpp>

#include "page/page_numbers.hpp"
#include "temporary_folder.hpp"

namespace dalembert::study {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// x'' = −w² x from A; without a value below w = 0.
const std::string page_model = R"toml(
title = "Oscillator <b>"
[parameters]
w = 1
A = 1
[coordinates]
x = { position = "A", unit = "m" }
[energy]
kinetic = "x'^2/2"
potential = "w^2*x^2/2"
[solve]
duration = 1
)toml";

Study study_for_page(const Variation& variation, std::vector<std::string> collect = {"end(x), max(x)"}) {
  return Study({{page_model, "oscillator.toml", {}, {}}, variation, std::move(collect), {}});
}

struct GivenRow {
  std::vector<double> values;  // varied and collected ones
  Outcome outcome = Outcome::finished;
};

// These rows, whatever the study would compute.
EachRow given_rows(std::vector<GivenRow> rows) {
  return [rows = std::move(rows)](const TakeRow& take) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<double> values = rows[i].values;
      values.insert(values.end(), {static_cast<double>(rows[i].outcome), 1, 10});
      take(i, values, rows[i].outcome == Outcome::finished ? "" : "it broke");
    }
  };
}

using Counts = std::vector<std::uint64_t>;

// A grid of 2 × 3 points, of which one stops early.
std::vector<GivenRow> grid_rows() {
  return {{{1, 10, 0.0, 5}}, {{1, 20, 1.0, 5}},      {{1, 30, 2.0, 5}, Outcome::stopped_early},
          {{2, 10, 3.0, 5}}, {{2, 20, no_value, 5}}, {{2, 30, 5.0, 5}, Outcome::doubtful}};
}

TEST(PageOfAStudy, CountsRunsThatReachedTheirEndBesideTheOthers) {
  const Study study = study_for_page({.vary = {"w=1,2", "A=10,20,30"}});
  const PageNumbers numbers = count_rows(study, given_rows(grid_rows()));
  EXPECT_EQ(numbers.summary.rows, 6U);
  EXPECT_EQ(numbers.summary.outcomes[0], 4U);
  EXPECT_EQ(numbers.reached.size(), 5U);
  ASSERT_EQ(numbers.failed.size(), 1U);
  EXPECT_EQ(numbers.failed[0].reason, "it broke");
  ASSERT_EQ(numbers.histograms.size(), 4U);
  EXPECT_EQ(numbers.histograms[0].reached, (Counts{2, 3}));
  EXPECT_EQ(numbers.histograms[0].failed, (Counts{1, 0}));
  EXPECT_EQ(numbers.histograms[1].reached, (Counts{2, 2, 1}));
  EXPECT_EQ(numbers.histograms[1].failed, (Counts{0, 0, 1}));
  // 0, 1, 3, 5: whole numbers from 0 to 5, without that of the run that stopped and the one that is no_value
  EXPECT_EQ(numbers.histograms[2].reached, (Counts{1, 1, 0, 1, 0, 1}));
  EXPECT_EQ(numbers.histograms[3].reached, (Counts{5}));  // a constant
  EXPECT_TRUE(numbers.densities.empty());                 // all rows are there
}

TEST(PageOfAStudy, HasTheCellsOfAGrid) {
  const Study study = study_for_page({.vary = {"w=1,2", "A=10,20,30"}});
  const PageNumbers numbers = count_rows(study, given_rows(grid_rows()));
  ASSERT_EQ(numbers.maps.size(), 1U);
  const HeatMap& map = numbers.maps[0];
  EXPECT_EQ(map.x_bins.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(map.y_bins.values, (std::vector<double>{10, 20, 30}));
  EXPECT_EQ(map.rows, (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(map.failed, (Counts{0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(map.first_row, (Counts{0, 3, 1, 4, 2, 5}));
  ASSERT_EQ(map.of, (std::vector<std::size_t>{2, 3}));
  const std::vector<double> expected{0, 3, 1, no_value, no_value, 5};
  for (std::size_t i = 0; i < 6; ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(map.means[0][i])) << i;
    } else {
      EXPECT_EQ(map.means[0][i], expected[i]) << i;
    }
  }
}

TEST(PageOfAStudy, TakesMeansOverWhatElseVaries) {
  const Study study = study_for_page({.vary = {"w=1,2", "A=1,2", "x'=0,1,5"}});
  std::vector<GivenRow> rows;
  for (const double w : {1, 2}) {
    for (const double A : {1, 2}) {
      for (const double v : {0, 1, 5}) rows.push_back({{w, A, v, 100 * w + 10 * A + v, w}});
    }
  }
  const PageNumbers numbers = count_rows(study, given_rows(rows));
  ASSERT_EQ(numbers.maps.size(), 3U);  // A over w, x' over w, x' over A
  EXPECT_EQ(numbers.maps[0].means[0], (std::vector<double>{112, 212, 122, 222}));
  EXPECT_EQ(numbers.maps[2].means[0], (std::vector<double>{160, 170, 161, 171, 165, 175}));
  EXPECT_EQ(numbers.maps[2].rows, (Counts{2, 2, 2, 2, 2, 2}));
}

TEST(PageOfAStudy, ShowsManyRunsByDensities) {
  const Study study = study_for_page({.samples = {"w=uniform(0,1)"}, .runs = 1000});
  std::vector<GivenRow> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back({{i / 999.0, i % 2 == 0 ? 0.25 : 8.75, 1}});
  const PageNumbers numbers = count_rows(study, given_rows(rows), {.rows = 100});
  EXPECT_EQ(numbers.reached.size(), 100U);
  ASSERT_EQ(numbers.densities.size(), 2U);
  const Density& density = numbers.densities[0];
  const std::size_t nx = density.x_bins.count(), last = density.y_bins.count() - 1;
  std::uint64_t low = 0, high = 0, all = 0;
  for (std::size_t i = 0; i < density.counts.size(); ++i) {
    all += density.counts[i];
    if (i / nx == 0) low += density.counts[i];
    if (i / nx == last) high += density.counts[i];
  }
  EXPECT_EQ(all, 1000U);
  EXPECT_EQ(low, 500U);
  EXPECT_EQ(high, 500U);
  for (std::size_t i = 0; i < nx; ++i)
    EXPECT_NEAR(static_cast<double>(density.counts[i]), 500.0 / static_cast<double>(nx), 1.01);
}

TEST(PageOfAStudy, StaysSmallForAFineGrid) {
  const Study study = study_for_page({.vary = {"w=1:2:1000", "A=1:2:1000"}});
  const EachRow rows = [&](const TakeRow& take) {
    std::vector<double> values{0, 0, 0, 0, 0, 1, 10};
    for (std::uint64_t i = 0; i < study.plan().rows(); i += 7) {
      study.plan().eval(i, values);
      values[2] = values[0] + values[1];
      values[3] = values[0];
      take(i, values, "");
    }
  };
  const std::string text = study_page_data(study, rows, {});
  EXPECT_LT(text.size(), 3'500'000U);
  const auto map = nlohmann::json::parse(text).at("study").at("maps").at(0);
  const std::size_t nx = map.at("x_bins").at("edges").size() - 1,
                    ny = map.at("y_bins").at("edges").size() - 1;
  EXPECT_GE(nx, 100U);
  // each cell has the mean of what is in it: x + y of its middle, as exactly as its runs are spread
  for (const std::size_t cell : {std::size_t{0}, nx * ny / 2 + nx / 3, nx * ny - 1}) {
    const double x = 1 + (static_cast<double>(cell % nx) + 0.5) / static_cast<double>(nx);
    const double y = 1 + (static_cast<double>(cell / nx) + 0.5) / static_cast<double>(ny);
    EXPECT_NEAR(map.at("means").at(0).at(cell).get<double>(), x + y, 1.0 / static_cast<double>(nx));
  }
}

TEST(PageOfAStudy, IsOfNoRunThatFinished) {
  const Study study = study_for_page({.vary = {"w=1,2"}});
  const PageNumbers numbers =
      count_rows(study, given_rows({{{1, no_value, no_value}, Outcome::stopped_early},
                                    {{2, no_value, no_value}, Outcome::stopped_early}}));
  EXPECT_EQ(numbers.histograms[0].failed, (Counts{1, 1}));
  EXPECT_EQ(numbers.spans[0], (std::pair<double, double>{1, 2}));
  EXPECT_TRUE(numbers.extremes[0].least().empty());
  EXPECT_TRUE(numbers.maps.empty());
  const std::string text = study_page_data(study, given_rows({}), {});
  EXPECT_EQ(nlohmann::json::parse(text).at("study").at("rows"), 0);
}

// x = cos(w t): the motions of the greatest and the least end are there, with their own parameters.
TEST(PageOfAStudy, HasTheMotionsOfItsExtremes) {
  const Study study = study_for_page({.vary = {"w=1,2,3,4"}}, {"end(x)"});
  const EachRow rows = [&](const TakeRow& take) {
    const RowBlock block = study.run(0, [] { return true; }).value();
    const std::size_t width = study.columns().size();
    for (std::size_t i = 0; i < block.count; ++i)
      take(i, std::span(block.values).subspan(i * width, width), "");
  };
  const auto data = nlohmann::json::parse(study_page_data(study, rows, {}));
  const auto& motions = data.at("motions");
  ASSERT_EQ(motions.size(), 2U);  // cos 1 is the greatest, cos 3 the least
  EXPECT_EQ(motions[0].at("row"), 0);
  EXPECT_EQ(motions[1].at("row"), 2);
  EXPECT_EQ(motions[1].at("page").at("settings"), (std::vector<std::string>{"w=3"}));
  EXPECT_EQ(motions[1].at("page").at("samples").at("count"), 241);
  EXPECT_EQ(motions[1].at("page").at("summary").at("outcome"), "finished");
}

std::string whole_text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(PageOfAStudy, IsWrittenBesideItsFile) {
  if (!has_page()) GTEST_SKIP() << "this build carries no page";
  const test::TemporaryFolder folder;
  const Study study = study_for_page({.samples = {"w=normal(2, 0.1)"}, .runs = 200, .seed = 5});
  ThreadExecutor executor(2);
  SweepOptions options;
  options.files = {(folder.path() / "a.csv").string()};
  options.page = (folder.path() / "a.html").string();
  options.row_call = {"dalembert run oscillator.toml --row a.csv:", ""};
  const SweepReport report = sweep(study, executor, options);
  EXPECT_EQ(report.trouble, "");
  EXPECT_EQ(report.files.back(), options.page);
  const std::string page = whole_text_of(options.page);
  EXPECT_EQ(page.find("Oscillator <b>"), std::string::npos);  // no element of the page
  const std::size_t begin = page.find(R"(id="data">)") + 10;
  const auto data = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data.at("title"), "Oscillator <b>");
  const auto& column = data.at("study").at("columns").at(0);
  EXPECT_EQ(column.at("given"), "normal(2, 0.1)");
  EXPECT_EQ(column.at("kind"), "varied");
  EXPECT_EQ(data.at("study").at("columns").at(1).at("unit"), "m");
  EXPECT_EQ(data.at("study").at("seed"), 5);
  EXPECT_EQ(data.at("study").at("call").at("before"), "dalembert run oscillator.toml --row a.csv:");

  options.files = {(folder.path() / "b.csv").string()};
  options.page = (folder.path() / "b.html").string();
  ThreadExecutor alone(1);
  sweep(study, alone, options);
  EXPECT_TRUE(whole_text_of(options.page) == page) << "whoever computes the rows";
  options.page = (folder.path() / "b.txt").string();
  EXPECT_THROW(sweep(study, alone, options), Error);
}

TEST(PageOfAStudy, IsMadeOfACompleteFile) {
  if (!has_page()) GTEST_SKIP() << "this build carries no page";
  const test::TemporaryFolder folder;
  // below w = 0 the potential has no value: these rows have a reason
  std::string text = page_model;
  text.replace(text.find("w^2*x^2/2"), 9, "sqrt(w)*x");
  const Study study({{text, "m.toml", {}, {}}, {.vary = {"w=-1:2:130"}}, {"end(x)"}, {}});
  ThreadExecutor executor(2);
  std::vector<std::string> suffixes{"csv"};
  try {
    check_table_name("a.h5");
    suffixes.emplace_back("h5");
  } catch (const Error&) {  // a build without HDF5
  }
  for (const std::string& suffix : suffixes) {
    SweepOptions options;
    options.files = {(folder.path() / ("a." + suffix)).string()};
    options.page = (folder.path() / "a.html").string();
    const SweepReport first = sweep(study, executor, options);
    EXPECT_GT(first.outcomes[2], 30U);
    const std::string page = whole_text_of(options.page), file = whole_text_of(options.files[0]);
    options.page = (folder.path() / "b.html").string();
    options.resume = true;
    const SweepReport again = sweep(study, executor, options);
    EXPECT_EQ(again.computed, 0U);
    EXPECT_EQ(again.outcomes, first.outcomes);
    EXPECT_EQ(again.files, (std::vector<std::string>{options.page}));
    EXPECT_TRUE(whole_text_of(options.page) == page) << suffix;
    EXPECT_TRUE(whole_text_of(options.files[0]) == file) << suffix;
  }
}

}  // namespace
}  // namespace dalembert::study
