#include "csv.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
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
  for (const Column& column : columns) append(quoted(column.name) + ',');
  end_line();
  if (!has_units(columns)) return;
  append("# units: ");
  for (const Column& column : columns) append(quoted(column.unit) + ',');
  end_line();
}

void CsvWriter::add(std::span<const double> row) {
  char* place = room(row.size() * (longest_number + 1));
  for (const double value : row) {
    place = write_number(place, value);
    *place++ = ',';
  }
  size_ = static_cast<std::size_t>(place - buffer_.data());
  end_line();
}

void CsvWriter::add(std::span<const Real> row) {
  for (const Real& value : row) append(value.str(digits_) + ',');
  end_line();
}

void CsvWriter::finish(const RunRecord& record) {
  add_events(record);
  if (record.partial()) {
    const std::string word = outcome_word(record.report.outcome);
    const std::string& reason = record.report.reason;
    append(fmt::format("# partial: {} at t = {}{}\n", word, shortest(record.report.end_time),
                       reason.empty() || reason == word ? "" : ": " + reason));
  }
  for (const std::string& doubt : record.report.doubts) append(fmt::format("# doubtful: {}\n", doubt));
  flush();
}

// With the coordinates and velocities before and behind each.
void CsvWriter::add_events(const RunRecord& record) {
  if (record.report.events.empty()) return;
  append("# events: t,name,kind");
  for (const char* place : {"before", "behind"}) {
    for (const char* prime : {"", "'"}) {
      for (const Coordinate& coordinate : record.model->coordinates)
        append("," + quoted(fmt::format("{}{} {}", coordinate.name, prime, place)));
    }
  }
  append("\n");
  for (const EventRecord& event : record.report.events) {
    append(fmt::format("# event: {},{},{}", shortest(event.t), event.name, event.kind));
    const bool same = event.q_after.empty();
    for (const auto* values :
         {&event.q, &event.v, same ? &event.q : &event.q_after, same ? &event.v : &event.v_after})
      for (const double value : *values) append("," + shortest(value));
    append("\n");
  }
}

char* CsvWriter::room(std::size_t bytes) {
  if (buffer_.size() < size_ + bytes) buffer_.resize(size_ + bytes);
  return buffer_.data() + size_;
}

void CsvWriter::append(std::string_view text) {
  text.copy(room(text.size()), text.size());
  size_ += text.size();
}

void CsvWriter::end_line() {
  buffer_[size_ - 1] = '\n';  // in place of the last comma
  if (size_ >= full_buffer) flush();
}

void CsvWriter::flush() {
  write_({buffer_.data(), size_});
  size_ = 0;
}

std::unique_ptr<ResultWriter> make_csv_writer(std::function<void(std::string_view)> write,
                                              std::span<const Column> columns, int digits) {
  return std::make_unique<CsvWriter>(std::move(write), columns, digits);
}

}  // namespace dalembert
