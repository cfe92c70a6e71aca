// Random models with fixed seeds, and the models that failed once.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/text.hpp>

#include "campaign/generator.hpp"
#include "campaign/judge.hpp"
#include "campaign/starts.hpp"

namespace dalembert::campaign {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t models_of_a_kind = 6;
#else
constexpr std::uint64_t models_of_a_kind = 40;
#endif

Judgement expect_right(const std::string& text, const std::string& name) {
  const Judgement judgement = judge(text);
  for (const Finding& finding : judgement.findings) {
    ADD_FAILURE() << fmt::format("{}: {} {}\n{}", name, text_of(finding), judgement.no_start, text);
  }
  return judgement;
}

class RandomModels : public ::testing::TestWithParam<Kind> {};

TEST_P(RandomModels, AreComputedRightOrNotAtAll) {
  const Kind kind = GetParam();
  for (std::uint64_t seed = 1; seed <= models_of_a_kind; ++seed) {
    expect_right(make_model(kind, seed),
                 fmt::format("campaign --kind {} --seed {} --count 1", name_of(kind), seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Campaign, RandomModels, ::testing::ValuesIn(all_kinds),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(RandomStarts, AreKeptFoundOrNamed) {
  for (std::uint64_t seed = 1; seed <= 5 * models_of_a_kind; ++seed) {
    const StartCase start = make_start(seed);
    EXPECT_EQ(judge_start(start), "") << seed << "\n" << start.text;
  }
}

// Every model that was computed wrongly or refused once, as small as it could be made.
TEST(KeptModels, AreComputedRightWithoutADoubt) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(DALEMBERT_SOURCE_DIR "/tests/campaign/kept")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream stream(file);
    const Judgement judgement =
        expect_right({std::istreambuf_iterator<char>(stream), {}}, file.filename().string());
    EXPECT_EQ(join(judgement.needless_stops, "\n"), "") << file;
    EXPECT_EQ(join(judgement.false_doubts, "\n"), "") << file;
  }
}

}  // namespace
}  // namespace dalembert::campaign
