// Problems with known motions, each a model whose outputs off_... vanish: closed forms, or the same system in
// other coordinates beside it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert {
namespace {

std::vector<std::string> classics() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(DALEMBERT_SOURCE_DIR "/tests/campaign/classics")) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Classic : public ::testing::TestWithParam<std::string> {};

TEST_P(Classic, MovesAsItsClosedFormSays) {
  const System system(
      read_model(std::string(DALEMBERT_SOURCE_DIR "/tests/campaign/classics/") + GetParam() + ".toml"));
  struct Expected {
    const char* method;
    double tolerance, error;
  };
  for (const auto& [method, tolerance, error] :
       {Expected{"adomian", 1e-15, 2e-10}, {"dop853", 1e-12, 2e-7}, {"bdf", 1e-10, 2e-5}}) {
    SolveOptions options = options_of(system.model());
    options.method = method;
    options.tolerance = tolerance;
    options.output_step = options.duration / 50;
    std::vector<double> worst(system.model().outputs.size());
    const RunReport report = solve(system, options, SampleSink<double>([&](const Sample<double>& sample) {
                                     for (std::size_t i = 0; i < worst.size(); ++i)
                                       worst[i] = std::max(worst[i], std::abs(sample.outputs[i]));
                                     return true;
                                   }));
    EXPECT_EQ(report.outcome, Outcome::finished) << method << ": " << report.reason;
    for (std::size_t i = 0; i < worst.size(); ++i) {
      const std::string& name = system.model().outputs[i].name;
      if (!name.starts_with("off_")) continue;
      EXPECT_LE(worst[i], error) << method << ", " << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Known, Classic, ::testing::ValuesIn(classics()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace dalembert
