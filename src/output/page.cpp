#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/page.hpp>

#include "base64.hpp"
#include "page_columns.hpp"
#include "page_template.hpp"
#include "run_json.hpp"

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

Json shape_json(const SceneShape& shape) {
  Json json{{"kind", shape.kind}};
  if (shape.kind == "polygon") {
    json["points"] = shape.points;
    return json;
  }
  if (!shape.center.empty()) json["center"] = shape.center;
  if (!shape.turn.empty()) json["turn"] = shape.turn;
  if (shape.kind == "frame") return json;
  if (shape.kind == "plate") json["corners"] = shape.corners;
  if (shape.kind == "box" || shape.kind == "inertia") {
    json["size"] = shape.size;
    return json;
  }
  json["radius"] = shape.radius;
  if (shape.kind == "cylinder" || shape.kind == "rod") {
    json["length"] = shape.length;
    json["axis"] = std::string(1, shape.axis);
  }
  return json;
}

Json body_json(const SceneBody& body) {
  Json json{{"name", body.name}, {"position", body.position}};
  if (body.rotation.size() == 1) json["angle"] = body.rotation.front();
  if (body.rotation.size() == 4) json["quaternion"] = body.rotation;
  json["shapes"] = Json::array();
  for (const SceneShape& shape : body.shapes) json["shapes"].push_back(shape_json(shape));
  return json;
}

Json numbers_json(const std::vector<SceneNumber>& numbers) {
  Json list = Json::array();
  for (const SceneNumber& number : numbers) std::visit([&](const auto& one) { list.push_back(one); }, number);
  return list;
}

Json figure_json(const SceneFigure& figure) {
  Json json{{"kind", figure.kind}, {"name", figure.name}, {"at", Json::array()}};
  for (const SceneAnchor& anchor : figure.at) {
    Json at;
    if (!anchor.point.empty()) at["point"] = anchor.point;
    if (!anchor.body.empty()) at["body"] = anchor.body;
    if (anchor.point.empty()) at["place"] = numbers_json(anchor.place);
    json["at"].push_back(at);
  }
  for (const auto& [key, numbers] : figure.values) json[key] = numbers_json(numbers);
  if (!figure.quantity.empty()) json["quantity"] = figure.quantity;
  return json;
}

Json scene_json(const Scene& scene) {
  Json json{
      {"points", Json::array()}, {"links", scene.links}, {"traces", scene.traces}, {"bodies", Json::array()}};
  for (const ScenePoint& point : scene.points)
    json["points"].push_back({{"name", point.name}, {"position", point.position}});
  for (const SceneBody& body : scene.bodies) json["bodies"].push_back(body_json(body));
  for (const SceneFigure& figure : scene.figures) json["figures"].push_back(figure_json(figure));
  return json;
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

void write_data(const Page& page, const Write& write) {
  Json json{{"format", "dalembert-report"}, {"version", 1}};
  json.update(to_json(page.record));
  json["summary"]["events"] = events_json(page.record.report.events);
  json["summary"]["event_count"] = page.record.report.events.size();
  json["contacts"] = names_of(page.record.model->contacts);
  if (!page.has_run) json.erase("summary");
  PageColumns columns;
  if (page.samples != nullptr) columns = choose_page_columns(*page.samples);
  if (!columns.left_out.empty()) json["left_out"] = columns.left_out;
  const bool has_scene =
      !page.scene.points.empty() || !page.scene.bodies.empty() || !page.scene.figures.empty();
  if (has_scene && columns.has_scene) json["scene"] = scene_json(page.scene);
  if (page.comparison) json["comparison"] = comparison_json(*page.comparison);
  std::string text = dump_for_script(json);
  text.pop_back();  // what follows stands in the same object
  write(text);
  if (page.samples != nullptr) write_samples(*page.samples, columns, write);
  if (!page.curves.values.empty()) write_curves(page.curves, columns, *page.samples, write);
  if (page.other && page.samples != nullptr) write_other(*page.other, page.samples->columns(), write);
  if (page.equations) write(",\n\"equations\":" + dump_for_script(equations_json(page.equations())));
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
