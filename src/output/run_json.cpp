#include "run_json.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/base/printable.hpp>

namespace dalembert {

std::string heading_of(const ModelData& model) {
  return model.title.empty() ? printable(std::filesystem::path(model.file).stem().string()) : model.title;
}

std::string outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished:
      return "finished";
    case Outcome::doubtful:
      return "doubtful";
    case Outcome::stopped_early:
      return "stopped early";
    case Outcome::interrupted:
      return "interrupted";
  }
  return "";
}

std::optional<int> trusted_digits(const RunReport& report) {
  constexpr double most = 1e-300;  // of a run whose errors vanish
  if (!std::isfinite(report.end_error)) return std::nullopt;
  return std::max(0, static_cast<int>(std::floor(-std::log10(std::max(report.end_error, most)))));
}

namespace {

// States behind an event are left out where nothing has changed.
Json to_json(const std::vector<EventRecord>& events) {
  Json list = Json::array();
  for (const EventRecord& event : events) {
    Json json{{"t", event.t}, {"name", event.name}, {"kind", event.kind}, {"q", event.q}, {"v", event.v}};
    if (!event.q_after.empty()) {
      json["q_after"] = event.q_after;
      json["v_after"] = event.v_after;
      json["energy_change"] = event.energy_change;
    }
    for (const auto& [name, impulse] : event.impulses) json["impulses"][name] = impulse;
    if (!event.note.empty()) json["note"] = event.note;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

Json to_json(const RunReport& report) {
  const std::optional<int> digits = trusted_digits(report);
  return {{"method", report.method},
          {"outcome", outcome_word(report.outcome)},
          {"reason", report.reason},
          {"doubts", report.doubts},
          {"start_time", report.start_time},
          {"end_time", report.end_time},
          {"steps", report.steps},
          {"rejected", report.rejected},
          {"samples", report.samples},
          {"evaluations", report.evaluations},
          {"factorizations", report.factorizations},
          {"iterations", report.iterations},
          {"lowest_order", report.lowest_order},
          {"highest_order", report.highest_order},
          {"smallest_step", report.smallest_step},
          {"largest_step", report.largest_step},
          {"seconds", report.seconds},
          {"threads", report.threads},
          {"max_position_residual", report.max_position_residual},
          {"max_velocity_residual", report.max_velocity_residual},
          {"relative_position_residual", report.relative_position_residual},
          {"relative_velocity_residual", report.relative_velocity_residual},
          {"conservative", report.conservative},
          {"start_energy", report.start_energy},
          {"end_energy", report.end_energy},
          {"work", report.work},
          {"max_energy_error", report.max_energy_error},
          {"energy_scale", report.energy_scale},
          {"explained_energy_error", report.explained_energy_error},
          {"end_error", report.end_error},
          {"error_growth", report.error_growth},
          {"trusted_digits", digits ? Json(*digits) : Json()},
          {"events", to_json(report.events)},
          {"event_energy", report.event_energy},
          {"singular_times", report.singular_times},
          {"not_unique", report.not_unique},
          {"advice", report.advice},
          {"native", report.native},
          {"notes", report.warnings}};
}

Json to_json(const RunRecord& record) {
  const ModelData& model = *record.model;
  Json options = Json::object();
  for (const auto& [name, value] : record.options) options[name] = value;
  Json json{{"generator", record.generator},
            {"title", model.title},
            {"source", model.source},
            {"file", model.file},
            {"text", model.text},
            {"settings", record.settings},
            {"options", options},
            {"partial", record.partial()}};
  json["summary"] = to_json(record.report);
  json["summary"]["asked_end_time"] = record.asked_end_time;
  return json;
}

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string report_json(const RunReport& report, const std::string& title, int indent) {
  Json json{{"title", title}};
  json.update(to_json(report));
  return dump(json, indent);
}

}  // namespace dalembert
