#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <dalembert/output/columns.hpp>
#include <dalembert/output/csv.hpp>

namespace dalembert {

CsvWriter::CsvWriter(const ModelData& model, Write write, int digits)
    : write_(std::move(write)), digits_(digits) {
  bool first = true;
  for (const std::string& name : column_names(model)) {
    if (!std::exchange(first, false)) buffer_ += ',';
    buffer_ += name;
  }
  buffer_ += '\n';
}

void CsvWriter::add(const Sample<double>& sample) {
  fill_row(sample, row_);
  for (const double value : row_) fmt::format_to(std::back_inserter(buffer_), FMT_COMPILE("{},"), value);
  end_line();
}

void CsvWriter::add(const Sample<Real>& sample) {
  fill_row(sample, row_digits_);
  for (const Real& value : row_digits_) {
    buffer_ += value.str(digits_);
    buffer_ += ',';
  }
  end_line();
}

void CsvWriter::end_line() {
  buffer_.back() = '\n';  // in place of the last comma
  constexpr std::size_t full = std::size_t{1} << 16U;
  if (buffer_.size() >= full) flush();
}

void CsvWriter::flush() {
  write_(buffer_);
  buffer_.clear();
}

}  // namespace dalembert
