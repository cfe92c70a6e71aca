// What processes of a study write to each other: a kind, and what belongs to it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "row_bytes.hpp"

namespace dalembert::study {

enum class LetterKind : std::uint64_t {
  request,   ///< to the leading process: how many blocks are wanted
  rows,      ///< a block's number and its rows; wants another one
  alive,     ///< nothing new
  farewell,  ///< seconds in blocks, and why it ends before all is done; no text: because all is
  blocks,    ///< to the others: numbers of blocks; none: there are no more
  stop,      ///< no further row is wanted
};

inline std::string letter_of(LetterKind kind) {
  std::string bytes;
  put(bytes, kind);
  return bytes;
}

struct Letter {
  explicit Letter(std::string_view bytes) : kind(take<LetterKind>(bytes)), rest(bytes) {}
  LetterKind kind;
  std::string_view rest;
};

/// Between looks whether something has come: short at first, so that an answer is there soon.
class Pause {
 public:
  void wait() {
    std::this_thread::sleep_for(length_);
    length_ = std::min(2 * length_, longest);
  }
  void reset() { length_ = shortest; }

 private:
  static constexpr std::chrono::microseconds shortest{20}, longest{500};
  std::chrono::microseconds length_ = shortest;
};

}  // namespace dalembert::study
