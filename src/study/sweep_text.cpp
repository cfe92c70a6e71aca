#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/session/layout.hpp>
#include <dalembert/study/sweep.hpp>

namespace dalembert::study {
namespace {

using session::number;
using session::table_row;
using session::TableWidths;

std::string with_row(double value, std::uint64_t row) {
  return fmt::format("{} ({})", number(value, 6), row);
}

void put_ranges(std::string& text, const SweepReport& report) {
  constexpr TableWidths widths{18, 20};
  text += "\n" + table_row("", {"least (row)", "largest (row)", "mean +- deviation"}, widths);
  for (const ColumnSummary& one : report.columns) {
    const std::string name = one.unit.empty() ? one.name : fmt::format("{} [{}]", one.name, one.unit);
    if (one.count == 0) {
      text += table_row(name, {"no finite value"}, widths);
      continue;
    }
    text += table_row(name,
                      {with_row(one.min, one.min_row), with_row(one.max, one.max_row),
                       fmt::format("{} +- {}", number(one.mean, 5), number(one.deviation, 2))},
                      widths);
  }
}

void put_indices(std::string& text, const SweepReport& report) {
  constexpr TableWidths widths{18, 20};
  for (const ColumnSummary& one : report.columns) {
    if (one.indices.empty()) continue;
    text += "\n" + table_row(one.name + ": share of variance", {}, widths);
    text += table_row("", {"alone", "with all others"}, widths);
    for (std::size_t i = 0; i < one.indices.size(); ++i) {
      const SobolIndex& index = one.indices[i];
      text += table_row("  " + report.varied[i],
                        {fmt::format("{:.4f} +- {:.1g}", index.first, index.first_error),
                         fmt::format("{:.4f} +- {:.1g}", index.total, index.total_error)},
                        widths);
    }
  }
}

}  // namespace

std::string to_text(const SweepReport& report) {
  std::string text = report.title + "\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  rows           {} of {}", report.rows, report.all_rows);
  if (report.computed < report.rows) fmt::format_to(out, ", {} of them now", report.computed);
  for (std::size_t i = 0; i < report.outcomes.size(); ++i) {
    if (report.outcomes[i] > 0)
      fmt::format_to(out, "{}{} {}", i == 0 ? "; " : ", ", report.outcomes[i],
                     outcome_word(static_cast<Outcome>(i)));
  }
  if (report.begun_anew) text += "\n  resumed        nothing: there were no rows yet";
  if (report.computed > 0) {
    fmt::format_to(out, "\n  time used      {:.3g} s, {:.4g} runs per second", report.seconds,
                   static_cast<double>(report.computed) / report.seconds);
    if (report.processes > 1) fmt::format_to(out, "; {} processes of", report.processes);
    fmt::format_to(out, "{} {} thread{}, {:.0f} % busy", report.processes > 1 ? "" : ",", report.threads,
                   report.threads == 1 ? "" : "s",
                   100 * report.busy / (report.seconds * report.threads * report.processes));
  }
  text += "\n";
  if (!report.columns.empty()) put_ranges(text, report);
  put_indices(text, report);
  if (!report.failures.empty()) text += "\n  not finished\n";
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(most, report.failures.size()); ++i) {
    const FailureSummary& one = report.failures[i];
    text += session::wrap_words(fmt::format("{} (row {})", printable(one.reason), one.first_row),
                                fmt::format("  {:>8} ", one.count), std::string(11, ' '));
  }
  if (report.failures.size() > most)
    fmt::format_to(out, "           and {} more reasons\n", report.failures.size() - most);
  if (!report.files.empty())
    fmt::format_to(out, "\n  written        {}\n", printable(join(report.files, ", ")));
  if (!report.trouble.empty())
    text += session::wrap_words(printable(report.trouble), "  trouble        ", "    ");
  if (!report.log.empty()) {
    text += session::wrap_words(
        fmt::format("the same call with --resume goes on; {} has what is computed", printable(report.log)),
        "  not complete   ", std::string(17, ' '));
  }
  return text;
}

}  // namespace dalembert::study
