// Studies of models whose contacts close: the equations of each choice of contacts are derived once.
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/session/loaded_model.hpp>
#include <dalembert/study/executor.hpp>
#include <dalembert/study/sweep.hpp>

#include "temporary_folder.hpp"

namespace dalembert::study {
namespace {

std::string bytes_of_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The ball comes to rest at √(2 h/g) (1 + e)/(1 − e), whatever the restitution of the rows before.
TEST(StudyOfContacts, HasTheSameBitsOnAnyNumberOfThreads) {
  const test::TemporaryFolder folder;
  const Study study({session::find_source("bouncing_ball"),
                     {.samples = {"e=uniform(0.2,0.6)", "h=uniform(0.5,1)"}, .runs = 300},
                     {"time(floor), count(floor), max(y), integral(y), end(push)"}});
  std::vector<std::string> files;
  for (const int threads : {1, 3}) {
    ThreadExecutor executor(threads);
    const std::string file = folder.path() / (std::to_string(threads) + ".csv");
    const SweepReport report = sweep(study, executor, {.files = {file}});
    EXPECT_EQ(report.outcomes[0], 300U);
    files.push_back(bytes_of_file(file));
  }
  EXPECT_EQ(files[0], files[1]);
  const RowBlock block = study.run(0, [] { return true; }).value();
  const std::size_t width = study.columns().size();
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::span row = std::span(block.values).subspan(i * width, width);
    const double e = row[0], h = row[1], fall = std::sqrt(2 * h / 9.81);
    EXPECT_NEAR(row[2], fall, 1e-14);
    EXPECT_NEAR(row[4], h, 1e-14);
    // ∫ y dt = (2/3) h fall, then of each bounce (4/3) h_n fall_n with e³ of the one before
    EXPECT_NEAR(row[5], h * fall * (2.0 / 3 + 4.0 / 3 * std::pow(e, 3) / (1 - std::pow(e, 3))), 1e-12);
    EXPECT_NEAR(row[6], 9.81, 1e-12);  // at rest, of a mass of 1
  }
}

}  // namespace
}  // namespace dalembert::study
