#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/base64.hpp>
#include <dalembert/output/page.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/study/study_page.hpp>

#include "lists.hpp"
#include "page/extreme_motions.hpp"
#include "page/page_numbers.hpp"

namespace dalembert::study {
namespace {

using PageJson = nlohmann::ordered_json;

// In six digits: enough for a picture, and half as long as all of them.
double rounded(double x) {
  if (!std::isfinite(x)) return x;
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 6).ptr;
  double result = 0;
  std::from_chars(text.data(), end, result);
  return result;
}

PageJson rounded_list(std::span<const double> values) {
  PageJson list = PageJson::array();
  for (const double x : values) list.push_back(rounded(x));
  return list;
}

std::string base64_of(std::span<const double> values) {
  return to_base64({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

PageJson bins_json(const Binning& bins) {
  PageJson json{{"edges", bins.edges}};
  if (!bins.values.empty()) json["values"] = bins.values;
  if (bins.log) json["log"] = true;
  return json;
}

// What was asked for, as it was written: "normal(0.2, 0.001)", "0.1:0.5:50".
std::string given_text(const Variation& variation, const std::string& name) {
  for (const auto* list : {&variation.vary, &variation.samples}) {
    for (const std::string& text : *list) {
      const std::size_t equals = text.find('=');
      const bool is_table = text.starts_with(Variation::table_mark);
      if (!is_table && equals != std::string::npos && trimmed(text.substr(0, equals)) == name)
        return trimmed(text.substr(equals + 1));
    }
  }
  return "from a table";
}

PageJson histogram_json(const Histogram& of) {
  PageJson json = bins_json(of.bins);
  json["reached"] = of.reached;
  json["failed"] = of.failed;
  json["below"] = of.below;
  json["above"] = of.above;
  return json;
}

PageJson column_json(const Study& study, const PageNumbers& numbers, std::size_t i) {
  const StudyColumn& column = study.columns()[i];
  PageJson json{{"name", column.name}, {"kind", kind_word(column.kind)}};
  if (!column.unit.empty()) json["unit"] = column.unit;
  if (i >= study.outcome_column()) return json;
  if (column.kind == StudyColumn::Kind::varied) {
    json["given"] = given_text(study.description().variation, column.name);
    json["from"] = numbers.spans[i].first;
    json["to"] = numbers.spans[i].second;
    if (const std::size_t points = study.plan().values_of(i).size(); points > 0) json["points"] = points;
  }
  const ColumnSummary& all = numbers.summary.columns[i];
  json["count"] = all.count;
  if (all.count > 0) {
    json["mean"] = all.mean;
    json["deviation"] = all.deviation;
    json["min"] = all.min;
    json["max"] = all.max;
    json["min_row"] = all.min_row;
    json["max_row"] = all.max_row;
  }
  for (const SobolIndex& index : all.indices) {
    json["indices"].push_back({{"first", rounded(index.first)},
                               {"first_error", rounded(index.first_error)},
                               {"total", rounded(index.total)},
                               {"total_error", rounded(index.total_error)}});
  }
  const AxisRange& range = numbers.ranges[i];
  json["low"] = range.low;
  json["high"] = range.high;
  if (range.log) json["log"] = true;
  json["histogram"] = histogram_json(numbers.histograms[i]);
  return json;
}

PageJson map_json(const HeatMap& map) {
  PageJson first = PageJson::array(), means = PageJson::array();
  for (std::size_t i = 0; i < map.rows.size(); ++i)
    first.push_back(map.rows[i] > 0 ? PageJson(map.first_row[i]) : PageJson());
  for (const std::vector<double>& one : map.means) means.push_back(rounded_list(one));
  return {{"x", map.x},
          {"y", map.y},
          {"x_bins", bins_json(map.x_bins)},
          {"y_bins", bins_json(map.y_bins)},
          {"rows", map.rows},
          {"failed", map.failed},
          {"first_row", first},
          {"of", map.of},
          {"means", means}};
}

PageJson density_json(const Density& density) {
  return {{"x", density.x},
          {"y", density.y},
          {"x_bins", bins_json(density.x_bins)},
          {"y_bins", bins_json(density.y_bins)},
          {"counts", density.counts}};
}

// Rows that are there one by one: of those that reached their end a sample or all, the same of the others,
// then extremes and examples of failures that are in neither.
class RowList {
 public:
  RowList(const Study& study, const PageNumbers& numbers) : columns_(study.columns().size()) {
    for (const KeptRow& one : numbers.reached) add(one);
    reached_ = rows_.size();
    for (const KeptRow& one : numbers.failed) add(one);
    failed_ = rows_.size() - reached_;
    for (const KeptRow& one : numbers.examples) add(one);
    for (std::size_t i = 0; i < numbers.extremes.size(); ++i) {
      const ExtremeRows& of = numbers.extremes[i];
      extremes_.push_back({{"column", study.plan().names().size() + i},
                           {"least", places(of.least())},
                           {"greatest", places(of.greatest())}});
    }
  }

  PageJson rows_json() const {
    std::vector<double> numbers;
    PageJson reasons = PageJson::array(), columns = PageJson::array();
    for (const KeptRow* one : rows_) numbers.push_back(static_cast<double>(one->row));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!rows_[i]->reason.empty()) reasons.push_back({i, rows_[i]->reason});
    for (std::size_t i = 0; i < columns_; ++i) {
      std::vector<double> values;
      for (const KeptRow* one : rows_) values.push_back(one->values[i]);
      columns.push_back(base64_of(values));
    }
    return {
        {"reached", reached_},       {"failed", failed_},  {"extremes", rows_.size() - reached_ - failed_},
        {"row", base64_of(numbers)}, {"columns", columns}, {"reasons", reasons}};
  }
  const PageJson& extremes_json() const { return extremes_; }

 private:
  std::size_t add(const KeptRow& one) {
    const auto [place, is_new] = place_of_.emplace(one.row, rows_.size());
    if (is_new) rows_.push_back(&one);
    return place->second;
  }
  PageJson places(const std::vector<KeptRow>& list) {
    PageJson places = PageJson::array();
    for (const KeptRow& one : list) places.push_back(add(one));
    return places;
  }

  std::size_t columns_, reached_ = 0, failed_ = 0;
  std::vector<const KeptRow*> rows_;
  std::map<std::uint64_t, std::size_t> place_of_;
  PageJson extremes_ = PageJson::array();
};

PageJson failures_json(const SweepReport& summary) {
  PageJson list = PageJson::array();
  for (const FailureSummary& one : summary.failures)
    list.push_back({{"reason", one.reason}, {"count", one.count}, {"first_row", one.first_row}});
  return list;
}

PageJson study_json(const Study& study, const PageNumbers& numbers, const RowCall& call) {
  const Variation& variation = study.description().variation;
  PageJson json{{"rows", numbers.summary.rows},
                {"all_rows", numbers.summary.all_rows},
                {"seed", variation.seed},
                {"samples", variation.samples.empty() ? "none"
                            : variation.sobol         ? "sobol"
                                                      : "random"},
                {"runs", variation.runs},
                {"call", {{"before", call.before}, {"behind", call.behind}}}};
  PageJson& outcomes = json["outcomes"] = PageJson::object();
  for (std::size_t i = 0; i < numbers.summary.outcomes.size(); ++i)
    outcomes[outcome_word(static_cast<Outcome>(i))] = numbers.summary.outcomes[i];
  json["failures"] = failures_json(numbers.summary);
  for (std::size_t i = 0; i < study.columns().size(); ++i)
    json["columns"].push_back(column_json(study, numbers, i));
  const RowList rows(study, numbers);
  json["sample"] = rows.rows_json();
  json["extremes"] = rows.extremes_json();
  json["densities"] = PageJson::array();
  for (const Density& one : numbers.densities) json["densities"].push_back(density_json(one));
  json["maps"] = PageJson::array();
  for (const HeatMap& one : numbers.maps) json["maps"].push_back(map_json(one));
  return json;
}

// The motions are JSON texts that follow in the same object.
std::string with_motions(PageJson json, const std::vector<MotionOfRow>& motions) {
  std::string text = json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
  text.pop_back();
  text += ",\n\"motions\":[";
  for (const MotionOfRow& one : motions)
    text +=
        fmt::format("{}\n{{\"row\":{},\"page\":{}}}", &one == motions.data() ? "" : ",", one.row, one.page);
  return text + "]}";
}

std::string option_text(const OptionValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::visit([](const auto& x) { return PageJson(x).dump(); }, value);
}

}  // namespace

std::string study_page_data(const Study& study, const EachRow& each_row, const RowCall& call) {
  const StudyDescription& of = study.description();
  const ModelData& model = *study.model().described();
  const PageNumbers numbers = count_rows(study, each_row);
  PageJson options = PageJson::object();
  for (const auto& [option, value] : of.options) options[std::string(option->key)] = option_text(value);
  const PageJson json{{"format", "dalembert-report"},
                      {"version", 1},
                      {"generator", session::make_record(study.model()).generator},
                      {"title", model.title},
                      {"source", model.source},
                      {"file", of.model.file},
                      {"text", of.model.text},
                      {"settings", of.model.settings},
                      {"options", options},
                      {"study", study_json(study, numbers, call)}};
  return with_motions(json, extreme_motions(study, numbers));
}

void write_study_page(const std::filesystem::path& file, const Study& study, const EachRow& each_row,
                      const RowCall& call) {
  write_page(file, std::string_view(study_page_data(study, each_row, call)));
}

}  // namespace dalembert::study
