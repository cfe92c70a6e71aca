// A large system moves as its formulation without constraints does.
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), count);
  pclose(pipe);
  return text;
}

System chain(const std::string& arguments) {
  return System(read_model_text(
      output_of("'" + std::string(DALEMBERT_SOURCE_DIR) + "/tools/make_chain' " + arguments)));
}

TEST(LargeChain, MovesAsItDoesInAngles) {
  constexpr std::size_t links = 100;
  SolveOptions options;
  options.duration = 0.2;
  options.output_times = {0.2};
  const auto cartesian = testing::simulate(chain("100"), options);
  const auto angles = testing::simulate(chain("100 --angles"), options);
  ASSERT_EQ(cartesian.report.outcome, Outcome::finished);
  ASSERT_EQ(angles.report.outcome, Outcome::finished);
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < links; ++i) {  // angles from the vertical
    const double theta = angles.samples[0].q[i];
    x += 0.1 * std::sin(theta);
    y -= 0.1 * std::cos(theta);
    EXPECT_NEAR(cartesian.samples[0].q[2 * i], x, 1e-12) << i;
    EXPECT_NEAR(cartesian.samples[0].q[2 * i + 1], y, 1e-12) << i;
  }
  EXPECT_LT(cartesian.report.max_position_residual, 1e-14);
}

TEST(LargeChain, KeepsItsEnergyAndItsLengths) {
  SolveOptions options;
  options.duration = 0.5;
  options.output_step = 0.1;
  const auto run = testing::simulate(chain("300"), options);
  ASSERT_EQ(run.report.outcome, Outcome::finished);
  EXPECT_LT(run.report.max_energy_error, 1e-13 * run.report.energy_scale);
  EXPECT_LT(run.report.max_position_residual, 1e-14);
  EXPECT_LT(run.report.max_velocity_residual, 1e-13);
}

}  // namespace
}  // namespace dalembert
