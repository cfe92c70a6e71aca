#include <atomic>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/team.hpp>

namespace dalembert {
namespace {

TEST(Team, CallsEveryShareOnceInEveryRound) {
  for (const int size : {1, 2, 3, 7}) {
    Team team(size);
    std::vector<std::size_t> calls(static_cast<std::size_t>(size), 0);
    for (int round = 0; round < 1000; ++round) team.run([&](int i) { ++calls[static_cast<std::size_t>(i)]; });
    for (const std::size_t count : calls) EXPECT_EQ(count, 1000U);
  }
}

TEST(Team, SharesCoverARangeWithoutOverlap) {
  Team team(3);
  for (const std::size_t count : {0U, 1U, 2U, 3000U, 3001U}) {
    std::vector<int> seen(count, 0);
    std::size_t next = 0;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(team.share(count, i).first, next);
      next = team.share(count, i).last;
    }
    EXPECT_EQ(next, count);
    share_range(&team, count, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) ++seen[i];
    });
    EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), std::size_t{0}), count);
  }
}

TEST(Team, WhatOneRoundWroteTheNextOneReadsWhoeverRunsIt) {
  constexpr int size = 4;
  Team team(size);
  std::vector<long> values(size, 1);
  std::vector<long> sums(size, 0);
  for (int round = 0; round < 300; ++round) {
    team.run([&](int i) {
      sums[static_cast<std::size_t>(i)] = std::accumulate(values.begin(), values.end(), 0L) % 1009;
    });
    team.run([&](int i) {
      values[static_cast<std::size_t>(i)] = sums[static_cast<std::size_t>((i + 1) % size)] + i;
    });
  }
  long expected[size] = {1, 1, 1, 1};
  for (int round = 0; round < 300; ++round) {
    const long sum = (expected[0] + expected[1] + expected[2] + expected[3]) % 1009;
    for (int i = 0; i < size; ++i) expected[i] = sum + i;
  }
  for (int i = 0; i < size; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], expected[i]);
}

TEST(Team, ThrowsTheErrorOfTheFirstShareAgainAndGoesOn) {
  Team team(3);
  const auto fail = [](int i) {
    if (i > 0) throw std::runtime_error("share " + std::to_string(i));
  };
  try {
    team.run(fail);
    FAIL() << "nothing thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "share 1");
  }
  std::atomic<int> calls = 0;
  team.run([&](int) { ++calls; });
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace dalembert
