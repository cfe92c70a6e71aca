// Runs in many digits: every column has them, whatever else the program does beside the run.
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/expr/digits.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using test::dalembert;
using test::TemporaryFolder;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) list.push_back(cell);
  return list;
}

// The names and the last row.
std::pair<std::vector<std::string>, std::vector<std::string>> end_of(const std::string& options) {
  const test::Finished run = dalembert("run slider_crank --duration 0.5 --every 0.5 -o - " + options);
  EXPECT_EQ(run.status, 0) << run.messages;
  std::istringstream lines(run.output);
  std::string first;
  std::string last;
  std::getline(lines, first);
  for (std::string line; std::getline(lines, line);) last = line;
  return {cells(first), cells(last)};
}

void expect_agreement(const std::string& fewer, const std::string& more, const char* tolerance) {
  const auto [names, row] = end_of(fewer);
  const auto [same_names, exact] = end_of(more);
  ASSERT_EQ(names, same_names);
  ASSERT_EQ(row.size(), names.size());
  const DigitsScope digits(80);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].starts_with("g(") || names[i].starts_with("gv(")) continue;  // zero but for rounding errors
    const Real difference = abs(Real(row[i]) - Real(exact[i]));
    EXPECT_LE(difference, Real(tolerance) * (1 + abs(Real(exact[i])))) << names[i] << ": " << row[i];
    ++compared;
  }
  EXPECT_GE(compared, 12U);
}

TEST(RunInDigits, AllColumnsForcesAndOutputsIncludedHaveTheDigits) {
  expect_agreement("--digits 40", "--digits 60", "1e-38");
}

TEST(RunInDigits, APageThatReadsTheModelBesideTheRunTakesNoDigitsAway) {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "page.html").string();
  expect_agreement("--digits 40 --report '" + page + "'", "--digits 60", "1e-38");
}

}  // namespace
}  // namespace dalembert
