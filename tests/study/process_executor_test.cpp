// Studies on several processes, which are threads here that write to each other through queues.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/study/process_executor.hpp>
#include <dalembert/study/sweep.hpp>

#include "temporary_folder.hpp"

namespace dalembert::study {
namespace {

struct Post {
  explicit Post(int processes) : boxes(static_cast<std::size_t>(processes)) {}
  std::mutex mutex;
  std::vector<std::deque<Message>> boxes;  // by rank
};

class Mailbox : public Messages {
 public:
  Mailbox(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(post_.boxes.size()); }
  void send(int to, const std::string& bytes) override {
    const std::scoped_lock lock(post_.mutex);
    post_.boxes[static_cast<std::size_t>(to)].push_back({rank_, bytes});
  }
  std::optional<Message> receive() override {
    const std::scoped_lock lock(post_.mutex);
    auto& own = post_.boxes[static_cast<std::size_t>(rank_)];
    if (own.empty()) return std::nullopt;
    Message first = own.front();
    own.pop_front();
    return first;
  }
  void finish() override { finished = true; }
  bool finished = false;

 private:
  Post& post_;
  int rank_;
};

const Study& study_of_oscillators() {
  static const Study study({{R"toml(
[parameters]
A = 1
w = 1
[coordinates]
x = "A"
[energy]
kinetic = "x'^2/2"
potential = "w^2*x^2/2"
[solve]
duration = 20
)toml",
                             "oscillator",
                             {},
                             {}},
                            {.samples = {"A=normal(1,0.2)", "w=uniform(1,3)"}, .runs = 3000, .seed = 5},
                            {"max(x'), integral(x)"},
                            {}});
  return study;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string alone(const test::TemporaryFolder& folder) {
  const std::string file = folder.path() / "alone.csv";
  ThreadExecutor executor(1);
  EXPECT_TRUE(sweep(study_of_oscillators(), executor, {.files = {file}}).is_complete());
  return bytes_of(file);
}

const auto always = [] { return true; };

TEST(StudyOnProcesses, HasTheBytesOfOneProcess) {
  const test::TemporaryFolder folder;
  const std::string expected = alone(folder);
  for (const int processes : {1, 2, 4}) {
    Post post(processes);
    std::vector<std::jthread> others;
    for (int rank = 1; rank < processes; ++rank) {
      others.emplace_back([&post, rank] {
        Mailbox messages(post, rank);
        follow(study_of_oscillators(), messages, {.threads = rank}, always);
        EXPECT_TRUE(messages.finished);
      });
    }
    Mailbox messages(post, 0);
    LeadingExecutor executor(messages, {});
    const std::string file = folder.path() / (std::to_string(processes) + ".csv");
    EXPECT_TRUE(sweep(study_of_oscillators(), executor, {.files = {file}}).is_complete());
    EXPECT_EQ(bytes_of(file), expected);
    EXPECT_EQ(executor.trouble(), "");
    EXPECT_TRUE(messages.finished);
    EXPECT_GT(executor.busy_seconds(), 0);
  }
}

// One asks for blocks and is never heard of again, one ends with an error: their blocks are computed by the
// others.
TEST(StudyOnProcesses, LosesNoRowWithAProcess) {
  const test::TemporaryFolder folder;
  Post post(4);
  std::vector<std::jthread> others;
  others.emplace_back([&post] {
    Mailbox messages(post, 1);
    follow(study_of_oscillators(), messages, {}, always);
  });
  others.emplace_back([&post] {
    Mailbox messages(post, 2);
    std::string request(16, '\0');
    request[8] = 5;
    messages.send(0, request);
  });
  others.emplace_back([&post] {
    Mailbox messages(post, 3);
    int calls = 0;
    const auto fails = [&calls] { return ++calls < 40 ? true : throw Error("no memory"); };
    EXPECT_THROW(follow(study_of_oscillators(), messages, {}, fails), Error);
  });
  Mailbox messages(post, 0);
  LeadingExecutor executor(messages, {.patience = std::chrono::milliseconds(500)});
  const std::string file = folder.path() / "b.csv";
  const SweepReport report = sweep(study_of_oscillators(), executor, {.files = {file}});
  EXPECT_TRUE(report.is_complete());
  EXPECT_EQ(bytes_of(file), alone(folder));
  EXPECT_NE(executor.trouble().find("process 2 has not been heard of any more"), std::string::npos);
  EXPECT_NE(executor.trouble().find("process 3: no memory"), std::string::npos);
}

TEST(StudyOnProcesses, StopsAllOfThem) {
  const test::TemporaryFolder folder;
  Post post(3);
  std::vector<std::jthread> others;
  for (const int rank : {1, 2}) {
    others.emplace_back([&post, rank] {
      Mailbox messages(post, rank);
      follow(study_of_oscillators(), messages, {}, always);
    });
  }
  const std::string file = folder.path() / "s.csv";
  {
    Mailbox messages(post, 0);
    LeadingExecutor executor(messages, {});
    std::atomic<int> blocks = 0;
    SweepOptions options{.files = {file}};
    options.progress = [&](const SweepProgress&) { ++blocks; };
    options.go_on = [&] { return blocks < 5; };
    const SweepReport report = sweep(study_of_oscillators(), executor, options);
    EXPECT_FALSE(report.is_complete());
    EXPECT_GE(report.rows, 5 * Study::block_rows);
  }
  others.clear();
  ThreadExecutor executor(1);
  EXPECT_TRUE(sweep(study_of_oscillators(), executor, {.files = {file}, .resume = true}).is_complete());
  EXPECT_EQ(bytes_of(file), alone(folder));
}

// What is wrong with the files shows in the leading process alone.
TEST(StudyOnProcesses, LetsTheOthersGoWhenItCannotBegin) {
  Post post(2);
  std::jthread other([&post] {
    Mailbox messages(post, 1);
    follow(study_of_oscillators(), messages, {}, always);
    EXPECT_TRUE(messages.finished);
  });
  Mailbox messages(post, 0);
  LeadingExecutor executor(messages, {});
  EXPECT_THROW(sweep(study_of_oscillators(), executor, {.files = {"/nowhere/a.csv"}}), Error);
}

}  // namespace
}  // namespace dalembert::study
