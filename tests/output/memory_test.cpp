// Files of long runs: what a writer holds does not grow with the run.
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <dalembert/model/builder.hpp>
#include <dalembert/output/result_writer.hpp>

#include "temporary_folder.hpp"

namespace dalembert {
namespace {

// The most memory that this process ever had, in MB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

class LongRun : public testing::TestWithParam<const char*> {};

TEST_P(LongRun, TakesNoMoreMemoryThanAShortOne) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer keeps what was freed";
#endif
  const test::TemporaryFolder folder;
  const auto path = folder.path() / (std::string("long") + GetParam());
  const std::vector<Column> columns{{"t", ColumnGroup::time, 0}, {"x", ColumnGroup::q, 0}};
  const auto writer = make_writer(path, columns);
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      writer->add(std::array{static_cast<double>(i), static_cast<double>(i % 7)});
  };
  constexpr std::size_t count = 4'000'000;  // 64 MB of doubles
  add(0, count / 40);
  const double before = peak_memory();
  add(count / 40, count);
  writer->finish(RunRecord(ModelBuilder("Long").coordinate("x", {.position = 1}).kinetic("x'^2/2").build()));
  EXPECT_LT(peak_memory() - before, 40);  // up to 32 MB are held to spare short runs a second file
  EXPECT_GT(std::filesystem::file_size(path), count / 10);
}

INSTANTIATE_TEST_SUITE_P(Files, LongRun, testing::Values(".csv", ".json", ".npz", ".h5"),
                         [](const auto& info) { return std::string(info.param + 1); });

}  // namespace
}  // namespace dalembert
