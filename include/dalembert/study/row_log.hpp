// The rows of a study as they are computed: a file that only grows, record by record, each with a checksum.
//
//   "DALROWS1" | size of the description, the description, checksum
//   block | bytes | rows of numbers, count of reasons, reasons: row, length, text, motions | checksum again
//   and again
//
// Numbers are of 64 bits in the order of this machine. A process that is killed leaves a record that is cut;
// who opens the file again drops it and goes on behind the last whole one. HDF5, whose file is damaged by
// that, is made of these records (table_file.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <dalembert/study/study.hpp>

namespace dalembert::study {

class RowLog {
 public:
  /// Opens the rows of a study, or begins them. Throws Error where the file is of another study, or another
  /// process works on it; OutputError where it cannot be read or written.
  RowLog(std::filesystem::path file, const Study& study);
  RowLog(const RowLog&) = delete;
  RowLog& operator=(const RowLog&) = delete;
  ~RowLog();

  /// Throws OutputError where there is no room; the file then ends as before.
  void append(const RowBlock& block);
  bool has(std::uint64_t block) const { return places_[block] != 0; }
  /// Of a block that is there.
  RowBlock read(std::uint64_t block, bool with_motions = false) const;
  std::uint64_t blocks() const { return count_; }  ///< that are there
  std::uint64_t rows() const { return rows_; }
  /// What was appended survives the machine's end, too.
  void flush();
  /// Removes the file.
  void remove();

  const std::filesystem::path& file() const { return path_; }

 private:
  void begin(const std::string& description);
  std::string read_description(std::uint64_t size) const;
  void recover(const std::string& found, const StudyDescription& description);
  [[noreturn]] void fail(const char* action) const;
  std::size_t rows_of(std::uint64_t block) const;

  std::filesystem::path path_;
  RowWidth width_;
  std::uint64_t all_rows_;  // of the study
  int descriptor_ = -1;
  std::uint64_t end_ = 0;              // of the last whole record
  std::vector<std::uint64_t> places_;  // of each block's record; 0: not there
  std::uint64_t count_ = 0, rows_ = 0;
};

}  // namespace dalembert::study
