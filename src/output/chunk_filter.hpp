// What HDF5's filters shuffle and deflate make of a chunk of doubles, in a fifth of their time: most bytes
// of measured or computed numbers are noise, and deflate looks at each of them for something that repeats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dalembert {

struct ChunkFilterState;  // zlib's

class ChunkFilter {
 public:
  ChunkFilter();
  ~ChunkFilter();
  ChunkFilter(const ChunkFilter&) = delete;
  ChunkFilter& operator=(const ChunkFilter&) = delete;

  /// A zlib stream of the first bytes of all numbers, then of their second bytes, ...; valid until the next
  /// call. Bytes that look like noise are stored as they are, the others compressed.
  std::span<const std::uint8_t> apply(std::span<const double> chunk);

 private:
  void store(std::span<const std::uint8_t> bytes);
  void compress(std::span<const std::uint8_t> bytes);

  std::vector<std::uint8_t> planes_;  // the first bytes of all numbers, their second bytes, ...
  std::vector<std::uint8_t> stream_;
  std::unique_ptr<ChunkFilterState> state_;
};

}  // namespace dalembert
