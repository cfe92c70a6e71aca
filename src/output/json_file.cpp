#include "json_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "number_text.hpp"
#include "run_json.hpp"

namespace dalembert {
namespace {

std::vector<ColumnRange> one_by_one(std::size_t count) {
  std::vector<ColumnRange> ranges;
  for (std::size_t i = 0; i < count; ++i) ranges.push_back({i, 1});
  return ranges;
}

// ",value" for each. JSON knows neither infinities nor NaN: they become null.
char* write_numbers(std::span<const double> values, char* place) {
  for (const double value : values) {
    *place++ = ',';
    place = std::isfinite(value) ? write_number(place, value) : std::copy_n("null", 4, place);
  }
  return place;
}

}  // namespace

JsonFile::JsonFile(const std::filesystem::path& path, std::vector<Column> columns)
    : file_(path),
      columns_(std::move(columns)),
      spool_(file_.place(), one_by_one(columns_.size()), write_numbers, longest_number + 1) {}

void JsonFile::write_series(std::size_t column) {
  file_.write("[");
  std::vector<std::string_view> pieces = spool_.in_memory(column);
  bool first = pieces.empty();
  if (!first) pieces.front().remove_prefix(1);  // the comma
  file_.write(pieces);
  spool_.read_rest(column, [&](std::string_view text) {
    file_.write(text.substr(first ? 1 : 0));
    first = false;
  });
  file_.write("]");
}

void JsonFile::finish(const RunRecord& record) {
  Json head{{"format", "dalembert-run"}, {"version", 1}};
  head.update(to_json(record));
  head["columns"] = Json::array();
  for (const Column& column : columns_) {
    Json json{{"name", column.name}, {"group", group_name(column.group)}};
    if (!column.unit.empty()) json["unit"] = column.unit;
    head["columns"].push_back(std::move(json));
  }
  std::string text = dump(head);
  text.pop_back();  // the series stand in the same object
  file_.write(text + ",\n\"series\":{");
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    file_.write((i > 0 ? ",\n" : "\n") + dump(Json(columns_[i].name)) + ":");
    write_series(i);
  }
  file_.write("}}\n");
  file_.commit();
}

}  // namespace dalembert
