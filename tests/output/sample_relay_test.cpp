// Samples that a second thread takes.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/output/sample_relay.hpp>

namespace dalembert {
namespace {

// A sample whose numbers all follow from its place in the row of samples.
void add(SampleRelay& relay, std::size_t i) {
  const auto x = static_cast<double>(i);
  const std::array<double, 8> q{x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7};
  const std::span<const double> all(q);
  relay.add({.t = x,
             .q = all.first(2),
             .v = all.subspan(2, 2),
             .a = {},
             .lambda = all.subspan(4, 1),
             .outputs = all.subspan(5, 1),
             .position_residual = all.subspan(6, 1),
             .velocity_residual = all.subspan(7, 1),
             .kinetic = -x,
             .potential = -x - 1,
             .energy = -x - 2,
             .work = -x - 3});
}

bool is(const Sample<double>& s, std::size_t i) {
  const auto x = static_cast<double>(i);
  return s.t == x && s.q[0] == x && s.q[1] == x + 1 && s.v[0] == x + 2 && s.v[1] == x + 3 && s.a.empty() &&
         s.lambda[0] == x + 4 && s.outputs[0] == x + 5 && s.position_residual[0] == x + 6 &&
         s.velocity_residual[0] == x + 7 && s.kinetic == -x && s.potential == -x - 1 && s.energy == -x - 2 &&
         s.work == -x - 3;
}

TEST(SampleRelay, HandsOverAllSamplesInTheirOrder) {
  for (const std::size_t count : {0U, 1U, 629U, 630U, 631U, 100'000U}) {  // a block has 630
    std::size_t taken = 0;
    bool right = true;
    SampleRelay relay([&](const Sample<double>& sample) { right = is(sample, taken++) && right; });
    for (std::size_t i = 0; i < count; ++i) add(relay, i);
    relay.finish();
    EXPECT_TRUE(right);
    EXPECT_EQ(taken, count);
  }
}

TEST(SampleRelay, TakesAShortRunOnTheThreadThatComputesItAndALongOneOnAnother) {
  for (const std::size_t count : {100U, 10'000U}) {
    std::thread::id first;
    std::size_t taken = 0;
    SampleRelay relay([&](const Sample<double>&) {
      if (taken++ == 0) first = std::this_thread::get_id();
    });
    for (std::size_t i = 0; i < count; ++i) add(relay, i);
    relay.finish();
    EXPECT_EQ(first == std::this_thread::get_id(), count == 100);
  }
}

TEST(SampleRelay, WaitsForASlowWriterInsteadOfKeepingEverything) {
  std::atomic<std::size_t> taken = 0;
  SampleRelay relay([&](const Sample<double>&) {
    if (taken++ % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  for (std::size_t i = 0; i < 100'000; ++i) {
    add(relay, i);
    ASSERT_LE(i - std::min(i, taken.load()), 65U * 630U);  // 63 blocks wait, one is filled, one is taken
  }
  relay.finish();
  EXPECT_EQ(taken, 100'000U);
}

TEST(SampleRelay, GivesAFailureOfTheWriterBackAndTakesNothingAfterIt) {
  for (const std::size_t fatal : {5U, 700U, 40'000U}) {
    for (const std::size_t count : {1000U, 100'000U}) {
      if (fatal >= count) continue;
      std::atomic<std::size_t> taken = 0;
      SampleRelay relay([&](const Sample<double>&) {
        if (taken++ == fatal) throw std::runtime_error("No space left on device");
      });
      const auto run = [&] {
        for (std::size_t i = 0; i < count; ++i) add(relay, i);
        relay.finish();
      };
      EXPECT_THROW(run(), std::runtime_error);
      EXPECT_EQ(taken, fatal + 1);
    }
  }
}

TEST(SampleRelay, DropsWhatWaitsWhenTheRunIsGivenUp) {
  std::atomic<std::size_t> taken = 0;
  {
    SampleRelay relay([&](const Sample<double>&) {
      if (taken++ % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    for (std::size_t i = 0; i < 6300; ++i) add(relay, i);
  }
  EXPECT_LT(taken, 6300U);
}

}  // namespace
}  // namespace dalembert
