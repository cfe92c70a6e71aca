// Rows of a block that are alike share lanes.
#include "alike_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace dalembert::study {
namespace {

constexpr std::size_t lanes = 8;

// The largest and the smallest of a quantity in a group, apart.
double spread(std::span<const double> values, std::size_t width, std::size_t quantity,
              std::span<const std::size_t> group) {
  std::vector<double> own;
  for (const std::size_t row : group) own.push_back(values[row * width + quantity]);
  const auto [least, largest] = std::ranges::minmax(own);
  return largest - least;
}

TEST(AlikeRows, OfOneQuantityFollowEachOtherByItsSize) {
  std::vector<double> values;
  for (int i = 0; i < 64; ++i) values.push_back((i * 37) % 64);
  const std::vector<std::size_t> rows = find_alike_rows(values, 1, lanes);
  for (std::size_t i = 0; i < rows.size(); i += lanes)
    EXPECT_EQ(spread(values, 1, 0, std::span(rows).subspan(i, lanes)), lanes - 1);
}

TEST(AlikeRows, OfTwoQuantitiesAreNearInBothWhateverTheirUnits) {
  std::vector<double> values;
  for (int i = 0; i < 64; ++i) values.insert(values.end(), {double(i % 8), 1e6 * double(i / 8)});
  const std::vector<std::size_t> rows = find_alike_rows(values, 2, lanes);
  for (std::size_t i = 0; i < rows.size(); i += lanes) {
    const auto group = std::span(rows).subspan(i, lanes);
    EXPECT_LE(spread(values, 2, 0, group), 3);
    EXPECT_LE(spread(values, 2, 1, group), 3e6);
  }
}

TEST(AlikeRows, AreEachThereOnceAndFillAllGroupsButTheLast) {
  for (const std::size_t count : {1, 5, 8, 9, 16, 17, 39, 64}) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>((i * 5) % 7));
    std::vector<std::size_t> rows = find_alike_rows(values, 1, lanes);
    for (std::size_t i = lanes; i < rows.size(); i += lanes) {
      const double before = values[*std::ranges::max_element(std::span(rows).subspan(i - lanes, lanes), {},
                                                             [&](std::size_t row) { return values[row]; })];
      for (std::size_t k = i; k < rows.size(); ++k) EXPECT_GE(values[rows[k]], before) << count;
    }
    std::ranges::sort(rows);
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    EXPECT_EQ(rows, all);
  }
}

TEST(AlikeRows, ThatDoNotDifferStayInTheirOrder) {
  const std::vector<double> values(24, 0.5);
  const std::vector<std::size_t> rows = find_alike_rows(values, 1, lanes);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
}

}  // namespace
}  // namespace dalembert::study
