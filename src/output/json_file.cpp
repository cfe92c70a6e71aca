#include "json_file.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "run_json.hpp"

namespace dalembert {
namespace {

// JSON knows neither infinities nor NaN: they become null.
std::string array_text(std::span<const double> values) {
  std::string text = "[";
  std::array<char, 32> buffer{};
  for (const double value : values) {
    if (text.size() > 1) text += ',';
    if (std::isfinite(value)) {
      text.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
    } else {
      text += "null";
    }
  }
  return text + "]";
}

}  // namespace

void JsonFile::finish(const RunRecord& record) {
  Json head{{"format", "dalembert-run"}, {"version", 1}};
  head.update(to_json(record));
  head["columns"] = Json::array();
  for (const Column& column : table_.columns())
    head["columns"].push_back({{"name", column.name}, {"group", group_name(column.group)}});
  std::string text = dump(head);
  text.pop_back();  // the series stand in the same object
  file_.write(text + ",\n\"series\":{");
  for (std::size_t i = 0; i < table_.columns().size(); ++i) {
    file_.write((i > 0 ? ",\n" : "\n") + dump(Json(table_.columns()[i].name)) + ":");
    file_.write(array_text(table_.values(i)));
  }
  file_.write("}}\n");
  file_.commit();
}

}  // namespace dalembert
