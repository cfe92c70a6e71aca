#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/page.hpp>

#include "base64.hpp"
#include "page_template.hpp"
#include "run_json.hpp"

namespace dalembert {
namespace {

bool constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

Json column_json(const Column& column, std::span<const double> values) {
  Json json{{"name", column.name}, {"group", group_name(column.group)}};
  if (const std::string latex = column_latex(column); !latex.empty()) json["latex"] = latex;
  if (!values.empty() && column.group != ColumnGroup::time && constant(values)) {
    json["constant"] = values.front();
  } else {
    json["data"] = base64(values);
  }
  return json;
}

void add_samples(Json& json, const PageSamples& samples) {
  Json kept{{"count", samples.size()}, {"columns", Json::array()}};
  for (std::size_t i = 0; i < samples.columns().size(); ++i)
    kept["columns"].push_back(column_json(samples.columns()[i], samples.values(i)));
  json["samples"] = std::move(kept);
  if (samples.every() == 1) return;
  json["thinned"] = {{"every", samples.every()}, {"of", samples.added()}};
  Json envelope{{"count", 2 * samples.size()}, {"columns", Json::array()}};
  for (std::size_t i = 0; i < samples.columns().size(); ++i) {
    const Column& column = samples.columns()[i];
    if (column.group != ColumnGroup::view)
      envelope["columns"].push_back(column_json(column, samples.envelope(i)));
  }
  json["envelope"] = std::move(envelope);
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
  if (shape.kind == "box") json["size"] = shape.size;
  if (shape.kind != "box") json["radius"] = shape.radius;
  if (shape.kind == "cylinder") {
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

Json scene_json(const Scene& scene) {
  Json json{
      {"points", Json::array()}, {"links", scene.links}, {"traces", scene.traces}, {"bodies", Json::array()}};
  for (const ScenePoint& point : scene.points)
    json["points"].push_back({{"name", point.name}, {"position", point.position}});
  for (const SceneBody& body : scene.bodies) json["bodies"].push_back(body_json(body));
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
  return {{"reference", comparison.reference}, {"methods", methods}};
}

// Inside a script element neither its end nor a comment may begin.
std::string escaped(std::string text) {
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

}  // namespace

bool has_page() { return !page_template().empty(); }

std::string page_data(const Page& page) {
  Json json{{"format", "dalembert-report"}, {"version", 1}};
  json.update(to_json(page.record));
  if (!page.has_run) json.erase("summary");
  if (page.equations) json["equations"] = equations_json(*page.equations);
  if (page.samples != nullptr) add_samples(json, *page.samples);
  if (!page.scene.points.empty() || !page.scene.bodies.empty()) json["scene"] = scene_json(page.scene);
  if (page.comparison) json["comparison"] = comparison_json(*page.comparison);
  return escaped(dump(json));
}

void write_page(const std::filesystem::path& path, const Page& page) {
  const std::string_view whole = page_template();
  if (whole.empty()) {
    throw Error(
        "this build carries no report page: it was made without Node.js and npm (package names nodejs, npm)");
  }
  const std::size_t mark = whole.find(data_mark);
  AtomicFile file(path);
  file.write(whole.substr(0, mark));
  file.write(page_data(page));
  file.write(whole.substr(mark + data_mark.size()));
  file.commit();
}

}  // namespace dalembert
