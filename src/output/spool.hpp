// Rows kept until the end of a run, for formats that want a column or a group of columns in one piece. What
// does not fit into a bounded part of the memory waits in a file without a name beside the result.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/output/atomic_file.hpp>

namespace dalembert {

/// Neighbouring columns that are read together.
struct ColumnRange {
  std::size_t first, count;
};

class Spool {
 public:
  /// `ranges` cover all columns in their order; `place` says where a file may be made and tells its errors.
  Spool(const AtomicPlace& place, std::vector<ColumnRange> ranges);

  void add(std::span<const double> row);
  std::size_t size() const { return rows_; }
  /// Hands over the values of a range, sample after sample, in pieces.
  void read(const ColumnRange& range, const std::function<void(std::span<const double>)>& take);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using Block = std::unique_ptr<double[]>;

  void keep_block();
  void write_block();

  const AtomicPlace* place_;
  std::vector<ColumnRange> ranges_;
  std::size_t width_ = 0;
  std::size_t block_rows_;
  std::size_t most_blocks_;  // in memory
  std::size_t rows_ = 0;
  std::size_t filled_ = 0;     // rows of the last block
  Block last_;                 // range after range, each with room for block_rows_ samples
  std::vector<Block> blocks_;  // the first ones, full
  std::size_t in_file_ = 0;    // full ones after them
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace dalembert
