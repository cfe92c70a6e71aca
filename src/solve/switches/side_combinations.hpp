// Choices of several calls that have a few sides each, one after the other: the digits of a number.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace dalembert {

class SideCombinations {
 public:
  static constexpr std::size_t most = 1000;  // six signs of three sides each; each choice is a solve

  /// The first choice, all zero. False: there are no calls, or more than `most` choices.
  bool begin(std::vector<std::size_t> calls, std::vector<int> sides) {
    std::size_t all = 1;
    for (const int count : sides) {
      all *= static_cast<std::size_t>(count);
      if (all > most) return false;
    }
    calls_ = std::move(calls);
    sides_ = std::move(sides);
    choices_.assign(calls_.size(), 0);
    is_running_ = !calls_.empty();
    return is_running_;
  }
  /// False: all were there.
  bool next() {
    for (std::size_t k = 0; k < choices_.size(); ++k) {
      if (++choices_[k] < static_cast<std::size_t>(sides_[k])) return true;
      choices_[k] = 0;
    }
    is_running_ = false;
    return false;
  }
  void end() { is_running_ = false; }

  bool is_running() const { return is_running_; }
  const std::vector<std::size_t>& calls() const { return calls_; }
  std::size_t choice(std::size_t k) const { return choices_[k]; }

 private:
  std::vector<std::size_t> calls_, choices_;
  std::vector<int> sides_;
  bool is_running_ = false;
};

}  // namespace dalembert
