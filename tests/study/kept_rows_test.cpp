// Bins, axes, samples and extremes of a study's page.
#include "page/kept_rows.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "page/binning.hpp"

namespace dalembert::study {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(BinsOfAPage, AreClosedAtTheirEnds) {
  const Binning bins = even_bins({0, 10, false}, 5);
  EXPECT_EQ(bins.edges, (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(bins.bin(0), 0U);
  EXPECT_EQ(bins.bin(1.999), 0U);
  EXPECT_EQ(bins.bin(2), 1U);
  EXPECT_EQ(bins.bin(10), 4U);
  for (const double beyond : {-1e-9, 10.001, not_a_number, 1 / 0.0})
    EXPECT_EQ(bins.bin(beyond), Binning::none);
}

TEST(BinsOfAPage, AreEvenInTheLogarithmWhereTheAxisIs) {
  const Binning bins = even_bins({0.01, 100, true}, 4);
  ASSERT_EQ(bins.count(), 4U);
  for (std::size_t i = 0; i <= 4; ++i)
    EXPECT_NEAR(bins.edges[i], std::pow(10, -2.0 + static_cast<double>(i)), 1e-12 * bins.edges[i]);
  EXPECT_TRUE(bins.log);
}

TEST(BinsOfAPage, OfGridsStandForTheirValues) {
  const Binning bins = bins_of({1, 2, 4});
  EXPECT_EQ(bins.edges.size(), 4U);
  EXPECT_TRUE(bins.log);  // each is twice the one before
  EXPECT_NEAR(bins.edges[1], std::sqrt(2.0), 1e-15);
  const Binning even = bins_of({1, 2, 3});
  EXPECT_EQ(even.edges, (std::vector<double>{0.5, 1.5, 2.5, 3.5}));
  EXPECT_FALSE(even.log);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(even.bin(even.values[i]), i);
}

TEST(BinsOfAPage, OfAConstantIsOne) {
  const Binning bins = even_bins({2, 2, false}, 30);
  EXPECT_EQ(bins.count(), 1U);
  EXPECT_EQ(bins.bin(2), 0U);
  EXPECT_EQ(even_bins({0, 0, false}, 30).bin(0), 0U);
}

TEST(BinsOfAPage, OfFewWholeNumbersStandForThem) {
  const std::vector<double> counts{1, 3, 2, 2, not_a_number};
  EXPECT_EQ(histogram_bins({1, 3, false}, counts, 20).values, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(histogram_bins({1, 3.5, false}, counts, 20).values.empty());
  EXPECT_EQ(histogram_bins({1, 3.5, false}, counts, 20).count(), 20U);
}

TEST(AxesOfAPage, LeaveOutFewValuesFarAway) {
  std::vector<double> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(i / 1000.0);
  EXPECT_EQ(range_of(values, 0, 1).high, 1);
  EXPECT_EQ(range_of(values, 0, 2.9).high, 2.9);  // 0.99 + 2 · 0.98 = 2.95
  const AxisRange cut = range_of(values, -50, 1e9);
  EXPECT_NEAR(cut.high, 0.99 + 0.49, 1e-12);
  EXPECT_NEAR(cut.low, 0.01 - 0.49, 1e-12);
  EXPECT_TRUE(range_of(values, 1e-3, 1).log);
  EXPECT_FALSE(range_of(values, 1e-2, 1).log);
  EXPECT_FALSE(range_of(values, -1, 1000).log);
}

TEST(RowsOfAPage, AreTheSameSampleInAnyOrder) {
  RowSample forwards(100), backwards(100);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    forwards.add(i, std::vector<double>{1.0 * static_cast<double>(i)}, "");
    backwards.add(4999 - i, std::vector<double>{4999.0 - static_cast<double>(i)}, "");
  }
  const std::vector<KeptRow> one = forwards.take(), other = backwards.take();
  ASSERT_EQ(one.size(), 100U);
  double sum = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(one[i].row, other[i].row);
    EXPECT_EQ(one[i].values[0], static_cast<double>(one[i].row));
    sum += one[i].values[0];
  }
  // the mean of 100 numbers drawn from 0 to 4999: 2500 with a deviation of 144
  EXPECT_NEAR(sum / 100, 2500, 4 * 144);
}

TEST(RowsOfAPage, AreAllOfFew) {
  RowSample sample(100);
  for (std::uint64_t i = 0; i < 7; ++i) sample.add(i, std::vector<double>{0}, "");
  EXPECT_EQ(sample.take().size(), 7U);
}

TEST(RowsOfAPage, AreExtremes) {
  ExtremeRows rows(0, 2);
  const std::vector<double> values{3, not_a_number, 1, 5, 1, 5, 4};
  for (std::size_t i = 0; i < values.size(); ++i)
    rows.add(i, std::vector<double>{values[i]}, i == 3 ? "in doubt" : "");
  ASSERT_EQ(rows.least().size(), 2U);
  EXPECT_EQ(rows.least()[0].row, 2U);
  EXPECT_EQ(rows.least()[1].row, 4U);  // of equal ones the first
  EXPECT_EQ(rows.greatest()[0].row, 3U);
  EXPECT_EQ(rows.greatest()[0].reason, "in doubt");
  EXPECT_EQ(rows.greatest()[1].row, 5U);
}

}  // namespace
}  // namespace dalembert::study
