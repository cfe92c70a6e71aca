// Nothing is allocated inside a step.
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/adomian_step.hpp>

#include "allocation_counter.hpp"

namespace dalembert {
namespace {

using testing::allocations;

TEST(AdomianStep, AllocatesNothing) {
  if (!testing::counts_allocations) GTEST_SKIP() << "the sanitizer owns operator new";
  using Case = std::pair<const char*, int>;  // model, threads
  for (const auto& [name, threads] :
       {Case{"andrews", 1}, {"rolling_disk", 1}, {"car_axis", 1}, {"andrews", 3}}) {
    const System system(read_model(find_model(name)));
    std::vector<std::size_t> active(system.m());
    std::iota(active.begin(), active.end(), std::size_t{0});
    StepSettings settings{};
    settings.log_tolerance = std::log(1e-15);
    settings.threads = threads;
    AdomianStep<double> step(system, active, settings);
    const std::vector<double> q = system.given_positions<double>();
    const std::vector<double> v = system.given_velocities<double>();
    ASSERT_TRUE(step.set_state(0, q, v));
    const std::size_t before = allocations;
    for (int i = 0; i < 20; ++i) {
      step.expand();
      step.advance(0.5 * step.proposed_step());
    }
    EXPECT_EQ(allocations, before) << name;
  }
}

}  // namespace
}  // namespace dalembert
