#include "summary.hpp"

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/text.hpp>

namespace dalembert::app {
namespace {

std::string_view word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished:
      return "finished";
    case Outcome::stopped_early:
      return "stopped early";
    case Outcome::interrupted:
      return "interrupted";
  }
  return "";
}

// What was counted of evaluations, factorizations and iterations.
std::string cost_line(const RunReport& report) {
  std::string text;
  for (const auto& [count, unit] : {std::pair{report.evaluations, "evaluations"},
                                    {report.factorizations, "factorizations"},
                                    {report.iterations, "iterations"}}) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "\n  cost           " : ", ", count, unit);
  }
  return text;
}

std::string energy_line(const RunReport& report) {
  const double scale = report.energy_scale > 0 ? report.energy_scale : 1;
  if (report.conservative) {
    return fmt::format("  energy         {:.6g}, changed by at most {:.1e} ({:.1e} of its scale)\n",
                       report.start_energy, report.max_energy_error, report.max_energy_error / scale);
  }
  return fmt::format(
      "  energy         from {:.6g} to {:.6g}, work of the forces {:.6g}\n"
      "  energy balance change of energy minus work at most {:.1e} ({:.1e} of its scale)\n",
      report.start_energy, report.end_energy, report.work, report.max_energy_error,
      report.max_energy_error / scale);
}

}  // namespace

std::string summary_text(const RunReport& report, const ModelData& model, const std::string& file) {
  std::string text = fmt::format("{}\n", model.title.empty() ? "Run" : model.title);
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  outcome        {} at t = {}\n", word(report.outcome), shortest(report.end_time));
  if (!report.reason.empty()) fmt::format_to(out, "  reason         {}\n", report.reason);
  fmt::format_to(out, "  method         {}, {} steps, {} rejected", report.method, report.steps,
                 report.rejected);
  if (report.highest_order > 0) {
    fmt::format_to(out, ", order {} to {}", report.lowest_order, report.highest_order);
  }
  text += cost_line(report);
  fmt::format_to(out, "\n  step           {:.3g} to {:.3g}\n", report.smallest_step, report.largest_step);
  fmt::format_to(out, "  time used      {:.3g} s\n", report.seconds);
  if (!model.holonomic.empty())
    fmt::format_to(out, "  max |g|        {:.1e}\n", report.max_position_residual);
  if (!model.holonomic.empty() || !model.nonholonomic.empty()) {
    fmt::format_to(out, "  max |C v + c|  {:.1e}\n", report.max_velocity_residual);
  }
  text += energy_line(report);
  if (!file.empty()) fmt::format_to(out, "  written        {} ({} samples)\n", file, report.samples);
  for (const std::string& warning : report.warnings) fmt::format_to(out, "  note           {}\n", warning);
  return text;
}

std::string summary_json(const RunReport& report, const ModelData& model) {
  const nlohmann::ordered_json json{{"title", model.title},
                                    {"method", report.method},
                                    {"outcome", word(report.outcome)},
                                    {"reason", report.reason},
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
                                    {"max_position_residual", report.max_position_residual},
                                    {"max_velocity_residual", report.max_velocity_residual},
                                    {"conservative", report.conservative},
                                    {"start_energy", report.start_energy},
                                    {"end_energy", report.end_energy},
                                    {"work", report.work},
                                    {"max_energy_error", report.max_energy_error},
                                    {"energy_scale", report.energy_scale},
                                    {"notes", report.warnings}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace dalembert::app
