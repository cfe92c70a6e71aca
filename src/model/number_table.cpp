#include "number_table.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/draft/reporter.hpp>

namespace dalembert {
namespace {

struct Field {
  std::string_view text;
  int column;  // from 1
};

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// A comma where there is one, else a semicolon, a tab, blanks.
std::vector<Field> split_fields(std::string_view line) {
  std::vector<Field> fields;
  char separator = ' ';
  for (const char c : {'\t', ';', ','})
    if (line.find(c) != std::string_view::npos) separator = c;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    const std::string_view text = trimmed(line.substr(begin, end - begin));
    if (separator != ' ' || !text.empty()) fields.push_back({text, static_cast<int>(begin) + 1});
    begin = end + 1;
  }
  return fields;
}

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class TableReader {
 public:
  explicit TableReader(std::string file) : file_(std::move(file)) {}

  void add(const std::string& line, int number) {
    if (trimmed(line).empty() || trimmed(line).starts_with('#')) return;
    const std::vector<Field> fields = split_fields(line);
    const bool is_first = table_.columns.empty();
    if (is_first) {
      table_.columns.resize(fields.size());
      if (std::ranges::none_of(fields,
                               [](const Field& field) { return number_of(field.text).has_value(); })) {
        for (const Field& field : fields) table_.names.emplace_back(field.text);
        return;
      }
    }
    if (fields.size() != table_.columns.size())
      fail(line, number, 1, fmt::format("{} instead of {} columns", fields.size(), table_.columns.size()));
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::optional<double> value = number_of(fields[i].text);
      if (!value || !std::isfinite(*value))
        fail(line, number, fields[i].column,
             fmt::format("{} is no finite number", in_quotes(fields[i].text)));
      table_.columns[i].push_back(*value);
    }
  }
  NumberTable take() {
    if (table_.columns.size() < 2) throw Error("it has fewer than two columns");
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(const std::string& line, int number, int column, const std::string& message) const {
    throw Error(message, {file_, number, column}, caret_excerpt(line, column));
  }

  std::string file_;
  NumberTable table_;
};

}  // namespace

std::size_t NumberTable::column(const std::string& name) const {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Error(names.empty()
                    ? "the file does not name its columns"
                    : fmt::format("the file has no column {}{}", in_quotes(name), suggestion(name, names)));
  return static_cast<std::size_t>(found - names.begin());
}

NumberTable read_number_table(const std::filesystem::path& file) {
  constexpr std::size_t longest = 1U << 16U;  // of a line
  errno = 0;
  std::error_code unreadable;
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file, unreadable))
    throw Error(errno == 0 ? "it is a directory" : std::generic_category().message(errno));
  TableReader reader(file.string());
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.size() > longest) throw Error("it is no table of numbers");
    reader.add(line, number);
  }
  return reader.take();
}

}  // namespace dalembert
