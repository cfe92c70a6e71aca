// Comma-separated values: a header with the columns' names, then a line per sample; numbers read back
// exactly. A run that did not reach its end closes with a comment that says so.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <dalembert/output/result_writer.hpp>

namespace dalembert {

class CsvWriter : public ResultWriter {
 public:
  using Write = std::function<void(std::string_view)>;

  CsvWriter(Write write, std::span<const Column> columns, int digits);
  void add(std::span<const double> row) override;
  void add(std::span<const Real> row) override;
  void finish(const RunRecord& record) override;

 private:
  void add_events(const RunRecord& record);
  char* room(std::size_t bytes);  // behind what is there
  void append(std::string_view text);
  void end_line();
  void flush();

  Write write_;
  int digits_;
  std::vector<char> buffer_;  // keeps its size, so that its memory is made once
  std::size_t size_ = 0;      // of the text in it
};

}  // namespace dalembert
