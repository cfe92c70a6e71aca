// Rows kept until the end of a run, for formats that want a column or a group of columns in one piece. What
// does not fit into a bounded part of the memory waits in a file without a name beside the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
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
  /// Appends to a text what stands in the file for these values.
  using Encode = std::function<void(std::span<const double>, std::string&)>;

  /// `ranges` cover all columns in their order; `place` says where a file may be made and tells its errors.
  Spool(const AtomicPlace& place, std::vector<ColumnRange> ranges, Encode encode);

  void add(std::span<const double> row);
  std::size_t size() const { return rows_; }
  /// Hands over a range as it was encoded, sample after sample, in pieces.
  void read(std::size_t range, const std::function<void(std::string_view)>& take);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  // Encoded, range after range, behind a table of their ends.
  using Block = std::string;

  std::span<const double> last_of(const ColumnRange& range) const;
  void encode_block();
  void keep_block();
  void write_block();
  void read_file(std::uint64_t offset, std::span<char> target);

  const AtomicPlace* place_;
  std::vector<ColumnRange> ranges_;
  Encode encode_;
  std::size_t width_ = 0;
  std::size_t block_rows_;
  std::size_t rows_ = 0;
  std::size_t filled_ = 0;              // rows of the last block
  std::vector<double> last_;            // range after range, each with room for block_rows_ samples
  Block encoded_;                       // the last block once it is full
  std::vector<Block> blocks_;           // the first ones, in memory
  std::size_t in_memory_ = 0;           // their size
  std::vector<std::uint64_t> offsets_;  // of those after them, in the file
  std::uint64_t file_size_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace dalembert
