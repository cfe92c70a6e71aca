// What is said about a run besides its numbers, in every file that can hold it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/model/model.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert {

struct RunRecord {
  explicit RunRecord(Model described) : model(std::move(described)) {}

  std::string generator;  ///< program and version
  Model model;
  std::vector<std::string> settings;                         ///< what --set replaced: "l1=0.3"
  std::vector<std::pair<std::string, std::string>> options;  ///< what the run was asked to do, by name
  double asked_end_time = 0;
  RunReport report;

  bool partial() const { return !reached_end(report.outcome); }
  bool doubtful() const { return !report.doubts.empty(); }
};

/// The model's title, or where it has none the name of its file.
std::string heading_of(const ModelData& model);

/// "finished", "doubtful", "stopped early", "interrupted".
std::string outcome_word(Outcome outcome);

/// How many decimal digits of the end state are right, by RunReport::end_error; none: not estimated.
std::optional<int> trusted_digits(const RunReport& report);

/// The report as a JSON object.
std::string report_json(const RunReport& report, const std::string& title, int indent = -1);

}  // namespace dalembert
