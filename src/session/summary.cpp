#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/session/ink.hpp>
#include <dalembert/session/summary.hpp>

#include "event_lines.hpp"
#include "grouped_names.hpp"

namespace dalembert::session {
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

Ink ink_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished:
      return Ink::green;
    case Outcome::doubtful:
    case Outcome::stopped_early:
      return Ink::red;
    case Outcome::interrupted:
      break;
  }
  return Ink::yellow;
}

std::string energy_line(const RunReport& report) {
  const double scale = report.energy_scale > 0 ? report.energy_scale : 1;
  if (report.conservative && report.event_energy == 0) {
    return fmt::format("  energy         {:.6g}, changed by at most {:.1e} ({:.1e} of its scale)\n",
                       report.start_energy, report.max_energy_error, report.max_energy_error / scale);
  }
  return fmt::format(
      "  energy         from {:.6g} to {:.6g}, work of the forces {:.6g}\n"
      "  energy balance change of energy minus work at most {:.1e} ({:.1e} of its scale)\n",
      report.start_energy, report.end_energy, report.work, report.max_energy_error,
      report.max_energy_error / scale);
}

// How much of the end is right, by the estimated growth of errors.
std::string trust_line(const RunReport& report) {
  const std::optional<int> digits = trusted_digits(report);
  if (!digits) return "";
  // two digits: less is what any motion loses
  constexpr double much = 100;
  const std::string growth = report.error_growth > much
                                 ? fmt::format("; errors grew by {:.0e} on the way", report.error_growth)
                                 : "";
  if (*digits == 0)
    return fmt::format(
        "  trust          perhaps no digit of the end state{}; ask for a smaller tolerance or more digits\n",
        growth);
  return fmt::format("  trust          about {} digit{} of the end state{}\n", *digits,
                     *digits == 1 ? "" : "s", growth);
}

}  // namespace

std::string summary_text(const RunReport& report, const ModelData& model,
                         const std::vector<std::string>& files, bool colour) {
  std::string text = coloured(heading_of(model), Ink::bold, colour);
  if (!report.doubts.empty())
    text += ": " + coloured("doubtful, do not trust these numbers", Ink::red, colour);
  text += "\n";
  const auto out = std::back_inserter(text);
  const std::string word = outcome_word(report.outcome);
  const Ink ink = ink_of(report.outcome);
  fmt::format_to(out, "  outcome        {} at t = {}\n", coloured(word, ink, colour),
                 shortest(report.end_time));
  if (!report.reason.empty() && report.reason != word)
    fmt::format_to(out, "  reason         {}\n", report.reason);
  for (const std::string& doubt : report.doubts) fmt::format_to(out, "  doubt          {}\n", doubt);
  fmt::format_to(out, "  method         {}, {} steps, {} rejected", report.method, report.steps,
                 report.rejected);
  if (report.highest_order > 0) {
    fmt::format_to(out, ", order {} to {}", report.lowest_order, report.highest_order);
  }
  text += cost_line(report);
  text += "\n";
  if (report.largest_step >= 0)  // else not known
    fmt::format_to(out, "  step           {:.3g} to {:.3g}\n", report.smallest_step, report.largest_step);
  const std::string threads = report.threads > 1 ? fmt::format(", {} threads", report.threads) : "";
  fmt::format_to(out, "  time used      {:.3g} s{}\n", report.seconds, threads);
  if (report.native_counts) fmt::format_to(out, "  native code    {}\n", report.native);
  if (!model.holonomic.empty())
    fmt::format_to(out, "  max |g|        {:.1e}\n", report.max_position_residual);
  const bool mechanical = model.kind != ModelKind::kinematic;
  if (mechanical && (!model.holonomic.empty() || !model.nonholonomic.empty())) {
    fmt::format_to(out, "  max |C v + c|  {:.1e}\n", report.max_velocity_residual);
  }
  if (mechanical) text += energy_line(report);
  text += event_lines(report);
  text += trust_line(report);
  if (!files.empty()) {
    const std::string part = reached_end(report.outcome) ? "" : ", partial";
    fmt::format_to(out, "  written        {} ({} samples{})\n", printable(join(files, ", ")), report.samples,
                   part);
  }
  if (!report.not_unique.empty()) {
    fmt::format_to(out, "  not unique     {}; least norm\n", group_names(report.not_unique, ""));
  }
  if (!report.advice.empty()) fmt::format_to(out, "  advice         {}\n", report.advice);
  for (const std::string& warning : report.warnings) fmt::format_to(out, "  note           {}\n", warning);
  return text;
}

}  // namespace dalembert::session
