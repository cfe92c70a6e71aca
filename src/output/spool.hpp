// Rows kept until the end of a run, for formats that want a column or a group of columns in one piece. What
// does not fit into a bounded part of the memory waits in a file without a name beside the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <dalembert/output/atomic_file.hpp>

namespace dalembert {

/// Neighbouring columns that are read together.
struct ColumnRange {
  std::size_t first, count;
};

class Spool {
 public:
  /// Writes what stands in the file for these values and returns its end.
  using Encode = char* (*)(std::span<const double>, char*);

  /// `ranges` cover all columns in their order; `place` says where a file may be made and tells its errors.
  /// Of a value `encode` makes at most `longest` bytes.
  Spool(const AtomicPlace& place, std::vector<ColumnRange> ranges, Encode encode, std::size_t longest);

  void add(std::span<const double> row);
  std::size_t size() const { return rows_; }
  /// A range as it was encoded, sample after sample: what is in memory, in pieces.
  std::vector<std::string_view> in_memory(std::size_t range) const;
  /// Hands over what follows, in pieces.
  void read_rest(std::size_t range, const std::function<void(std::string_view)>& take);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::span<const double> last_of(const ColumnRange& range) const;
  std::size_t encode_block(char* target);
  void keep_block();
  void write_block(std::string_view block);
  void read_file(std::uint64_t offset, std::span<char> target);

  const AtomicPlace* place_;
  std::vector<ColumnRange> ranges_;
  Encode encode_;
  std::size_t longest_;
  std::size_t width_ = 0;
  std::size_t block_rows_;
  std::size_t rows_ = 0;
  std::size_t filled_ = 0;    // rows of the last block
  std::vector<double> last_;  // range after range, each with room for block_rows_ samples
  // Full blocks are encoded, range after range, behind a table of their ends. The first ones stay in memory.
  std::unique_ptr<char[]> memory_;         // not touched before it is used
  std::vector<std::size_t> in_memory_{0};  // where each begins, and the end
  std::vector<std::uint64_t> in_file_;     // those after them
  std::uint64_t file_size_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace dalembert
