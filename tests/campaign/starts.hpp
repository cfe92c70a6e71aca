// Random starts: consistent ones stay as they are, others are corrected as little as asked, contradictions
// are named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dalembert::campaign {

struct StartCase {
  std::string text;               ///< a model
  std::vector<std::string> kept;  ///< x, or x': start values that must not change
  std::string contradiction;      ///< not empty: there is no start, and the message names this constraint
};

/// The same case for the same seed.
StartCase make_start(std::uint64_t seed);

/// What is wrong with the start that is found for it; empty: nothing.
std::string judge_start(const StartCase& start);

}  // namespace dalembert::campaign
