#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/page.hpp>

#include "base64.hpp"
#include "page_columns.hpp"
#include "page_template.hpp"
#include "run_json.hpp"
#include "scene_json.hpp"

namespace dalembert {
namespace {

bool constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

using Write = std::function<void(std::string_view)>;

// Inside a script element neither its end nor a comment may begin.
std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

std::string dump_for_script(const Json& json) { return escaped(dump(json)); }

// Numbers go past the JSON library, which would look at every character of them.
void write_column(const Column& column, std::span<const double> values, const Write& write) {
  Json json{{"name", column.name}, {"group", group_name(column.group)}};
  if (const std::string latex = column_latex(column); !latex.empty()) json["latex"] = latex;
  if (!column.shown.empty()) json["unit"] = column.shown;
  if (column.scale != 1) json["scale"] = column.scale;
  if (!values.empty() && column.group != ColumnGroup::time && constant(values)) {
    json["constant"] = values.front();
    return write(dump_for_script(json));
  }
  std::string head = dump_for_script(json);
  head.back() = ',';  // in place of the brace
  write(head + "\"data\":\"");
  write_base64(values, write);
  write("\"}");
}

void write_samples(const PageSamples& samples, const PageColumns& chosen, const Write& write) {
  const auto begin = [&](const char* name, std::size_t count) {
    write(fmt::format(",\n\"{}\":{{\"count\":{},\"columns\":[", name, count));
  };
  begin("samples", samples.size());
  bool first = true;
  const auto separate = [&] {
    write(first ? "\n" : ",\n");
    first = false;
  };
  for (std::size_t i = 0; i < samples.columns().size(); ++i) {
    if (!chosen.shown[i]) continue;
    separate();
    write_column(samples.columns()[i], samples.values(i), write);
  }
  write("]}");
  if (samples.every() == 1) return;
  write(fmt::format(",\n\"thinned\":{{\"every\":{},\"of\":{}}}", samples.every(), samples.added()));
  begin("envelope", 2 * samples.size());
  first = true;
  for (std::size_t i = 0; i < samples.columns().size(); ++i) {
    if (!chosen.shown[i] || samples.columns()[i].group == ColumnGroup::view) continue;
    separate();
    write_column(samples.columns()[i], samples.envelope(i), write);
  }
  write("]}");
}

// Those columns that the page shows.
void write_curves(const PageCurves& curves, const PageColumns& chosen, const PageSamples& samples,
                  const Write& write) {
  write(fmt::format(",\n\"curves\":{{\"count\":{},\"columns\":[", curves.values.front().size()));
  bool first = true;
  for (std::size_t i = 0, k = 0; k < curves.columns.size(); ++i) {
    const Column& column = samples.columns()[i];
    if (column.name != curves.columns[k].name || column.group != curves.columns[k].group) continue;
    if (chosen.shown[i]) {
      write(first ? "\n" : ",\n");
      first = false;
      write_column(column, curves.values[k], write);
    }
    ++k;
  }
  write("]}");
}

// In the units of the run that it is drawn over.
void write_other(const OtherRun& other, std::span<const Column> shown, const Write& write) {
  const std::size_t count = other.values.empty() ? 0 : other.values.front().size();
  write(fmt::format(",\n\"other\":{{\"name\":{},\"samples\":{{\"count\":{},\"columns\":[",
                    dump_for_script(Json(other.name)), count));
  for (std::size_t i = 0; i < other.columns.size(); ++i) {
    Column column = other.columns[i];
    const auto same =
        std::find_if(shown.begin(), shown.end(), [&](const Column& one) { return one.name == column.name; });
    if (same != shown.end()) {
      column.shown = same->shown;
      column.scale = same->scale;
    }
    write(i == 0 ? "\n" : ",\n");
    write_column(column, other.values[i], write);
  }
  write("]}}");
}

Json equations_json(const PageEquations& equations) {
  Json blocks = Json::array();
  for (const PageEquations::Block& block : equations.blocks)
    blocks.push_back({{"symbol", block.symbol}, {"meaning", block.meaning}, {"latex", block.latex}});
  return {{"laws", equations.laws}, {"unknowns", equations.unknowns}, {"blocks", blocks}};
}

Json comparison_json(const Comparison& comparison) {
  Json methods = Json::array();
  for (const Comparison::MethodRuns& method : comparison.methods) {
    Json json{{"name", method.name}, {"runs", Json::array()}};
    for (const Comparison::Run& run : method.runs) {
      json["runs"].push_back({{"tolerance", run.tolerance},
                              {"seconds", run.seconds},
                              {"steps", run.steps},
                              {"error", run.error}});
    }
    if (method.drift) {
      json["drift"] = {{"t", method.drift->t},
                       {"position", method.drift->position},
                       {"velocity", method.drift->velocity},
                       {"energy", method.drift->energy}};
    }
    methods.push_back(json);
  }
  return {{"reference", comparison.reference},
          {"confirmed", comparison.confirmed},
          {"check", comparison.check},
          {"methods", methods}};
}

// Without the states, which the curves have.
Json events_json(const std::vector<EventRecord>& events) {
  constexpr std::size_t most = 5000;
  Json list = Json::array();
  for (const EventRecord& event : std::span(events).first(std::min(most, events.size()))) {
    Json json{{"t", event.t}, {"name", event.name}, {"kind", event.kind}};
    if (!event.q_after.empty()) json["energy_change"] = event.energy_change;
    for (const auto& [name, impulse] : event.impulses) json["impulses"][name] = impulse;
    if (!event.note.empty()) json["note"] = event.note;
    list.push_back(std::move(json));
  }
  return list;
}

Json names_of(const std::vector<Contact>& contacts) {
  Json names = Json::array();
  for (const Contact& contact : contacts) names.push_back(contact.name);
  return names;
}

std::size_t bytes_of_other(const OtherRun& other) {
  std::size_t numbers = 0;
  for (const std::vector<double>& values : other.values) numbers += values.size();
  return numbers * sizeof(double) * 4 / 3 + 70 * other.columns.size();
}

// With a comma in front of it, as all that follows the first keys.
std::string member(const char* name, const Json& json) {
  return fmt::format(",\n\"{}\":{}", name, dump_for_script(json));
}

// Asked for when all else is written, or when their size counts.
class EquationsText {
 public:
  explicit EquationsText(const Page& page) : page_(page) {}

  const std::string& get() {
    if (text_.empty() && page_.equations) text_ = member("equations", equations_json(page_.equations()));
    return text_;
  }

 private:
  const Page& page_;
  std::string text_;
};

// All columns where the page stays small with long equations; else as many as have room beside its own.
// `rest`: of bytes that are no numbers.
PageColumns choose_columns(const Page& page, std::size_t rest, EquationsText& equations) {
  constexpr std::size_t most_bytes = 4'990'000;
  constexpr std::size_t long_equations = 1'500'000;
  if (page.samples == nullptr) return {};
  const std::size_t taken = page_template().size() + rest + (page.other ? bytes_of_other(*page.other) : 0);
  const std::size_t points = page.curves.values.empty() ? 0 : page.curves.values.front().size();
  const auto choose = [&](std::size_t more) {
    return choose_page_columns(*page.samples, points, most_bytes - std::min(most_bytes, taken + more));
  };
  PageColumns columns = choose(long_equations);
  return columns.left_out.empty() ? columns : choose(equations.get().size());
}

void write_data(const Page& page, const Write& write) {
  Json json{{"format", "dalembert-report"}, {"version", 1}};
  json.update(to_json(page.record));
  json["summary"]["events"] = events_json(page.record.report.events);
  json["summary"]["event_count"] = page.record.report.events.size();
  json["contacts"] = names_of(page.record.model->contacts);
  if (!page.has_run) json.erase("summary");
  if (page.comparison) json["comparison"] = comparison_json(*page.comparison);
  std::string text = dump_for_script(json);
  text.pop_back();  // what follows stands in the same object
  const bool has_scene =
      !page.scene.points.empty() || !page.scene.bodies.empty() || !page.scene.figures.empty();
  const std::string scene = has_scene ? member("scene", scene_json(page.scene)) : "";
  EquationsText equations(page);
  const PageColumns columns = choose_columns(page, text.size() + scene.size(), equations);
  write(text);
  if (!columns.left_out.empty()) write(member("left_out", columns.left_out));
  if (columns.has_scene) write(scene);
  if (page.samples != nullptr) write_samples(*page.samples, columns, write);
  if (!page.curves.values.empty()) write_curves(page.curves, columns, *page.samples, write);
  if (page.other && page.samples != nullptr) write_other(*page.other, page.samples->columns(), write);
  write(equations.get());
  write("}");
}

}  // namespace

bool has_page() { return !page_template().empty(); }

void check_page_name(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix != ".html" && suffix != ".htm") {
    throw Error(fmt::format("'{}' is no name of a report page; write one that ends in .html", path.string()));
  }
  if (!has_page()) {
    throw Error("this build carries no report page; it was made with DALEMBERT_WEB=OFF");
  }
}

std::string page_data(const Page& page) {
  std::string text;
  write_data(page, [&](std::string_view piece) { text += piece; });
  return text;
}

namespace {

// `put` writes the data.
void write_with(const std::filesystem::path& path, const std::function<void(const Write&)>& put) {
  const std::string_view whole = page_template();
  if (whole.empty()) throw Error("this build carries no report page; it was made with DALEMBERT_WEB=OFF");
  const std::size_t mark = whole.find(data_mark);
  AtomicFile file(path);
  file.write(whole.substr(0, mark));
  put([&](std::string_view piece) { file.write(piece); });
  file.write(whole.substr(mark + data_mark.size()));
  file.commit();
}

}  // namespace

void write_page(const std::filesystem::path& path, const Page& page) {
  write_with(path, [&](const Write& write) { write_data(page, write); });
}

void write_page(const std::filesystem::path& path, std::string_view data) {
  write_with(path, [&](const Write& write) { write(escaped(data)); });
}

}  // namespace dalembert
