// The order of elimination for two threads: parts that do not touch, and a small rest between them.
#include "dissection.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace dalembert {
namespace {

struct Columns {
  std::vector<std::int32_t> starts{0}, rows;
  std::size_t size() const { return starts.size() - 1; }
};

// Column i is joined to those at most `reach` away.
Columns band(std::int32_t size, std::int32_t reach) {
  Columns c;
  for (std::int32_t j = 0; j < size; ++j) {
    for (std::int32_t i = std::max(0, j - reach); i <= std::min(size - 1, j + reach); ++i)
      c.rows.push_back(i);
    c.starts.push_back(static_cast<std::int32_t>(c.rows.size()));
  }
  return c;
}

// The same with columns in another order: 7919 is prime to the sizes here.
Columns shuffled(const Columns& band) {
  const std::size_t size = band.size();
  const auto name = [&](std::size_t i) { return i * 7919 % size; };
  std::vector<std::vector<std::int32_t>> columns(size);
  for (std::size_t j = 0; j < size; ++j) {
    for (auto e = band.starts[j]; e < band.starts[j + 1]; ++e)
      columns[name(j)].push_back(
          static_cast<std::int32_t>(name(static_cast<std::size_t>(band.rows[static_cast<std::size_t>(e)]))));
  }
  Columns c;
  for (std::vector<std::int32_t>& column : columns) {
    std::sort(column.begin(), column.end());
    c.rows.insert(c.rows.end(), column.begin(), column.end());
    c.starts.push_back(static_cast<std::int32_t>(c.rows.size()));
  }
  return c;
}

void expect_separated(const Columns& c, const Dissection& d) {
  ASSERT_EQ(d.parts.size(), c.size());
  for (std::size_t j = 0; j < c.size(); ++j) {
    for (auto e = c.starts[j]; e < c.starts[j + 1]; ++e) {
      const auto i = static_cast<std::size_t>(c.rows[static_cast<std::size_t>(e)]);
      const bool may_touch = d.parts[i] == d.parts[j] || d.parts[i] == d.count || d.parts[j] == d.count;
      ASSERT_TRUE(may_touch) << i << ' ' << j;
    }
  }
}

TEST(Dissection, PartsOfABandDoNotTouchEachOther) {
  for (const Columns& columns : {band(4000, 3), shuffled(band(4000, 3))}) {
    const Dissection d = dissect(columns.starts, columns.rows, 1);
    ASSERT_EQ(d.count, 2U);
    expect_separated(columns, d);
    const auto in = [&](std::uint32_t part) { return std::count(d.parts.begin(), d.parts.end(), part); };
    EXPECT_GT(in(0), 1780);  // the best level may be a twentieth of all columns off the middle
    EXPECT_GT(in(1), 1780);
    EXPECT_LE(in(2), 12);  // a level of the search, of 2 · 3 columns, or two
  }
}

TEST(Dissection, TheOrderHoldsEveryColumnOnceAndTheRestLast) {
  const Columns columns = shuffled(band(4000, 3));
  const Dissection d = dissect(columns.starts, columns.rows, 2);
  ASSERT_EQ(d.count, 4U);
  expect_separated(columns, d);
  std::vector<std::int32_t> sorted = d.order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int32_t> all(columns.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
  const auto separates = [&](std::int32_t i) { return d.parts[static_cast<std::size_t>(i)] == d.count; };
  EXPECT_TRUE(
      std::is_partitioned(d.order.begin(), d.order.end(), [&](std::int32_t i) { return !separates(i); }));
}

TEST(Dissection, AFullPatternIsNotCut) {
  const Columns columns = band(200, 200);
  EXPECT_TRUE(dissect(columns.starts, columns.rows, 1).order.empty());
}

TEST(Dissection, PiecesThatAreNotJoinedAreSharedOut) {
  Columns columns = band(1000, 2);  // twice, side by side
  const std::size_t entries = columns.rows.size();
  for (std::size_t e = 0; e < entries; ++e) columns.rows.push_back(columns.rows[e] + 1000);
  for (std::size_t j = 1; j <= 1000; ++j)
    columns.starts.push_back(columns.starts[j] + static_cast<std::int32_t>(entries));
  const Dissection d = dissect(columns.starts, columns.rows, 1);
  ASSERT_EQ(d.count, 2U);
  expect_separated(columns, d);
}

}  // namespace
}  // namespace dalembert
