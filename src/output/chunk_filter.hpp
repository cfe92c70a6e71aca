// What HDF5's filters shuffle and deflate make of a chunk of doubles, in a quarter of their time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <zlib.h>

namespace dalembert {

class ChunkFilter {
 public:
  ChunkFilter();
  ~ChunkFilter();
  ChunkFilter(const ChunkFilter&) = delete;
  ChunkFilter& operator=(const ChunkFilter&) = delete;

  /// A zlib stream of the first bytes of all numbers, then of their second bytes, ...; valid until the next
  /// call. Bytes that look like noise are stored as they are: deflate would look at each of them in vain.
  std::span<const std::uint8_t> apply(std::span<const double> chunk);

 private:
  z_stream stream_{};
  std::vector<std::uint8_t> planes_;  // the first bytes of all numbers, their second bytes, ...
  std::vector<std::uint8_t> packed_;
};

}  // namespace dalembert
