// A start that is moved onto the constraints is as good as one on them.
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/adomian_step.hpp>

namespace dalembert {
namespace {

TEST(AdomianStep, AccelerationsAreThoseOfTheProjectedStart) {
  const System system(read_model(find_model("andrews")));
  std::vector<std::size_t> active(system.m());
  std::iota(active.begin(), active.end(), std::size_t{0});
  StepSettings settings{};
  settings.log_tolerance = std::log(1e-9);
  std::vector<double> q = system.given_positions<double>();
  const std::vector<double> v(system.n(), 0.0);
  q[0] += 3e-3;
  AdomianStep<double> moved(system, active, settings);
  ASSERT_TRUE(moved.set_state(0, q, v));
  AdomianStep<double> there(system, active, settings);
  ASSERT_TRUE(there.set_state(0, moved.q(), moved.v()));
  for (std::size_t i = 0; i < system.n(); ++i) {
    EXPECT_NEAR(moved.q()[i], there.q()[i], 1e-15);
    EXPECT_NEAR(moved.a()[i], there.a()[i], 1e-13 * std::abs(there.a()[0]));
  }
  for (std::size_t j = 0; j < system.m(); ++j) EXPECT_NEAR(moved.position_residual()[j], 0, 1e-16);
}

}  // namespace
}  // namespace dalembert
