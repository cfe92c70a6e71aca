#include "csv.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "number_text.hpp"

namespace dalembert {
namespace {

constexpr std::size_t full_buffer = std::size_t{1} << 18U;

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

}  // namespace

CsvWriter::CsvWriter(Write write, std::span<const Column> columns, int digits)
    : write_(std::move(write)), digits_(digits) {
  for (const Column& column : columns) buffer_ += quoted(column.name) + ',';
  end_line();
}

void CsvWriter::add(std::span<const double> row) {
  line_.resize(row.size() * (longest_number + 1) + number_margin);
  char* place = line_.data();
  for (const double value : row) {
    place = write_number(place, value);
    *place++ = ',';
  }
  buffer_.append(line_.data(), place);
  end_line();
}

void CsvWriter::add(std::span<const Real> row) {
  for (const Real& value : row) {
    buffer_ += value.str(digits_);
    buffer_ += ',';
  }
  end_line();
}

void CsvWriter::finish(const RunRecord& record) {
  if (record.partial()) {
    const std::string word = outcome_word(record.report.outcome);
    const std::string& reason = record.report.reason;
    buffer_ += fmt::format("# partial: {} at t = {}{}\n", word, shortest(record.report.end_time),
                           reason.empty() || reason == word ? "" : ": " + reason);
  }
  flush();
}

void CsvWriter::end_line() {
  buffer_.back() = '\n';  // in place of the last comma
  if (buffer_.size() >= full_buffer) flush();
}

void CsvWriter::flush() {
  write_(buffer_);
  buffer_.clear();
}

std::unique_ptr<ResultWriter> make_csv_writer(std::function<void(std::string_view)> write,
                                              std::span<const Column> columns, int digits) {
  return std::make_unique<CsvWriter>(std::move(write), columns, digits);
}

}  // namespace dalembert
