// The study of a four-bar with tolerances of manufacture as docs/studies.md shows it, with fewer rows: its
// repetition, its page, and extremes that follow from geometry alone.
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "docs/content.hpp"

namespace dalembert {
namespace {

using test::Finished;
using test::read_file;
using test::TemporaryFolder;

// The call of the page, without its line ends, with other words in place of some.
std::string call_of_page(const std::vector<std::pair<std::string, std::string>>& changes) {
  const std::string page = content("docs/studies.md");
  const std::size_t begin = page.find("sweep four_bar");
  std::string call = page.substr(begin, page.find("```", begin) - begin);
  for (std::size_t at = 0; (at = call.find_first_of("\\\n", at)) != std::string::npos;) call[at] = ' ';
  for (const auto& [from, to] : changes) {
    const std::size_t at = call.find(from);
    if (at == std::string::npos)
      ADD_FAILURE() << "'" << from << "' is not in: " << call;
    else
      call.replace(at, from.size(), to);
  }
  return call;
}

std::vector<std::vector<double>> rows_of(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] < '0' || line[0] > '9') continue;
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',') && rows.back().size() < 9;)
      rows.back().push_back(std::stod(cell));
  }
  return rows;
}

struct Point {
  double x, y;
};

// Above the middle of the coupler, by half its length: from the circles of coupler and rocker around their
// joints.
Point pen(const std::vector<double>& lengths, double crank) {
  const double l2 = lengths[1], l3 = lengths[2];
  const Point a{lengths[0] * std::cos(crank), lengths[0] * std::sin(crank)};
  const double dx = lengths[3] - a.x, dy = -a.y, d2 = dx * dx + dy * dy;
  const double along = (l2 * l2 - l3 * l3 + d2) / 2, across = std::sqrt(l2 * l2 * d2 - along * along);
  const Point b{(along * dx - across * dy) / d2, (along * dy + across * dx) / d2};  // of the coupler
  return {a.x + b.x / 2 - b.y / 2, a.y + b.y / 2 + b.x / 2};
}

// The largest value over all angles, by the finest of some and golden sections around it.
double largest(const std::function<double(double)>& of_angle) {
  constexpr int angles = 360;
  const double step = 2 * std::acos(-1.0) / angles, golden = (std::sqrt(5.0) - 1) / 2;
  int best = 0;
  for (int i = 1; i < angles; ++i)
    if (of_angle(i * step) > of_angle(best * step)) best = i;
  double from = (best - 1) * step, to = (best + 1) * step;
  while (to - from > 1e-8) {
    const double left = to - golden * (to - from), right = from + golden * (to - from);
    (of_angle(left) > of_angle(right) ? to : from) = of_angle(left) > of_angle(right) ? right : left;
  }
  return of_angle((from + to) / 2);
}

TEST(StudyOfAFourBar, IsRepeatedFromItsSeedAndHasTheExtremesOfItsGeometry) {
  const TemporaryFolder folder;
  const auto in = [&](const char* name) { return "'" + (folder.path() / name).string() + "'"; };
  const std::string runs = "--runs 1000000", file = "four_bar.h5", page = "four_bar.html";
  const Finished first = test::dalembert(
      call_of_page({{runs, "--runs 500"}, {file, in("a.h5") + " -o " + in("a.csv")}, {page, in("a.html")}}));
  ASSERT_EQ(first.status, 0) << first.messages;
  const Finished again = test::dalembert(
      call_of_page({{runs, "--runs 500 --threads 1"}, {file, in("b.h5")}, {page, in("b.html")}}));
  ASSERT_EQ(again.status, 0) << again.messages;
  EXPECT_EQ(read_file(folder.path() / "a.h5"), read_file(folder.path() / "b.h5"));
  EXPECT_LT(std::filesystem::file_size(folder.path() / "a.html"), 5'000'000U);
  const auto rows = rows_of(read_file(folder.path() / "a.csv"));
  ASSERT_EQ(rows.size(), 500U);
  double sum = 0, squares = 0;
  for (const std::vector<double>& row : rows) {  // row, l1 to l4, force, pen_y, pen_x, theta1
    const std::vector<double> lengths(row.begin() + 1, row.begin() + 5);
    EXPECT_NEAR(row[6], largest([&](double crank) { return pen(lengths, crank).y; }), 2e-15);
    EXPECT_NEAR(row[7], -largest([&](double crank) { return -pen(lengths, crank).x; }), 2e-15);
    EXPECT_GT(row[8], 2 * 2 * std::acos(-1.0));  // all angles were passed
    sum += (row[2] - 0.35) / 0.0002;
    squares += std::pow((row[2] - 0.35) / 0.0002, 2);
  }
  EXPECT_LT(std::abs(sum / 500), 4 / std::sqrt(500.0));  // standard errors of mean and variance
  EXPECT_LT(std::abs(squares / 500 - 1), 4 * std::sqrt(2 / 500.0));
}

}  // namespace
}  // namespace dalembert
