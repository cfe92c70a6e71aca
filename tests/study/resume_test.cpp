// What --resume takes for the same study, and what it refuses.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/study/executor.hpp>
#include <dalembert/study/sweep.hpp>

#include "temporary_folder.hpp"

namespace dalembert::study {
namespace {

const std::string pushed_body = R"toml(
[inputs]
u = { file = "push.csv", outside = "hold" }
[parameters]
k = 1
[coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
potential = "k*x^2/2"
[forces]
x = "u"
[solve]
duration = 1
)toml";

class ResumedStudy : public ::testing::Test {
 protected:
  ResumedStudy() { folder_.write("push.csv", "t,u\n0,0\n1,1\n"); }

  StudyDescription description() const {
    return {{pushed_body, folder_.path() / "model.toml", {}, {}},
            {.samples = {"k=uniform(1,2)"}, .runs = 1000},
            {"end(x)"}};
  }
  SweepReport run(const StudyDescription& of, int most_blocks = 1000) {
    ThreadExecutor executor(1);
    int blocks = 0;
    SweepOptions options{.files = {file_}, .resume = true};
    options.progress = [&](const SweepProgress&) { ++blocks; };
    options.go_on = [&] { return blocks < most_blocks; };
    return sweep(Study(of), executor, options);
  }
  std::string refusal(const StudyDescription& of) {
    try {
      run(of);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  }

  test::TemporaryFolder folder_;
  std::string file_ = folder_.path() / "a.csv";
};

TEST_F(ResumedStudy, SaysWhatIsOther) {
  for (const int blocks : {2, 1000}) {  // of the log of rows, of the complete file
    const SweepReport report = run(description(), blocks);
    EXPECT_EQ(report.is_complete(), blocks == 1000);
    StudyDescription other = description();
    other.collect = {"end(x')"};
    other.variation.seed = 1;
    EXPECT_NE(refusal(other).find("other: --seed, --collect)"), std::string::npos) << refusal(other);
    other = description();
    other.model.text += "# changed\n";
    EXPECT_NE(refusal(other).find("other: the model)"), std::string::npos) << refusal(other);
    other = description();
    other.options = {give("duration", 2.0)};
    EXPECT_NE(refusal(other).find("other: options of runs)"), std::string::npos) << refusal(other);
    folder_.write("push.csv", "t,u\n0,0\n1,2\n");
    EXPECT_NE(refusal(description()).find("other: the data of inputs)"), std::string::npos);
    folder_.write("push.csv", "t,u\n0,0\n1,1\n");
  }
}

TEST_F(ResumedStudy, GoesOnWhereTheModelLiesElsewhere) {
  EXPECT_FALSE(run(description(), 2).is_complete());
  const test::TemporaryFolder elsewhere;
  elsewhere.write("push.csv", "t,u\n0,0\n1,1\n");
  StudyDescription moved = description();
  moved.model.file = elsewhere.path() / "renamed.toml";
  const SweepReport report = run(moved);
  EXPECT_TRUE(report.is_complete());
  EXPECT_LT(report.computed, 1000U);
}

TEST_F(ResumedStudy, LeavesFilesThatAreNoLogsAlone) {
  const std::string log = file_ + ".rows";
  for (const char* text : {"mine", "a longer text of mine that is no log of rows"}) {
    std::ofstream(log) << text;
    EXPECT_NE(refusal(description()).find("is no log of the rows of a study"), std::string::npos);
    EXPECT_EQ(std::filesystem::file_size(log), std::string(text).size());
  }
}

// Killed while its head was written, it has no rows.
TEST_F(ResumedStudy, BeginsAnewBehindAHeadThatIsCut) {
  run(description(), 2);
  const std::string log = file_ + ".rows";
  for (const int size : {0, 4, 12, 100}) {
    std::filesystem::resize_file(log, size);
    const SweepReport report = run(description(), 2);
    EXPECT_EQ(report.rows, report.computed) << size;
    EXPECT_EQ(report.rows, 2 * Study::block_rows) << size;
  }
}

// What the study of a file was made with is looked at when it is repeated from its text, too.
TEST_F(ResumedStudy, IsNotRepeatedWithOtherData) {
  const std::string text = to_json(Study(description()).description());
  EXPECT_NO_THROW(Study(from_json(text)));
  folder_.write("push.csv", "t,u\n0,0\n1,2\n");
  EXPECT_THROW(Study(from_json(text)), Error);
}

}  // namespace
}  // namespace dalembert::study
