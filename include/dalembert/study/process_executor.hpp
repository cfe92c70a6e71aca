// A study on several processes: the leading one has plan, log and files; the others get numbers of blocks and
// send rows back. Whoever falls silent loses the blocks that it had, which others compute.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <dalembert/study/executor.hpp>
#include <dalembert/study/messages.hpp>

namespace dalembert::study {

struct ProcessSettings {
  int threads = 1;  ///< of each process
  /// Who is not heard of for so long has died; the others send a sign of life ten times as often.
  std::chrono::milliseconds patience{30'000};
};

/// What the leading process does.
class LeadingExecutor : public Executor {
 public:
  LeadingExecutor(Messages& messages, const ProcessSettings& settings);
  /// Lets the others go.
  ~LeadingExecutor() override;
  void run(const Study& study, const NextBlock& next, const TakeBlock& take,
           const std::function<bool()>& go_on) override;

  int processes() const { return messages_.size(); }
  double busy_seconds() const override { return busy_; }
  /// What was lost on the way, for people; empty: nothing.
  const std::string& trouble() const { return trouble_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Follower {
    bool is_there = true, is_stopped = false;
    std::vector<std::uint64_t> blocks;  // that it has
    Clock::time_point heard = Clock::now();
  };
  struct Shared;

  bool serve(Shared& shared);
  void read(const Message& message, Shared& shared);
  void give(int rank, std::uint64_t wanted, Shared& shared);
  void stop(int rank);
  void look_for_lost(Shared& shared);
  void lose(Follower& one, const std::string& trouble, Shared& shared);
  bool has_followers() const;

  Messages& messages_;
  ProcessSettings settings_;
  std::vector<Follower> followers_;  // by rank; the first is not used
  double busy_ = 0;
  std::string trouble_;
  bool is_over_ = false;
};

/// What the other processes do, until the leading one has no blocks for them or `go_on` says no. Throws what
/// a block or a message throws, after telling the leading process.
void follow(const Study& study, Messages& messages, const ProcessSettings& settings,
            const std::function<bool()>& go_on);

}  // namespace dalembert::study
