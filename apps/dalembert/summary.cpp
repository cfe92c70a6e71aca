#include "summary.hpp"

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/output/run_record.hpp>

#include "grouped_names.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

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

std::string summary_text(const RunReport& report, const ModelData& model,
                         const std::vector<std::string>& files, bool colour) {
  std::string text = coloured(heading_of(model), Ink::bold, colour) + "\n";
  const auto out = std::back_inserter(text);
  const Ink ink = report.outcome == Outcome::finished        ? Ink::green
                  : report.outcome == Outcome::stopped_early ? Ink::red
                                                             : Ink::yellow;
  const std::string word = outcome_word(report.outcome);
  fmt::format_to(out, "  outcome        {} at t = {}\n", coloured(word, ink, colour),
                 shortest(report.end_time));
  if (!report.reason.empty() && report.reason != word)
    fmt::format_to(out, "  reason         {}\n", report.reason);
  fmt::format_to(out, "  method         {}, {} steps, {} rejected", report.method, report.steps,
                 report.rejected);
  if (report.highest_order > 0) {
    fmt::format_to(out, ", order {} to {}", report.lowest_order, report.highest_order);
  }
  text += cost_line(report);
  fmt::format_to(out, "\n  step           {:.3g} to {:.3g}\n", report.smallest_step, report.largest_step);
  const std::string threads = report.threads > 1 ? fmt::format(", {} threads", report.threads) : "";
  fmt::format_to(out, "  time used      {:.3g} s{}\n", report.seconds, threads);
  if (!model.holonomic.empty())
    fmt::format_to(out, "  max |g|        {:.1e}\n", report.max_position_residual);
  const bool mechanical = model.kind != ModelKind::kinematic;
  if (mechanical && (!model.holonomic.empty() || !model.nonholonomic.empty())) {
    fmt::format_to(out, "  max |C v + c|  {:.1e}\n", report.max_velocity_residual);
  }
  if (mechanical) text += energy_line(report);
  if (!files.empty()) {
    const std::string part = report.outcome == Outcome::finished ? "" : ", partial";
    fmt::format_to(out, "  written        {} ({} samples{})\n", join(files, ", "), report.samples, part);
  }
  if (!report.not_unique.empty()) {
    fmt::format_to(out, "  not unique     {}; least norm\n", group_names(report.not_unique, ""));
  }
  if (!report.advice.empty()) fmt::format_to(out, "  advice         {}\n", report.advice);
  for (const std::string& warning : report.warnings) fmt::format_to(out, "  note           {}\n", warning);
  return text;
}

}  // namespace dalembert::app
