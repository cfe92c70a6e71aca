// Functions of time that are given by data, in the model file or in a file of columns beside it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "checker.hpp"
#include "element_keys.hpp"
#include "number_table.hpp"

namespace dalembert {
namespace {

constexpr std::array<std::string_view, 8> input_keys{"times", "values",        "file",    "time",
                                                     "value", "interpolation", "outside", "unit"};

struct InputData {
  std::vector<double> times, values;
};

InputData read_columns(const ElementKeys& keys, const Value& file, const std::string& model_file,
                       const std::string& name) {
  namespace fs = std::filesystem;
  for (const char* key : {"times", "values"})
    if (keys.has(key))
      keys.fail(*keys.find(key), fmt::format("{} has 'file' and '{}': give its data once", keys.what, key));
  const fs::path path = fs::path(model_file).parent_path() / keys.text(file, "file").text;
  try {
    const NumberTable table = read_number_table(path);
    const Value* const time = keys.find("time");
    const Value* const value = keys.find("value");
    const std::size_t first = time == nullptr ? 0 : table.column(keys.text(*time, "time").text);
    if (value != nullptr)
      return {table.columns[first], table.columns[table.column(keys.text(*value, "value").text)]};
    return {table.columns[first], table.columns[table.columns.size() == 2 ? 1 - first : table.column(name)]};
  } catch (const Error& error) {
    if (error.where().line > 0) throw;
    keys.fail(file, fmt::format("{} cannot be read from {}: {}", keys.what,
                                in_quotes(keys.text(file, "file").text), error.message()));
  }
}

}  // namespace

// What `times` and `values` are: numbers, or expressions of numbers.
std::vector<double> Checker::input_numbers(const ElementKeys& keys, const char* key) {
  const Value* const list = keys.find(key);
  if (list == nullptr)
    keys.fail(fmt::format("{} needs its data: 'times' and 'values', or a 'file' of columns", keys.what));
  if (list->type != Value::Type::array)
    keys.fail(*list, fmt::format("'{}' of {} must be an array of numbers", key, keys.what));
  const std::string label = fmt::format("'{}' of {}", key, keys.what);
  std::vector<double> numbers;
  for (const Value& one : list->array) {
    const Text& text = keys.text(one, key);
    numbers.push_back(finite_value(names_.expression(text, scope::number, label), text, label));
  }
  return numbers;
}

void Checker::check_input(const Element& element) {
  const ElementKeys keys(element, "input", report_);
  keys.allow_only(input_keys);
  const Value* const file = keys.find("file");
  const InputData data = file != nullptr
                             ? read_columns(keys, *file, draft_.file, element.name.text)
                             : InputData{input_numbers(keys, "times"), input_numbers(keys, "values")};
  const auto fail = [&](const std::string& message) {
    file != nullptr ? keys.fail(*file, message) : keys.fail(*keys.find("times"), message);
  };
  if (data.times.size() != data.values.size())
    fail(fmt::format("{} has {} times and {} values", keys.what, data.times.size(), data.values.size()));
  if (data.times.size() < 2) fail(fmt::format("{} needs two times at least", keys.what));
  for (std::size_t i = 1; i < data.times.size(); ++i) {
    if (!(data.times[i] > data.times[i - 1]))
      fail(fmt::format("the times of {} must increase: {} follows {}", keys.what, shortest(data.times[i]),
                       shortest(data.times[i - 1])));
  }
  const std::array<std::string, 2> interpolations{"linear", "cubic"}, outsides{"error", "hold"};
  const auto interpolation = static_cast<Interpolation>(keys.word("interpolation", interpolations, 0));
  const bool holds = keys.word("outside", outsides, 0) == 1;
  Graph& graph = *data_.graph;
  const std::string& name = element.name.text;
  Input input{name, {}, graph.symbol(name + "[t]"), {}, {data.times, data.values, interpolation, holds}, {}};
  for (std::size_t k = 0; k < input.derivatives.size(); ++k) {
    input.derivatives[k] = graph.symbol(name + std::string(k, '\''));
    input.coefficients[k] = graph.symbol(fmt::format("{}[{}]", name, k));
  }
  input.where = place_of(Text("", element.name.where));
  data_.inputs.push_back(std::move(input));
}

void Checker::check_inputs() {
  for (const Element& element : draft_.inputs) check_input(element);
}

}  // namespace dalembert
