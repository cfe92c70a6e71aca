// dalembert sweep --report: the page, and the call on it that runs a row again.
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/output/page.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using nlohmann::json;
using test::Finished;
using test::TemporaryFolder;
using testing::IsSubstring;

json page_data_of(const std::filesystem::path& page) {
  const std::string text = test::read_file(page), mark = R"(id="data">)";
  const std::size_t begin = text.find(mark) + mark.size();
  return json::parse(text.substr(begin, text.find("</script>", begin) - begin));
}

TEST(SweepReport, SaysWhatRunsARowAgain) {
  if (!has_page()) GTEST_SKIP() << "this build carries no page";
  const TemporaryFolder folder;
  const std::filesystem::path table = folder.path() / "it's a study.csv", page = folder.path() / "page.html";
  const std::string call = fmt::format(
      "sweep pendulum --set l=2 --vary theta=0.5:2.5:21 --duration 3 --collect 'end(theta)' -o \"{}\" "
      "--report '{}'",
      table.string(), page.string());
  const Finished sweep = test::dalembert(call);
  ASSERT_EQ(sweep.status, 0) << sweep.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "page.html", sweep.messages);
  const json study = page_data_of(page).at("study");
  EXPECT_EQ(study.at("rows"), 21);
  // what a reader copies is a call of the shell
  const std::string again = study.at("call").at("before").get<std::string>() + "17";
  ASSERT_TRUE(again.starts_with("dalembert run pendulum --row "));
  const Finished run = test::dalembert(again.substr(std::string("dalembert ").size()) +
                                       " --quiet --columns theta --times 0,3 -o -");
  ASSERT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "0,2.2\n", run.output);  // row 17 of 0.5, 0.6, ...
  const json extremes = study.at("extremes").at(0);
  EXPECT_EQ(extremes.at("greatest").size(), 5U);
}

TEST(SweepReport, IsMadeOfACompleteStudyWithoutRunningIt) {
  if (!has_page()) GTEST_SKIP() << "this build carries no page";
  const TemporaryFolder folder;
  const std::filesystem::path page = folder.path() / "page.html";
  const std::string call =
      fmt::format("sweep pendulum --vary theta=0.5:2.5:21 --collect 'end(theta)' -o '{}' ",
                  (folder.path() / "a.csv").string());
  ASSERT_EQ(test::dalembert(call).status, 0);
  const Finished again = test::dalembert(call + fmt::format("--resume --report '{}'", page.string()));
  EXPECT_EQ(again.status, 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "21 of 21, 0 of them now; 21 finished", again.messages);
  EXPECT_EQ(page_data_of(page).at("study").at("outcomes").at("finished"), 21);
}

TEST(SweepReport, IsRefusedBeforeTheFirstRun) {
  if (!has_page()) GTEST_SKIP() << "this build carries no page";
  const TemporaryFolder folder;
  const std::string call =
      fmt::format("sweep pendulum --vary theta=1,2 -o '{}' --report ", (folder.path() / "a.csv").string());
  const Finished other = test::dalembert(call + "page.pdf");
  EXPECT_EQ(other.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "'page.pdf' is no name of a report page", other.messages);
  const Finished nowhere = test::dalembert(call + "/nowhere/page.html");
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "cannot create /nowhere/page.html", nowhere.messages);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace dalembert
